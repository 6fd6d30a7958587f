// SPDX-License-Identifier: Apache-2.0
// The tables of ONNX Runtime's CPU kernels, in their order of operations in float.
#include <algorithm>
#include <cmath>

#include "plan/emulation/onnxruntime.h"
#include "plan/sampling/sampling.h"

namespace tesela::onnxruntime {
namespace {

// The coordinate formula, for any scale.
float formula(const Axis& axis, const SamplingParams& sampling, int64_t i) {
  AxisMap map;
  map.in = axis.in;
  map.out = axis.out;
  map.scale = static_cast<double>(axis.scale);
  map.roi_start = static_cast<double>(axis.roi_start);
  map.roi_end = static_cast<double>(axis.roi_end);
  map.sampling = sampling;
  return sampling::onnxruntime_position(map, static_cast<float>(i));
}

float position_of(const Axis& axis, const SamplingParams& sampling, int64_t i) {
  return axis.scale == 1 ? static_cast<float>(i) : formula(axis, sampling, i);
}

EmulatedAxis begun(const Axis& axis, const SamplingParams& sampling) {
  const double corner = sampling.coordinates == CoordinateMode::kTfHalfPixelForNn && axis.scale != 1 ? 0.5 : 0;
  EmulatedAxis made;
  made.axis = axis.axis;
  made.in = axis.in;
  made.out = axis.out;
  made.first_centre = static_cast<double>(position_of(axis, sampling, 0)) - corner;
  made.last_centre = static_cast<double>(position_of(axis, sampling, axis.out - 1)) - corner;
  return made;
}

// The two inputs around a position inside the input, and the distance from the first; halves where both are the last.
struct Between {
  int64_t first;
  int64_t second;
  float to_first;
  float to_second;
};

Between between(const Axis& axis, const SamplingParams& sampling, int64_t i) {
  const auto last = static_cast<float>(axis.in - 1);
  const float x = std::max(0.0f, std::min(position_of(axis, sampling, i), last));
  const int64_t first = std::min(static_cast<int64_t>(x), axis.in - 1);
  const int64_t second = std::min(first + 1, axis.in - 1);
  if (first == second) return {first, second, 0.5f, 0.5f};
  return {first, second, std::fabs(x - static_cast<float>(first)), std::fabs(x - static_cast<float>(second))};
}

float antialias_centre(const Axis& axis, const SamplingParams& sampling, int64_t i) {
  const bool is_one = 1.0f / axis.scale == 1.0f;
  return 0.5f + (is_one ? static_cast<float>(i) : formula(axis, sampling, i));
}

float antialias_support(const Axis& axis, const SamplingParams& sampling) {
  const float stretch = 1.0f / axis.scale;
  const float support = sampling.filter == Filter::kCubic ? 2 : 1;
  return stretch >= 1 ? support * stretch : support;
}

// The raw weights of one output, and the inputs they are for.
struct Window {
  int64_t lo = 0;
  std::vector<float> weights;
  float total = 0;
};

Window raw_window(const Axis& axis, const SamplingParams& sampling, int64_t i) {
  const float stretch = 1.0f / axis.scale;
  const float inverse = stretch >= 1 ? 1.0f / stretch : 1.0f;
  const float support = antialias_support(axis, sampling);
  const float centre = antialias_centre(axis, sampling, i);
  auto lo = static_cast<int64_t>(std::floor(centre - support + 0.5f));
  auto hi = static_cast<int64_t>(std::floor(centre + support + 0.5f));
  hi = lo + std::clamp<int64_t>(hi - lo, 0, antialias_window(axis, sampling));
  if (sampling.exclude_outside) {
    lo = std::clamp<int64_t>(lo, 0, axis.in);
    hi = std::clamp<int64_t>(hi, 0, axis.in);
  }
  Window made{lo, {}, 0};
  for (int64_t j = lo; j < hi; ++j) {
    made.weights.push_back(sampling::onnxruntime_filter(sampling, (static_cast<float>(j) - centre + 0.5f) * inverse));
    made.total += made.weights.back();
  }
  return made;
}

// Adds the weights outside the input to those of the first and last input, ascending.
void fold(const Axis& axis, Window& window) {
  const auto n = static_cast<int64_t>(window.weights.size());
  const int64_t cut_lo = std::clamp<int64_t>(window.lo, 0, axis.in);
  const int64_t cut_hi = std::clamp<int64_t>(window.lo + n, 0, axis.in);
  if (cut_lo >= cut_hi) {
    window.weights.clear();
    return;
  }
  const auto at = [&window](int64_t k) -> float& { return window.weights[static_cast<size_t>(k)]; };
  const int64_t below = std::clamp<int64_t>(-window.lo, 0, n - 1);
  for (int64_t k = 0; k < below; ++k) at(below) += at(k);
  const int64_t above = std::clamp<int64_t>(n + window.lo - axis.in, 0, n - 1);
  for (int64_t k = n - above; k < n; ++k) at(n - above - 1) += at(k);
  window.weights = {window.weights.begin() + below, window.weights.begin() + below + (cut_hi - cut_lo)};
  window.lo = cut_lo;
}

}  // namespace

EmulatedAxis linear_axis(const Axis& axis, const SamplingParams& sampling) {
  EmulatedAxis made = begun(axis, sampling);
  for (int64_t i = 0; i < axis.out; ++i) {
    const Between x = between(axis, sampling, i);
    add_output(made, {{x.first, static_cast<double>(x.to_second)}, {x.second, static_cast<double>(x.to_first)}});
  }
  return made;
}

EmulatedAxis fixed_linear_axis(const Axis& axis, const SamplingParams& sampling) {
  constexpr int32_t kOne = 1 << 10;
  EmulatedAxis made = begun(axis, sampling);
  for (int64_t i = 0; i < axis.out; ++i) {
    const Between x = between(axis, sampling, i);
    const auto near = static_cast<int32_t>(x.to_first * kOne);
    add_output(made, {{x.first, static_cast<double>(kOne - near)}, {x.second, static_cast<double>(near)}});
  }
  return made;
}

EmulatedAxis cubic_axis(const Axis& axis, const SamplingParams& sampling, bool divides_weights) {
  EmulatedAxis made = begun(axis, sampling);
  const auto a = static_cast<float>(sampling.cubic_a);
  for (int64_t i = 0; i < axis.out; ++i) {
    const float x = position_of(axis, sampling, i);
    const float r = x - std::floor(x);
    const auto first = static_cast<int64_t>(std::floor(x)) - 1;
    std::array<float, 4> weights = sampling::onnxruntime_cubic(a, r);
    float sum = 1;
    if (sampling.exclude_outside) {
      sum = 0;
      for (int64_t k = 0; k < 4; ++k) {
        if (first + k < 0 || first + k >= axis.in) weights[static_cast<size_t>(k)] = 0;
        sum += weights[static_cast<size_t>(k)];
      }
    }
    std::vector<EmulatedTap> taps;
    for (int64_t k = 0; k < 4; ++k)
      taps.push_back({first + k, static_cast<double>(divides_weights ? weights[static_cast<size_t>(k)] / sum
                                                                     : weights[static_cast<size_t>(k)])});
    add_output(made, taps);
    if (!divides_weights) made.divisor.push_back(static_cast<double>(sum));
  }
  return made;
}

EmulatedAxis antialias_axis(const Axis& axis, const SamplingParams& sampling, bool fixed) {
  EmulatedAxis made = begun(axis, sampling);
  for (int64_t i = 0; i < axis.out; ++i) {
    Window window = raw_window(axis, sampling, i);
    if (!sampling.exclude_outside) fold(axis, window);
    const float inverse = window.total == 0 ? 1 : 1 / window.total;
    std::vector<EmulatedTap> taps;
    for (const float raw : window.weights) {
      const float weight = raw * inverse;
      const auto input = window.lo + static_cast<int64_t>(taps.size());
      taps.push_back({input, static_cast<double>(fixed ? std::round(weight * 0x1p22f) : weight)});
    }
    add_output(made, taps);
  }
  return made;
}

int64_t antialias_window(const Axis& axis, const SamplingParams& sampling) {
  return static_cast<int64_t>(std::ceil(antialias_support(axis, sampling))) * 2 + 1;
}

std::vector<uint8_t> outside_flags(const Axis& axis, const SamplingParams& sampling, bool antialias) {
  std::vector<uint8_t> flags;
  const auto last = static_cast<float>(axis.in - 1);
  for (int64_t i = 0; i < axis.out; ++i) {
    const float x = antialias ? antialias_centre(axis, sampling, i) - 0.5f : position_of(axis, sampling, i);
    flags.push_back(x < 0 || x > last ? 1 : 0);
  }
  return flags;
}

}  // namespace tesela::onnxruntime
