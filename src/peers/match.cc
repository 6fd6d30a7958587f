// What the conditions of several peers share.
#include "peers/match.h"

#include "schema/tensor_values.h"

namespace tesela::peers {

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
