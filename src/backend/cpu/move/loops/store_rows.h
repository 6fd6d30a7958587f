// SPDX-License-Identifier: Apache-2.0
// Row kernels compiled for each instruction set: fills, copies of chunks, and streamed stores.
#pragma once

#include "backend/cpu/move/rows.h"

namespace tesela::cpu::moves {

struct StoreRows {
  /// Fills rows with one element each. Streamed rows have at least kMinStreamedRowBytes bytes or are whole cache lines.
  RowKernel fill;
  /// Copies rows of runs of at least 17 bytes.
  RowKernel chunks;
  /// Copies with stores that bypass the caches.
  void (*stream_copy)(std::byte* to, const std::byte* from, int64_t bytes);
};
const StoreRows& store_rows();

/// Fills `bytes` with one element of `width` bytes.
void fill_bytes(std::byte* to, int64_t bytes, const std::byte* element, int64_t width, bool stream);

/// The same by x86's string stores; see fills_by_string. width: at most 8.
void fill_by_string_stores(std::byte* to, int64_t bytes, const std::byte* element, int64_t width);

}  // namespace tesela::cpu::moves
