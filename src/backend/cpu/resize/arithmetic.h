// SPDX-License-Identifier: Apache-2.0
// The arithmetics of passes: the type of numbers, and conversions of elements to numbers and of sums to elements.
//
//   float, double   the contract's
//   uint16_t        8-bit elements with power-of-two weights: weights are k / 2^b, and the sums of numerators fit 16
//                   bits, so that results equal those of float
//   int32_t         fixed point (plan/arithmetic.h) with sums that fit 32 bits: weights are the integers
//                   w * 2^weight_bits, and numbers between passes have the fraction bits of the pass before
//
// Sums of signed elements with power-of-two weights are uint16_t, too: arithmetic modulo 2^16 does not depend on the
// sign; only loads and stores do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "types/elements.h"

namespace tesela::cpu {

/// The arithmetic of a plan.
enum class Arithmetic : uint8_t { kFloat, kDouble, kPowerOfTwo, kFixedPoint };

/// The types of numbers, one for each arithmetic: X(C) instantiates what is a template over them.
#define TESELA_FOR_EACH_ARITHMETIC(X) X(float) X(double) X(uint16_t) X(int32_t)

template <class C>
inline constexpr bool kIs16Bit = sizeof(C) == 2;

/// The rounding of integer sums: with power-of-two weights half to even on conversion to elements; in fixed point half
/// up at the end of each pass, then clamped.
struct Rounding {
  int32_t shift = 0;  // bits to drop
  int32_t lowest = std::numeric_limits<int32_t>::min();
  int32_t highest = std::numeric_limits<int32_t>::max();
};

/// Converts an element to a number; numbers stay unchanged.
template <class C, class T>
C to_number(T element) {
  if constexpr (std::is_integral_v<C>)
    return static_cast<C>(element);
  else
    return load_as<C>(element);
}

// Integers wrap around, as in vectors: rows that extrapolation replaces at the end hold any numbers until then.
template <class C>
C product(C weight, C x) {
  if constexpr (std::is_integral_v<C>)
    return static_cast<C>(static_cast<uint32_t>(weight) * static_cast<uint32_t>(x));
  else
    return weight * x;
}

template <class C>
C sum(C a, C b) {
  if constexpr (std::is_integral_v<C>)
    return static_cast<C>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
  else
    return a + b;
}

/// Half of the lowest kept bit.
constexpr int32_t half_of(int32_t shift) {
  return shift > 0 ? 1 << (shift - 1) : 0;
}

/// Rounds a sum to an element, or to a number for the next pass.
template <class T, class C>
T to_element(C sum, [[maybe_unused]] const Rounding& rounding) {
  if constexpr (std::is_same_v<C, int32_t>) {
    using Range = std::numeric_limits<T>;
    const int32_t rounded = cpu::sum(sum, half_of(rounding.shift)) >> rounding.shift;
    return static_cast<T>(std::clamp<int32_t>(rounded, std::max<int32_t>(rounding.lowest, Range::min()),
                                              std::min<int32_t>(rounding.highest, Range::max())));
  } else if constexpr (!kIs16Bit<C>) {
    return store_as<T>(sum);
  } else if constexpr (std::is_same_v<T, C>) {
    return sum;
  } else {
    const int32_t number = std::is_signed_v<T> ? static_cast<int16_t>(sum) : sum;
    const int32_t odd = rounding.shift > 0 ? (number >> rounding.shift) & 1 : 0;
    return static_cast<T>((number + std::max(half_of(rounding.shift) - 1, 0) + odd) >> rounding.shift);
  }
}

}  // namespace tesela::cpu
