// Resampling tables: which inputs each output of one axis takes, and how much of each, for any range of outputs.
// Borders are folded in here, so that nothing that computes has an edge to think of.
#pragma once

#include <cstdint>
#include <vector>

#include "plan/axis_rule.h"

namespace tesela {

/// first: [n] leftmost input. count: [n] taps, 0 for an extrapolated output. weights: [n, pitch], rounded to the
/// compute type; the first and the last of a row are not zero, one between may be and is then no tap at all.
struct AxisTable {
  int64_t lo = 0;  // the first output that it is about
  int64_t pitch = 0;
  SmallVector<int64_t, 32> first;
  SmallVector<int32_t, 32> count;
  SmallVector<double, 128> weights;

  const double* row(int64_t i) const { return weights.data() + i * pitch; }
};

/// Weights of the outputs [range.lo, range.lo + range.n) of a rule whose filter is linear or cubic.
AxisTable make_axis_table(const AxisRule& rule, IndexRange range, ComputeType compute);

/// Input of each output of a rule whose filter is nearest, or of an identity; -1 where it is extrapolated.
std::vector<int64_t> make_index_table(const AxisRule& rule, IndexRange range);

/// Bytes that make_axis_table takes for n outputs of an axis with this window.
int64_t axis_table_bytes(int64_t window, int64_t n);

/// What the weights of a range of outputs are like.
struct WeightFacts {
  double largest = 0;
  double gain = 0;       // largest sum of magnitudes
  double taps = 0;       // most of an output
  double smoothing = 0;  // mean of the sums of squares: what becomes of the errors of passes before
};
WeightFacts weigh(const AxisRule& rule, IndexRange range, ComputeType compute);

}  // namespace tesela
