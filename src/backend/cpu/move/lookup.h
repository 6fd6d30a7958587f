// The windows of lines that are looked up in registers.
#pragma once

#include <span>

#include "backend/cpu/move/rows.h"
#include "backend/cpu/scratch.h"

namespace tesela::cpu::moves {

/// Finds the windows of each block of a line whose offsets are known; false where one would take more than four.
bool make_lookup(Scratch& scratch, Line& line);

/// A line of elements of `width` bytes at these offsets from its row's src.
Line make_table_line(Scratch& scratch, std::span<const int32_t> offsets, int64_t width);

}  // namespace tesela::cpu::moves
