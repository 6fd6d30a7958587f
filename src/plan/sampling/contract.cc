// The arithmetic contract's positions.
#include <cmath>
#include <optional>

#include "plan/sampling/sampling.h"

namespace tesela::sampling {
namespace {

using Positions = AxisMap::Positions;

constexpr Int128 kMaxInteger = Int128{1} << 126;
constexpr Int128 kMaxNarrow = Int128{1} << 53;  // exact doubles

// Sets the closed form of the coordinate mode for scale P / Q: x(i) = (num0 + i * step) / den.
void set_formula(AxisMap& map, Int128 p, Int128 q) {
  const Int128 n = map.in;
  const Int128 m = map.out;
  map.positions = Positions::kRational;
  const auto set = [&map](Int128 num0, Int128 step, Int128 den) {
    map.num0 = num0;
    map.step = step;
    map.den = den;
  };
  switch (map.sampling.coordinates) {
    case CoordinateMode::kPytorchHalfPixel:
      if (m <= 1) return set(0, 0, 1);
      [[fallthrough]];
    case CoordinateMode::kHalfPixel: return set(q - p, 2 * q, 2 * p);  // ((2i + 1) Q - P) / 2P
    case CoordinateMode::kAlignCorners:
      if (m <= 1) return set(0, 0, 1);
      return set(0, (n - 1) * q, n * p - q);  // i (n - 1) / (n P / Q - 1)
    case CoordinateMode::kAsymmetric: return set(0, q, p);
    case CoordinateMode::kTfHalfPixelForNn: return set(q, 2 * q, 2 * p);
    case CoordinateMode::kHalfPixelSymmetric:
      // n/2 (1 - m / L) = (n P - m Q) / 2P, since L = n P / Q
      return set(n * p - m * q + q - p, 2 * q, 2 * p);
    case CoordinateMode::kTfCropAndResize: break;  // always in doubles
  }
}

void reduce(AxisMap& map) {
  const Int128 divisor = gcd(gcd(absolute(map.num0), map.step), map.den);
  if (divisor == 1) return;
  map.num0 /= divisor;
  map.step /= divisor;
  map.den /= divisor;
}

bool mul_fits(Int128 a, Int128 b, Int128& result) {
  return !__builtin_mul_overflow(a, b, &result) && result <= kMaxInteger;
}
bool add_fits(Int128 a, Int128 b, Int128& result) {
  return !__builtin_add_overflow(a, b, &result) && result <= kMaxInteger;
}

// A bound on the integers in computing this axis's tables: numerators at both ends and a window beyond, times the
// filter's stretch, or weights summed over the window. Empty if it overflows.
std::optional<Int128> largest_integer(const AxisMap& map, int64_t window) {
  Int128 last = 0;
  Int128 reach = 0;
  if (!mul_fits(map.step, map.out, last) || !mul_fits(map.den, Int128{map.in} + window + 2, reach)) return {};
  Int128 all = 0;
  if (!add_fits(absolute(map.num0), last, all) || !add_fits(all, reach, all)) return {};
  Int128 stretched = 0;
  if (!mul_fits(all, 4 * std::max(map.shrink_num, map.shrink_den), stretched)) return {};
  Int128 summed = 0;
  if (!mul_fits(map.den * map.shrink_den, Int128{window} + 2, summed)) return {};
  return std::max(stretched, summed);
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
  set_formula(map, request.scale_num / divisor, request.scale_den / divisor);
  set_exact_shrink(map, request);
  reduce(map);
  const std::optional<Int128> largest = largest_integer(map, window_of(map));
  if (!largest)
    return limit_error("axis {}: exact positions from extent {} to {} need more than 126 bits", request.axis,
                       request.in, request.out);
  map.narrow = *largest < kMaxNarrow;
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

int64_t nearest_rational(const AxisMap& map, int64_t i) {
  const Int128 num = map.num0 + map.step * i;
  switch (map.sampling.nearest) {
    case NearestMode::kRoundPreferFloor: return clamp_index(ceil_div(2 * num - map.den, 2 * map.den), map.in);
    case NearestMode::kRoundPreferCeil: return clamp_index(floor_div(2 * num + map.den, 2 * map.den), map.in);
    case NearestMode::kCeil: return clamp_index(ceil_div(num, map.den), map.in);
    case NearestMode::kSimple:
      if (simple_rounds_up(map)) return clamp_index(ceil_div(num, map.den), map.in);
      break;
    case NearestMode::kFloor: break;
  }
  return clamp_index(floor_div(num, map.den), map.in);
}

int64_t nearest_real(const AxisMap& map, int64_t i) {
  const double x = real_position(map, static_cast<double>(i));
  const double floor = std::floor(x);
  const double rest = x - floor;
  // ONNX Runtime's tolerance for a half.
  const double near = map.sampling.arithmetic == PositionArithmetic::kOnnxRuntime ? 1e-6 : 0;
  bool up = false;
  switch (map.sampling.nearest) {
    case NearestMode::kRoundPreferFloor: up = rest > 0.5 + near; break;
    case NearestMode::kRoundPreferCeil: up = rest >= 0.5 - near; break;
    case NearestMode::kFloor: break;
    case NearestMode::kCeil: up = rest > 0; break;
    case NearestMode::kSimple: up = rest > 0 && simple_rounds_up(map); break;
  }
  return clamp_index(up ? floor + 1 : floor, map.in);
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
