// SPDX-License-Identifier: Apache-2.0
// What the conditions of several peers share.
#include "peers/match.h"

#include <cmath>

#include "schema/tensor_values.h"

namespace tesela::peers {

namespace {

bool shrinks(const AxisView& axis) {
  if (axis.in >= 0 && axis.out >= 0) return axis.in > axis.out;
  return axis.scale && *axis.scale < 1;
}

bool may_shrink(const AxisView& axis) {
  return shrinks(axis) || (!axis.scale && axis.may_be_resized);
}

}  // namespace

Match when_resized(const NodeView& node, bool holds) {
  if (!holds || !node.may_resize()) return std::nullopt;
  return any_axis(node, is_resized) ? Match("") : Match(kUnknownShapes);
}

Match when_weight_zero_shows(const NodeView& node) {
  if (!node.resamples() || node.is_nearest()) return std::nullopt;
  const std::optional<DataValues> values = node.data_values();
  return when_resized(node, values && !values->is_finite());
}

Match when_shrunk(const NodeView& node, bool holds) {
  if (!holds || !node.may_resize()) return std::nullopt;
  if (any_axis(node, shrinks)) return Match("");
  return node.axes().empty() || any_axis(node, may_shrink) ? Match(kUnknownShapes) : std::nullopt;
}

Match nothing_given(const NodeView& node) {
  return when(node.resamples() && !node.has_input("scales") && !node.has_input("sizes") && node.version() >= 9);
}

bool has_unknown_scales(const NodeView& node, ExtentRule rule) {
  const TensorInfo* scales = node.input("scales");
  return node.resamples() && node.op().extents != rule && scales != nullptr && is_empty(*scales) != true &&
         !scales->constant && !node.has_input("sizes");
}

bool has_other_extents(const NodeView& node, ExtentRule rule) {
  return node.by_scales() && any_axis(node, [rule, &node](const AxisView& axis) {
           if (axis.in < 0 || !axis.scale) return false;
           const auto ours = scaled_extent(axis.in, *axis.scale, axis.axis, node.op().extents);
           const auto theirs = scaled_extent(axis.in, *axis.scale, axis.axis, rule);
           return ours.ok() && theirs.ok() && *ours != *theirs;
         });
}

bool may_have_other_extents(const NodeView& node) {
  return node.by_scales() && any_axis(node, [](const AxisView& axis) {
           if (axis.in >= 0 || !axis.scale) return false;
           const float steps = *axis.scale * 4096;  // with few digits products of usual extents are exact
           return steps != std::floor(steps) || steps > 0x1p24f;
         });
}

bool may_have_other_length(const NodeView& node) {
  return node.by_scales() && has_other_length(node) && any_axis(node, [](const AxisView& axis) {
           return axis.in < 0 && axis.scale && *axis.scale != std::floor(*axis.scale);
         });
}

bool may_keep_cropped_axis(const NodeView& node) {
  return node.crops() && node.has_input("roi") &&
         any_axis(node, [](const AxisView& axis) { return axis.in < 0 || axis.out < 0; });
}

bool has_unchanged_axis(const NodeView& node) {
  return any_axis(node, [&node](const AxisView& axis) {
    const bool crops = node.crops() && node.has_input("roi");
    const bool scaled = axis.scale ? *axis.scale != 1 : node.policy() != AspectPolicy::kStretch;
    return axis.in >= 0 && axis.in == axis.out && (scaled || crops);
  });
}

bool has_other_length(const NodeView& node) {
  const CoordinateMode mode = node.sampling().coordinates;
  const bool uses_length = mode == CoordinateMode::kAlignCorners || mode == CoordinateMode::kTfCropAndResize ||
                           mode == CoordinateMode::kHalfPixelSymmetric;
  return uses_length && (node.by_scales() || node.policy() != AspectPolicy::kStretch);
}

bool is_linear(const NodeView& node) {
  return node.sampling().filter == Filter::kLinear;
}

bool is_mode(const NodeView& node, std::initializer_list<CoordinateMode> modes) {
  return std::find(modes.begin(), modes.end(), node.sampling().coordinates) != modes.end();
}

bool has_rank(const NodeView& node, std::initializer_list<size_t> ranks) {
  return node.rank() && std::find(ranks.begin(), ranks.end(), *node.rank()) != ranks.end();
}

bool lacks_rank(const NodeView& node, std::initializer_list<size_t> ranks) {
  return node.rank() && !has_rank(node, ranks);
}

bool resizes_to_one(const NodeView& node) {
  return any_axis(node, [](const AxisView& axis) { return axis.out == 1 && axis.in > 1; });
}

bool has_fractional_scales(const NodeView& node) {
  return node.by_scales() && any_axis(node, [](const AxisView& axis) {
           if (!axis.scale || axis.in < 0) return false;
           const double product = static_cast<double>(*axis.scale) * static_cast<double>(axis.in);
           return product != std::floor(product);
         });
}

Match ratio_for_scale(const NodeView& node) {
  if (!node.resamples() || !has_fractional_scales(node)) return std::nullopt;
  if (node.sampling().coordinates == CoordinateMode::kAlignCorners) return std::nullopt;
  const std::optional<Plan> theirs = node.plan_by_sizes();
  return theirs ? when_it_shows(effect_text(*node.plan(), *theirs)) : Match("");
}

bool resizes_before_last(const NodeView& node, size_t count) {
  return node.rank() && any_axis(node, [&node, count](const AxisView& axis) {
           return axis.axis + count < *node.rank() && axis.is_resized();
         });
}

bool has_last_channels(const NodeView& node) {
  if (node.rank() != size_t{4}) return false;
  const auto resizes = [&node](size_t which) {
    return any_axis(node, [which](const AxisView& axis) { return axis.axis == which && axis.is_resized(); });
  };
  return !resizes(0) && resizes(1) && !resizes(3);
}

bool has_policy(const NodeView& node) {
  return node.by_sizes() && node.policy() != AspectPolicy::kStretch;
}

bool lists_some_axes(const NodeView& node) {
  const auto listed = node.op().ints_value("axes");
  if (!listed || listed->empty() || !node.rank()) return false;
  if (listed->size() != *node.rank()) return true;
  for (size_t k = 0; k < listed->size(); ++k)
    if ((*listed)[k] != static_cast<int64_t>(k)) return true;
  return false;
}

bool has_computed_inputs(const NodeView& node) {
  for (const std::string_view name : {"scales", "sizes", "repeats"}) {
    const TensorInfo* input = node.input(name);
    if (input != nullptr && is_empty(*input) != true && !input->constant) return true;
  }
  return false;
}

std::string effect_of(const NodeView& node, std::vector<Attribute> changed) {
  if (node.plan() == nullptr) return "";
  OpDesc op = node.op();
  for (Attribute& attribute : changed) {
    const auto given = std::find_if(op.attributes.begin(), op.attributes.end(),
                                    [&](const Attribute& each) { return each.name == attribute.name; });
    if (given != op.attributes.end())
      *given = std::move(attribute);
    else
      op.attributes.push_back(std::move(attribute));
  }
  const std::optional<Plan> theirs = node.plan_of(op);
  return theirs ? effect_text(*node.plan(), *theirs) : "";
}

}  // namespace tesela::peers
