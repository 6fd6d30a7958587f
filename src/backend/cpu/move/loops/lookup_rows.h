// SPDX-License-Identifier: Apache-2.0
// Row kernels that look output bytes up in registers, compiled for each instruction set.
#pragma once

#include "backend/cpu/move/rows.h"

namespace tesela::cpu::moves {

struct LookupRows {
  int64_t block = 0;  // bytes of a block and of a window; 0: no lookups on this machine
  /// The kernel of a row with known windows. Streamed rows are whole cache lines.
  RowKernel (*find)(const Row& row) = nullptr;
};
const LookupRows& lookup_rows();

}  // namespace tesela::cpu::moves
