// Exact arithmetic for positions: 128-bit integers, and the double nearest to a rational.
#pragma once

#include <concepts>
#include <cstdint>

namespace tesela {

__extension__ using Int128 = __int128;

/// Floor and ceiling of a / b, b > 0; computed in 64 bits if both are int64_t.
inline Int128 floor_div(Int128 a, Int128 b) {
  const Int128 q = a / b;
  return q * b > a ? q - 1 : q;
}
inline Int128 ceil_div(Int128 a, Int128 b) {
  const Int128 q = a / b;
  return q * b < a ? q + 1 : q;
}
template <std::same_as<int64_t> Int>
Int floor_div(Int a, Int b) {
  const Int q = a / b;
  return q * b > a ? q - 1 : q;
}
template <std::same_as<int64_t> Int>
Int ceil_div(Int a, Int b) {
  const Int q = a / b;
  return q * b < a ? q + 1 : q;
}

inline Int128 absolute(Int128 a) {
  return a < 0 ? -a : a;
}
template <std::same_as<int64_t> Int>
Int absolute(Int a) {
  return a < 0 ? -a : a;
}

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

}  // namespace tesela
