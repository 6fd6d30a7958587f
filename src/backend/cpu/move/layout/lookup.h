// Rows whose elements are looked up in registers.
#pragma once

#include <span>

#include "backend/cpu/move/loops/rows.h"
#include "backend/cpu/scratch.h"

namespace tesela::cpu::moves {

/// Has a row of elements, whose offsets are set, looked up in registers; where a block would take more than four windows,
/// they are fetched one by one.
void choose_element_kernel(Arena& arena, Row& row);

/// A row of elements of `width` bytes at these offsets from its src.
Row make_element_row(Arena& arena, std::span<const int32_t> offsets, int64_t width);

}  // namespace tesela::cpu::moves
