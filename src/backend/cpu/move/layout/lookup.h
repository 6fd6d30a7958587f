// SPDX-License-Identifier: Apache-2.0
// Rows with elements that are looked up in registers.
#pragma once

#include <span>

#include "backend/cpu/move/rows.h"
#include "backend/cpu/scratch.h"

namespace tesela::cpu::moves {

/// Chooses lookups in registers for a row with known offsets, or one load per element if a block would need more than
/// four windows.
void choose_element_kernel(Arena& arena, Row& row);

/// A row of elements of `width` bytes at these offsets from its src.
Row make_element_row(Arena& arena, std::span<const int32_t> offsets, int64_t width);

}  // namespace tesela::cpu::moves
