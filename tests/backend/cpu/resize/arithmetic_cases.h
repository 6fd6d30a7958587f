// SPDX-License-Identifier: Apache-2.0
// Elements, weights and tables of the arithmetics of passes, drawn at random.
#pragma once

#include <vector>

#include "backend/cpu/resize/arithmetic.h"
#include "backend/cpu/resize/resize_cases.h"
#include "plan/axis_table.h"

namespace tesela::testing {

/// An element, or a number of the arithmetic C. Sums of eight taps with random weights end in the type's range.
template <class C, class T>
T random_element(Random& random) {
  const double value = static_cast<double>(random() % 128);
  if constexpr (std::is_same_v<C, T> && std::is_integral_v<C>)
    return static_cast<T>(value);
  else
    return store_as<T>(value);
}

/// Not zero.
template <class C>
C random_weight(Random& random) {
  const uint64_t drawn = random() % 1000;
  if constexpr (std::is_floating_point_v<C>)
    return static_cast<C>(drawn + 1) / C{1000};
  else
    return static_cast<C>(drawn % 2 + 1);
}

/// The rounding of sums that end as elements of type T.
template <class C, class T>
cpu::Rounding rounding_of() {
  cpu::Rounding rounding;
  if constexpr (std::is_integral_v<C> && !std::is_same_v<C, T>) rounding.shift = 4;
  return rounding;
}

/// Taps of weights that are not zero: outputs begin `step` inputs after one another.
template <class C>
AxisTable random_taps(Random& random, int64_t outputs, int64_t taps, int64_t step) {
  AxisTable table;
  table.pitch = taps;
  for (int64_t i = 0; i < outputs; ++i) {
    table.first.push_back(i * step);
    table.count.push_back(static_cast<int32_t>(taps));
    for (int64_t k = 0; k < taps; ++k) table.weights.push_back(static_cast<double>(random_weight<C>(random)));
  }
  return table;
}

}  // namespace tesela::testing
