// SPDX-License-Identifier: Apache-2.0
// The strips that the horizontal pass of a long axis is divided into, each with a table of its own.
#pragma once

#include <algorithm>

#include "backend/boxes.h"
#include "backend/cpu/resize/program.h"

namespace tesela::cpu {

/// Whether the pass is divided into strips.
bool has_strips(const Layout& layout, const Pass& pass);

/// Per axis, the outputs of a strip: kStrip along a horizontal pass that is longer; empty if there is none.
Extents resize_strips(const Plan& plan, const ResizePlan& work, const Layout& layout);

/// Calls the function with the part of the box in each strip.
template <class Function>
void for_each_strip(const Plan& plan, const Extents& strips, const BoxRun& run, const Function& function) {
  if (strips.empty()) return function(run);
  const auto is_cut = [](int64_t strip) { return strip > 1; };
  const auto axis = static_cast<size_t>(std::find_if(strips.begin(), strips.end(), is_cut) - strips.begin());
  const int64_t end = run.output_lo[axis] + run.output.extents[axis];
  Box box = {run.output_lo, run.output.extents};
  for (; box.lo[axis] < end; box.lo[axis] += box.n[axis]) {
    box.n[axis] = std::min(end, (box.lo[axis] / kStrip + 1) * kStrip) - box.lo[axis];
    function(part_of(plan, run, box));
  }
}

}  // namespace tesela::cpu
