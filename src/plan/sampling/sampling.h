// The arithmetics of positions: how the coordinate formulas are evaluated. One file each.
//
//   contract.cc      exact fractions where sizes were given, doubles where scales were
//   rounded.cc       from a rounded ratio of the extents, in float or double, as libraries do that presets equal
//   onnxruntime.cc   in float, as ONNX Runtime's CPU kernels do, with their windows and weights
#pragma once

#include <algorithm>
#include <cstdint>

#include "plan/axis_rule.h"

namespace tesela::sampling {

// ---- Setting up a rule ----------------------------------------------------------------------------------------------

/// Positions as exact fractions, for a request with an exact scale and no crop.
/// Errors: limit where an integer that tables form would not fit 126 bits.
Status set_rational(AxisRule& rule, const AxisRequest& request);
/// Positions in doubles, or by ONNX Runtime's operations.
void set_real(AxisRule& rule, const AxisRequest& request);
void set_rounded(AxisRule& rule, const AxisRequest& request);

/// The stretch of an antialias filter as an exact fraction: the width of a window is always counted exactly.
void set_exact_shrink(AxisRule& rule, const AxisRequest& request);

// ---- Where an output samples the input ------------------------------------------------------------------------------

double contract_position(const AxisRule& rule, double i);
double rounded_position(const AxisRule& rule, double i);
float onnxruntime_position(const AxisRule& rule, float i);

/// By the arithmetic of the rule, whose positions are real.
double real_position(const AxisRule& rule, double i);

int64_t nearest_rational(const AxisRule& rule, int64_t i);
int64_t nearest_real(const AxisRule& rule, int64_t i);

/// x: the position of the output.
TapWindow contract_window(const AxisRule& rule, double x);
TapWindow onnxruntime_window(const AxisRule& rule, double x);

/// The raw weight of input j at position x, under cubic or antialias.
double onnxruntime_weight(const AxisRule& rule, double x, int64_t j);

inline int64_t support_of(const AxisRule& rule) {
  return rule.sampling.filter == Filter::kCubic ? 2 : 1;
}

inline int64_t clamp_index(Int128 j, int64_t n) {
  return static_cast<int64_t>(std::clamp<Int128>(j, 0, n - 1));
}

/// A position far outside (a crop may ask for any) is brought near before it becomes an integer.
inline int64_t clamp_index(double j, int64_t n) {
  if (!(j > 0)) return 0;
  return j >= static_cast<double>(n) ? n - 1 : std::min(static_cast<int64_t>(j), n - 1);
}

}  // namespace tesela::sampling
