// What is worked out once for a plan of moves: the inputs of axes that are taken by tables.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/plan.h"

namespace tesela::cpu {

struct MoveProgram {
  std::vector<std::vector<int64_t>> tables;  // by pass: the input of each output; empty for axes that are too long

  bool is_bound(size_t pass) const { return pass < tables.size() && !tables[pass].empty(); }
};

MoveProgram bind_move(const Plan& plan);

}  // namespace tesela::cpu
