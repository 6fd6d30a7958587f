// SPDX-License-Identifier: Apache-2.0
// Converts ResizeParams to a ResizePlan: which axes are passes, and in which order.
#include <algorithm>

#include "plan/arithmetic.h"
#include "plan/axis_table.h"
#include "plan/plan.h"

namespace tesela {
namespace {

bool is_pass(const AxisMap& map) {
  return map.positions != AxisMap::Positions::kIdentity;
}

// The contract's order: first the axes that shrink, outermost first; then the others, outermost first with the last two
// swapped.
void put_in_order(std::vector<Pass>& passes, PassOrder order) {
  const auto comes_later = [order](const Pass& pass) {
    return order == PassOrder::kShrinkingFirst && pass.map.out >= pass.map.in;
  };
  std::sort(passes.begin(), passes.end(), [&](const Pass& a, const Pass& b) {
    if (comes_later(a) != comes_later(b)) return comes_later(b);
    return order == PassOrder::kLastAxisFirst ? b.axis < a.axis : a.axis < b.axis;
  });
  const size_t n = passes.size();
  if (n >= 2 && comes_later(passes[n - 2])) std::swap(passes[n - 2], passes[n - 1]);
}

// Of a pass, which has an output. Positions are monotonic, so checking both ends is enough.
bool extrapolates(const AxisMap& map) {
  return is_extrapolated(map, 0) || is_extrapolated(map, map.out - 1);
}

}  // namespace

Result<Plan> make_resize_plan(const ResizeParams& params, const Limits& limits) {
  Result<Plan> made = Plan{params.type, params.in, params.in, ResizePlan{}};
  Plan& plan = *made;
  auto& work = std::get<ResizePlan>(plan.work);
  work.filter = params.sampling.filter;
  work.extrapolation_value = params.sampling.extrapolation_value;
  for (const AxisRequest& request : params.axes) plan.out[request.axis] = request.out;
  TESELA_RETURN_IF_ERROR(check_size(params.type, plan.out, limits));
  const auto changes = [](const AxisRequest& request) { return request.in != request.out; };
  work.passes.reserve(static_cast<size_t>(std::count_if(params.axes.begin(), params.axes.end(), changes)));
  for (const AxisRequest& request : params.axes) {
    AxisMap map;
    TESELA_RETURN_IF_ERROR(set_axis_map(request, params.sampling, map));
    if (!is_pass(map)) continue;
    work.extrapolates = work.extrapolates || extrapolates(map);
    const int64_t window = window_of(map);
    if (const int64_t bytes = axis_table_bytes(window, 1); bytes > limits.max_working_bytes)
      return limit_error("axis {}: the {} taps of one output take {} bytes of tables; the limit is {}", request.axis,
                         window, bytes, limits.max_working_bytes);
    work.passes.push_back({request.axis, map, window});
  }
  put_in_order(work.passes, params.order);
  TESELA_RETURN_IF_ERROR(choose_arithmetic(params, work));
  // Checked for the whole output, so that all its regions succeed or fail alike.
  const bool is_empty = std::find(plan.out.begin(), plan.out.end(), 0) != plan.out.end();
  if (work.extrapolates && !is_empty && params.type == DataType::kString)
    return type_error(
        "input 'X' has type string, and tf_crop_and_resize reads outside it; strings have no extrapolation_value");
  return made;
}

}  // namespace tesela
