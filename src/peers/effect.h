// SPDX-License-Identifier: Apache-2.0
// How the results of two plans of one call differ, by construction: nothing runs.
#pragma once

#include <cstdint>
#include <string>

#include "plan/plan.h"

namespace tesela::peers {

/// Enough for the axes of images. Of longer axes both ends are compared.
inline constexpr int64_t kMostOutputs = 8192;

/// "axis 2: extent 39 here, 40 there", "axis 3: 12 of 64 outputs copy another input", "axis 3: positions shift by up to
/// 0.5, weights differ by up to 0.25"; empty if nothing differs by more than the rounding of float32.
std::string effect_text(const Plan& ours, const Plan& theirs);

/// The number of taps that comparing this plan with another of its extents looks at, about.
int64_t taps_compared(const Plan& plan);

}  // namespace tesela::peers
