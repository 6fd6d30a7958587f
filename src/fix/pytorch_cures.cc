// SPDX-License-Identifier: Apache-2.0
// Cures of nodes that mean calls of PyTorch.
#include "fix/pytorch_cures.h"

#include "plan/axis_map.h"
#include "plan/emulation/emulated_plan.h"
#include "plan/plan.h"

namespace tesela::fix {
namespace {

using peers::AxisView;
using peers::NodeView;

constexpr SamplingParams kNearest{Filter::kNearest, CoordinateMode::kAsymmetric, NearestMode::kFloor};

// How many outputs take another input than PyTorch, by exact positions.
Result<int64_t> other_inputs(const EmulatedAxis& theirs, const NodeView& view, const AxisView& axis) {
  const double scale = view.by_scales() ? static_cast<double>(*axis.scale) : 1;
  const AxisRequest request{axis.axis, axis.in, axis.out, !view.by_scales(), axis.out, axis.in, scale};
  TESELA_ASSIGN_OR_RETURN(const AxisMap map, make_axis_map(request, kNearest));
  int64_t different = 0;
  for (int64_t i = 0; i < axis.out; ++i)
    if (theirs.input[static_cast<size_t>(i)] != nearest_index(map, i)) ++different;
  return different;
}

// PyTorch rounds positions. Where extents are not known, so is whether that shows.
Status check_nearest(const NodeView& view) {
  if (view.plan() == nullptr) return {};
  PlanFields fields;
  fields.rules = Rules::kPytorch;
  const std::optional<Plan> theirs = view.plan_with(fields, view.type());
  if (!theirs) return value_error("PyTorch has no such call");
  for (const EmulatedAxis& emulated : std::get<EmulatedPlan>(theirs->work).steps.front().axes)
    for (const AxisView& axis : view.axes()) {
      if (axis.axis != emulated.axis || !axis.is_resized()) continue;
      TESELA_ASSIGN_OR_RETURN(const int64_t different, other_inputs(emulated, view, axis));
      if (different > 0)
        return value_error("axis {}: PyTorch rounds positions, and {} of {} outputs would copy another input",
                           axis.axis, different, axis.out);
    }
  return {};
}

}  // namespace

bool means_nearest(const Situation& node, std::string_view rule) {
  const SamplingParams& sampling = node.view.sampling();
  const bool is_exact =
      sampling.coordinates == CoordinateMode::kHalfPixel && sampling.nearest == NearestMode::kRoundPreferCeil;
  return !is_exact && in_catalogue(node, rule);
}

Result<Call> pytorch_nearest(const Situation& node) {
  TESELA_RETURN_IF_ERROR(check_nearest(node.view));
  Call call = node.call;
  set_attribute(call.op, text_attribute("coordinate_transformation_mode", "asymmetric"));
  set_attribute(call.op, text_attribute("nearest_mode", "floor"));
  return call;
}

Result<Call> pytorch_scales(const Situation& node) {
  std::vector<float> scales;
  for (const AxisView& axis : node.view.axes()) {
    if (!axis.scale || axis.in < 0) return value_error("the scales or extents of its axes are not known");
    scales.push_back(axis.in == axis.out ? 1 : *axis.scale);
  }
  Call call = node.call;
  call.inputs[2] = {{}, floats(scales)};
  return call;
}

Result<Call> pytorch_corners(const Situation&) {
  return unsupported_error(
      "no node gives what PyTorch computes for antialias=True with align_corners=True: corners scale the filter and do "
      "not move it");
}

}  // namespace tesela::fix
