// Numbers of 16 bits: what plans of 8-bit elements may compute with instead of floats.
//
//   dyadic (uint16_t)  weights are k / 2^b, and the sums of their numerators fit: the same result as in floats, sooner
//   fixed  (int16_t)   for precision = fast: elements about their middle in 9 + 7 bits, weights in 1 + 15 bits, each
//                      product rounded to the nearest, halves up
//
// Sums of signed elements are dyadic too: arithmetic modulo 2^16 does not mind the sign, only loads and stores do.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace tesela::cpu {

inline constexpr int kFixedBits = 7;
template <class T>
inline constexpr int16_t kFixedBias = std::is_unsigned_v<T> ? 128 : 0;

template <class C, class T>
C short_number(T element) {
  if constexpr (std::is_same_v<T, C>)
    return element;
  else if constexpr (std::is_same_v<C, uint16_t>)
    return static_cast<C>(element);
  else
    return static_cast<C>((element - kFixedBias<T>) * (1 << kFixedBits));
}

inline uint16_t short_product(uint16_t weight, uint16_t x) {
  return static_cast<uint16_t>(uint32_t{weight} * x);
}
/// Borders fold weights into more than one, which 1 + 15 bits do not hold; there they are wider than the numbers.
inline int16_t short_product(int32_t weight, int16_t x) {
  return static_cast<int16_t>((weight * x + (1 << 14)) >> 15);
}
template <class C>
using WideNumber = std::conditional_t<std::is_same_v<C, int16_t>, int32_t, C>;
template <class C>
bool fits_number(double weight) {
  return !std::is_same_v<C, int16_t> || (weight >= -32768 && weight <= 32767);
}
/// The weight, or the nearest that C holds.
template <class C>
C to_number(double weight) {
  return static_cast<C>(fits_number<C>(weight) ? weight : weight < 0 ? -32768.0 : 32767.0);
}

/// shift: the bits behind the point of a dyadic sum.
template <class T>
T short_element(uint16_t sum, int32_t shift) {
  const int32_t number = std::is_signed_v<T> ? static_cast<int16_t>(sum) : sum;
  if (shift == 0) return static_cast<T>(number);
  // Halves to even.
  return static_cast<T>((number + (1 << (shift - 1)) - 1 + ((number >> shift) & 1)) >> shift);
}
template <class T>
T short_element(int16_t sum, int32_t /*shift*/) {
  const int32_t rounded = (std::min(sum + (1 << (kFixedBits - 1)), 32767) >> kFixedBits) + kFixedBias<T>;
  return static_cast<T>(std::clamp<int32_t>(rounded, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}

}  // namespace tesela::cpu
