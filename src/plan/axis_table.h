// SPDX-License-Identifier: Apache-2.0
// Resampling tables: the inputs and weights of each output of one axis, for any range of outputs.
// Borders are folded in here, so that kernels need no special cases for edges.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/axis_map.h"

namespace tesela {

/// first: [n] leftmost input. count: [n] taps, 0 for an extrapolated output. weights: [n, pitch], rounded to the
/// compute type. The first and last weight of a row are not zero; a zero between them is an absent tap.
struct AxisTable {
  int64_t lo = 0;  // the first output
  int64_t pitch = 0;
  SmallVector<int64_t, 32> first;
  SmallVector<int32_t, 32> count;
  SmallVector<double, 128> weights;

  const double* row(int64_t i) const { return weights.data() + i * pitch; }
};

/// Weights of the outputs [range.lo, range.lo + range.n) of a map with a linear or cubic filter.
AxisTable make_axis_table(const AxisMap& map, IndexRange range, ComputeType compute);

/// Increases the pitch of a table with k rows so far.
void widen_rows(AxisTable& table, size_t k, size_t pitch);

/// The input of each output, for a map with a nearest filter or an identity; -1 for an extrapolated output.
std::vector<int64_t> make_index_table(const AxisMap& map, IndexRange range);

/// Bytes that make_axis_table allocates for n outputs of an axis with this window.
int64_t axis_table_bytes(int64_t window, int64_t n);

/// Statistics of the weights of a range of outputs.
struct WeightFacts {
  double largest = 0;
  double gain = 0;       // the largest sum of magnitudes
  double taps = 0;       // the most taps of an output
  double smoothing = 0;  // mean of the sums of squares: the factor for errors of earlier passes
};
WeightFacts weigh(const AxisMap& map, IndexRange range, ComputeType compute);

}  // namespace tesela
