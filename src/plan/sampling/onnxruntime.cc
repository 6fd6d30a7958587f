// SPDX-License-Identifier: Apache-2.0
// Positions, windows and weights as in ONNX Runtime's CPU kernels; plan/onnxruntime_rules decides which plans use them.
#include <cmath>

#include "plan/real_arithmetic.h"
#include "plan/sampling/sampling.h"

namespace tesela::sampling {
namespace {

// The cubic kernel in float, in ONNX Runtime's order of operations, without and with antialias.
float keys(float a, float t) {
  return t <= 1 ? ((a + 2) * t - (a + 3)) * t * t + 1 : ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
}
float antialias_keys(float a, float t) {
  if (t < 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
  return t < 2 ? (((t - 5) * t + 8) * t - 4) * a : 0;
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

double onnxruntime_weight(const AxisMap& map, double x, int64_t j) {
  const auto a = static_cast<float>(map.sampling.cubic_a);
  if (map.antialias) {
    const float t = distance(map, x, j);
    return static_cast<double>(map.sampling.filter == Filter::kLinear ? std::max(1 - t, 0.0f) : antialias_keys(a, t));
  }
  const double floor = std::floor(x);
  const auto r = static_cast<float>(x - floor);
  const auto offset = static_cast<int>(static_cast<double>(j) - floor);  // -1, 0, 1 or 2
  const float distances[] = {r + 1, r, 1 - r, 2 - r};
  return static_cast<double>(keys(a, distances[offset + 1]));
}

}  // namespace tesela::sampling
