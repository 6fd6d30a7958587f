// SPDX-License-Identifier: Apache-2.0
// Where each output of one axis samples the input: a closed form, so that planning takes no longer for an axis of 1e9.
// Arithmetic only: no tensors, no tables.
#pragma once

#include <cstdint>

#include "plan/index_arithmetic.h"
#include "plan/params.h"
#include "plan/rational.h"
#include "types/status.h"

namespace tesela {

/// Positions are in input samples, with sample centres at integers.
struct AxisMap {
  enum class Positions : uint8_t {
    kIdentity,  // output i is input i
    kRational,  // x(i) = (num0 + i * step) / den, exactly
    kReal,      // doubles, in the contract's order of operations
  };
  Positions positions = Positions::kIdentity;
  int64_t in = 0;
  int64_t out = 0;

  // kRational
  Int128 num0 = 0;
  Int128 step = 1;
  Int128 den = 1;
  bool narrow = false;  // every integer in computing the axis's tables is below 2^53

  // kReal
  double scale = 1;
  double length = 1;  // "length_resized" in the coordinate formulas; may be fractional
  double roi_start = 0;
  double roi_end = 1;
  double rounded_ratio = 1;  // inputs per output, for PositionArithmetic other than the contract's

  SamplingParams sampling;
  int8_t weight_bits = -1;  // weights are multiples of 2^-weight_bits; -1: any
  bool antialias = false;   // requested, and the axis shrinks
  // The filter is stretched by 1 / shrink under antialias: exact for kRational, a double for kReal.
  Int128 shrink_num = 1;
  Int128 shrink_den = 1;
  double shrink = 1;

  exact::PositionLine line() const { return {num0, step, den}; }
  bool crops() const { return sampling.coordinates == CoordinateMode::kTfCropAndResize; }
  friend bool operator==(const AxisMap&, const AxisMap&) = default;
};

/// Errors: limit if an extent is above 2^40 or the axis's exact arithmetic does not fit 126 bits.
/// map: fresh.
Status set_axis_map(const AxisRequest& request, const SamplingParams& sampling, AxisMap& map);
inline Result<AxisMap> make_axis_map(const AxisRequest& request, const SamplingParams& sampling) {
  AxisMap map;
  TESELA_RETURN_IF_ERROR(set_axis_map(request, sampling, map));
  return map;
}

/// The most input samples that one output can take, before borders fold or drop any.
int64_t window_of(const AxisMap& map);

/// The position of output i as a double (the nearest one to a rational position).
double position(const AxisMap& map, int64_t i);

/// Whether tf_crop_and_resize puts output i outside the input.
bool is_extrapolated(const AxisMap& map, int64_t i);

/// Whether NearestMode::kSimple rounds a position between two inputs up rather than down.
bool simple_rounds_up(const AxisMap& map);

/// The input that output i copies, for Filter::kNearest and identities; always inside the input.
int64_t nearest_index(const AxisMap& map, int64_t i);

struct IndexRange {
  int64_t lo = 0;
  int64_t n = 0;
};

using exact::TapWindow;

/// The inputs with weights for output i, before positions outside the input are folded into the borders or dropped.
/// For filters other than nearest, and outputs that are not extrapolated.
TapWindow tap_window(const AxisMap& map, int64_t i);
/// The same for an output at position x of a map with positions in doubles.
TapWindow tap_window_at(const AxisMap& map, double x);

/// The numbers of a rational map in integers wide enough for computing tables: Int128, or int64_t if it is narrow.
template <class Int>
struct ExactNumbers {
  explicit ExactNumbers(const AxisMap& map)
      : num0(static_cast<Int>(map.num0)),
        step(static_cast<Int>(map.step)),
        den(static_cast<Int>(map.den)),
        shrink_num(static_cast<Int>(map.shrink_num)),
        shrink_den(static_cast<Int>(map.shrink_den)),
        support(map.sampling.filter == Filter::kCubic ? 2 : 1),
        antialias(map.antialias) {}

  Int numerator(int64_t i) const { return exact::numerator(num0, step, i); }

  TapWindow window(int64_t i) const {
    return antialias ? exact::stretched_window(numerator(i), den, support, shrink_num, shrink_den)
                     : exact::plain_window(numerator(i), den, support);
  }

  Int num0, step, den, shrink_num, shrink_den, support;
  bool antialias;
};

/// The inputs that the outputs [range.lo, range.lo + range.n), n >= 1, need.
IndexRange input_range(const AxisMap& map, IndexRange range);

/// The outputs of a range that can have taps among the inputs; all others have none. Not for nearest filters.
IndexRange output_range(const AxisMap& map, IndexRange outputs, IndexRange inputs);

}  // namespace tesela
