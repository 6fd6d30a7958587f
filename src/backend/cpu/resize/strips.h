// SPDX-License-Identifier: Apache-2.0
// The strips that the horizontal pass of a long axis is divided into, each with a table of its own.
#pragma once

#include <algorithm>

#include "backend/boxes.h"
#include "backend/cpu/resize/program.h"

namespace tesela::cpu {

/// Whether the pass is divided into strips.
bool has_strips(const Layout& layout, const Pass& pass);

/// Along the horizontal pass, boxes begin at strips, or have the whole axis if it is shorter, and all its channels:
/// another part would need a table of its own. All rows of a strip are in the same box if possible, since they share its table.
Division resize_division(const Plan& plan, const ResizePlan& work, const Layout& layout);

/// Calls the function with the part of the box in each strip.
template <class Function>
void for_each_strip(const Plan& plan, const ResizePlan& work, const Layout& layout, const BoxRun& run,
                    const Function& function) {
  const auto is_cut = [&layout](const Pass& pass) { return has_strips(layout, pass); };
  const auto pass = std::find_if(work.passes.begin(), work.passes.end(), is_cut);
  if (pass == work.passes.end()) return function(run);
  const size_t axis = pass->axis;
  const int64_t end = run.output_lo[axis] + run.output.extents[axis];
  Box box = {run.output_lo, run.output.extents};
  for (; box.lo[axis] < end; box.lo[axis] += box.n[axis]) {
    box.n[axis] = std::min(end, (box.lo[axis] / kStrip + 1) * kStrip) - box.lo[axis];
    function(part_of(plan, run, box));
  }
}

}  // namespace tesela::cpu
