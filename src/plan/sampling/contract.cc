// SPDX-License-Identifier: Apache-2.0
// The arithmetic contract's positions.
#include <algorithm>
#include <cmath>

#include "plan/real_arithmetic.h"
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

double contract_position(const AxisMap& map, double i) {
  const auto in = static_cast<double>(map.in);
  const auto out = static_cast<double>(map.out);
  if (map.crops()) return real::crop_position(in, out, map.length, map.roi_start, map.roi_end, i);
  return real::position(map.sampling.coordinates, in, out, map.scale, map.length, i);
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
  return real::rounded_position(map.sampling.nearest, simple_rounds_up(map), half_tolerance(map), x);
}

int64_t nearest_real(const AxisMap& map, int64_t i) {
  return exact::clamp_position(rounded_real(map, real_position(map, static_cast<double>(i))), map.in);
}

TapWindow contract_window(const AxisMap& map, double x) {
  const auto support = static_cast<double>(support_of(map));
  const auto reached = [&](int64_t j) { return real::reaches(static_cast<double>(j), x, map.shrink, support); };
  TapWindow window = {static_cast<int64_t>(real::before_window(x, map.shrink, support)),
                      static_cast<int64_t>(real::after_window(x, map.shrink, support))};
  while (window.lo <= window.hi && !reached(window.lo)) ++window.lo;
  while (window.hi >= window.lo && !reached(window.hi)) --window.hi;
  return window;
}

}  // namespace tesela::sampling
