// Kernels of rows that need no instruction set.
#pragma once

#include "backend/cpu/move/loops/rows.h"

namespace tesela::cpu::moves {

/// Bytes side by side.
void copy_rows(const Rows& rows, const Row& row);
/// Elements fetched one by one.
void gather_rows(const Rows& rows, const Row& row);

}  // namespace tesela::cpu::moves
