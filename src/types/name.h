// SPDX-License-Identifier: Apache-2.0
// Names of values, shared by many nodes.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>

#include "types/text.h"

namespace tesela {

/// A value's name. Copies share its text and its hash, so a long name takes memory once.
class Name {
 public:
  Name() = default;
  // NOLINTBEGIN(google-explicit-constructor): a name is its text
  Name(std::string text) {
    if (text.empty()) return;
    const size_t hash = std::hash<std::string_view>()(text);
    shared_ = std::make_shared<const Shared>(Shared{std::move(text), hash});
  }
  Name(std::string_view text) {
    if (!text.empty()) *this = Name(std::string(text));
  }
  Name(const char* text) : Name(std::string_view(text)) {}
  // NOLINTEND(google-explicit-constructor)

  const std::string& text() const { return shared_ ? shared_->text : kNoText; }
  operator std::string_view() const { return text(); }  // NOLINT(google-explicit-constructor)
  const char* c_str() const { return text().c_str(); }
  bool empty() const { return shared_ == nullptr; }
  size_t size() const { return text().size(); }
  size_t hash() const { return shared_ ? shared_->hash : std::hash<std::string_view>()({}); }

  friend bool operator==(const Name& a, const Name& b) {
    return a.shared_ == b.shared_ || (a.hash() == b.hash() && a.text() == b.text());
  }
  friend bool operator==(const Name& a, std::string_view b) { return a.text() == b; }
  friend bool operator==(const Name& a, const char* b) { return a.text() == b; }

 private:
  struct Shared {
    std::string text;
    size_t hash;
  };
  std::shared_ptr<const Shared> shared_;  // null: ""
};

/// For maps and sets by name; with std::equal_to<>, views can be looked up, too.
struct NameHash {
  using is_transparent = void;
  size_t operator()(const Name& name) const { return name.hash(); }
  size_t operator()(std::string_view name) const { return std::hash<std::string_view>()(name); }
};

/// The names of one file: equal texts share one name.
class NamePool {
 public:
  Name take(std::string_view text) {
    const auto found = names_.find(text);
    return found != names_.end() ? *found : *names_.emplace(text).first;
  }

 private:
  std::unordered_set<Name, NameHash, std::equal_to<>> names_;
};

}  // namespace tesela
