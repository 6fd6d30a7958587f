// Where each output of one axis samples the input: a closed form, so that axes of 1e9 cost nothing to plan.
// Pure arithmetic: no tensors, no tables.
#pragma once

#include <cstdint>

#include "plan/params.h"
#include "plan/rational.h"
#include "types/status.h"

namespace tesela {

/// Positions are in input samples, sample centres at integers.
struct AxisRule {
  enum class Positions : uint8_t {
    kIdentity,  // output i is input i
    kRational,  // x(i) = (num0 + i * step) / den, exactly
    kReal,      // doubles, in the order of operations that the contract prints
  };
  Positions positions = Positions::kIdentity;
  int64_t in = 0;
  int64_t out = 0;

  // kRational
  Int128 num0 = 0;
  Int128 step = 1;
  Int128 den = 1;
  bool narrow = false;  // every integer that tables of the axis form is below 2^53

  // kReal
  double scale = 1;
  double length = 1;  // the "length_resized" of the coordinate formulas, possibly fractional
  double roi_start = 0;
  double roi_end = 1;
  double rounded_ratio = 1;  // inputs from one output to the next, for PositionArithmetic other than the contract's

  SamplingParams sampling;
  int8_t weight_bits = -1;   // weights are multiples of 2^-weight_bits; -1: free
  bool sums_to_one = false;  // the first of an output's largest weights takes what the others, rounded, lack to one
  bool antialias = false;    // in effect: asked for, and the axis shrinks
  // The filter is stretched by 1 / shrink under antialias: exact for kRational, a double for kReal.
  Int128 shrink_num = 1;
  Int128 shrink_den = 1;
  double shrink = 1;

  bool crops() const { return sampling.coordinates == CoordinateMode::kTfCropAndResize; }
};

/// Errors: limit if an extent is above 2^40 or the exact arithmetic of the axis would not fit 126 bits.
Result<AxisRule> make_axis_rule(const AxisRequest& request, const SamplingParams& sampling);

/// Input samples that one output can take, before borders fold or drop any.
int64_t window_of(const AxisRule& rule);

/// The position of output i as a double (nearest, where it is rational).
double position(const AxisRule& rule, int64_t i);

/// True where tf_crop_and_resize puts output i outside the input.
bool is_extrapolated(const AxisRule& rule, int64_t i);

/// Whether NearestMode::kSimple takes the next input above a position between two, not the one below.
bool simple_rounds_up(const AxisRule& rule);

/// The input that output i copies, for Filter::kNearest and for identities; inside the input.
int64_t nearest_index(const AxisRule& rule, int64_t i);

struct IndexRange {
  int64_t lo = 0;
  int64_t n = 0;
};

/// Inputs that output i weighs, before positions outside the input are folded into its borders or dropped.
/// For filters other than nearest, and outputs that are not extrapolated.
struct TapWindow {
  int64_t lo = 0;
  int64_t hi = 0;  // inclusive; below lo where no input is near enough
};
TapWindow tap_window(const AxisRule& rule, int64_t i);

/// The numbers of a rational rule in integers that hold all that tables form of them: Int128, or int64_t where the rule
/// is narrow.
template <class Int>
struct ExactNumbers {
  explicit ExactNumbers(const AxisRule& rule)
      : num0(static_cast<Int>(rule.num0)),
        step(static_cast<Int>(rule.step)),
        den(static_cast<Int>(rule.den)),
        shrink_num(static_cast<Int>(rule.shrink_num)),
        shrink_den(static_cast<Int>(rule.shrink_den)),
        support(rule.sampling.filter == Filter::kCubic ? 2 : 1),
        antialias(rule.antialias) {}

  Int numerator(int64_t i) const { return num0 + step * static_cast<Int>(i); }

  TapWindow window(int64_t i) const {
    const Int num = numerator(i);
    if (!antialias) {
      const Int floor = floor_div(num, den);
      return {static_cast<int64_t>(floor - support + 1), static_cast<int64_t>(floor + support)};
    }
    // |j - num/den| P/Q < support, multiplied out
    const Int unit = den * shrink_num;
    const Int centre = num * shrink_num;
    const Int radius = support * den * shrink_den;
    return {static_cast<int64_t>(floor_div(centre - radius, unit) + 1),
            static_cast<int64_t>(ceil_div(centre + radius, unit) - 1)};
  }

  Int num0, step, den, shrink_num, shrink_den, support;
  bool antialias;
};

/// Inputs that suffice for the outputs [range.lo, range.lo + range.n), n >= 1.
IndexRange input_range(const AxisRule& rule, IndexRange range);

}  // namespace tesela
