// What the kernels of moves are told.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/kernels.h"
#include "backend/cpu/move/layout/axes.h"

namespace tesela::cpu::moves {

/// Rows that are made alike, each from its own place of the input.
struct Rows : Axis {
  const std::byte* src = nullptr;
  std::byte* dst = nullptr;
  bool stream = false;  // stores bypass the caches
  bool far = false;     // the input is likely not in the L2 cache
};

/// Blocks of output bytes, each looked up in windows of the input. The windows of a block stand side by side.
struct Lookup {
  int64_t windows = 0;  // 1, 2 or 4
  int64_t staged = 0;   // the input is shorter than the windows, these bytes: copied before it is looked up
  int64_t stage_lo = 0;
  const int32_t* base = nullptr;   // [blocks] where a block's windows begin
  const uint8_t* index = nullptr;  // [blocks, block] byte of the windows that each output byte takes
  int64_t alike = 0;  // blocks from the first on that share its index, each base `step` behind the one before
  int64_t step = 0;
};

struct Row;
using RowKernel = void (*)(const Rows& rows, const Row& row);

/// How the bytes of one row are made.
struct Row {
  RowKernel make = nullptr;
  Kernel kernel = Kernel::move_copy;  // what it counts as
  int64_t bytes = 0;                  // of output
  int64_t width = 1;                  // bytes of an element, 1, 2, 4, 8, 16; of move_chunks 32 and more
  int64_t count = 0;                  // of elements
  const int32_t* offset = nullptr;    // move_chunks, move_lookup, move_gather: [count] bytes from the row's src
  Lookup lookup = {};
};

}  // namespace tesela::cpu::moves
