// SPDX-License-Identifier: Apache-2.0
// Planes of few elements, many at a time. Rows of a few numbers would use little of a vector, so every pass is a horizontal
// one, along a line that several planes make.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backend/cpu/resize/horizontal_table.h"
#include "backend/program.h"

namespace tesela::cpu {

struct Layout;

/// One pass over joined planes. A group is what the axis and those after it make, so a plane has one or several.
template <class C>
struct JoinedPass {
  HorizontalTable<C> table;  // of the line that `groups` groups make
  int64_t groups = 1;
  int64_t plane_groups = 1;
  int64_t in = 0;  // numbers of a group before and after the pass
  int64_t out = 0;

  int64_t plane_numbers() const { return plane_groups * out; }  // after the pass
};

template <class C>
struct JoinedPlanes {
  SmallVector<JoinedPass<C>, 2> passes;
  int64_t planes = 1;  // of a block, whose numbers stay in the caches
  Box part;            // of the input, which outputs need; the planes of a crop are parts of the input's
};

/// Whether the plan has planes with short rows. A plane is what follows the axes before the first that changes.
bool joins_planes(const Plan& plan, const ResizePlan& work, const Layout& layout);

template <class C>
std::unique_ptr<const JoinedPlanes<C>> make_joined_planes(const Plan& plan, const ResizePlan& work,
                                                          const Layout& layout);

/// Per axis, of what boxes consist: whole planes.
Extents joined_strips(const Plan& plan, const ResizePlan& work);

/// Computes a box of whole planes that are contiguous in both tensors; false if it has none.
template <class C>
bool run_joined_planes(const Plan& plan, const Layout& layout, const JoinedPlanes<C>& planes, const BoxRun& run,
                       bool stream, std::span<std::byte> scratch);

/// Numbers of scratch memory.
template <class C>
int64_t scratch_numbers(const JoinedPlanes<C>& planes);

}  // namespace tesela::cpu
