// SPDX-License-Identifier: Apache-2.0
// The double nearest to a rational number, common divisors, and rational numbers as text.
#pragma once

#include <cstdint>
#include <string>

#include "plan/index_arithmetic.h"

namespace tesela {

/// Greatest common divisor of non-negative numbers; gcd(0, b) = b.
Int128 gcd(Int128 a, Int128 b);

/// The double nearest to num / den (ties to even); |num| and den at most 2^126, den > 0.
double nearest_double(Int128 num, Int128 den);
/// The same in the integers of ExactNumbers. 64-bit ones are below 2^53, so one division rounds correctly.
inline double quotient(Int128 num, Int128 den) {
  return nearest_double(num, den);
}
inline double quotient(int64_t num, int64_t den) {
  return static_cast<double>(num) / static_cast<double>(den);
}

std::string digits(Int128 value);
/// "-7/4" in lowest terms, "2" for whole numbers; den > 0.
std::string fraction_text(Int128 num, Int128 den);

}  // namespace tesela
