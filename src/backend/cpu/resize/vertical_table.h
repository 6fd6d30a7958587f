// SPDX-License-Identifier: Apache-2.0
// The taps of a vertical pass, laid out for sums of rows.
#pragma once

#include <algorithm>
#include <vector>

#include "backend/cpu/resize/arithmetic.h"
#include "plan/axis_table.h"

namespace tesela::cpu {

/// first: input index. weights: [n, pitch].
template <class C>
struct VerticalTable {
  std::vector<int64_t> first;
  std::vector<int32_t> count;
  /// The number of outputs, starting at this one, with the same inputs; 0 for outputs without taps or with zero
  /// weights, which are summed separately.
  std::vector<uint8_t> alike;
  /// Whether this output and the next have the same two inputs, and the two after them the second of these and its neighbour.
  std::vector<uint8_t> steps;
  std::vector<C> weights;
  int64_t pitch = 0;
  int64_t most_taps = 1;

  int64_t last(size_t entry) const { return first[entry] + count[entry] - 1; }
  const C* weights_of(size_t entry) const { return weights.data() + entry * static_cast<size_t>(pitch); }
};

template <class C>
VerticalTable<C> make_vertical_table(const AxisTable& table);

}  // namespace tesela::cpu
