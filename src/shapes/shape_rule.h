// SPDX-License-Identifier: Apache-2.0
// Inference of types, shapes and small integers for other operators: one table row for each.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/graph.h"
#include "shapes/known_value.h"

namespace tesela {

/// The view of a node for rules. Queries about an invalid node return unknown values, never
/// errors.
class RuleNode {
 public:
  /// inputs: null for an omitted one.
  RuleNode(const Node& node, std::span<const KnownValue* const> inputs) : node_(node), inputs_(inputs) {}

  size_t input_count() const { return inputs_.size(); }
  bool has_input(size_t k) const { return k < inputs_.size() && inputs_[k] != nullptr; }
  /// Nothing is known about an omitted input.
  const KnownValue& input(size_t k) const;
  /// The integers of an input, all known.
  std::optional<Extents> integers(size_t k) const;

  /// The attribute, or `absent`.
  int64_t attribute(std::string_view name, int64_t absent) const;
  std::string_view attribute(std::string_view name, std::string_view absent) const;
  std::optional<Extents> integers(std::string_view name) const;

 private:
  template <class T>
  const T* find(std::string_view name) const;

  const Node& node_;
  std::span<const KnownValue* const> inputs_;
};

using Outputs = std::span<KnownValue>;

/// Sets the known properties of the outputs, which are unknown at first. Reads at most kMaxEntries elements, and
/// each input a fixed number of times.
using Rule = void (*)(const RuleNode& node, Outputs outputs);

struct ShapeRule {
  std::string_view type;  // in ONNX's domain
  int64_t since;          // the first opset of the rule
  Rule rule;
};

// The rules of each kind, each in its own file.
extern const std::span<const ShapeRule> kElementwiseRules;
extern const std::span<const ShapeRule> kExtentRules;
extern const std::span<const ShapeRule> kLayoutRules;
extern const std::span<const ShapeRule> kPartRules;
extern const std::span<const ShapeRule> kWindowRules;
extern const std::span<const ShapeRule> kReductionRules;

/// All of those.
std::array<std::span<const ShapeRule>, 6> all_shape_rules();

/// The rule of an operator of ONNX's domain at that opset; null if there is none.
const ShapeRule* find_shape_rule(std::string_view type, int64_t opset);

/// An axis from the front; empty if it is outside [-rank, rank).
std::optional<size_t> normal_axis(int64_t axis, size_t rank);

/// Axes from the front, without duplicates; empty if one is invalid.
std::optional<std::vector<size_t>> normal_axes(const Extents& axes, size_t rank);

/// 0, 1, ..., count - 1.
Extents first_axes(size_t count);

/// The extents of two broadcast shapes.
Dims broadcast_dims(const Dims& a, const Dims& b);

}  // namespace tesela
