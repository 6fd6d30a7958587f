// Moves of 2- and 4-bit elements.
#pragma once

#include "backend/cpu/move/program.h"
#include "backend/cpu/move/task.h"
#include "backend/program.h"

namespace tesela::cpu::moves {

/// Moves a box of packed elements. outside: for outputs that take no input.
void move_packed(bool stream, const Plan& plan, const MoveProgram& program, const BoxRun& run, const Element& outside);

}  // namespace tesela::cpu::moves
