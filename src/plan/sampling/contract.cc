// The arithmetic contract's positions.
#include <cmath>
#include <optional>

#include "plan/sampling/sampling.h"

namespace tesela::sampling {
namespace {

using Positions = AxisRule::Positions;

constexpr Int128 kLargestInteger = Int128{1} << 126;
constexpr Int128 kLargestNarrow = Int128{1} << 53;  // exact doubles

// Sets the closed form of the coordinate mode for scale P / Q: x(i) = (num0 + i * step) / den.
void set_formula(AxisRule& rule, Int128 p, Int128 q) {
  const Int128 n = rule.in;
  const Int128 m = rule.out;
  rule.positions = Positions::kRational;
  const auto set = [&rule](Int128 num0, Int128 step, Int128 den) {
    rule.num0 = num0;
    rule.step = step;
    rule.den = den;
  };
  switch (rule.sampling.coordinates) {
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

void reduce(AxisRule& rule) {
  const Int128 divisor = gcd(gcd(absolute(rule.num0), rule.step), rule.den);
  if (divisor == 1) return;
  rule.num0 /= divisor;
  rule.step /= divisor;
  rule.den /= divisor;
}

bool mul_fits(Int128 a, Int128 b, Int128& result) {
  return !__builtin_mul_overflow(a, b, &result) && result <= kLargestInteger;
}
bool add_fits(Int128 a, Int128 b, Int128& result) {
  return !__builtin_add_overflow(a, b, &result) && result <= kLargestInteger;
}

// A bound on the integers in computing this axis's tables: numerators at both ends and a window beyond, times the
// filter's stretch, or weights summed over the window. Empty if it overflows.
std::optional<Int128> largest_integer(const AxisRule& rule, int64_t window) {
  Int128 last = 0;
  Int128 reach = 0;
  if (!mul_fits(rule.step, rule.out, last) || !mul_fits(rule.den, Int128{rule.in} + window + 2, reach)) return {};
  Int128 all = 0;
  if (!add_fits(absolute(rule.num0), last, all) || !add_fits(all, reach, all)) return {};
  Int128 stretched = 0;
  if (!mul_fits(all, 4 * std::max(rule.shrink_num, rule.shrink_den), stretched)) return {};
  Int128 summed = 0;
  if (!mul_fits(rule.den * rule.shrink_den, Int128{window} + 2, summed)) return {};
  return std::max(stretched, summed);
}

// A crop in doubles.
double crop_position(const AxisRule& rule, double i) {
  const auto n = static_cast<double>(rule.in);
  const double start = rule.roi_start;
  const double end = rule.roi_end;
  const double x =
      rule.out <= 1 ? 0.5 * (start + end) * (n - 1) : start * (n - 1) + i * (end - start) * (n - 1) / (rule.length - 1);
  // Makes a crop of [0, 1] end at n - 1 exactly, despite rounding.
  const double tolerance = 4 * 0x1p-52 * std::max(1.0, n);
  if (std::abs(x) <= tolerance) return 0;
  if (std::abs(x - (n - 1)) <= tolerance) return n - 1;
  return x;
}

}  // namespace

Status set_rational(AxisRule& rule, const AxisRequest& request) {
  const Int128 divisor = gcd(request.scale_num, request.scale_den);
  set_formula(rule, request.scale_num / divisor, request.scale_den / divisor);
  set_exact_shrink(rule, request);
  reduce(rule);
  const std::optional<Int128> largest = largest_integer(rule, window_of(rule));
  if (!largest)
    return limit_error("axis {}: exact positions from extent {} to {} need more than 126 bits", request.axis,
                       request.in, request.out);
  rule.narrow = *largest < kLargestNarrow;
  return {};
}

void set_real(AxisRule& rule, const AxisRequest& request) {
  rule.positions = Positions::kReal;
  if (request.exact) {
    rule.scale = rule.shrink = nearest_double(request.scale_num, request.scale_den);
    rule.length = nearest_double(Int128{request.in} * request.scale_num, request.scale_den);
  } else {
    rule.scale = request.scale;
    rule.shrink = std::min(request.scale, 1.0);
    rule.length =
        request.length_is_out ? static_cast<double>(request.out) : static_cast<double>(request.in) * request.scale;
  }
  set_exact_shrink(rule, request);
}

void set_exact_shrink(AxisRule& rule, const AxisRequest& request) {
  if (!rule.antialias) return;
  if (request.exact) {
    const Int128 divisor = gcd(request.scale_num, request.scale_den);
    rule.shrink_num = request.scale_num / divisor;
    rule.shrink_den = request.scale_den / divisor;
  } else if (request.scale < 1) {
    // A scale below 1 with a nonempty output is at least 2^-40 and has 24 bits, so its exact fraction fits.
    int exponent = 0;
    const double fraction = std::frexp(request.scale, &exponent);
    rule.shrink_num = static_cast<Int128>(std::ldexp(fraction, 53));
    rule.shrink_den = Int128{1} << (53 - std::min(exponent, 0));
  }
}

// The formulas of the coordinate modes in doubles, evaluated from left to right as written.
double contract_position(const AxisRule& rule, double i) {
  const auto n = static_cast<double>(rule.in);
  const auto m = static_cast<double>(rule.out);
  const double s = rule.scale;
  switch (rule.sampling.coordinates) {
    case CoordinateMode::kPytorchHalfPixel:
      if (rule.out <= 1) return 0;
      [[fallthrough]];
    case CoordinateMode::kHalfPixel: return (i + 0.5) / s - 0.5;
    case CoordinateMode::kAlignCorners: return rule.out <= 1 ? 0 : i * (n - 1) / (rule.length - 1);
    case CoordinateMode::kAsymmetric: return i / s;
    case CoordinateMode::kTfHalfPixelForNn: return (i + 0.5) / s;
    case CoordinateMode::kHalfPixelSymmetric: return n / 2 * (1 - m / rule.length) + (i + 0.5) / s - 0.5;
    case CoordinateMode::kTfCropAndResize: return crop_position(rule, i);
  }
  return 0;
}

double real_position(const AxisRule& rule, double i) {
  switch (rule.sampling.arithmetic) {
    case PositionArithmetic::kContract: return contract_position(rule, i);
    case PositionArithmetic::kOnnxRuntime:
      return static_cast<double>(onnxruntime_position(rule, static_cast<float>(i)));
    default: return rounded_position(rule, i);
  }
}

int64_t nearest_rational(const AxisRule& rule, int64_t i) {
  const Int128 num = rule.num0 + rule.step * i;
  switch (rule.sampling.nearest) {
    case NearestMode::kRoundPreferFloor: return clamp_index(ceil_div(2 * num - rule.den, 2 * rule.den), rule.in);
    case NearestMode::kRoundPreferCeil: return clamp_index(floor_div(2 * num + rule.den, 2 * rule.den), rule.in);
    case NearestMode::kCeil: return clamp_index(ceil_div(num, rule.den), rule.in);
    case NearestMode::kSimple:
      if (simple_rounds_up(rule)) return clamp_index(ceil_div(num, rule.den), rule.in);
      break;
    case NearestMode::kFloor: break;
  }
  return clamp_index(floor_div(num, rule.den), rule.in);
}

int64_t nearest_real(const AxisRule& rule, int64_t i) {
  const double x = real_position(rule, static_cast<double>(i));
  const double floor = std::floor(x);
  const double rest = x - floor;
  // ONNX Runtime's tolerance for a half.
  const double near = rule.sampling.arithmetic == PositionArithmetic::kOnnxRuntime ? 1e-6 : 0;
  bool up = false;
  switch (rule.sampling.nearest) {
    case NearestMode::kRoundPreferFloor: up = rest > 0.5 + near; break;
    case NearestMode::kRoundPreferCeil: up = rest >= 0.5 - near; break;
    case NearestMode::kFloor: break;
    case NearestMode::kCeil: up = rest > 0; break;
    case NearestMode::kSimple: up = rest > 0 && simple_rounds_up(rule); break;
  }
  return clamp_index(up ? floor + 1 : floor, rule.in);
}

TapWindow contract_window(const AxisRule& rule, double x) {
  const auto support = static_cast<double>(support_of(rule));
  // An estimate; the contract's test below makes it exact.
  const double radius = support / rule.shrink;
  const auto inside = [&](int64_t j) { return std::abs(static_cast<double>(j) - x) * rule.shrink < support; };
  TapWindow window = {static_cast<int64_t>(std::floor(x - radius)) - 1,
                      static_cast<int64_t>(std::ceil(x + radius)) + 1};
  while (window.lo <= window.hi && !inside(window.lo)) ++window.lo;
  while (window.hi >= window.lo && !inside(window.hi)) --window.hi;
  return window;
}

}  // namespace tesela::sampling
