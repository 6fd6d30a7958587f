// SPDX-License-Identifier: Apache-2.0
// Random numbers for test cases.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

#include "schema/values_of.h"

namespace tesela::testing {

using Random = std::mt19937_64;

inline int64_t pick(Random& random, int64_t lo, int64_t hi) {
  return std::uniform_int_distribution<int64_t>(lo, hi)(random);
}

inline bool one_in(Random& random, int64_t n) {
  return pick(random, 1, n) == 1;
}

/// The number of cases of a random test; TESELA_CASES overrides it.
inline uint64_t random_cases(uint64_t usual) {
  const char* asked = std::getenv("TESELA_CASES");
  return asked ? std::strtoull(asked, nullptr, 10) : usual;
}

/// A random enumerator of a mode.
template <class Enum>
Enum pick_any(Random& random) {
  constexpr auto values = values_of<Enum>();
  return values[static_cast<size_t>(pick(random, 0, std::ssize(values) - 1))];
}

}  // namespace tesela::testing
