// SPDX-License-Identifier: Apache-2.0
// Finds rules; helpers that rules share.
#include <algorithm>
#include <unordered_map>

#include "shapes/shape_rule.h"

namespace tesela {
namespace {

using RulesByType = std::unordered_map<std::string_view, std::vector<const ShapeRule*>>;

const RulesByType& rules_by_type() {
  static const RulesByType made = [] {
    RulesByType index;
    for (const auto rules : all_shape_rules())
      for (const ShapeRule& rule : rules) index[rule.type].push_back(&rule);
    return index;
  }();
  return made;
}

// Made when the library is loaded: after a fork during another thread's first use they would be half made.
[[maybe_unused]] const RulesByType& made_early = rules_by_type();

Dim broadcast_dim(const Dim& a, const Dim& b) {
  if (a == b || b.value == 1) return a;
  if (a.value == 1) return b;
  if (a.known() && b.known()) return {};
  // The other one is 1 or equal.
  return a.known() ? a : b.known() ? b : Dim();
}

}  // namespace

const KnownValue& RuleNode::input(size_t k) const {
  return has_input(k) ? *inputs_[k] : kUnknownValue;
}

std::optional<Extents> RuleNode::integers(size_t k) const {
  const KnownValue& value = input(k);
  if (value.type != DataType::kInt64 && value.type != DataType::kInt32) return std::nullopt;
  const std::optional<Entries> entries = entries_of(value);
  if (!entries) return std::nullopt;
  Extents integers;
  for (const Entry& entry : *entries) {
    if (!entry.known) return std::nullopt;
    integers.push_back(entry.integer);
  }
  return integers;
}

template <class T>
const T* RuleNode::find(std::string_view name) const {
  for (const Attribute& attribute : node_.attributes)
    if (attribute.name == name) return std::get_if<T>(&attribute.value);
  return nullptr;
}

int64_t RuleNode::attribute(std::string_view name, int64_t absent) const {
  const int64_t* value = find<int64_t>(name);
  return value ? *value : absent;
}

std::string_view RuleNode::attribute(std::string_view name, std::string_view absent) const {
  const std::string* value = find<std::string>(name);
  return value ? std::string_view(*value) : absent;
}

std::optional<Extents> RuleNode::integers(std::string_view name) const {
  const auto* values = find<std::vector<int64_t>>(name);
  if (values == nullptr || values->size() > kMaxEntries) return std::nullopt;
  return Extents(values->data(), values->size());
}

std::array<std::span<const ShapeRule>, 6> all_shape_rules() {
  return {kElementwiseRules, kExtentRules, kLayoutRules, kPartRules, kWindowRules, kReductionRules};
}

const ShapeRule* find_shape_rule(std::string_view type, int64_t opset) {
  const RulesByType& index = rules_by_type();
  const auto found = index.find(type);
  const ShapeRule* best = nullptr;
  if (found == index.end()) return best;
  for (const ShapeRule* rule : found->second)
    if (rule->since <= opset && (best == nullptr || rule->since > best->since)) best = rule;
  return best;
}

std::optional<size_t> normal_axis(int64_t axis, size_t rank) {
  const auto r = static_cast<int64_t>(rank);
  if (axis < -r || axis >= r) return std::nullopt;
  return static_cast<size_t>(axis < 0 ? axis + r : axis);
}

std::optional<std::vector<size_t>> normal_axes(const Extents& axes, size_t rank) {
  std::vector<size_t> normal;
  for (const int64_t given : axes) {
    const std::optional<size_t> axis = normal_axis(given, rank);
    if (!axis || std::find(normal.begin(), normal.end(), *axis) != normal.end()) return std::nullopt;
    normal.push_back(*axis);
  }
  return normal;
}

Extents first_axes(size_t count) {
  Extents axes;
  for (size_t k = 0; k < count; ++k) axes.push_back(static_cast<int64_t>(k));
  return axes;
}

Dims broadcast_dims(const Dims& a, const Dims& b) {
  const Dims& longer = a.size() < b.size() ? b : a;
  const Dims& shorter = a.size() < b.size() ? a : b;
  Dims dims = longer;
  const size_t lead = longer.size() - shorter.size();
  for (size_t d = 0; d < shorter.size(); ++d) dims[lead + d] = broadcast_dim(longer[lead + d], shorter[d]);
  return dims;
}

}  // namespace tesela
