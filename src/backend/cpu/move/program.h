// SPDX-License-Identifier: Apache-2.0
// The data that is computed once for a plan of moves.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "backend/cpu/move/nest.h"
#include "backend/cpu/scratch.h"
#include "plan/plan.h"

namespace tesela::cpu {

struct MoveProgram {
  std::vector<std::vector<int64_t>> tables;  // per pass: the input of each output; empty for axes that are too long
  moves::Element outside = {};               // for outputs without an input
  bool has_nests = false;
  size_t unit_axis = 0;                // the axes from it on make a unit: the output, or one of several equal parts
  std::vector<moves::LoopNest> nests;  // of a unit, for dense ones and cached stores
  KeptArena arena;                     // for the data that nests point to

  bool is_bound(size_t pass) const { return pass < tables.size() && !tables[pass].empty(); }
};

void bind_move(const Plan& plan, MoveProgram& program);

}  // namespace tesela::cpu
