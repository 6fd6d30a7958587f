// SPDX-License-Identifier: Apache-2.0
// Floating-point formats of up to 16 bits.
#include "types/float_formats.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tesela {
namespace {

using Specials = FloatFormat::Specials;

struct Layout {
  uint32_t sign;  // the sign's bit
  uint32_t mantissa_mask;
  uint32_t exponent_max;  // all ones
};

Layout layout_of(const FloatFormat& f) {
  return {1u << (f.exponent_bits + f.mantissa_bits), (1u << f.mantissa_bits) - 1u, (1u << f.exponent_bits) - 1u};
}

uint32_t nan_code(const FloatFormat& f, const Layout& at, uint32_t sign) {
  switch (f.specials) {
    case Specials::kIeee: return sign | (at.exponent_max << f.mantissa_bits) | (1u << (f.mantissa_bits - 1));
    case Specials::kNanOnly: return sign | (at.sign - 1u);
    case Specials::kNegativeZero: return at.sign;
    case Specials::kNone: return sign ^ at.sign;  // no NaN: as in ml_dtypes it becomes the zero of the opposite sign
  }
  return at.sign;
}

// The code of the largest finite magnitude.
uint32_t largest_code(const FloatFormat& f, const Layout& at) {
  switch (f.specials) {
    case Specials::kIeee: return (at.exponent_max << f.mantissa_bits) - 1u;
    case Specials::kNanOnly: return at.sign - 2u;
    case Specials::kNegativeZero:
    case Specials::kNone: return at.sign - 1u;
  }
  return 0;
}

uint32_t overflow_code(const FloatFormat& f, const Layout& at, uint32_t sign) {
  if (f.specials == Specials::kIeee) return sign | (at.exponent_max << f.mantissa_bits);
  if (f.specials == Specials::kNone) return sign | largest_code(f, at);
  return nan_code(f, at, sign);
}

}  // namespace

double decode(const FloatFormat& f, uint32_t bits) {
  const Layout at = layout_of(f);
  const double sign = (bits & at.sign) ? -1.0 : 1.0;
  const uint32_t mantissa = bits & at.mantissa_mask;
  const uint32_t exponent = (bits >> f.mantissa_bits) & at.exponent_max;
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (f.specials == Specials::kIeee && exponent == at.exponent_max)
    return mantissa ? std::copysign(nan, sign) : sign * std::numeric_limits<double>::infinity();
  if (f.specials == Specials::kNanOnly && (bits & (at.sign - 1u)) == at.sign - 1u) return std::copysign(nan, sign);
  if (f.specials == Specials::kNegativeZero && bits == at.sign) return nan;
  // A zero exponent means no hidden bit and the exponent of the smallest normal number.
  const uint32_t significand = exponent ? mantissa | (at.mantissa_mask + 1u) : mantissa;
  const int power = (exponent ? static_cast<int>(exponent) : 1) - f.bias - f.mantissa_bits;
  return sign * std::ldexp(static_cast<double>(significand), power);
}

uint32_t encode(const FloatFormat& f, double value) {
  const Layout at = layout_of(f);
  const uint32_t sign = std::signbit(value) ? at.sign : 0u;
  if (std::isnan(value)) return nan_code(f, at, sign);
  if (std::isinf(value)) return overflow_code(f, at, sign);
  const auto raw = std::bit_cast<uint64_t>(value) & ~(uint64_t{1} << 63);
  if (raw == 0) return f.specials == Specials::kNegativeZero ? 0u : sign;

  // value = significand * 2^(power), the significand with 53 bits (a denormal double has fewer).
  const auto biased = static_cast<int>(raw >> 52);
  const uint64_t fraction = raw & ((uint64_t{1} << 52) - 1);
  const uint64_t significand = biased ? fraction | (uint64_t{1} << 52) : fraction;
  const int exponent = (biased ? biased : 1) - 1023;

  // Bits to drop: 52 - mantissa_bits for a normal result, more for one below the smallest normal number.
  const int smallest = 1 - f.bias;
  const int drop = 52 - f.mantissa_bits + (exponent < smallest ? smallest - exponent : 0);
  if (drop > 54) return f.specials == Specials::kNegativeZero ? 0u : sign;
  uint64_t kept = significand >> drop;
  const uint64_t rest = significand & ((uint64_t{1} << drop) - 1);
  const uint64_t half = uint64_t{1} << (drop - 1);
  if (rest > half || (rest == half && (kept & 1))) ++kept;

  // `kept` includes the hidden bit, so the base exponent is one lower; a carry from rounding increments the exponent.
  const uint64_t base = exponent < smallest ? 0 : static_cast<uint64_t>(exponent - smallest);
  const uint64_t code = kept + (base << f.mantissa_bits);
  if (code > largest_code(f, at)) return overflow_code(f, at, sign);
  if (code == 0 && f.specials == Specials::kNegativeZero) return 0u;
  return sign | static_cast<uint32_t>(code);
}

double decode_e8m0(uint8_t bits) {
  if (bits == 255) return std::numeric_limits<double>::quiet_NaN();
  return std::ldexp(1.0, static_cast<int>(bits) - 127);
}

uint8_t encode_e8m0(double value) {
  if (!(value > 0) || std::isinf(value)) return 255;
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);  // in [0.5, 1)
  int code = exponent - 1 + 127;
  // Halfway between 2^k and 2^(k+1) is 1.5 * 2^k, fraction 0.75. As in ml_dtypes it rounds up, and so does everything
  // above the smallest number, where binary32 is denormal.
  if (fraction >= 0.75 || (code == 0 && fraction > 0.5)) ++code;
  if (code < 0) return 0;
  return code > 254 ? 255 : static_cast<uint8_t>(code);
}

}  // namespace tesela
