// Loops of moves that are compiled for each instruction set: stores of one value, of chunks, and past the caches.
#pragma once

#include "backend/cpu/move/rows.h"

namespace tesela::cpu::moves {

struct StoreLoops {
  /// pattern: 16 bytes, repeated from `to` on.
  void (*fill)(std::byte* to, int64_t bytes, const std::byte* pattern, bool stream);
  /// Rows of one element of width bytes each; bytes >= 64. stream: rows are whole cache lines.
  void (*fill_rows)(const Rows& rows, int64_t bytes, int64_t width);
  /// Copies past the caches.
  void (*stream_copy)(std::byte* to, const std::byte* from, int64_t bytes);
  void (*chunk_rows)(const Rows& rows, const Line& line);
};
const StoreLoops& store_loops();

}  // namespace tesela::cpu::moves
