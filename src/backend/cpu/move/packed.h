// SPDX-License-Identifier: Apache-2.0
// Moves of 2- and 4-bit elements.
#pragma once

#include "backend/cpu/move/program.h"
#include "backend/program.h"

namespace tesela::cpu::moves {

/// Moves a box of packed elements.
void move_packed(const Plan& plan, const MoveProgram& program, const BoxRun& run, bool stream);

}  // namespace tesela::cpu::moves
