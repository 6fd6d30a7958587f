// SPDX-License-Identifier: Apache-2.0
// Adds the taps of a box of inputs to partial sums.
#pragma once

#include "backend/accumulate.h"

namespace tesela::cpu {

void add_taps(const TapSums& run);

}  // namespace tesela::cpu
