// SPDX-License-Identifier: Apache-2.0
// The strips of a long axis.
#include "backend/cpu/resize/strips.h"

#include <algorithm>

namespace tesela::cpu {

bool has_strips(const Layout& layout, const Pass& pass) {
  return layout.is_horizontal(pass) && pass.map.out > kStrip;
}

Extents resize_strips(const Plan& plan, const ResizePlan& work, const Layout& layout) {
  for (const Pass& pass : work.passes) {
    if (!layout.is_horizontal(pass)) continue;
    Extents strips(plan.out.size(), 1);
    strips[pass.axis] = std::min(pass.map.out, kStrip);
    return strips;
  }
  return {};
}

}  // namespace tesela::cpu
