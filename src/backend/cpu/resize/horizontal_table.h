// The taps of a horizontal pass, along the contiguous axis of a row, laid out for vectors, with the kernels that are bound
// to them. Elements may have several channels.
#pragma once

#include <cstdint>
#include <type_traits>
#include <vector>

#include "backend/cpu/resize/arithmetic.h"
#include "plan/axis_table.h"

namespace tesela::cpu {

/// How a kernel finds the inputs of a vector of outputs.
enum class HorizontalKind : uint8_t {
  kWindow,      // all taps of a block lie within one or two vectors from its base: looked up at index + tap
  kShifted,     // the first taps do: looked up in vectors that move on by as many taps as they serve
  kTransposed,  // a vector of rows at a time, transposed, so that outputs need no lookup
  kGather,      // one gather a tap; of 16-bit numbers a load for each lane
};

/// Rows that are resampled together: in[r] has at least table.reach readable numbers, out[r] gets table.n.
template <class C>
struct HorizontalRows {
  const C* const* in = nullptr;
  C* const* out = nullptr;
  int64_t count = 0;
  C* scratch = nullptr;  // scratch_numbers(table), 64-byte aligned
};

template <class C>
struct HorizontalTable {
  using Index = std::conditional_t<sizeof(C) == 2, int16_t, std::conditional_t<sizeof(C) == 4, int32_t, int64_t>>;

  /// Lanes `lanes * b` and on of the output.
  struct Block {
    int64_t base = 0;           // input number that index counts from
    int32_t taps = 0;           // of the lane that has most
    bool full = true;           // no lane has an absent tap or a hole
    bool narrow = true;         // kWindow: one vector holds all
    int32_t taps_per_load = 1;  // kShifted: that the same two vectors serve
    int64_t at = 0;             // where its rows begin in index (kGather: one a tap) and weight
  };
  /// Blocks that one call of a kernel makes: groups with indices and weights of their own, and in each of them blocks that
  /// differ by their base alone, evenly.
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
  int64_t reach = 0;     // input numbers that a kernel may read, counted from the row's begin
  bool in_runs = false;  // most blocks are like those before them
  Rounding rounding;     // of sums in fixed point; other sums are stored as they are
  std::vector<Segment> segments;
  std::vector<Block> blocks;
  std::vector<Index> index;  // [row][lanes]
  std::vector<C> weight;     // [row][lanes]
  // kTransposed: by output instead of by vector
  std::vector<int64_t> first;  // input number of an output's first tap
  std::vector<int32_t> count;
  std::vector<C> weights;  // [n / channels, pitch]
  int64_t pitch = 0;
};

/// Rows that kernels like to have at a time.
inline constexpr int64_t kHorizontalBatch = 16;

/// table: of the outputs of the axis; in_lo: the axis' first input in a row; in_n: its inputs there.
template <class C>
HorizontalTable<C> make_horizontal_table(const AxisTable& table, int64_t in_lo, int64_t in_n, int64_t channels,
                                         const Rounding& rounding);

template <class C>
int64_t scratch_numbers(const HorizontalTable<C>& table);

/// stream: whole cache lines of the outputs may bypass the caches; the caller fences.
template <class C>
void run_horizontal(const HorizontalTable<C>& table, const HorizontalRows<C>& rows, bool stream);

}  // namespace tesela::cpu
