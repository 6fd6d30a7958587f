// SPDX-License-Identifier: Apache-2.0
// Which planes are joined, and what is read of them.
#pragma once

#include <optional>

#include "plan/plan.h"

namespace tesela::cpu {

struct Layout;

/// The first and the last axis of the passes. A plane is what follows the axes before the first one.
struct PassAxes {
  size_t first = 0;
  size_t last = 0;
};
PassAxes pass_axes(const ResizePlan& work);

int64_t product_from(const Extents& extents, size_t begin, size_t end);

/// What is read of the input of joined planes, and how many numbers of each plane outputs need.
struct JoinedPart {
  Box read;
  int64_t needed = 0;
};

/// Of a plan with planes that are worth joining; nothing of others.
std::optional<JoinedPart> joined_part(const Plan& plan, const ResizePlan& work, const Layout& layout);

}  // namespace tesela::cpu
