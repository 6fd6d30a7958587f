// What the CPU backend works out once for a plan.
#pragma once

#include "backend/cpu/cpu.h"
#include "backend/cpu/move/program.h"
#include "backend/cpu/resize/program.h"

namespace tesela::cpu {

struct Program {
  ResizeProgram resize;  // of plans that interpolate
  MoveProgram move;      // of all others
};

}  // namespace tesela::cpu
