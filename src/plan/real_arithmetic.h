// SPDX-License-Identifier: Apache-2.0
// Index arithmetic of one axis in floating point: positions for scales that are numbers and for crops, nearest inputs,
// windows.
//
// Every operation is rounded, in the order that is written. Like index_arithmetic.h, this is what C and C++ have in
// common, because tests/proofs reads this very file: z3 proves, for any monotonic rounding, that positions are
// monotonic (so the ends of a region bound the inputs between them), and CBMC checks nearest inputs for every double.
// Run `make test` after a change.
#pragma once

#ifdef __cplusplus
#include <cstdint>

#include "schema/modes.h"

// clang-format off
#define TESELA_EITHER_REAL template <class Real>
// clang-format on
#define TESELA_AS(Type, value) static_cast<Type>(value)

namespace tesela::real {

using enum CoordinateMode;
using enum NearestMode;
#endif

// ---- Positions of the contract --------------------------------------------------------------------------------------

/// x(i) of a mode without a crop, for scale > 0. length: that of the output before rounding.
inline double position(CoordinateMode mode, double in, double out, double scale, double length, double i) {
  if (out <= 1 && (mode == kPytorchHalfPixel || mode == kAlignCorners)) return 0;
  switch (mode) {
    case kHalfPixel:
    case kPytorchHalfPixel: return (i + 0.5) / scale - 0.5;
    case kAlignCorners: return i * (in - 1) / (length - 1);
    case kAsymmetric: return i / scale;
    case kTfHalfPixelForNn: return (i + 0.5) / scale;
    case kHalfPixelSymmetric: return in / 2 * (1 - out / length) + (i + 0.5) / scale - 0.5;
    case kTfCropAndResize: break;
  }
  return 0;
}

/// x(i) of a crop from `start` to `end`, in parts of the input; decreasing if end < start.
inline double crop_position(double in, double out, double length, double start, double end, double i) {
  const double last = in - 1;
  const double x = out <= 1 ? 0.5 * (start + end) * last : start * last + i * (end - start) * last / (length - 1);
  // Makes a crop of [0, 1] end at the last input exactly, despite rounding.
  const double tolerance = 0x1p-50 * (in > 1 ? in : 1.0);
  if (__builtin_fabs(x) <= tolerance) return 0;
  return __builtin_fabs(x - last) <= tolerance ? last : x;
}

// ---- Positions of libraries -----------------------------------------------------------------------------------------

/// From a rounded ratio of the extents (inputs per output), in the order of operations of presets' libraries.
TESELA_EITHER_REAL inline double ratio_position(CoordinateMode mode, double out, Real ratio, Real i) {
  if (out <= 1 && mode == kPytorchHalfPixel) return 0;
  switch (mode) {
    case kAlignCorners:
    case kAsymmetric: return TESELA_AS(double, i* ratio);
    case kTfHalfPixelForNn: return TESELA_AS(double, (i + TESELA_AS(Real, 0.5)) * ratio);
    case kHalfPixel:
    case kPytorchHalfPixel:
    case kHalfPixelSymmetric:
    case kTfCropAndResize: break;
  }
  return TESELA_AS(double, ratio*(i + TESELA_AS(Real, 0.5)) - TESELA_AS(Real, 0.5));
}

/// As in ONNX Runtime's CPU kernels: in float, except two formulas with operations in double.
inline float onnxruntime_position(CoordinateMode mode, float in, float out, float scale, float start, float end,
                                  float i) {
  switch (mode) {
    case kPytorchHalfPixel:
      if (out <= 1) return 0;
      break;
    case kHalfPixel: break;
    case kAlignCorners: return out <= 1 ? 0 : i * (in - 1) / (out - 1);
    case kAsymmetric: return i / scale;
    case kTfHalfPixelForNn: return (i + 0.5F) / scale;
    case kHalfPixelSymmetric:
      return TESELA_AS(float, TESELA_AS(double, in / 2 * (1 - out / (scale * in))) +
                                  (TESELA_AS(double, i) + 0.5) / TESELA_AS(double, scale) - 0.5);
    case kTfCropAndResize:
      if (out > 1) return start * (in - 1) + i * (end - start) * (in - 1) / (out - 1);
      return TESELA_AS(float, 0.5 * TESELA_AS(double, start + end) * TESELA_AS(double, in - 1));
  }
  return (i + 0.5F) / scale - 0.5F;
}

// ---- Nearest inputs -------------------------------------------------------------------------------------------------

/// The whole number that a nearest mode takes for position x, before it is clamped to the input. shrinks: whether the
/// axis shrinks, for kSimple. tolerance: how far from a half a position may be to count as one.
inline double rounded_position(NearestMode mode, bool shrinks, double tolerance, double x) {
  const double whole = __builtin_floor(x);
  const double rest = x - whole;
  switch (mode) {
    case kRoundPreferFloor: return rest > 0.5 + tolerance ? whole + 1 : whole;
    case kRoundPreferCeil: return rest >= 0.5 - tolerance ? whole + 1 : whole;
    case kFloor: return whole;
    case kCeil: return rest > 0 ? whole + 1 : whole;
    case kSimple: break;
  }
  return shrinks && rest > 0 ? whole + 1 : whole;
}

// ---- Windows --------------------------------------------------------------------------------------------------------

/// Whether a filter, stretched by 1 / shrink, reaches input j from position x.
inline bool reaches(double j, double x, double shrink, double support) {
  return __builtin_fabs(j - x) * shrink < support;
}

/// Inputs that are not after the first, and not before the last, that the filter reaches.
inline double before_window(double x, double shrink, double support) {
  return __builtin_floor(x - support / shrink) - 1;
}
inline double after_window(double x, double shrink, double support) {
  return __builtin_ceil(x + support / shrink) + 1;
}

#ifdef __cplusplus
#undef TESELA_EITHER_REAL
#undef TESELA_AS

}  // namespace tesela::real
#endif
