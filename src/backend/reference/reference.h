// The reference backend: the definition of every result. Obvious loops; nothing here is fast on purpose.
#pragma once

#include "backend/program.h"

namespace tesela::reference {

/// Computes one box, on the calling thread.
void run_box(const Plan& plan, const BoxRun& run);

// Its two kinds of work.
void move_box(const Plan& plan, const BoxRun& run);         // fills, tiles, nearest, copies: bits are moved
void interpolate_box(const Plan& plan, const BoxRun& run);  // linear and cubic

/// Puts the plan's extrapolation value where any axis samples outside the input.
void store_outside(const Plan& plan, const BoxRun& run);

}  // namespace tesela::reference
