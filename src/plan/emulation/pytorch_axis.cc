// SPDX-License-Identifier: Apache-2.0
// The tables of PyTorch's CPU kernels, in their order of operations. Which multiplications and additions are fused is that
// of its builds for AVX2, measured.
#include <algorithm>
#include <array>
#include <cmath>

#include "plan/emulation/pytorch.h"
#include "types/elements.h"

namespace tesela::pytorch {
namespace {

// ---- Positions ------------------------------------------------------------------------------------------------------

// Between outputs, in inputs.
template <class T>
T step_of(const Axis& axis, bool corners) {
  if (corners) return axis.out > 1 ? static_cast<T>(axis.in - 1) / static_cast<T>(axis.out - 1) : T{0};
  if (axis.scale) return static_cast<T>(1.0 / *axis.scale);
  return static_cast<T>(axis.in) / static_cast<T>(axis.out);
}

template <class T>
T position_of(T step, int64_t i, bool corners, bool fused) {
  if (corners) return step * static_cast<T>(i);
  const T centre = static_cast<T>(i) + T(0.5);
  return fused ? std::fma(step, centre, T(-0.5)) : step * centre - T(0.5);
}

// It rounds down as float, also doubles.
template <class T>
int64_t floor_as_float(T x) {
  return static_cast<int64_t>(std::floor(static_cast<float>(x)));
}

EmulatedAxis begun(const Axis& axis, const Sampling& sampling) {
  const auto step = step_of<double>(axis, sampling.corners);
  EmulatedAxis made;
  made.axis = axis.axis;
  made.in = axis.in;
  made.out = axis.out;
  made.first_centre = position_of(step, 0, sampling.corners, false);
  made.last_centre = position_of(step, axis.out - 1, sampling.corners, false);
  return made;
}

// A position between an input and the next one.
template <class T>
struct Place {
  int64_t input = 0;
  T beyond = 0;
};

template <class T>
Place<T> place_of(const Axis& axis, T position) {
  const int64_t input = std::min(floor_as_float(position), axis.in - 1);
  return {input, std::min(std::max(position - static_cast<T>(input), T{0}), T{1})};
}

// ---- Weights --------------------------------------------------------------------------------------------------------

double as_element(DataType type, double value) {
  if (type == DataType::kFloat16) return load_as<double>(store_as<Float16>(value));
  if (type == DataType::kBfloat16) return load_as<double>(store_as<Bfloat16>(value));
  return value;
}

// Of taps up to 1 and up to 2 away. rounds_last: whether the last product is rounded before the addition.
template <class T>
T near_weight(T x, T a, bool rounds_last) {
  const T product = std::fma(a + 2, x, -(a + 3)) * x;
  return rounds_last ? product * x + 1 : std::fma(product, x, T{1});
}
template <class T>
T far_weight(T x, T a, bool rounds_last) {
  const T product = std::fma(std::fma(a, x, -5 * a), x, 8 * a);
  return rounds_last ? product * x - 4 * a : std::fma(product, x, -4 * a);
}

template <class T>
T filter(T x, int taps, T a) {
  x = std::abs(x);
  if (taps == 2) return x < 1 ? static_cast<T>(1.0 - static_cast<double>(x)) : T{0};
  if (x < 1) return near_weight(x, a, false);
  return x < 2 ? far_weight(x, a, false) : T{0};
}

// ---- Outputs of kernels ---------------------------------------------------------------------------------------------

template <class T>
int64_t nearest_input(const Axis& axis, const Sampling& sampling, T step, int64_t i) {
  if (!sampling.exact) return std::min(floor_as_float(step * static_cast<T>(i)), axis.in - 1);
  const T position = std::max(position_of(step, i, false, true), T{0});
  return std::min(floor_as_float(static_cast<double>(position) + 0.5), axis.in - 1);
}

template <class T>
EmulatedAxis linear_axis_of(const Axis& axis, const Sampling& sampling) {
  const T step = step_of<T>(axis, sampling.corners);
  EmulatedAxis made = begun(axis, sampling);
  for (int64_t i = 0; i < axis.out; ++i) {
    if (axis.in == axis.out) {
      add_output(made, {{i, 1}, {i, 0}});
      continue;
    }
    const Place<T> place =
        place_of(axis, std::max(position_of(step, i, sampling.corners, sampling.fuses_positions), T{0}));
    const DataType stored = sampling.stores_weights ? sampling.type : DataType::kUndefined;
    const double upper = as_element(stored, static_cast<double>(place.beyond));
    const double lower = as_element(stored, static_cast<double>(T{1} - static_cast<T>(upper)));
    add_output(made, {{place.input, lower}, {place.input + 1, upper}});
  }
  return made;
}

template <class T>
EmulatedAxis cubic_axis_of(const Axis& axis, const Sampling& sampling) {
  constexpr T kA = T(-0.75);
  const T step = step_of<T>(axis, sampling.corners);
  EmulatedAxis made = begun(axis, sampling);
  for (int64_t i = 0; i < axis.out; ++i) {
    const Place<T> place = place_of(axis, position_of(step, i, sampling.corners, true));
    const T below = place.beyond;
    const T above = T{1} - below;
    const std::array<T, 4> weights = {far_weight(below + 1, kA, true), near_weight(below, kA, true),
                                      near_weight(above, kA, true), far_weight(above + 1, kA, true)};
    std::vector<EmulatedTap> taps;
    for (const T weight : weights)
      taps.push_back({place.input - 1 + static_cast<int64_t>(taps.size()),
                      as_element(sampling.type, static_cast<double>(weight))});
    add_output(made, taps);
  }
  return made;
}

// The weights of one output from an input on.
template <class T>
struct Window {
  int64_t first = 0;
  std::vector<T> weights;
};

template <class T>
T support_of(T step, int taps) {
  const double half = taps * 0.5;
  return static_cast<T>(step >= 1 ? half * static_cast<double>(step) : half);
}

template <class T>
int64_t window_of(T step, int taps) {
  return static_cast<int64_t>(std::ceil(support_of(step, taps))) * 2 + 1;
}

template <class T>
Window<T> antialias_output(const Axis& axis, T step, int taps, int64_t i) {
  const auto centre = static_cast<T>(static_cast<double>(step) * (static_cast<double>(i) + 0.5));
  const T support = support_of(step, taps);
  const T inverse = step >= 1 ? static_cast<T>(1.0 / static_cast<double>(step)) : T{1};
  const auto whole = [](T x) { return static_cast<int64_t>(static_cast<double>(x) + 0.5); };
  Window<T> made{std::max(whole(centre - support), int64_t{0}), {}};
  const int64_t count =
      std::clamp(std::min(whole(centre + support), axis.in) - made.first, int64_t{0}, window_of(step, taps));
  T total = 0;
  for (int64_t j = 0; j < count; ++j) {
    const double x = static_cast<double>(static_cast<T>(j + made.first) - centre) + 0.5;
    made.weights.push_back(filter(static_cast<T>(x * static_cast<double>(inverse)), taps, T(-0.5)));
    total += made.weights.back();
  }
  if (total != 0)
    for (T& weight : made.weights) weight /= total;
  return made;
}

// Bilinear and bicubic of uint8 without antialias: inputs outside count as the border's, whose weight is their sum.
Window<double> byte_output(const Axis& axis, const Sampling& sampling, int taps, int64_t i) {
  const double at = position_of(step_of<double>(axis, sampling.corners), i, sampling.corners, true);
  const Place<double> place = place_of(axis, taps == 2 ? std::max(at, 0.0) : at);
  const int64_t below = taps / 2;
  const int64_t lowest = place.input - below + 1;
  Window<double> made{std::max(lowest, int64_t{0}), {}};
  const int64_t count = std::clamp(std::min(place.input + below + 1, axis.in) - made.first, int64_t{0}, int64_t{taps});
  made.weights.assign(static_cast<size_t>(taps), 0);
  int64_t to = 0;
  for (int64_t j = 0; j < taps; ++j) {
    if (lowest + j <= 0)
      to = 0;
    else if (lowest + j >= axis.in - 1)
      to = count - 1;
    made.weights[static_cast<size_t>(to++)] += filter(static_cast<double>(j + 1 - below) - place.beyond, taps, -0.75);
  }
  made.weights.resize(static_cast<size_t>(count));
  return made;
}

template <class T>
std::vector<EmulatedTap> taps_of(const Window<T>& window) {
  std::vector<EmulatedTap> taps;
  for (const T weight : window.weights)
    taps.push_back({window.first + static_cast<int64_t>(taps.size()), static_cast<double>(weight)});
  return taps;
}

template <class T>
EmulatedAxis antialias_axis_of(const Axis& axis, const Sampling& sampling, int taps) {
  const T step = step_of<T>(axis, sampling.corners);
  EmulatedAxis made = begun(axis, sampling);
  for (int64_t i = 0; i < axis.out; ++i) add_output(made, taps_of(antialias_output(axis, step, taps, i)));
  return made;
}

// The finest unit with which the largest weight fits 16 bits.
int shift_of(double largest) {
  int shift = 0;
  while (shift < 22 && static_cast<int>(0.5 + std::ldexp(largest, shift + 1)) < 1 << 15) ++shift;
  return shift;
}

}  // namespace

EmulatedAxis vector_nearest_axis(const Axis& axis, const Sampling& sampling) {
  const auto step = step_of<float>(axis, false);
  EmulatedAxis made = begun(axis, sampling);
  for (int64_t i = 0; i < axis.out; ++i) {
    int64_t input = 0;
    if (sampling.exact)
      input = floor_as_float((static_cast<double>(i) + 0.5) * static_cast<double>(step));
    else if (axis.out == axis.in || axis.out == 2 * axis.in)
      input = axis.out == axis.in ? i : i / 2;
    else
      input = floor_as_float(static_cast<float>(i) * step);
    add_output(made, {{std::min(input, axis.in - 1), 1}});
  }
  return made;
}

EmulatedAxis nearest_axis(const Axis& axis, const Sampling& sampling) {
  const bool wide = sampling.type == DataType::kDouble;
  EmulatedAxis made = begun(axis, sampling);
  for (int64_t i = 0; i < axis.out; ++i)
    add_output(made, {{wide ? nearest_input(axis, sampling, step_of<double>(axis, false), i)
                            : nearest_input(axis, sampling, step_of<float>(axis, false), i),
                       1}});
  return made;
}

EmulatedAxis linear_axis(const Axis& axis, const Sampling& sampling) {
  return sampling.type == DataType::kDouble ? linear_axis_of<double>(axis, sampling)
                                            : linear_axis_of<float>(axis, sampling);
}

EmulatedAxis cubic_axis(const Axis& axis, const Sampling& sampling) {
  return sampling.type == DataType::kDouble ? cubic_axis_of<double>(axis, sampling)
                                            : cubic_axis_of<float>(axis, sampling);
}

int64_t antialias_window(const Axis& axis, const Sampling& sampling, int taps) {
  return sampling.type == DataType::kFloat ? window_of(step_of<float>(axis, sampling.corners), taps)
                                           : window_of(step_of<double>(axis, sampling.corners), taps);
}

EmulatedAxis antialias_axis(const Axis& axis, const Sampling& sampling, int taps) {
  return sampling.type == DataType::kDouble ? antialias_axis_of<double>(axis, sampling, taps)
                                            : antialias_axis_of<float>(axis, sampling, taps);
}

ByteAxis byte_axis(const Axis& axis, const Sampling& sampling, int taps, bool antialias) {
  const auto step = step_of<double>(axis, sampling.corners);
  std::vector<Window<double>> outputs;
  double largest = 0;
  for (int64_t i = 0; i < axis.out; ++i) {
    outputs.push_back(antialias ? antialias_output(axis, step, taps, i) : byte_output(axis, sampling, taps, i));
    for (const double weight : outputs.back().weights) largest = std::max(largest, weight);
  }
  ByteAxis made{begun(axis, sampling), shift_of(largest)};
  for (Window<double>& output : outputs) {
    for (double& weight : output.weights) {
      const double units = std::ldexp(weight, made.shift);
      weight = std::trunc(units < 0 ? units - 0.5 : units + 0.5);
    }
    add_output(made.axis, taps_of(output));
  }
  return made;
}

void repeat_first(EmulatedAxis& axis) {
  std::vector<EmulatedTap> taps;
  for (int64_t k = 0; k < axis.first[1]; ++k)
    taps.push_back({axis.input[static_cast<size_t>(k)], axis.weight[static_cast<size_t>(k)]});
  axis.first.clear();
  axis.input.clear();
  axis.weight.clear();
  for (int64_t i = 0; i < axis.out; ++i) add_output(axis, taps);
}

}  // namespace tesela::pytorch
