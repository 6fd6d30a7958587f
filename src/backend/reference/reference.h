// SPDX-License-Identifier: Apache-2.0
// The reference backend: the definition of every result. Simple loops, deliberately not optimised.
#pragma once

#include "backend/accumulate.h"
#include "backend/program.h"

namespace tesela::reference {

/// Computes one box, on the calling thread.
void run_box(const Plan& plan, const BoxRun& run);

// The kinds of computation.
void move_box(const Plan& plan, const BoxRun& run);         // fills, tiles, nearest, copies: copies bits
void interpolate_box(const Plan& plan, const BoxRun& run);  // linear and cubic
void emulate_box(const Plan& plan, const BoxRun& run);      // as another library

/// Adds taps to partial sums.
void add_taps(const TapSums& run);

/// Rounds sums to elements, or to the input of the next pass.
void finish_sums(const Plan& plan, const FinishRun& run);

/// Writes the plan's extrapolation value where any axis samples outside the input.
void store_outside(const Plan& plan, const BoxRun& run);

}  // namespace tesela::reference
