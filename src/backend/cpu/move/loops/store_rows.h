// Kernels of rows that are compiled for each instruction set: stores of one value, of chunks, and past the caches.
#pragma once

#include "backend/cpu/move/loops/rows.h"

namespace tesela::cpu::moves {

struct StoreRows {
  /// Rows of one element each. Streamed ones are at least kShortestStreamedRow bytes or whole cache lines.
  RowKernel fill;
  /// Rows of runs of at least 32 bytes.
  RowKernel chunks;
  /// Copies past the caches.
  void (*stream_copy)(std::byte* to, const std::byte* from, int64_t bytes);
};
const StoreRows& store_rows();

/// `bytes` of one element of `width` bytes.
void fill_bytes(std::byte* to, int64_t bytes, const std::byte* element, int64_t width, bool stream);

}  // namespace tesela::cpu::moves
