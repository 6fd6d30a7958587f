// SPDX-License-Identifier: Apache-2.0
// The parameters of move kernels.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/kernels.h"
#include "backend/cpu/move/axis.h"

namespace tesela::cpu::moves {

/// Rows computed in the same way, each from its own place in the input.
struct Rows : Axis {
  const std::byte* src = nullptr;
  std::byte* dst = nullptr;
  bool stream = false;  // stores bypass the caches
  bool far = false;     // the input is likely not in the L2 cache
};

/// Blocks of output bytes, each looked up in adjacent windows of the input.
struct Lookup {
  int64_t windows = 0;  // 1, 2 or 4
  int64_t staged = 0;   // bytes of an input that is shorter than the windows, copied before the lookup
  int64_t stage_lo = 0;
  const int32_t* base = nullptr;   // [blocks] begin of a block's windows
  const uint8_t* index = nullptr;  // [blocks, block] each output byte's byte in the windows
  int64_t alike = 0;  // number of leading blocks with the first one's index, each base `step` after the one before
  int64_t step = 0;
};

struct Row;
using RowKernel = void (*)(const Rows& rows, const Row& row);

/// How one row is computed.
struct Row {
  RowKernel make = nullptr;
  Kernel kernel = Kernel::move_copy;  // for kernel counters
  int64_t bytes = 0;                  // of output
  int64_t width = 1;                  // bytes of an element, 1, 2, 4, 8, 16; for move_chunks at least 17
  int64_t count = 0;                  // of elements
  const int32_t* offset = nullptr;    // move_chunks, move_lookup, move_gather: [count] bytes from the row's src
  Lookup lookup = {};
};

}  // namespace tesela::cpu::moves
