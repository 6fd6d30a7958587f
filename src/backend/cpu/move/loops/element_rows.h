// SPDX-License-Identifier: Apache-2.0
// Row kernels that are the same on every instruction set.
#pragma once

#include "backend/cpu/move/rows.h"

namespace tesela::cpu::moves {

/// Copies contiguous bytes.
void copy_rows(const Rows& rows, const Row& row);
/// Loads elements one by one.
void gather_rows(const Rows& rows, const Row& row);

}  // namespace tesela::cpu::moves
