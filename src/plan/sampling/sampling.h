// SPDX-License-Identifier: Apache-2.0
// The arithmetics of positions: how the coordinate formulas are evaluated, each in its own file.
//
//   contract.cc      exact fractions for sizes, doubles for scales
//   rounded.cc       from a rounded ratio of the extents, in float or double, as in the libraries of presets
//   onnxruntime.cc   in float, with windows and weights, as in ONNX Runtime's CPU kernels
#pragma once

#include <array>
#include <cstdint>

#include "plan/axis_map.h"

namespace tesela::sampling {

// ---- Setting up a map ----------------------------------------------------------------------------------------------

/// Positions as exact fractions, for a request with an exact scale and no crop.
/// Errors: limit if an integer in computing tables does not fit 126 bits.
Status set_rational(AxisMap& map, const AxisRequest& request);
/// Positions in doubles, or in ONNX Runtime's arithmetic.
void set_real(AxisMap& map, const AxisRequest& request);
void set_rounded(AxisMap& map, const AxisRequest& request);

/// The stretch of an antialias filter as an exact fraction: the width of a window is always counted exactly.
void set_exact_shrink(AxisMap& map, const AxisRequest& request);

// ---- Where an output samples the input ------------------------------------------------------------------------------

double contract_position(const AxisMap& map, double i);
double rounded_position(const AxisMap& map, double i);
float onnxruntime_position(const AxisMap& map, float i);

/// The position in the map's arithmetic; the map must be kReal.
double real_position(const AxisMap& map, double i);

/// The whole number that the nearest mode takes for position x, before it is clamped to the input.
double rounded_real(const AxisMap& map, double x);
int64_t nearest_real(const AxisMap& map, int64_t i);
/// How far from a half a position may be to count as one: 0, or ONNX Runtime's tolerance.
double half_tolerance(const AxisMap& map);

/// x: the position of the output.
TapWindow contract_window(const AxisMap& map, double x);
TapWindow onnxruntime_window(const AxisMap& map, double x);

/// ONNX Runtime's weights in float: of the four inputs around a position with the fraction r, and of the filter of antialias
/// at a distance.
std::array<float, 4> onnxruntime_cubic(float a, float r);
float onnxruntime_filter(const SamplingParams& sampling, float distance);
/// The raw weight of input j at position x, under cubic or antialias.
double onnxruntime_weight(const AxisMap& map, double x, int64_t j);

inline int64_t support_of(const AxisMap& map) {
  return map.sampling.filter == Filter::kCubic ? 2 : 1;
}

}  // namespace tesela::sampling
