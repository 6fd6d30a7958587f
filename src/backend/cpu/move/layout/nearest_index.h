// Nearest inputs of a range of outputs, without a division for each.
#pragma once

#include <cstdint>

#include "plan/axis_rule.h"

namespace tesela::cpu::moves {

inline constexpr int64_t kOutside = -1;  // the input of an extrapolated output

/// For each output of a nearest or identity rule its input, or kOutside: what make_index_table says, in one addition for
/// each output where the positions allow it.
void find_indices(const AxisRule& rule, IndexRange range, int64_t* index);

}  // namespace tesela::cpu::moves
