// SPDX-License-Identifier: Apache-2.0
// JSON documents as values, and as text. Destructors allocate nothing, so that a failing allocation unwinds like any other.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace tesela {

class Json {
 public:
  struct Member;
  using Array = std::vector<Json>;
  using Object = std::vector<Member>;  // in the order of insertion

  // NOLINTBEGIN(google-explicit-constructor): values convert wherever a document is written down
  Json(std::nullptr_t = nullptr);
  Json(bool value);
  Json(const char* text);
  Json(std::string_view text);
  Json(std::string text);
  template <std::signed_integral T>
  Json(T value) : Json(Number{int64_t{value}}) {}
  template <std::unsigned_integral T>
  Json(T value) : Json(Number{uint64_t{value}}) {}
  template <std::floating_point T>
  Json(T value) : Json(Number{double{value}}) {}
  template <class T>
  Json(const std::vector<T>& values);
  /// An object if each entry is an array of a string and a value, else an array.
  Json(std::initializer_list<Json> entries);
  // NOLINTEND(google-explicit-constructor)
  Json(const Json& other);
  Json(Json&&) noexcept;
  Json& operator=(const Json& other) { return *this = Json(other); }
  Json& operator=(Json&&) noexcept;
  ~Json();

  static Json array(std::initializer_list<Json> entries = {});
  static Json object();

  bool is_null() const { return std::holds_alternative<std::nullptr_t>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_double() const { return std::holds_alternative<double>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }

  /// The value, which must be of this type.
  const std::string& string() const { return std::get<std::string>(value_); }
  bool boolean() const { return std::get<bool>(value_); }
  int64_t integer() const { return std::get<int64_t>(value_); }
  double number() const { return std::get<double>(value_); }
  const Array& entries() const { return std::get<Array>(value_); }
  const Object& members() const { return std::get<Object>(value_); }

  /// The number of entries or members; 0 for other values.
  size_t size() const;
  bool empty() const { return size() == 0; }

  bool contains(std::string_view key) const { return find(key) != nullptr; }
  /// The member's value; null if there is none.
  const Json& operator[](std::string_view key) const;
  /// The member's value, inserted as null if there is none. A null becomes an object.
  Json& operator[](std::string_view key);
  /// An entry of an array.
  Json& operator[](size_t index) { return std::get<Array>(value_)[index]; }
  /// Appends to an array. A null becomes an array.
  void push_back(Json entry);
  /// Inserts or replaces members.
  void update(Json object);

  /// The text, with line breaks and an indentation of two spaces. Invalid UTF-8 becomes U+FFFD; infinities and NaN null.
  std::string text() const;

 private:
  using Number = std::variant<int64_t, uint64_t, double>;
  struct Writer;
  explicit Json(Number number);
  const Json* find(std::string_view key) const;

  std::variant<std::nullptr_t, bool, int64_t, uint64_t, double, std::string, Array, Object> value_;
};

struct Json::Member {
  std::string key;
  Json value;
};

template <class T>
Json::Json(const std::vector<T>& values) : value_(Array(values.begin(), values.end())) {}

}  // namespace tesela
