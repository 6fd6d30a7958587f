// SPDX-License-Identifier: Apache-2.0
// JSON documents.
#include "types/json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "types/text.h"

namespace tesela {
namespace {

const Json kNull;

bool is_member(const Json& entry) {
  return entry.is_array() && entry.size() == 2 && entry.entries().front().is_string();
}

// The first character of `text` in a string. Returns its bytes.
size_t append_character(std::string& out, std::string_view text) {
  constexpr std::string_view kReplacement = "\xEF\xBF\xBD";
  constexpr std::string_view kEscaped = "\b\t\n\f\r\"\\";
  constexpr std::string_view kLetters = "btnfr\"\\";
  const char c = text.front();
  if (const size_t place = kEscaped.find(c); place != std::string_view::npos) {
    (out += '\\') += kLetters[place];
    return 1;
  }
  if (static_cast<unsigned char>(c) < 0x20) {
    out += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    return 1;
  }
  const size_t length = utf8_length(text);
  out += length == 0 ? kReplacement : text.substr(0, length);
  return std::max<size_t>(length, 1);
}

}  // namespace

struct Json::Writer {
  std::string& out;
  size_t depth = 0;

  void operator()(std::nullptr_t) { out += "null"; }
  void operator()(bool value) { out += value ? "true" : "false"; }
  void operator()(int64_t value) { out += std::to_string(value); }
  void operator()(uint64_t value) { out += std::to_string(value); }
  void operator()(double value) {
    if (!std::isfinite(value)) return (*this)(nullptr);
    const std::string text = fmt::format("{}", value);
    out += text;
    // Readers take a number without a point or exponent for an integer.
    if (text.find_first_of(".e") == std::string::npos) out += ".0";
  }
  void operator()(std::string_view text) {
    out += '"';
    while (!text.empty()) text.remove_prefix(append_character(out, text));
    out += '"';
  }
  void operator()(const Array& entries) {
    write("[]", entries, [this](const Json& entry) { std::visit(*this, entry.value_); });
  }
  void operator()(const Object& members) {
    write("{}", members, [this](const Member& member) {
      (*this)(std::string_view(member.key));
      out += ": ";
      std::visit(*this, member.value.value_);
    });
  }

  template <class List, class Write>
  void write(std::string_view brackets, const List& list, const Write& write_one) {
    if (list.empty()) {
      out += brackets;
      return;
    }
    out += brackets[0];
    ++depth;
    for (const auto& entry : list) {
      if (&entry != &list.front()) out += ',';
      (out += '\n').append(2 * depth, ' ');
      write_one(entry);
    }
    --depth;
    (out += '\n').append(2 * depth, ' ');
    out += brackets[1];
  }
};

Json::Json(std::nullptr_t) {}
Json::Json(bool value) : value_(value) {}
Json::Json(const char* text) : value_(std::string(text)) {}
Json::Json(std::string_view text) : value_(std::string(text)) {}
Json::Json(std::string text) : value_(std::move(text)) {}
Json::Json(Number number) {
  std::visit([this](auto value) { value_ = value; }, number);
}
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json::Json(std::initializer_list<Json> entries) {
  if (!std::all_of(entries.begin(), entries.end(), is_member)) {
    value_ = Array(entries);
    return;
  }
  Object members;
  members.reserve(entries.size());
  for (const Json& entry : entries) members.push_back({entry.entries()[0].string(), entry.entries()[1]});
  value_ = std::move(members);
}

// libstdc++ 12 destroys a variant whose copying fails as if it had a value.
Json::Json(const Json& other) {
  std::visit([this](const auto& value) { value_ = value; }, other.value_);
}

Json Json::array(std::initializer_list<Json> entries) {
  Json json;
  json.value_ = Array(entries);
  return json;
}

Json Json::object() {
  Json json;
  json.value_ = Object();
  return json;
}

size_t Json::size() const {
  if (is_array()) return entries().size();
  return is_object() ? members().size() : 0;
}

const Json* Json::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  const auto found = std::find_if(members().begin(), members().end(), [&](const Member& m) { return m.key == key; });
  return found == members().end() ? nullptr : &found->value;
}

const Json& Json::operator[](std::string_view key) const {
  const Json* const found = find(key);
  return found == nullptr ? kNull : *found;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object();
  if (const Json* const found = find(key)) return const_cast<Json&>(*found);
  return std::get<Object>(value_).emplace_back(Member{std::string(key), {}}).value;
}

void Json::push_back(Json entry) {
  if (is_null()) value_ = Array();
  std::get<Array>(value_).push_back(std::move(entry));
}

void Json::update(Json object) {
  for (Member& member : std::get<Object>(object.value_)) (*this)[member.key] = std::move(member.value);
}

std::string Json::text() const {
  std::string out;
  Writer writer{out};
  std::visit(writer, value_);
  return out;
}

}  // namespace tesela
