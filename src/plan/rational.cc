// SPDX-License-Identifier: Apache-2.0
// The double nearest to a rational number, common divisors, and rational numbers as text.
#include "plan/rational.h"

#include <cmath>
#include <numeric>
#include <utility>

namespace tesela {

Int128 gcd(Int128 a, Int128 b) {
  while (b != 0 && (a > INT64_MAX || b > INT64_MAX)) a = std::exchange(b, a % b);
  return b == 0 ? a : Int128{std::gcd(static_cast<int64_t>(a), static_cast<int64_t>(b))};
}

double nearest_double(Int128 num, Int128 den) {
  constexpr Int128 kExact = Int128{1} << 53;
  const Int128 magnitude = exact::absolute(num);
  // One division rounds correctly while both sides are exact doubles.
  if (magnitude < kExact && den < kExact) return static_cast<double>(num) / static_cast<double>(den);

  // Long division until the quotient has more bits than a double; a nonzero remainder sets the last bit.
  Int128 quotient = magnitude / den;
  Int128 remainder = magnitude % den;
  int exponent = 0;
  while (quotient < (Int128{1} << 60) && remainder != 0) {
    remainder *= 2;
    quotient *= 2;
    --exponent;
    if (remainder >= den) {
      remainder -= den;
      quotient += 1;
    }
  }
  bool inexact = remainder != 0;
  while (quotient >= (Int128{1} << 63)) {
    inexact = inexact || (quotient & 1) != 0;
    quotient >>= 1;
    ++exponent;
  }
  const double rounded = static_cast<double>(static_cast<int64_t>(quotient | (inexact ? 1 : 0)));
  return std::ldexp(num < 0 ? -rounded : rounded, exponent);
}

std::string digits(Int128 value) {
  if (value == 0) return "0";
  std::string text;
  for (Int128 rest = exact::absolute(value); rest > 0; rest /= 10)
    text.insert(text.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  return value < 0 ? "-" + text : text;
}

std::string fraction_text(Int128 num, Int128 den) {
  const Int128 divisor = gcd(exact::absolute(num), den);
  const std::string above = digits(num / divisor);
  return den == divisor ? above : above + "/" + digits(den / divisor);
}

}  // namespace tesela
