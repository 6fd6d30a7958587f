// SPDX-License-Identifier: Apache-2.0
// The strips of a long axis.
#include "backend/cpu/resize/strips.h"

#include <algorithm>

#include "backend/axis_order.h"

namespace tesela::cpu {

bool has_strips(const Layout& layout, const Pass& pass) {
  return layout.is_horizontal(pass) && pass.map.out > kStrip;
}

Division resize_division(const Plan& plan, const ResizePlan& work, const Layout& layout) {
  Division division;
  for (const Pass& pass : work.passes) {
    if (!layout.is_horizontal(pass)) continue;
    const size_t axis = pass.axis;
    division.strips = Extents(plan.out.size(), 1);
    division.strips[axis] = std::min(pass.map.out, kStrip);
    std::copy(plan.out.begin() + axis + 1, plan.out.end(), division.strips.begin() + axis + 1);
    // Kernels of wide windows compute several rows in the time of one.
    if (axis > 0 && pass.window > kMaxFourTapsBelow512 && pass.map.in > 2 * pass.map.out)
      division.strips[axis - 1] = kHorizontalBatch;
    if (!has_strips(layout, pass)) continue;
    division.order = order_of_plan(plan.out.size());
    std::rotate(division.order.begin(), division.order.begin() + axis, division.order.begin() + axis + 1);
  }
  return division;
}

}  // namespace tesela::cpu
