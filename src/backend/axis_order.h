// SPDX-License-Identifier: Apache-2.0
// Views whose axes lie in another order in memory, such as pixels with their channels together that are seen as planes.
#pragma once

#include "backend/program.h"
#include "plan/plan.h"

namespace tesela {

/// An order lists axes, the outermost in memory first. Axes of one element, whose strides mean nothing, are the first.
Extents order_of(const MutableTensorView& view);

/// The order of the plan's axes: 0, 1, 2, ...
Extents order_of_plan(size_t rank);

/// The order with the fewest bytes in tensors whose rows are not contiguous, which must be copied; empty for the order of
/// the plan. For plans that interpolate.
Extents find_order(const Plan& plan, const BoxRun& run);

/// The same plan, with its axes in this order. The passes keep theirs, so the results are the same.
Plan in_order(const Plan& plan, const Extents& order);
BoxRun in_order(const BoxRun& run, const Extents& order);

}  // namespace tesela
