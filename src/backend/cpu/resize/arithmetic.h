// The arithmetics that the passes of a plan compute in: what a number is, how elements become numbers, and sums elements.
//
//   float, double   the contract's own
//   uint16_t        8-bit elements under power-of-two weights: weights are k / 2^b, and the sums of their numerators fit
//                   16 bits, so that the result is that of floats
//   int16_t         fixed point, for 8-bit elements where precision may be fast: elements about their middle in 9 + 7
//                   bits, weights in 1 + 15 bits, each product rounded to the nearest, halves up
//
// Sums of signed elements under power-of-two weights are uint16_t too: arithmetic modulo 2^16 does not depend on the
// sign, only loads and stores do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "types/elements.h"

namespace tesela::cpu {

template <class C>
inline constexpr bool kIs16Bit = sizeof(C) == 2;

inline constexpr int kFixedBits = 7;
template <class T>
inline constexpr int16_t kFixedBias = std::is_unsigned_v<T> ? 128 : 0;

/// The number of an element, or of what is a number already.
template <class C, class T>
C to_number(T element) {
  if constexpr (!kIs16Bit<C>)
    return load_as<C>(element);
  else if constexpr (std::is_same_v<T, C> || std::is_same_v<C, uint16_t>)
    return static_cast<C>(element);
  else
    return static_cast<C>((element - kFixedBias<T>)*(1 << kFixedBits));
}

/// Borders fold weights of fixed point into more than one, which 1 + 15 bits do not hold. Such out-of-range weights are
/// kept in 32 bits.
template <class C>
using WideWeight = std::conditional_t<std::is_same_v<C, int16_t>, int32_t, C>;
template <class C>
bool fits_weight(double weight) {
  return !std::is_same_v<C, int16_t> || (weight >= -32768 && weight <= 32767);
}
/// The weight, or the nearest that C holds.
template <class C>
C to_weight(double weight) {
  return static_cast<C>(fits_weight<C>(weight) ? weight : weight < 0 ? -32768.0 : 32767.0);
}

template <class C>
C product(WideWeight<C> weight, C x) {
  if constexpr (std::is_same_v<C, uint16_t>)
    return static_cast<C>(uint32_t{weight} * x);
  else if constexpr (std::is_same_v<C, int16_t>)
    return static_cast<C>((weight * x + (1 << 14)) >> 15);
  else
    return weight * x;
}

/// A sum rounded to an element, or as it is. shift: of power-of-two weights, the bits behind the point.
template <class T, class C>
T to_element(C sum, [[maybe_unused]] int32_t shift) {
  if constexpr (!kIs16Bit<C>) {
    return store_as<T>(sum);
  } else if constexpr (std::is_same_v<T, C>) {
    return sum;
  } else if constexpr (std::is_same_v<C, uint16_t>) {
    const int32_t number = std::is_signed_v<T> ? static_cast<int16_t>(sum) : sum;
    if (shift == 0) return static_cast<T>(number);
    // Halves to even.
    return static_cast<T>((number + (1 << (shift - 1)) - 1 + ((number >> shift) & 1)) >> shift);
  } else {
    const int32_t rounded = (std::min(sum + (1 << (kFixedBits - 1)), 32767) >> kFixedBits) + kFixedBias<T>;
    return static_cast<T>(std::clamp<int32_t>(rounded, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
  }
}

}  // namespace tesela::cpu
