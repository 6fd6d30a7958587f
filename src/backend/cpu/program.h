// SPDX-License-Identifier: Apache-2.0
// The data that the CPU backend computes once for a plan.
#pragma once

#include "backend/cpu/cpu.h"
#include "backend/cpu/move/program.h"
#include "backend/cpu/resize/program.h"

namespace tesela::cpu {

struct Program {
  ResizeProgram resize;  // for plans that interpolate
  MoveProgram move;      // for all others
};

}  // namespace tesela::cpu
