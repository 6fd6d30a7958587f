// SPDX-License-Identifier: Apache-2.0
// How functions report errors: Status, Result<T>, and a function for each kind of error.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tesela/tesela.h"

namespace tesela {

/// A status code of tesela.h with its text; success is a null pointer.
class [[nodiscard]] Status {
 public:
  Status() = default;
  /// code: not TESELA_OK.
  Status(tesela_status code, std::string message);
  Status(const Status& other) : fault_(other.fault_ ? std::make_unique<Fault>(*other.fault_) : nullptr) {}
  Status(Status&&) = default;
  Status& operator=(const Status& other) { return *this = Status(other); }
  Status& operator=(Status&&) = default;
  ~Status() = default;

  bool ok() const { return fault_ == nullptr; }
  tesela_status code() const { return fault_ ? fault_->code : TESELA_OK; }
  const std::string& message() const;

  /// The same error with `where` before its text: "Resize-18 node 'up1': " + text.
  Status with_prefix(std::string_view where) const;

 private:
  struct Fault {
    tesela_status code;
    std::string message;
  };
  std::unique_ptr<const Fault> fault_;
};

/// A value or an error.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}          // NOLINT(google-explicit-constructor)
  Result(Status status) : status_(std::move(status)) {}  // NOLINT(google-explicit-constructor)

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  T& operator*() { return *value_; }
  const T& operator*() const { return *value_; }
  T* operator->() { return &*value_; }
  const T* operator->() const { return &*value_; }

 private:
  std::optional<T> value_;
  Status status_;
};

// A function for each row of the status table: value_error("...", ...), shape_error("...", ...).
#define TESELA_STATUS(lower, upper, code, exit_code, python)                       \
  template <class... Args>                                                         \
  Status lower##_error(fmt::format_string<Args...> text, Args&&... args) {         \
    return Status(TESELA_##upper, fmt::format(text, std::forward<Args>(args)...)); \
  }
TESELA_STATUS_TABLE(TESELA_STATUS)
#undef TESELA_STATUS

/// Quotes a name from a file for a message: escapes unprintable and invalid UTF-8 bytes, and shortens long names.
std::string in_quotes(std::string_view name);

// Returns from the calling function if `expression` is an error.
#define TESELA_RETURN_IF_ERROR(expression)                          \
  do {                                                              \
    if (auto status_ = (expression); !status_.ok()) return status_; \
  } while (false)

#define TESELA_CONCAT_INNER(a, b) a##b
#define TESELA_CONCAT(a, b)       TESELA_CONCAT_INNER(a, b)

// Declares `target` from a Result, or returns its error from the calling function. A reference moves nothing: the result lives as long.
#define TESELA_ASSIGN_OR_RETURN(target, expression) \
  TESELA_ASSIGN_OR_RETURN_IMPL(TESELA_CONCAT(result_, __LINE__), target, expression)
#define TESELA_ASSIGN_OR_RETURN_IMPL(result, target, expression) \
  auto result = (expression);                                    \
  if (!result.ok()) return result.status();                      \
  target = std::move(*result)

}  // namespace tesela
