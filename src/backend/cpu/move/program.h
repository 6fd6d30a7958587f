// SPDX-License-Identifier: Apache-2.0
// The data that is computed once for a plan of moves.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "backend/cpu/move/kept_nests.h"
#include "plan/plan.h"

namespace tesela::cpu {

struct MoveProgram {
  std::vector<std::vector<int64_t>> tables;      // per pass: the input of each output; empty for axes that are too long
  moves::Element outside = {};                   // for outputs without an input
  std::unique_ptr<const moves::BoxNests> whole;  // of the output, if both tensors are dense and stores go to the caches
  moves::KeptNests nests;                        // of other boxes

  bool is_bound(size_t pass) const { return pass < tables.size() && !tables[pass].empty(); }
};

void bind_move(const Plan& plan, MoveProgram& program);

}  // namespace tesela::cpu
