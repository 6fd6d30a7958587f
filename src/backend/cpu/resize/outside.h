// SPDX-License-Identifier: Apache-2.0
// The outputs of a crop that are outside the input.
#pragma once

#include "backend/program.h"

namespace tesela::cpu {

/// Writes the extrapolation value to outputs of a box that are outside the input along any axis.
void fill_outside(const Plan& plan, const ResizePlan& work, const BoxRun& run);

}  // namespace tesela::cpu
