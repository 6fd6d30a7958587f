// SPDX-License-Identifier: Apache-2.0
// Exact index arithmetic of one axis, in integers: positions, nearest inputs, windows, and how large its numbers
// become.
//
// Written in what C and C++ have in common, because tests/proofs reads this very file: z3 proves what the comments say,
// and CBMC checks the C form for overflow. Run `make test` after a change. C++ has templates on Int, which is int64_t
// or Int128; C has one of them at a time. tests/proofs/c_form.h has what C lacks.
#pragma once

#ifdef __cplusplus
#include <cstdint>

#include "schema/modes.h"

// clang-format off
#define TESELA_EITHER_INT template <class Int>
// clang-format on
#define TESELA_AS(Type, value) static_cast<Type>(value)

namespace tesela {

__extension__ using Int128 = __int128;

namespace exact {

using enum CoordinateMode;
using enum NearestMode;
#endif

// ---- Division -------------------------------------------------------------------------------------------------------

/// Floor and ceiling of a / b, b > 0.
TESELA_EITHER_INT inline Int floor_div(Int a, Int b) {
  const Int q = a / b;
  return q * b > a ? q - 1 : q;
}
TESELA_EITHER_INT inline Int ceil_div(Int a, Int b) {
  const Int q = a / b;
  return q * b < a ? q + 1 : q;
}

TESELA_EITHER_INT inline Int absolute(Int a) {
  return a < 0 ? -a : a;
}

// ---- Positions ------------------------------------------------------------------------------------------------------

/// x(i) = (num0 + i * step) / den, step >= 0, den > 0.
typedef struct {
  Int128 num0;
  Int128 step;
  Int128 den;
} PositionLine;

/// The closed form of a coordinate mode for scale p / q > 0; out is in * p / q, rounded, and not 0.
inline PositionLine position_line(CoordinateMode mode, int64_t in, int64_t out, Int128 p, Int128 q) {
  const Int128 n = in;
  const Int128 m = out;
  PositionLine line = {0, 0, 1};
  if (out <= 1 && (mode == kPytorchHalfPixel || mode == kAlignCorners)) return line;
  switch (mode) {
    case kHalfPixel:
    case kPytorchHalfPixel:  // ((2i + 1) q - p) / 2p
      line.num0 = q - p;
      line.step = 2 * q;
      line.den = 2 * p;
      break;
    case kAlignCorners:  // i (n - 1) / (n p / q - 1)
      line.step = (n - 1) * q;
      line.den = n * p - q;
      break;
    case kAsymmetric:
      line.step = q;
      line.den = p;
      break;
    case kTfHalfPixelForNn:
      line.num0 = q;
      line.step = 2 * q;
      line.den = 2 * p;
      break;
    case kHalfPixelSymmetric:  // n/2 (1 - m / L) = (n p - m q) / 2p, since L = n p / q
      line.num0 = n * p - m * q + q - p;
      line.step = 2 * q;
      line.den = 2 * p;
      break;
    case kTfCropAndResize: break;  // always in doubles
  }
  return line;
}

/// The same positions in smaller numbers; divisor > 0 divides all three.
inline PositionLine reduced(PositionLine line, Int128 divisor) {
  const PositionLine result = {line.num0 / divisor, line.step / divisor, line.den / divisor};
  return result;
}

TESELA_EITHER_INT inline Int numerator(Int num0, Int step, int64_t i) {
  return num0 + step * i;
}

// ---- Nearest inputs -------------------------------------------------------------------------------------------------

/// The input nearest to j of n >= 1 inputs.
inline int64_t clamp_index(Int128 j, int64_t n) {
  if (j < 0) return 0;
  return j < n ? TESELA_AS(int64_t, j) : n - 1;
}

/// The same for a double, clamped before it is converted: crops can put positions anywhere, and at no number.
inline int64_t clamp_position(double j, int64_t n) {
  if (!(j > 0)) return 0;
  return j < TESELA_AS(double, n) ? TESELA_AS(int64_t, j) : n - 1;
}

/// Whether kSimple rounds up: if outputs are further apart than inputs, so that the axis shrinks.
inline bool line_shrinks(PositionLine line) {
  return line.step > line.den;
}

/// The integer that a nearest mode takes for the position num / den. shrinks: whether the axis shrinks, for kSimple.
inline Int128 rounded(NearestMode mode, bool shrinks, Int128 num, Int128 den) {
  switch (mode) {
    case kRoundPreferFloor: return ceil_div(2 * num - den, 2 * den);
    case kRoundPreferCeil: return floor_div(2 * num + den, 2 * den);
    case kFloor: return floor_div(num, den);
    case kCeil: return ceil_div(num, den);
    case kSimple: break;
  }
  return shrinks ? ceil_div(num, den) : floor_div(num, den);
}

/// The input that output i copies.
inline int64_t nearest_input(PositionLine line, NearestMode mode, int64_t in, int64_t i) {
  return clamp_index(rounded(mode, line_shrinks(line), numerator(line.num0, line.step, i), line.den), in);
}

// ---- The same inputs, one after another without a division ----------------------------------------------------------

/// A PositionLine in 64 bits: |num0|, step, den and |num0 + out * step| at most 2^58.
typedef struct {
  int64_t num0;
  int64_t step;
  int64_t den;
} ShortLine;

/// A line whose floor is the integer that a nearest mode takes.
inline ShortLine floor_line(ShortLine x, NearestMode mode, bool shrinks) {
  ShortLine line = x;
  switch (mode) {
    case kFloor: return line;
    case kRoundPreferFloor:
      line.num0 = 2 * x.num0 + x.den - 1;
      line.step = 2 * x.step;
      line.den = 2 * x.den;
      return line;
    case kRoundPreferCeil:
      line.num0 = 2 * x.num0 + x.den;
      line.step = 2 * x.step;
      line.den = 2 * x.den;
      return line;
    case kSimple:
      if (!shrinks) return line;
      break;
    case kCeil: break;
  }
  line.num0 = x.num0 + x.den - 1;
  return line;
}

/// num = whole * den + rest, 0 <= rest < den.
typedef struct {
  int64_t whole;
  int64_t rest;
} Division;

inline Division divide(int64_t num, int64_t den) {
  Division result = {num / den, num % den};
  if (result.rest < 0) {
    result.rest += den;
    --result.whole;
  }
  return result;
}

/// The division of the sum of two numerators. Without a branch, which would be unpredictable.
inline Division add_divisions(Division at, Division step, int64_t den) {
  const int64_t beyond = at.rest + step.rest - den;
  const int64_t stays = beyond >> 63;  // all ones if there is no carry
  const Division sum = {at.whole + step.whole + 1 + stays, beyond + (den & stays)};
  return sum;
}

// ---- Windows --------------------------------------------------------------------------------------------------------

/// The inputs with weights for an output, before positions outside the input are folded into the borders or dropped.
typedef struct {
  int64_t lo;
  int64_t hi;  // inclusive; below lo if no input is near enough
} TapWindow;

/// The `support` inputs on either side of the position num / den; an input at the position itself counts as left of it.
TESELA_EITHER_INT inline TapWindow plain_window(Int num, Int den, Int support) {
  const Int below = floor_div(num, den);
  const TapWindow window = {TESELA_AS(int64_t, below - support + 1), TESELA_AS(int64_t, below + support)};
  return window;
}

/// Every j with |j - num / den| * shrink_num / shrink_den < support, multiplied out.
TESELA_EITHER_INT inline TapWindow stretched_window(Int num, Int den, Int support, Int shrink_num, Int shrink_den) {
  const Int unit = den * shrink_num;
  const Int centre = num * shrink_num;
  const Int radius = support * den * shrink_den;
  const TapWindow window = {TESELA_AS(int64_t, floor_div(centre - radius, unit) + 1),
                            TESELA_AS(int64_t, ceil_div(centre + radius, unit) - 1)};
  return window;
}

/// The most inputs in a window whose filter is stretched by shrink_den / shrink_num.
inline int64_t most_taps(int64_t support, Int128 shrink_num, Int128 shrink_den) {
  return TESELA_AS(int64_t, 2 * ceil_div(support * shrink_den, shrink_num));
}

/// The inputs that the outputs from one with window `first` to one with window `last` need, inside the input.
inline TapWindow inputs_between(TapWindow first, TapWindow last, int64_t in) {
  const TapWindow inside = {clamp_index(first.lo, in), clamp_index(last.hi, in)};
  return inside;
}

/// The distance of input j from the position num / den, in units of 1 / (den * shrink_den) of the filter.
TESELA_EITHER_INT inline Int tap_distance(int64_t j, Int num, Int den, Int shrink_num) {
  return absolute(j * den - num) * shrink_num;
}

// ---- Limits ---------------------------------------------------------------------------------------------------------

static const Int128 kMaxInteger = TESELA_AS(Int128, 1) << 126;

/// Of non-negative numbers; kMaxInteger + 1 if the result is above kMaxInteger.
inline Int128 bounded_product(Int128 a, Int128 b) {
  Int128 product = 0;
  return __builtin_mul_overflow(a, b, &product) || product > kMaxInteger ? kMaxInteger + 1 : product;
}
inline Int128 bounded_sum(Int128 a, Int128 b) {
  return a > kMaxInteger - b ? kMaxInteger + 1 : a + b;
}

/// A bound on the integers in computing an axis's tables: numerators at both ends and a window beyond, times the
/// filter's stretch, or weights summed over the window. Above kMaxInteger if they do not fit.
inline Int128 largest_integer(PositionLine line, int64_t in, int64_t out, int64_t window, Int128 shrink_num,
                              Int128 shrink_den) {
  const Int128 last = bounded_product(line.step, out);
  const Int128 reach = bounded_product(line.den, TESELA_AS(Int128, in) + window + 2);
  const Int128 all = bounded_sum(bounded_sum(absolute(line.num0), last), reach);
  const Int128 stretched = bounded_product(all, 4 * (shrink_num > shrink_den ? shrink_num : shrink_den));
  const Int128 summed = bounded_product(bounded_product(line.den, shrink_den), TESELA_AS(Int128, window) + 2);
  return stretched > summed ? stretched : summed;
}

#ifdef __cplusplus
#undef TESELA_EITHER_INT
#undef TESELA_AS

}  // namespace exact
}  // namespace tesela
#endif
