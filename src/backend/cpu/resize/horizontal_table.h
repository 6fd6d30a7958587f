// SPDX-License-Identifier: Apache-2.0
// The taps of a horizontal pass, along the contiguous axis of a row, laid out for vectors, with bound kernels. Elements
// may have several channels.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "backend/cpu/kernels.h"
#include "backend/cpu/resize/arithmetic.h"
#include "plan/axis_table.h"

namespace tesela::cpu {

/// How a kernel finds the inputs of a vector of outputs.
enum class HorizontalKind : uint8_t {
  kWindow,      // all inputs of a block are in one or two vectors from its base: looked up at index + tap
  kShifted,     // those of the first taps are: looked up in vectors that advance by that number of taps
  kFour,        // those of each tap are in four vectors from its base
  kTransposed,  // a vector of rows at a time, transposed, so that no lookups are needed
  kChannels,    // vectors of channels of one output, so that no lookups are needed
  kBytePairs,   // rows are read as bytes: two taps of each output of a vector are looked up at a time
  kBytes,       // rows are read as bytes: an output's window is summed across a vector
  kGather,      // one gather per tap; for 16-bit numbers a load per lane
};

/// Rows to resample together: in[r] has at least table.reach readable numbers (or bytes), out[r] receives table.n.
template <class C>
struct HorizontalRows {
  const C* const* in = nullptr;
  C* const* out = nullptr;
  int64_t count = 0;
  C* scratch = nullptr;    // scratch_numbers(table), 64-byte aligned
  bool to_output = false;  // rows of `out` follow each other in the output, which is not in the L1 cache
};

/// kBytePairs: where the taps of outputs are looked up, in pairs.
struct BytePairs {
  static constexpr int64_t kBytes = 16;       // of a lookup in each block of a vector
  static constexpr int64_t kWideBytes = 128;  // of a lookup in two vectors
  int64_t outputs = 0;                        // side by side, whose inputs one load contains
  int64_t bytes = 0;                          // of a load
  int64_t count = 0;                          // of pairs, of the output with the most
  std::vector<int64_t> first;                 // [load] its first byte in a row
  std::vector<uint8_t> index;                 // [vector][pair][lane][4] the byte of each of two numbers, then zero
  std::vector<int32_t> weight;                // [vector][pair][lane] two of 16 bits
};

template <class C>
struct HorizontalTable {
  using Index = std::conditional_t<sizeof(C) == 2, int16_t, std::conditional_t<sizeof(C) == 4, int32_t, int64_t>>;

  /// The output's lanes starting at `lanes * b`.
  struct Block {
    int64_t base = 0;           // input number to which indices are relative
    int64_t index_at = 0;       // beginning of its row in `index`, or of its rows in `gathered`
    int64_t weight_at = 0;      // beginning of its rows in `weight`, one per tap
    int32_t taps = 0;           // of the lane with the most
    int16_t taps_per_load = 1;  // kShifted: taps per load of two vectors
    bool full = true;           // no lane has an absent tap or a hole
    bool narrow = true;         // kWindow: one vector contains all inputs
  };
  /// Blocks that one kernel call computes: groups, each with its own indices and weights and with blocks that differ
  /// only in evenly spaced bases.
  struct Segment {
    using Run = void (*)(const HorizontalTable& table, const Segment& segment, const HorizontalRows<C>& rows);
    size_t block = 0;
    int64_t groups = 1;
    int64_t alike = 1;
    Run run[2] = {};  // [whole cache lines of the outputs bypass the caches]
  };

  HorizontalKind kind = HorizontalKind::kGather;
  int64_t lanes = 0;
  int64_t n = 0;  // numbers in an output row: extent * channels
  int64_t channels = 1;
  int64_t begin = 0;     // the first input number that a kernel may read, from the row's beginning
  int64_t reach = 0;     // the end of those that it may read
  bool in_runs = false;  // most blocks differ from the one before only in their base
  int32_t run_taps = 0;  // of each run, if the table is in runs and one vector contains the inputs of each block
  Rounding rounding;     // of sums in fixed point; other sums are stored unrounded
  SmallVector<Segment, 2> segments;
  std::vector<Block> blocks;
  std::vector<uint8_t> index;   // [block][lanes] of lookups: the first tap of each output
  std::vector<Index> gathered;  // [row][lanes] kGather: a row per tap; for 16-bit numbers per block
  std::vector<C> weight;        // [row][lanes]
  // kTransposed, kChannels and kBytes: per output instead of per vector
  std::vector<int64_t> first;  // input number of an output's first tap
  std::vector<int32_t> count;
  std::vector<uint8_t> present;        // kTransposed and kChannels: its taps, up to 255, if none is absent; or 0
  std::vector<C> weights;              // [n / channels, pitch]
  std::vector<int16_t> short_weights;  // kBytes: [n, pitch], followed by outputs without weights
  int64_t pitch = 0;
  BytePairs byte_pairs;  // kBytePairs
  // kTransposed: the outputs of a chunk, whose columns are in the L1 cache, and the input numbers of each, in whole vectors
  int64_t chunk = 0;
  std::vector<IndexRange> chunks;

  bool reads_bytes() const { return kind == HorizontalKind::kBytePairs || kind == HorizontalKind::kBytes; }
  /// Bytes of a number of the rows that kernels read.
  int64_t in_number_bytes() const { return reads_bytes() ? 1 : static_cast<int64_t>(sizeof(C)); }
};

/// kBytes: the taps that are read together, and the outputs that are summed together.
inline constexpr int64_t kBytesWindow = 16;
inline constexpr int64_t kBytesOutputs = 8;

/// The preferred number of rows per kernel call.
inline constexpr int64_t kHorizontalBatch = 16;

/// The outputs of an axis, `copies` times one after the other. Each copy has its own inputs, after those of the one before.
struct HorizontalLine {
  const AxisTable& taps;
  int64_t in_lo = 0;  // the axis's first input in a row
  int64_t in_n = 0;   // the number of its inputs there
  int64_t channels = 1;
  int64_t copies = 1;
  bool few_rows = false;  // fewer lines than lanes of a vector, so that transposing them would not pay
  bool of_bytes = false;  // rows may be read as bytes
};

/// table: fresh.
template <class C>
void make_horizontal_table(const HorizontalLine& line, const Rounding& rounding, HorizontalTable<C>& table);

/// The kernel, for counting.
Kernel kernel_of(HorizontalKind kind);

template <class C>
int64_t scratch_numbers(const HorizontalTable<C>& table);

/// stream: whole cache lines of the outputs may bypass the caches; the caller fences.
template <class C>
void run_horizontal(const HorizontalTable<C>& table, const HorizontalRows<C>& rows, bool stream);

}  // namespace tesela::cpu
