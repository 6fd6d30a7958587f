// Line kernels: resampling along the contiguous axis of a row, whose elements may have several channels.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "backend/cpu/shorts.h"
#include "plan/axis_table.h"

namespace tesela::cpu {

/// How a line kernel finds the inputs of a vector of outputs.
enum class LineKind : uint8_t {
  kWindow,   // all taps of a block lie within one or two vectors from its base: looked up at index + tap
  kShifted,  // the first taps do: looked up in vectors that move on by as many taps as they serve
  kBlock,    // sixteen rows (a vector of them) at a time, transposed, so that outputs need no lookup
  kGather,   // one gather a tap; of 16-bit numbers a load for each lane
};

/// The table of one line, laid out for vectors of `lanes` outputs: what kernels read, in the order in which they do.
template <class C>
struct LineTable {
  using Index = std::conditional_t<sizeof(C) == 2, int16_t, std::conditional_t<sizeof(C) == 4, int32_t, int64_t>>;

  /// Lanes `lanes * b` and on of the output.
  struct Block {
    int64_t base = 0;     // input number that index counts from
    int32_t taps = 0;     // of the lane that has most
    bool full = true;     // no lane has an absent tap or a hole
    bool narrow = true;   // kWindow: one vector holds all
    int32_t hold = 1;     // kShifted: taps that the same two vectors serve
    int64_t at = 0;       // where its rows begin in index (kGather: one a tap, from the row's begin) and weight
  };

  LineKind kind = LineKind::kGather;
  int64_t lanes = 0;
  int64_t n = 0;          // numbers in an output row: extent * channels
  int64_t channels = 1;
  int64_t reach = 0;      // input numbers that a kernel may read, counted from the row's begin
  std::vector<Block> blocks;
  std::vector<int32_t> run;   // of block b: how many blocks from it on differ by their base alone, evenly
  bool in_runs = false;       // most blocks are in runs of at least kLongRun
  std::vector<Index> index;   // [row][lanes]
  std::vector<C> weight;      // [row][lanes]
  // Numbers of the output that are made again because a weight does not fit C: taps [at, at + count) of wide_weights.
  struct Wide {
    int64_t e = 0;
    int64_t first = 0;  // input number
    int32_t count = 0;
    size_t at = 0;
  };
  std::vector<Wide> wide;
  std::vector<WideNumber<C>> wide_weights;
  // kBlock: by output instead of by vector
  std::vector<int64_t> first;  // input number of an output's first tap
  std::vector<int32_t> count;
  std::vector<C> weights;      // [n / channels, pitch]
  int64_t pitch = 0;
};

inline constexpr int32_t kLongRun = 4;  // blocks: worth a loop of their own

/// table: of the outputs of the axis; in_lo: the axis' first input in a row; in_n: its inputs there.
template <class C>
LineTable<C> make_line_table(const AxisTable& table, int64_t in_lo, int64_t in_n, int64_t channels, int64_t lanes);

/// Lanes of the vectors that lines of C work on, on the instruction set in use.
template <class C>
int64_t line_lanes();

/// Resamples rows: in[r] has at least table.reach readable numbers; out[r] gets table.n. scratch: kBlock's, of
/// line_scratch numbers, 64-byte aligned. stream: whole cache lines of the outputs may bypass the caches; the caller
/// fences.
template <class C>
void run_lines(const LineTable<C>& table, const C* const* in, C* const* out, int64_t rows, C* scratch, bool stream);

/// Rows that run_lines likes to have at a time, and the scratch it then needs, in numbers.
inline constexpr int64_t kLineBatch = 16;
template <class C>
int64_t line_scratch(const LineTable<C>& table);

}  // namespace tesela::cpu
