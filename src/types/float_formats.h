// SPDX-License-Identifier: Apache-2.0
// Floating-point formats of up to 16 bits: the only scalar codecs.
// Decoding is exact. Encoding rounds once from double, to nearest, ties to even (float converts to double exactly).
#pragma once

#include <cstdint>
#include <optional>

#include "types/data_type.h"

namespace tesela {

/// The bits of a small format, and its special values and overflow.
struct FloatFormat {
  enum class Specials : uint8_t {
    kIeee,          // an all-ones exponent is infinity or NaN; overflow becomes infinity
    kNanOnly,       // "fn": only all ones is NaN; no infinity, overflow becomes NaN
    kNegativeZero,  // "fnuz": the code of -0 is the only NaN; overflow becomes NaN
    kNone,          // every code is a number; overflow saturates, NaN becomes the code of -0
  };
  int exponent_bits;
  int mantissa_bits;
  int bias;
  Specials specials;
};

inline constexpr FloatFormat kFloat16Format = {5, 10, 15, FloatFormat::Specials::kIeee};
inline constexpr FloatFormat kBfloat16Format = {8, 7, 127, FloatFormat::Specials::kIeee};
inline constexpr FloatFormat kFloat8e4m3fnFormat = {4, 3, 7, FloatFormat::Specials::kNanOnly};
inline constexpr FloatFormat kFloat8e4m3fnuzFormat = {4, 3, 8, FloatFormat::Specials::kNegativeZero};
inline constexpr FloatFormat kFloat8e5m2Format = {5, 2, 15, FloatFormat::Specials::kIeee};
inline constexpr FloatFormat kFloat8e5m2fnuzFormat = {5, 2, 16, FloatFormat::Specials::kNegativeZero};
inline constexpr FloatFormat kFloat4e2m1Format = {2, 1, 1, FloatFormat::Specials::kNone};

double decode(const FloatFormat& format, uint32_t bits);
uint32_t encode(const FloatFormat& format, double value);

/// A number of a small format that is computed with, as stored.
template <const FloatFormat& kNumberFormat, class Bits>
struct SmallFloat {
  static constexpr const FloatFormat& kFormat = kNumberFormat;
  Bits bits;
};
using Float16 = SmallFloat<kFloat16Format, uint16_t>;
using Bfloat16 = SmallFloat<kBfloat16Format, uint16_t>;

template <class T>
inline constexpr bool kIsSmallFloat = false;
template <const FloatFormat& kFormat, class Bits>
inline constexpr bool kIsSmallFloat<SmallFloat<kFormat, Bits>> = true;

template <class T>
float to_float(T value) requires kIsSmallFloat<T> {
  return static_cast<float>(decode(T::kFormat, value.bits));
}
template <class T>
T to_small_float(double value) requires kIsSmallFloat<T> {
  return {static_cast<decltype(T::bits)>(encode(T::kFormat, value))};
}

/// float8e8m0: a power of two with bias 127, no sign, no zero; 255 is NaN.
double decode_e8m0(uint8_t bits);
/// As in ml_dtypes: rounds to the nearest power of two, ties up, and everything between the two smallest numbers up;
/// zero, negative numbers, infinity and NaN become NaN.
uint8_t encode_e8m0(double value);

/// The format of a small floating-point type, none for others (float8e8m0 has its own functions).
constexpr std::optional<FloatFormat> find_float_format(DataType type) {
  switch (type) {
    case DataType::kFloat16: return kFloat16Format;
    case DataType::kBfloat16: return kBfloat16Format;
    case DataType::kFloat8e4m3fn: return kFloat8e4m3fnFormat;
    case DataType::kFloat8e4m3fnuz: return kFloat8e4m3fnuzFormat;
    case DataType::kFloat8e5m2: return kFloat8e5m2Format;
    case DataType::kFloat8e5m2fnuz: return kFloat8e5m2fnuzFormat;
    case DataType::kFloat4e2m1: return kFloat4e2m1Format;
    default: return std::nullopt;
  }
}

// Each floating-point type of up to 16 bits in data_type.def has a format of its width.
constexpr bool has_float_formats() {
  for (const DataTypeTraits& row : kDataTypes) {
    if (row.kind != DataKind::kFloating || row.bits > 16 || row.type == DataType::kFloat8e8m0) continue;
    const std::optional<FloatFormat> format = find_float_format(row.type);
    if (!format || 1 + format->exponent_bits + format->mantissa_bits != row.bits) return false;
  }
  return true;
}
static_assert(has_float_formats(), "a floating-point type of data_type.def has no format");

}  // namespace tesela
