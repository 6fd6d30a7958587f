// SPDX-License-Identifier: Apache-2.0
// The sum of an array in NumPy's order along its last axis.
#pragma once

#include <cstddef>

namespace tesela {

inline double pairwise_sum(const double* terms, size_t n) {
  constexpr size_t kLanes = 8;
  constexpr size_t kBlock = 128;
  if (n > kBlock) {
    const size_t half = n / 2 - n / 2 % kLanes;
    return pairwise_sum(terms, half) + pairwise_sum(terms + half, n - half);
  }
  const size_t whole = n < kLanes ? 0 : n - n % kLanes;
  double sum = 0;
  if (whole > 0) {
    double lanes[kLanes] = {};
    for (size_t k = 0; k < kLanes; ++k) lanes[k] = terms[k];
    for (size_t k = kLanes; k < whole; ++k) lanes[k % kLanes] += terms[k];
    sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
  }
  for (size_t k = whole; k < n; ++k) sum += terms[k];
  return sum;
}

}  // namespace tesela
