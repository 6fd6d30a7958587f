// What the inner loops of moves are told.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesela::cpu::moves {

/// Rows that are made alike, each from its own place of the input.
struct Rows {
  int64_t n = 1;
  int64_t to = 0;                  // bytes from one output row to the next
  int64_t from = 0;                // bytes from one input row to the next
  const int64_t* table = nullptr;  // each row's input, or row i takes input i
  const std::byte* src = nullptr;
  std::byte* dst = nullptr;
  bool stream = false;  // stores bypass the caches
  bool far = false;     // the input is likely not in the L2 cache

  int64_t offset(int64_t i) const { return (table ? table[i] : i) * from; }
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
    kChunks,   // from chunks of 32 bytes and more
    kLookup,   // from elements found in registers
    kGather,   // from elements fetched one by one
    kStrided,  // elements apart in the output
  };
  Kind kind = Kind::kRun;
  int64_t bytes = 0;                // of output; kStrided: of an element
  int64_t width = 1;                // bytes of an element: 1, 2, 4, 8, 16; kChunks: of a chunk
  int64_t count = 0;                // kChunks, kLookup, kGather, kStrided: elements
  const int32_t* offset = nullptr;  // kChunks, kLookup, kGather: [count] bytes from the row's src
  Lookup lookup = {};
  int64_t to = 0;  // kStrided: as in Rows
  int64_t from = 0;
  const int64_t* table = nullptr;
};

}  // namespace tesela::cpu::moves
