// SPDX-License-Identifier: Apache-2.0
// Positions, windows and weights as in ONNX Runtime's CPU kernels; plan/onnxruntime_rules decides which plans use them.
#include <cmath>

#include "plan/real_arithmetic.h"
#include "plan/sampling/sampling.h"

namespace tesela::sampling {
namespace {

// The cubic kernel in float, in ONNX Runtime's order of operations. Its two parts can round differently where they meet.
float keys_near(float a, float t) {
  return ((a + 2) * t - (a + 3)) * t * t + 1;
}
float keys_far(float a, float t) {
  return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
}

// The distance of input j from a position, divided by the filter's stretch and rounded as in those kernels.
float distance(const AxisMap& map, double x, int64_t j) {
  const float centre = 0.5f + static_cast<float>(x);
  const float stretch = map.shrink < 1 ? 1 / (1 / static_cast<float>(map.shrink)) : 1;
  return std::abs((static_cast<float>(j) - centre + 0.5f) * stretch);
}

}  // namespace

float onnxruntime_position(const AxisMap& map, float i) {
  return real::onnxruntime_position(map.sampling.coordinates, static_cast<float>(map.in), static_cast<float>(map.out),
                                    static_cast<float>(map.scale), static_cast<float>(map.roi_start),
                                    static_cast<float>(map.roi_end), i);
}

// The window of an exact filter, slightly widened.
TapWindow onnxruntime_window(const AxisMap& map, double x) {
  const double radius = static_cast<double>(support_of(map)) / map.shrink;
  return {static_cast<int64_t>(std::floor(x - radius)), static_cast<int64_t>(std::ceil(x + radius))};
}

std::array<float, 4> onnxruntime_cubic(float a, float r) {
  return {keys_far(a, r + 1), keys_near(a, r), keys_near(a, 1 - r), keys_far(a, 2 - r)};
}

float onnxruntime_filter(const SamplingParams& sampling, float distance) {
  const float t = std::abs(distance);
  if (sampling.filter == Filter::kLinear) return t < 1 ? 1 - t : 0;
  const auto a = static_cast<float>(sampling.cubic_a);
  if (t < 1) return keys_near(a, t);
  return t < 2 ? (((t - 5) * t + 8) * t - 4) * a : 0;
}

double onnxruntime_weight(const AxisMap& map, double x, int64_t j) {
  if (map.antialias) return static_cast<double>(onnxruntime_filter(map.sampling, distance(map, x, j)));
  const double floor = std::floor(x);
  const auto r = static_cast<float>(x - floor);
  const auto tap = static_cast<size_t>(static_cast<double>(j) - floor + 1);  // 0 to 3
  return static_cast<double>(onnxruntime_cubic(static_cast<float>(map.sampling.cubic_a), r)[tap]);
}

}  // namespace tesela::sampling
