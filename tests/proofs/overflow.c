/* SPDX-License-Identifier: Apache-2.0 */
/* What CBMC checks of src/plan/index_arithmetic.h and real_arithmetic.h, compiled as C: no operation overflows, no divisor is
   0, no conversion changes a value, and nearest inputs are right for every double. overflow.py runs each function check_*.

   SAT solvers cannot divide 128-bit numbers, so where QUOTIENTS is defined the divisions of other functions are replaced by
   what theorems prove of them: the quotient is no larger than the dividend, and positions and windows are within 2^44. */
#include <float.h>
#include "c_form.h"

double floor(double x); /* of which CBMC has a model */
#define __builtin_floor floor

#include "plan/index_arithmetic.h"
#include "plan/real_arithmetic.h"

#define POWER(bits) ((Int128)1 << (bits))
#define EXTENT      POWER(40)
#ifdef REACH /* must fail: shows that the assumptions can hold */
#define DONE __CPROVER_assert(0, "the end is reached")
#else
#define DONE
#endif

Int nondet_int(void);
Int128 nondet_wide(void);
int64_t nondet_short(void);
double nondet_double(void);
bool nondet_bool(void);
CoordinateMode nondet_mode(void);
NearestMode nondet_rounding(void);

static Int128 wide(Int128 least, Int128 most) {
  const Int128 value = nondet_wide();
  __CPROVER_assume(value >= least && value <= most);
  return value;
}
static Int number(Int128 least, Int128 most) {
  return (Int)wide(least, most);
}
static int64_t small(Int128 least, Int128 most) {
  return (int64_t)wide(least, most);
}
static CoordinateMode mode(void) {
  const CoordinateMode value = nondet_mode();
  __CPROVER_assume(value >= kHalfPixel && value <= kHalfPixelSymmetric);
  return value;
}
static NearestMode rounding(void) {
  const NearestMode value = nondet_rounding();
  __CPROVER_assume(value >= kRoundPreferFloor && value <= kSimple);
  return value;
}

/* Of a dividend `a` and a divisor `b`, without multiplying. */
Int proved_quotient(Int a, Int b) {
  __CPROVER_assert(b > 0, "the divisor is above 0");
  const Int q = nondet_int();
  __CPROVER_assume(a >= 0 ? q >= 0 && q <= a : q <= 0 && q >= a);
  __CPROVER_assume(q >= -POWER(44) && q <= POWER(44));
  return q;
}

/* The widths of numbers: in 64 bits those of extents to 2^20, in 128 bits those of sizes to 2^40. */
static const int kLine = sizeof(Int) == 8 ? 21 : 41;
static const int kNumerator = sizeof(Int) == 8 ? 41 : 82;
static const int kScale = sizeof(Int) == 8 ? 20 : 40;

static Int any_numerator(void) {
  return number(-POWER(kNumerator), POWER(kNumerator));
}
static Int any_line_number(Int128 least) {
  return number(least, POWER(kLine));
}
static Int any_scale(void) {
  return number(1, POWER(kScale));
}
static PositionLine any_line(int bits) {
  const PositionLine line = {wide(-POWER(bits), POWER(bits)), wide(0, POWER(bits)), wide(1, POWER(bits))};
  return line;
}

/* ---- For both widths ---- */

void check_floor_div(void) {
  floor_div(number(-POWER(DIVIDEND_BITS), POWER(DIVIDEND_BITS)), number(1, POWER(DIVIDEND_BITS)));
  DONE;
}
void check_ceil_div(void) {
  ceil_div(number(-POWER(DIVIDEND_BITS), POWER(DIVIDEND_BITS)), number(1, POWER(DIVIDEND_BITS)));
  DONE;
}
void check_absolute(void) {
  const Int a = number(-POWER(sizeof(Int) == 8 ? 62 : 126), POWER(sizeof(Int) == 8 ? 62 : 126));
  __CPROVER_assert(absolute(a) >= 0, "not negative");
  DONE;
}
void check_numerator(void) {
  numerator(any_line_number(-POWER(kLine)), any_line_number(0), small(0, sizeof(Int) == 8 ? POWER(20) : EXTENT));
  DONE;
}
void check_plain_window(void) {
  const TapWindow window = plain_window(any_numerator(), any_line_number(1), number(1, 2));
  __CPROVER_assert(window.lo <= window.hi, "not empty");
  DONE;
}
void check_stretched_window(void) {
  stretched_window(any_numerator(), any_line_number(1), number(1, 2), any_scale(), any_scale());
  DONE;
}
void check_tap_distance(void) {
  tap_distance(small(-POWER(sizeof(Int) == 8 ? 20 : 41), POWER(sizeof(Int) == 8 ? 20 : 41)), any_numerator(),
               any_line_number(1), any_scale());
  DONE;
}

/* ---- For 128 bits ---- */

void check_position_line(void) {
  position_line(mode(), small(1, EXTENT), small(1, EXTENT), wide(1, POWER(63)), wide(1, POWER(63)));
  DONE;
}
void check_reduced(void) {
  reduced(any_line(126), wide(1, POWER(126)));
  DONE;
}
void check_nearest_input(void) {
  const int64_t in = small(1, EXTENT);
  const int64_t index = nearest_input(any_line(80), rounding(), in, small(0, EXTENT - 1));
  __CPROVER_assert(index >= 0 && index < in, "inside");
  DONE;
}
void check_clamp_index(void) {
  const int64_t n = small(1, POWER(62));
  const int64_t index = clamp_index(nondet_wide(), n);
  __CPROVER_assert(index >= 0 && index < n, "inside");
  DONE;
}
void check_clamp_position(void) {
  const double j = nondet_double();
  const int64_t n = small(1, EXTENT);
  const int64_t index = clamp_position(j, n);
  __CPROVER_assert(index >= 0 && index < n, "inside");
  __CPROVER_assert(j > 0 || index == 0, "below, or no number");
  __CPROVER_assert(!(j >= n) || index == n - 1, "above");
  __CPROVER_assert(!(j >= 0 && j < n) || (index <= j && j < index + 1), "the input below");
  DONE;
}
void check_floor_line(void) {
  const ShortLine line = {small(-POWER(58), POWER(58)), small(0, POWER(58)), small(1, POWER(58))};
  const ShortLine changed = floor_line(line, rounding(), nondet_bool());
  __CPROVER_assert(changed.den > 0 && changed.den <= POWER(59) && changed.step >= 0, "still a line");
  DONE;
}
void check_divide(void) {
  const int64_t den = small(1, POWER(30));
  const Division division = divide(small(-POWER(60), POWER(60)), den);
  __CPROVER_assert(division.rest >= 0 && division.rest < den, "the rest is inside");
  DONE;
}
void check_add_divisions(void) {
  const int64_t den = small(1, POWER(60));
  const Division at = {small(-POWER(60), POWER(60)), small(0, den - 1)};
  const Division step = {small(0, POWER(60)), small(0, den - 1)};
  const Division sum = add_divisions(at, step, den);
  __CPROVER_assert(sum.rest >= 0 && sum.rest < den, "the rest is inside");
  DONE;
}
void check_most_taps(void) {
  most_taps(small(1, 2), wide(1, EXTENT), wide(1, EXTENT));
  DONE;
}
void check_inputs_between(void) {
  const int64_t in = small(1, EXTENT);
  const TapWindow first = {nondet_short(), nondet_short()};
  const TapWindow last = {nondet_short(), nondet_short()};
  const TapWindow inside = inputs_between(first, last, in);
  __CPROVER_assert(inside.lo >= 0 && inside.lo < in && inside.hi >= 0 && inside.hi < in, "inside");
  DONE;
}
void check_bounded_sum(void) {
  const Int128 sum = bounded_sum(wide(0, kMaxInteger + 1), wide(0, kMaxInteger + 1));
  __CPROVER_assert(sum >= 0 && sum <= kMaxInteger + 1, "bounded");
  DONE;
}
void check_largest_integer(void) {
  const Int128 largest = largest_integer(any_line(126), small(1, EXTENT), small(1, EXTENT), small(1, POWER(43)),
                                         wide(1, POWER(63)), wide(1, POWER(63)));
  __CPROVER_assert(largest >= 0 && largest <= kMaxInteger + 1, "bounded");
  DONE;
}

/* ---- src/plan/real_arithmetic.h: nearest inputs of every finite double ---- */

static double finite(void) {
  const double x = nondet_double();
  __CPROVER_assume(x >= -DBL_MAX && x <= DBL_MAX);
  return x;
}
void check_rounded_position(void) {
  const double x = finite();
  const int64_t n = small(1, EXTENT);
  const NearestMode mode = rounding();
  const bool shrinks = nondet_bool();
  const double tolerance = nondet_bool() ? 1e-6 : 0; /* ONNX Runtime's, or none */
  const int64_t j = clamp_position(rounded_position(mode, shrinks, tolerance, x), n);
  __CPROVER_assert(j >= 0 && j < n, "inside");
  __CPROVER_assert(x >= 0 || j == 0, "before the first");
  __CPROVER_assert(x <= n - 1 || j == n - 1, "after the last");
  if (x >= 0 && x <= n - 1) { /* every number below is a double */
    const bool up = mode == kCeil || (mode == kSimple && shrinks);
    __CPROVER_assert(!up || (j - 1 < x && x <= j), "ceiling");
    __CPROVER_assert(up || mode == kRoundPreferFloor || mode == kRoundPreferCeil || (j <= x && x < j + 1), "floor");
    __CPROVER_assert(mode != kRoundPreferFloor || (j - 0.5 < x && (x <= j + 0.5 || tolerance > 0)), "halves go down");
    __CPROVER_assert(mode != kRoundPreferCeil || ((j - 0.5 <= x || tolerance > 0) && x < j + 0.5), "halves go up");
  }
  DONE;
}
void check_order_of_rounded_positions(void) {
  const double x = finite();
  const double y = finite();
  __CPROVER_assume(x <= y);
  const int64_t n = small(1, EXTENT);
  const NearestMode mode = rounding();
  const bool shrinks = nondet_bool();
  const double tolerance = nondet_bool() ? 1e-6 : 0;
  __CPROVER_assert(clamp_position(rounded_position(mode, shrinks, tolerance, x), n) <=
                       clamp_position(rounded_position(mode, shrinks, tolerance, y), n),
                   "in order");
  DONE;
}
