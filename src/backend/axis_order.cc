// SPDX-License-Identifier: Apache-2.0
// Finds the order of axes in memory.
#include "backend/axis_order.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "types/elements.h"

namespace tesela {
namespace {

Extents in_order(const Extents& values, const Extents& order) {
  Extents result(values.size());
  for (size_t place = 0; place < values.size(); ++place) result[place] = values[static_cast<size_t>(order[place])];
  return result;
}

template <class View>
Extents find_view_order(const View& view) {
  Extents order = order_of_plan(view.extents.size());
  if (view.strides_bytes.empty()) return order;
  const auto distance = [&view](int64_t axis) {
    const auto d = static_cast<size_t>(axis);
    return view.extents[d] == 1 ? INT64_MAX : std::abs(view.strides_bytes[d]);
  };
  // Not a stable sort, which allocates.
  std::sort(order.begin(), order.end(),
            [&](int64_t a, int64_t b) { return distance(a) != distance(b) ? distance(a) > distance(b) : a < b; });
  return order;
}

// Whether the axes of the passes follow each other as in the plan.
bool keeps_passes(const ResizePlan& work, const Extents& order) {
  int64_t before = -1;
  for (const int64_t axis : order) {
    const auto is_here = [axis](const Pass& pass) { return pass.axis == static_cast<size_t>(axis); };
    if (std::none_of(work.passes.begin(), work.passes.end(), is_here)) continue;
    if (axis < before) return false;
    before = axis;
  }
  return true;
}

// Bytes of the view if its rows, the axes from the last pass's on, are not contiguous in this order.
template <class View>
int64_t copied_bytes(const View& view, const Extents& order, size_t last_axis) {
  const int64_t element_bytes = element_bits(view.type) / 8;
  const Extents strides = strides_of(view);
  int64_t dense = element_bytes;
  for (size_t place = order.size(); place-- > 0;) {
    const auto d = static_cast<size_t>(order[place]);
    if (view.extents[d] != 1 && strides[d] != dense) return product(view.extents) * element_bytes;
    dense *= view.extents[d];
    if (d == last_axis) break;
  }
  return 0;
}

}  // namespace

Extents order_of(const MutableTensorView& view) {
  return find_view_order(view);
}

Extents order_of_plan(size_t rank) {
  Extents order(rank);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

Extents find_order(const Plan& plan, const BoxRun& run) {
  if (run.input.strides_bytes.empty() && run.output.strides_bytes.empty()) return {};
  const auto& work = std::get<ResizePlan>(plan.work);
  size_t last_axis = 0;
  for (const Pass& pass : work.passes) last_axis = std::max(last_axis, pass.axis);
  const auto copied = [&](const Extents& order) {
    return copied_bytes(run.input, order, last_axis) + copied_bytes(run.output, order, last_axis);
  };
  const Extents given = order_of_plan(plan.in.size());
  Extents best;
  int64_t least = copied(given);
  for (const Extents& order : {find_view_order(run.input), find_view_order(run.output)}) {
    if (least == 0 || order == given || !keeps_passes(work, order)) continue;
    if (const int64_t bytes = copied(order); bytes < least) {
      least = bytes;
      best = order;
    }
  }
  return best;
}

Plan in_order(const Plan& plan, const Extents& order) {
  Plan result = plan;
  result.in = in_order(plan.in, order);
  result.out = in_order(plan.out, order);
  for (Pass& pass : std::get<ResizePlan>(result.work).passes)
    pass.axis =
        static_cast<size_t>(std::find(order.begin(), order.end(), static_cast<int64_t>(pass.axis)) - order.begin());
  return result;
}

BoxRun in_order(const BoxRun& run, const Extents& order) {
  BoxRun result = run;
  const auto reorder = [&order](auto& view, Extents& lo) {
    view.strides_bytes = in_order(strides_of(view), order);
    view.extents = in_order(view.extents, order);
    lo = in_order(lo, order);
  };
  reorder(result.input, result.input_lo);
  reorder(result.output, result.output_lo);
  return result;
}

}  // namespace tesela
