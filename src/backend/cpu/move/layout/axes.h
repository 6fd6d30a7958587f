// SPDX-License-Identifier: Apache-2.0
// Normalises and orders the axes of a move.
#pragma once

#include "backend/cpu/move/axis.h"
#include "backend/cpu/scratch.h"

namespace tesela::cpu::moves {

/// Removes axes of one element, orders axes by the output's memory, and merges neighbours that form one axis.
void normalise(Arena& arena, Axes& axes, Place& place);

}  // namespace tesela::cpu::moves
