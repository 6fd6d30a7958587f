// SPDX-License-Identifier: Apache-2.0
// A node as a call that can be changed: its operator, and where each input comes from.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "schema/infer.h"

namespace tesela::fix {

/// An input of a changed node: an input of the old one, a new constant, or omitted.
struct CallInput {
  std::optional<size_t> old = {};  // its position in the old node
  std::optional<Tensor> constant = {};

  bool is_omitted() const { return !old && !constant; }
};

struct Call {
  OpDesc op;
  std::vector<CallInput> inputs;

  /// The position of an input of the operator's row; empty if the row does not have it.
  std::optional<size_t> position(std::string_view input) const;
  /// The input of this name; omitted if the call is shorter.
  CallInput input(std::string_view name) const;
};

using Inputs = std::span<const TensorInfo* const>;

/// The node as it is. inputs: what is known of them; null for an omitted one.
Call unchanged(const OpDesc& op, Inputs inputs);

/// What is known of a call's inputs, given what is known of the old node's.
class CallInfos {
 public:
  CallInfos(const Call& call, Inputs old);
  CallInfos(const CallInfos&) = delete;
  CallInfos& operator=(const CallInfos&) = delete;

  Inputs view() const { return pointers_; }

 private:
  std::vector<TensorInfo> constants_;
  std::vector<const TensorInfo*> pointers_;
};

/// Sets an attribute, or replaces its value.
void set_attribute(OpDesc& op, Attribute attribute);
void remove_attribute(OpDesc& op, std::string_view name);
const Attribute* find_same(const OpDesc& op, const Attribute& attribute);

inline Attribute text_attribute(std::string name, std::string_view value) {
  return {std::move(name), AttributeKind::kString, std::string(value)};
}
inline Attribute int_attribute(std::string name, int64_t value) {
  return {std::move(name), AttributeKind::kInt, value};
}
inline Attribute float_attribute(std::string name, float value) {
  return {std::move(name), AttributeKind::kFloat, value};
}

/// A constant of one axis. Throws std::bad_alloc.
Tensor floats(std::span<const float> values);
Tensor int64s(std::span<const int64_t> values);

/// What changes, in words: "Upsample-9 becomes Resize-13; mode: 'bilinear' becomes 'linear'; sizes: 1, 3, 8, 8".
std::string change_text(const Call& before, const Call& after);

}  // namespace tesela::fix
