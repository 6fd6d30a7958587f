// Moves: fills, tiles, nearest and copies.
#pragma once

#include "backend/cpu/move/program.h"
#include "backend/program.h"

namespace tesela::cpu {

/// Moves a box of any width, including packed types, with any strides. stream: stores may bypass the caches.
void move_box(const Plan& plan, const MoveProgram& program, const BoxRun& run, bool stream);

}  // namespace tesela::cpu
