// What operators that are not Tesela's do to types, shapes and small integers: one row of a table for each.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/graph.h"
#include "shapes/known_value.h"

namespace tesela {

/// A node as a rule sees it. What a rule asks of a node that breaks its operator's rules is unknown, never an
/// error.
class RuleNode {
 public:
  /// inputs: null for an omitted one.
  RuleNode(const Node& node, std::span<const KnownValue* const> inputs) : node_(node), inputs_(inputs) {}

  size_t input_count() const { return inputs_.size(); }
  bool has_input(size_t k) const { return k < inputs_.size() && inputs_[k] != nullptr; }
  /// Of which nothing is known where it is omitted.
  const KnownValue& input(size_t k) const;
  /// Whole numbers that an input holds, all known.
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

/// Fills in what is known of the outputs, of which at first nothing is. It looks at no more than kMostEntries
/// elements and at each input a fixed number of times.
using Rule = void (*)(const RuleNode& node, std::span<KnownValue> outputs);

struct ShapeRule {
  std::string_view type;  // of ONNX's domain
  int64_t since;          // the first opset that the rule is right for
  Rule rule;
};

/// The rules of each kind; shape_rules.cc joins them.
std::span<const ShapeRule> elementwise_rules();
std::span<const ShapeRule> extent_rules();
std::span<const ShapeRule> layout_rules();
std::span<const ShapeRule> part_rules();
std::span<const ShapeRule> window_rules();
std::span<const ShapeRule> reduction_rules();

/// The rule of an operator of ONNX's domain at that opset; null where there is none.
const ShapeRule* find_shape_rule(std::string_view type, int64_t opset);

/// An axis from the front; empty where it is outside [-rank, rank).
std::optional<size_t> normal_axis(int64_t axis, size_t rank);

/// Axes from the front, each once; empty where one is wrong.
std::optional<std::vector<size_t>> normal_axes(const Extents& axes, size_t rank);

/// 0, 1, ... as many as asked for.
Extents first_axes(size_t count);

/// The extents of elements that are broadcast against each other.
Dims broadcast_dims(const Dims& a, const Dims& b);

}  // namespace tesela
