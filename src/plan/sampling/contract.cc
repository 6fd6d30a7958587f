// SPDX-License-Identifier: Apache-2.0
// The arithmetic contract's positions.
#include <algorithm>
#include <cmath>

#include "plan/sampling/sampling.h"

namespace tesela::sampling {
namespace {

using Positions = AxisMap::Positions;

constexpr Int128 kMaxNarrow = Int128{1} << 53;  // exact doubles

void set_line(AxisMap& map, const exact::PositionLine& line) {
  const Int128 divisor = gcd(gcd(exact::absolute(line.num0), line.step), line.den);
  const auto [num0, step, den] = divisor == 1 ? line : exact::reduced(line, divisor);
  map.positions = Positions::kRational;
  map.num0 = num0;
  map.step = step;
  map.den = den;
}

// A crop in doubles.
double crop_position(const AxisMap& map, double i) {
  const auto n = static_cast<double>(map.in);
  const double start = map.roi_start;
  const double end = map.roi_end;
  const double x =
      map.out <= 1 ? 0.5 * (start + end) * (n - 1) : start * (n - 1) + i * (end - start) * (n - 1) / (map.length - 1);
  // Makes a crop of [0, 1] end at n - 1 exactly, despite rounding.
  const double tolerance = 4 * 0x1p-52 * std::max(1.0, n);
  if (std::abs(x) <= tolerance) return 0;
  if (std::abs(x - (n - 1)) <= tolerance) return n - 1;
  return x;
}

}  // namespace

Status set_rational(AxisMap& map, const AxisRequest& request) {
  const Int128 divisor = gcd(request.scale_num, request.scale_den);
  set_line(map, exact::position_line(map.sampling.coordinates, map.in, map.out, request.scale_num / divisor,
                                     request.scale_den / divisor));
  set_exact_shrink(map, request);
  const Int128 largest =
      exact::largest_integer(map.line(), map.in, map.out, window_of(map), map.shrink_num, map.shrink_den);
  if (largest > exact::kMaxInteger)
    return limit_error("axis {}: exact positions from extent {} to {} need more than 126 bits", request.axis,
                       request.in, request.out);
  map.narrow = largest < kMaxNarrow;
  return {};
}

void set_real(AxisMap& map, const AxisRequest& request) {
  map.positions = Positions::kReal;
  if (request.exact) {
    map.scale = map.shrink = nearest_double(request.scale_num, request.scale_den);
    map.length = nearest_double(Int128{request.in} * request.scale_num, request.scale_den);
  } else {
    map.scale = request.scale;
    map.shrink = std::min(request.scale, 1.0);
    map.length =
        request.length_is_out ? static_cast<double>(request.out) : static_cast<double>(request.in) * request.scale;
  }
  set_exact_shrink(map, request);
}

void set_exact_shrink(AxisMap& map, const AxisRequest& request) {
  if (!map.antialias) return;
  if (request.exact) {
    const Int128 divisor = gcd(request.scale_num, request.scale_den);
    map.shrink_num = request.scale_num / divisor;
    map.shrink_den = request.scale_den / divisor;
  } else if (request.scale < 1) {
    // A scale below 1 with a nonempty output is at least 2^-40 and has 24 bits, so its exact fraction fits.
    int exponent = 0;
    const double fraction = std::frexp(request.scale, &exponent);
    map.shrink_num = static_cast<Int128>(std::ldexp(fraction, 53));
    map.shrink_den = Int128{1} << (53 - std::min(exponent, 0));
  }
}

// The formulas of the coordinate modes in doubles, evaluated from left to right as written.
double contract_position(const AxisMap& map, double i) {
  const auto n = static_cast<double>(map.in);
  const auto m = static_cast<double>(map.out);
  const double s = map.scale;
  switch (map.sampling.coordinates) {
    case CoordinateMode::kPytorchHalfPixel:
      if (map.out <= 1) return 0;
      [[fallthrough]];
    case CoordinateMode::kHalfPixel: return (i + 0.5) / s - 0.5;
    case CoordinateMode::kAlignCorners: return map.out <= 1 ? 0 : i * (n - 1) / (map.length - 1);
    case CoordinateMode::kAsymmetric: return i / s;
    case CoordinateMode::kTfHalfPixelForNn: return (i + 0.5) / s;
    case CoordinateMode::kHalfPixelSymmetric: return n / 2 * (1 - m / map.length) + (i + 0.5) / s - 0.5;
    case CoordinateMode::kTfCropAndResize: return crop_position(map, i);
  }
  return 0;
}

double real_position(const AxisMap& map, double i) {
  switch (map.sampling.arithmetic) {
    case PositionArithmetic::kContract: return contract_position(map, i);
    case PositionArithmetic::kOnnxRuntime: return static_cast<double>(onnxruntime_position(map, static_cast<float>(i)));
    default: return rounded_position(map, i);
  }
}

double half_tolerance(const AxisMap& map) {
  return map.sampling.arithmetic == PositionArithmetic::kOnnxRuntime ? 1e-6 : 0;
}

double rounded_real(const AxisMap& map, double x) {
  const double floor = std::floor(x);
  const double rest = x - floor;
  const double near = half_tolerance(map);
  bool up = false;
  switch (map.sampling.nearest) {
    case NearestMode::kRoundPreferFloor: up = rest > 0.5 + near; break;
    case NearestMode::kRoundPreferCeil: up = rest >= 0.5 - near; break;
    case NearestMode::kFloor: break;
    case NearestMode::kCeil: up = rest > 0; break;
    case NearestMode::kSimple: up = rest > 0 && simple_rounds_up(map); break;
  }
  return up ? floor + 1 : floor;
}

int64_t nearest_real(const AxisMap& map, int64_t i) {
  return exact::clamp_position(rounded_real(map, real_position(map, static_cast<double>(i))), map.in);
}

TapWindow contract_window(const AxisMap& map, double x) {
  const auto support = static_cast<double>(support_of(map));
  // An estimate; the contract's test below makes it exact.
  const double radius = support / map.shrink;
  const auto inside = [&](int64_t j) { return std::abs(static_cast<double>(j) - x) * map.shrink < support; };
  TapWindow window = {static_cast<int64_t>(std::floor(x - radius)) - 1,
                      static_cast<int64_t>(std::ceil(x + radius)) + 1};
  while (window.lo <= window.hi && !inside(window.lo)) ++window.lo;
  while (window.hi >= window.lo && !inside(window.hi)) --window.hi;
  return window;
}

}  // namespace tesela::sampling
