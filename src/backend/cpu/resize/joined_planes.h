// SPDX-License-Identifier: Apache-2.0
// Planes of few elements, many at a time. Rows of a few numbers would use little of a vector, so every pass is a horizontal
// one, along a line that several planes make.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "backend/cpu/resize/horizontal_table.h"
#include "backend/cpu/resize/joined_rules.h"
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

/// What is read of each plane, in numbers: of a crop, a part.
struct PlanePart {
  /// An axis, or several that are one in memory.
  struct Loop {
    int64_t count;
    int64_t stride;
  };
  SmallVector<Loop, 4> loops;  // the innermost first
  int64_t begin = 0;           // from the plane's beginning
  int64_t stride = 1;          // from one plane to the next
  bool is_whole = true;
};

template <class C>
struct JoinedPlanes {
  SmallVector<JoinedPass<C>, 2> passes;
  int64_t planes = 1;  // of a block, whose numbers stay in the caches
  PlanePart part;
};

template <class C>
std::unique_ptr<const JoinedPlanes<C>> make_joined_planes(const Plan& plan, const ResizePlan& work,
                                                          const Layout& layout, const JoinedPart& part);

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
