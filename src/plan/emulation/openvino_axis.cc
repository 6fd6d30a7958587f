// SPDX-License-Identifier: Apache-2.0
// The tables of OpenVINO's CPU plugin, in its order of operations in float.
#include <algorithm>
#include <cmath>

#include "plan/emulation/openvino.h"

namespace tesela::openvino {
namespace {

float align_corners(const Axis& axis, float x, Formulas formulas) {
  if (axis.out == 1) return 0;
  const auto in = static_cast<float>(axis.in - 1);
  const auto out = static_cast<float>(axis.out - 1);
  return formulas == Formulas::kKernels ? x * (in / out) : x * in / out;
}

float position_of(const Axis& axis, CoordinateMode mode, int64_t output, Formulas formulas = Formulas::kKernels) {
  const auto x = static_cast<float>(output);
  if (axis.scale == 1 || axis.in == axis.out) return x;
  switch (mode) {
    case CoordinateMode::kAsymmetric: return x / axis.scale;
    case CoordinateMode::kTfHalfPixelForNn: return (x + 0.5f) / axis.scale;
    case CoordinateMode::kAlignCorners: return align_corners(axis, x, formulas);
    case CoordinateMode::kPytorchHalfPixel:
      if (axis.out == 1) return 0;
      break;
    default: break;
  }
  return (x + 0.5f) / axis.scale - 0.5f;
}

EmulatedAxis begun(const Axis& axis, const SamplingParams& sampling) {
  const bool is_copied = axis.scale == 1 || axis.in == axis.out;
  const double corner = sampling.coordinates == CoordinateMode::kTfHalfPixelForNn && !is_copied ? 0.5 : 0;
  EmulatedAxis made;
  made.axis = axis.axis;
  made.in = axis.in;
  made.out = axis.out;
  made.first_centre = static_cast<double>(position_of(axis, sampling.coordinates, 0)) - corner;
  made.last_centre = static_cast<double>(position_of(axis, sampling.coordinates, axis.out - 1)) - corner;
  return made;
}

// As x86 converts a float to int32: those beyond become the smallest one.
int64_t whole(float x) {
  return x >= -0x1p31f && x < 0x1p31f ? static_cast<int64_t>(x) : INT32_MIN;
}

int64_t nearest(NearestMode mode, float x, bool shrinks) {
  switch (mode) {
    case NearestMode::kRoundPreferFloor: return whole(x == std::trunc(x) + 0.5f ? std::floor(x) : std::round(x));
    case NearestMode::kRoundPreferCeil: return whole(std::round(x));
    case NearestMode::kFloor: return whole(std::floor(x));
    case NearestMode::kCeil: return whole(std::ceil(x));
    case NearestMode::kSimple: return whole(shrinks ? std::ceil(x) : x);
  }
  return 0;
}

struct CubicWeights {
  float of[4];
};

// `t` above the second tap.
CubicWeights kernel_weights(float a, float t) {
  return {{a * (t - 1) * (t - 1) * t, ((a + 2) * t - (a + 3)) * t * t + 1, (((-a - 2) * t + (2 * a + 3)) * t - a) * t,
           -a * t * t * (t - 1)}};
}

CubicWeights reference_weights(float a, float t) {
  const auto far = [a](float d) { return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a; };
  const auto near = [a](float d) { return ((a + 2) * d - (a + 3)) * d * d + 1; };
  return {{far(t + 1), near(t), near(1 - t), far(2 - t)}};
}

}  // namespace

EmulatedAxis nearest_axis(const Axis& axis, const SamplingParams& sampling, Formulas formulas) {
  EmulatedAxis made = begun(axis, sampling);
  for (int64_t i = 0; i < axis.out; ++i) {
    const float x = position_of(axis, sampling.coordinates, i, formulas);
    add_output(made, {{nearest(sampling.nearest, x, axis.scale < 1), 1}});
  }
  return made;
}

EmulatedAxis linear_axis(const Axis& axis, const SamplingParams& sampling, bool second_first) {
  EmulatedAxis made = begun(axis, sampling);
  const auto last = static_cast<float>(axis.in - 1);
  for (int64_t i = 0; i < axis.out; ++i) {
    const float x = std::max(0.0f, std::min(position_of(axis, sampling.coordinates, i), last));
    const int64_t first = std::min(static_cast<int64_t>(x), axis.in - 1);
    const int64_t second = std::min(first + 1, axis.in - 1);
    EmulatedTap taps[] = {{first, static_cast<double>(std::fabs(x - static_cast<float>(second)))},
                          {second, static_cast<double>(std::fabs(x - static_cast<float>(first)))}};
    if (first == second) taps[0].weight = taps[1].weight = 0.5;
    if (second_first) std::swap(taps[0], taps[1]);
    add_output(made, {taps[0], taps[1]});
  }
  return made;
}

EmulatedAxis cubic_axis(const Axis& axis, const SamplingParams& sampling, Formulas formulas) {
  EmulatedAxis made = begun(axis, sampling);
  const auto a = static_cast<float>(sampling.cubic_a);
  for (int64_t i = 0; i < axis.out; ++i) {
    const float x = position_of(axis, sampling.coordinates, i, formulas);
    const int64_t second = whole(std::floor(x));
    const float t = x - static_cast<float>(second);
    const CubicWeights weights = formulas == Formulas::kKernels ? kernel_weights(a, t) : reference_weights(a, t);
    std::vector<EmulatedTap> taps;
    for (const float weight : weights.of)
      taps.push_back({second - 1 + static_cast<int64_t>(taps.size()), static_cast<double>(weight)});
    add_output(made, taps);
  }
  return made;
}

EmulatedAxis absent_cubic_axis(const Axis& inner, const SamplingParams& sampling) {
  const Axis kept{inner.axis, inner.out, inner.out};
  const CubicWeights weights = kernel_weights(static_cast<float>(sampling.cubic_a), 0);
  EmulatedAxis made = begun(kept, sampling);
  for (int64_t i = 0; i < kept.out; ++i) {
    std::vector<EmulatedTap> taps;
    for (const float weight : weights.of) taps.push_back({i, static_cast<double>(weight)});
    add_output(made, taps);
  }
  return made;
}

}  // namespace tesela::openvino
