// SPDX-License-Identifier: Apache-2.0
// Nearest inputs for a range of outputs, without a division per output.
#pragma once

#include <cstdint>

#include "plan/axis_map.h"

namespace tesela::cpu::moves {

inline constexpr int64_t kOutside = -1;  // the input of an extrapolated output

/// The input of each output of a nearest or identity map, or kOutside. Equal to make_index_table, but takes one
/// addition per output if the positions allow it.
void find_indices(const AxisMap& map, IndexRange range, int64_t* index);

}  // namespace tesela::cpu::moves
