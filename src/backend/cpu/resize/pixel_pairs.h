// SPDX-License-Identifier: Apache-2.0
// Outputs that are sums of two by two pixels of any number of channels but two, where the horizontal pass needs few pixels
// of a row: both passes at once, without gathering the pixels first; or of two pixels of a row, where that pass comes
// first.
#pragma once

#include <cstdint>
#include <vector>

#include "backend/cpu/resize/vertical_table.h"
#include "backend/watch.h"
#include "plan/axis_table.h"
#include "types/data_type.h"

namespace tesela::cpu {

/// The numbers of a vector that holds both pixels of an output.
inline constexpr int64_t kPairNumbers = 8;

/// The pixels of each output of a horizontal pass, and their weights.
struct PixelPairs {
  PixelPairs() = default;
  /// For a pass over the pixels [in_lo, in_lo + in_n) of a row; empty if gathering their columns does not pay, or if many
  /// outputs have a single tap. saves_passes: sums of pairs replace another pass or the conversion of rows, which pays for many
  /// channels of more outputs, too.
  PixelPairs(const AxisTable& table, int64_t in_lo, int64_t in_n, int64_t channels, bool saves_passes);

  explicit operator bool() const { return !taps.empty(); }
  int64_t outputs() const { return static_cast<int64_t>(taps.size()); }
  /// Whether no vector holds both pixels of an output.
  bool is_wide() const { return channels > kPairNumbers / 2; }

  int64_t channels = 0;
  int64_t row_end = 0;         // elements from the axis's beginning
  int64_t pitch = 0;           // weights of an output
  std::vector<int32_t> taps;   // per output
  std::vector<int32_t> place;  // elements from the axis's beginning to an output's first pixel
  /// The same, or another place where a vector would exceed the row; kPairNumbers more than outputs.
  std::vector<int32_t> first;
  /// [outputs + kPairNumbers, pitch]: of the first pixel's channels, then of the second's; one for each pixel if wide.
  std::vector<float> weights;
  /// Outputs that are computed pixel by pixel: of one tap, or where a vector would exceed the row. None if wide.
  std::vector<int32_t> single;
};

/// The output rows [lo, lo + n) at a place.
struct PairRows {
  const VerticalTable<float>& table;
  int64_t table_lo = 0;  // the output of its first entry
  int64_t lo = 0;
  int64_t n = 0;
  const std::byte* source = nullptr;  // at the beginning of the horizontal axis, of the input row in_lo
  int64_t in_lo = 0;
  int64_t in_stride = 0;  // bytes
  std::byte* out = nullptr;
  int64_t out_stride = 0;
  Watch* watch = nullptr;  // null if the run cannot be cancelled
};

/// The sum of an output row. rows: at the beginning of the axis, one or two with their weights; taps 0: one without.
struct PairSum {
  const PixelPairs* pairs = nullptr;
  const void* rows[2] = {};
  float weights[2] = {};
  int64_t taps = 0;
  void* out = nullptr;
};
using PairSumFn = void (*)(const PairSum& sum);

/// The kernels for elements of a type that is summed as float; null if there are none.
struct PairKernels {
  PairSumFn both = nullptr;  // passes, to elements
  PairSumFn row = nullptr;   // the horizontal pass alone, to numbers
};
PairKernels pair_kernels(DataType type);

/// Sums both passes of rows.
void sum_pair_rows(PairSumFn sum, const PixelPairs& pairs, const PairRows& rows);

}  // namespace tesela::cpu
