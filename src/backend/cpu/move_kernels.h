// The inner loops of moves: what they are told, and where they are.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesela::cpu::moves {

/// Rows that are made alike, each from its own place of the input.
struct Rows {
  int64_t n = 1;
  int64_t to = 0;    // bytes from one output row to the next
  int64_t from = 0;  // bytes from one input row to the next
  const int64_t* table = nullptr;  // or bytes from src to each
  const std::byte* src = nullptr;
  std::byte* dst = nullptr;
  bool stream = false;  // stores bypass the caches
  bool far = false;     // the input is likely not in the L2 cache

  int64_t offset(int64_t i) const { return table ? table[i] : i * from; }
  /// How many rows from i on have the same input.
  int64_t alike(int64_t i) const {
    if (table == nullptr) return from == 0 ? n - i : 1;
    int64_t count = 1;
    while (i + count < n && table[i + count] == table[i]) ++count;
    return count;
  }
};

struct Line;

/// Blocks of output bytes, each looked up in windows of the input. The windows of a block stand side by side.
struct Lookup {
  int64_t block = 0;    // bytes of a block and of a window
  int64_t windows = 0;  // 1, 2 or 4
  int64_t staged = 0;   // the input is shorter than the windows, these bytes: copied before it is looked up
  int64_t stage_lo = 0;
  const int32_t* base = nullptr;   // [blocks] where a block's windows begin
  const uint8_t* index = nullptr;  // [blocks, block] byte of the windows that each output byte takes
  int64_t alike = 0;  // blocks from the first on that share its index, each base `step` behind the one before
  int64_t step = 0;
  void (*rows)(const Rows& rows, const Line& line) = nullptr;
};

/// How the bytes of one row are made.
struct Line {
  enum class Kind : uint8_t {
    kRun,      // from as many bytes side by side
    kFill,     // from one element
    kPieces,   // from pieces of 32 bytes and more
    kLookup,   // from elements found in registers
    kGather,   // from elements fetched one by one
    kStrided,  // elements apart in the output
  };
  Kind kind = Kind::kRun;
  int64_t bytes = 0;  // of output; kStrided: of an element
  int64_t width = 1;  // bytes of an element: 1, 2, 4, 8, 16; kPieces: of a piece
  int64_t count = 0;  // kPieces, kLookup, kGather, kStrided: elements
  const int32_t* offset = nullptr;  // kPieces, kLookup, kGather: [count] bytes from the row's src
  Lookup lookup = {};
  int64_t to = 0;  // kStrided: as in Rows
  int64_t from = 0;
  const int64_t* table = nullptr;
};

/// Loops that are compiled for each instruction set.
struct StoreKernels {
  /// pattern: 16 bytes, repeated from `to` on.
  void (*fill)(std::byte* to, int64_t bytes, const std::byte* pattern, bool stream);
  /// Rows of one element of width bytes each; bytes >= 64. stream: rows are whole cache lines.
  void (*fill_rows)(const Rows& rows, int64_t bytes, int64_t width);
  /// Copies past the caches.
  void (*stream_copy)(std::byte* to, const std::byte* from, int64_t bytes);
  void (*piece_rows)(const Rows& rows, const Line& line);
};
const StoreKernels& store_kernels();

struct LookupKernels {
  int64_t block = 0;  // bytes of a window; 0: no lookups on this machine
  /// stream: rows are whole cache lines.
  void (*rows)(const Rows& rows, const Line& line);
};
const LookupKernels& lookup_kernels();

// Loops that need no instruction set.
void gather_rows(const Rows& rows, const Line& line);
void strided_rows(const Rows& rows, const Line& line);

}  // namespace tesela::cpu::moves
