// Where each output of one axis samples the input.
#include "plan/axis_rule.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace tesela {
namespace {

using Positions = AxisRule::Positions;

constexpr int64_t kLargestExtent = int64_t{1} << 40;
constexpr Int128 kLargestInteger = Int128{1} << 126;
constexpr Int128 kLargestNarrow = Int128{1} << 53;  // exact doubles

// Reads the closed form of the coordinate mode for scale P / Q: x(i) = (num0 + i * step) / den.
void set_rational_positions(AxisRule& rule, Int128 p, Int128 q) {
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

// The largest integer that tables of this axis form: numerators at both ends and a window beyond, times the stretch of
// the filter, or weights summed over the window. Empty where it does not fit.
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

// Set where positions are doubles too: the width of a window is always counted exactly.
void set_exact_shrink(AxisRule& rule, Int128 p, Int128 q) {
  if (!rule.antialias) return;
  rule.shrink_num = p;
  rule.shrink_den = q;
}

// A scale below 1 that leaves an output is at least 2^-40 and has 24 bits, so its exact fraction fits.
void set_exact_shrink(AxisRule& rule, double scale) {
  int exponent = 0;
  const double fraction = std::frexp(scale, &exponent);
  set_exact_shrink(rule, static_cast<Int128>(std::ldexp(fraction, 53)), Int128{1} << (53 - std::min(exponent, 0)));
}

// The formulas from the rounded ratio of the extents, in the order in which libraries that round it evaluate them.
template <class T>
double rounded_position(const AxisRule& rule, T i) {
  const auto ratio = static_cast<T>(rule.rounded_ratio);
  switch (rule.sampling.coordinates) {
    case CoordinateMode::kAlignCorners:
    case CoordinateMode::kAsymmetric: return static_cast<double>(i * ratio);
    case CoordinateMode::kTfHalfPixelForNn: return static_cast<double>((i + T{0.5}) * ratio);
    case CoordinateMode::kPytorchHalfPixel:
      if (rule.out <= 1) return 0;
      break;
    default: break;
  }
  return static_cast<double>(ratio * (i + T{0.5}) - T{0.5});
}

// The formulas as ONNX Runtime's CPU kernels evaluate them: in floats, but for two that slip into doubles.
float onnxruntime_position(const AxisRule& rule, float i) {
  const auto n = static_cast<float>(rule.in);
  const auto m = static_cast<float>(rule.out);
  const auto s = static_cast<float>(rule.scale);
  const auto start = static_cast<float>(rule.roi_start);
  const auto end = static_cast<float>(rule.roi_end);
  switch (rule.sampling.coordinates) {
    case CoordinateMode::kPytorchHalfPixel:
      if (m <= 1) return 0;
      break;
    case CoordinateMode::kHalfPixel: break;
    case CoordinateMode::kAlignCorners: return m == 1 ? 0 : i * (n - 1) / (m - 1);
    case CoordinateMode::kAsymmetric: return i / s;
    case CoordinateMode::kTfHalfPixelForNn: return (i + 0.5f) / s;
    case CoordinateMode::kHalfPixelSymmetric: {
      const float offset = n / 2 * (1 - m / (s * n));
      const double half = static_cast<double>(i) + 0.5;
      return static_cast<float>(static_cast<double>(offset) + half / static_cast<double>(s) - 0.5);
    }
    case CoordinateMode::kTfCropAndResize:
      if (m > 1) return start * (n - 1) + i * (end - start) * (n - 1) / (m - 1);
      return static_cast<float>(0.5 * static_cast<double>(start + end) * static_cast<double>(n - 1));
  }
  return (i + 0.5f) / s - 0.5f;
}

// The formulas of the coordinate modes in doubles, evaluated from left to right as they are printed.
double real_position(const AxisRule& rule, double i) {
  const auto n = static_cast<double>(rule.in);
  const auto m = static_cast<double>(rule.out);
  const double s = rule.scale;
  switch (rule.sampling.arithmetic) {
    case PositionArithmetic::kContract: break;
    case PositionArithmetic::kFloat32: return rounded_position(rule, static_cast<float>(i));
    case PositionArithmetic::kFloat64:
    case PositionArithmetic::kReciprocal64: return rounded_position(rule, i);
    case PositionArithmetic::kRounded64: return static_cast<double>(static_cast<float>(rounded_position(rule, i)));
    case PositionArithmetic::kOnnxRuntime:
      return static_cast<double>(onnxruntime_position(rule, static_cast<float>(i)));
  }
  switch (rule.sampling.coordinates) {
    case CoordinateMode::kPytorchHalfPixel:
      if (rule.out <= 1) return 0;
      [[fallthrough]];
    case CoordinateMode::kHalfPixel: return (i + 0.5) / s - 0.5;
    case CoordinateMode::kAlignCorners: return rule.out <= 1 ? 0 : i * (n - 1) / (rule.length - 1);
    case CoordinateMode::kAsymmetric: return i / s;
    case CoordinateMode::kTfHalfPixelForNn: return (i + 0.5) / s;
    case CoordinateMode::kHalfPixelSymmetric: return n / 2 * (1 - m / rule.length) + (i + 0.5) / s - 0.5;
    case CoordinateMode::kTfCropAndResize: break;
  }
  const double start = rule.roi_start;
  const double end = rule.roi_end;
  const double x =
      rule.out <= 1 ? 0.5 * (start + end) * (n - 1) : start * (n - 1) + i * (end - start) * (n - 1) / (rule.length - 1);
  // A crop of [0, 1] ends at n - 1 exactly, whatever its operations rounded to.
  const double tolerance = 4 * 0x1p-52 * std::max(1.0, n);
  if (std::abs(x) <= tolerance) return 0;
  if (std::abs(x - (n - 1)) <= tolerance) return n - 1;
  return x;
}

// Inputs from one output to the next, as it is rounded.
double rounded_ratio(const AxisRule& rule, const AxisRequest& request) {
  const bool corners = rule.sampling.coordinates == CoordinateMode::kAlignCorners;
  if (corners && rule.out <= 1) return 0;
  if (request.rounds_scale && !corners) {
    const double ratio = 1 / request.scale;
    return rule.sampling.arithmetic == PositionArithmetic::kFloat32 ? static_cast<double>(static_cast<float>(ratio))
                                                                    : ratio;
  }
  const int64_t in = rule.in - (corners ? 1 : 0);
  const int64_t out = rule.out - (corners ? 1 : 0);
  if (rule.sampling.arithmetic == PositionArithmetic::kFloat32)
    return static_cast<double>(static_cast<float>(in) / static_cast<float>(out));
  const auto ratio = static_cast<double>(in) / static_cast<double>(out);
  if (rule.sampling.arithmetic != PositionArithmetic::kReciprocal64) return ratio;
  return 1 / (static_cast<double>(out) / static_cast<double>(in));
}

void set_rounded_positions(AxisRule& rule, const AxisRequest& request) {
  rule.positions = Positions::kReal;
  rule.rounded_ratio = rounded_ratio(rule, request);
  rule.scale = rule.shrink = request.exact ? nearest_double(request.scale_num, request.scale_den) : request.scale;
  if (request.exact)
    set_exact_shrink(rule, request.scale_num, request.scale_den);
  else
    set_exact_shrink(rule, request.scale);
  // The half that a position loses and the half that rounding adds are not formed by the libraries that are meant.
  SamplingParams& sampling = rule.sampling;
  if (sampling.coordinates == CoordinateMode::kHalfPixel && sampling.nearest == NearestMode::kRoundPreferCeil &&
      sampling.filter == Filter::kNearest) {
    sampling.coordinates = CoordinateMode::kTfHalfPixelForNn;
    sampling.nearest = NearestMode::kFloor;
  }
}

int64_t clamp_index(Int128 j, int64_t n) {
  return static_cast<int64_t>(std::clamp<Int128>(j, 0, n - 1));
}

// A position far outside (a crop may ask for any) is brought near before it becomes an integer.
int64_t clamp_index(double j, int64_t n) {
  if (!(j > 0)) return 0;
  return j >= static_cast<double>(n) ? n - 1 : std::min(static_cast<int64_t>(j), n - 1);
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
  // What ONNX Runtime takes for a half.
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

// ONNX Runtime's window is as wide as that of an exact filter, and a little wider.
TapWindow onnxruntime_window(const AxisRule& rule, double x, int64_t support) {
  const double radius = static_cast<double>(support) / rule.shrink;
  return {static_cast<int64_t>(std::floor(x - radius)), static_cast<int64_t>(std::ceil(x + radius))};
}

TapWindow real_window(const AxisRule& rule, int64_t i) {
  const double x = real_position(rule, static_cast<double>(i));
  const int64_t support = rule.sampling.filter == Filter::kCubic ? 2 : 1;
  const auto floor = static_cast<int64_t>(std::floor(x));
  if (!rule.antialias) return {floor - support + 1, floor + support};
  if (rule.sampling.arithmetic == PositionArithmetic::kOnnxRuntime) return onnxruntime_window(rule, x, support);
  // The contract's test decides, not this estimate of where it changes its mind.
  const double radius = static_cast<double>(support) / rule.shrink;
  const auto inside = [&](int64_t j) {
    return std::abs(static_cast<double>(j) - x) * rule.shrink < static_cast<double>(support);
  };
  TapWindow window = {static_cast<int64_t>(std::floor(x - radius)) - 1,
                      static_cast<int64_t>(std::ceil(x + radius)) + 1};
  while (window.lo <= window.hi && !inside(window.lo)) ++window.lo;
  while (window.hi >= window.lo && !inside(window.hi)) --window.hi;
  return window;
}

// The inputs that one end of a range of outputs takes, inside the input.
IndexRange end_range(const AxisRule& rule, int64_t i) {
  if (is_extrapolated(rule, i)) return {clamp_index(position(rule, i), rule.in), 1};
  const TapWindow window = tap_window(rule, i);
  // Where no tap remains the nearest input below stands in, which lies within the window or beside its border.
  const int64_t fallback = clamp_index(std::floor(position(rule, i)), rule.in);
  const int64_t lo = std::min(clamp_index(Int128{window.lo}, rule.in), fallback);
  const int64_t hi = std::max(clamp_index(Int128{window.hi}, rule.in), fallback);
  return {lo, hi - lo + 1};
}

}  // namespace

int64_t window_of(const AxisRule& rule) {
  if (rule.sampling.filter == Filter::kNearest) return 1;
  const int64_t support = rule.sampling.filter == Filter::kCubic ? 2 : 1;
  if (!rule.antialias) return 2 * support;
  const auto window = static_cast<int64_t>(2 * ceil_div(support * rule.shrink_den, rule.shrink_num));
  // A rounded distance may fall short of a support that the exact one reaches.
  return window + (rule.sampling.arithmetic == PositionArithmetic::kOnnxRuntime ? 2 : 0);
}

Result<AxisRule> make_axis_rule(const AxisRequest& request, const SamplingParams& sampling) {
  for (const int64_t extent : {request.in, request.out})
    if (extent > kLargestExtent)
      return limit_error("axis {}: extent {} is above the limit of 2^40 for a resized axis", request.axis, extent);
  AxisRule rule;
  rule.in = request.in;
  rule.out = request.out;
  rule.sampling = sampling;
  rule.roi_start = request.roi_start;
  rule.roi_end = request.roi_end;
  const bool unit_scale = request.exact ? request.scale_num == request.scale_den : request.scale == 1;
  const bool whole = !rule.crops() || (request.roi_start == 0 && request.roi_end == 1);
  if (request.in == request.out && unit_scale && whole) return rule;  // identity
  if (request.in == 0 || request.out == 0) return rule;               // nothing to sample

  const bool shrinks = request.exact ? request.scale_num < request.scale_den : request.scale < 1;
  // To ONNX Runtime's kernels a filter that is not stretched is antialias, too.
  const bool filters = shrinks || sampling.arithmetic == PositionArithmetic::kOnnxRuntime;
  rule.antialias = sampling.antialias && filters && sampling.filter != Filter::kNearest;
  const auto n = static_cast<double>(request.in);
  if (sampling.arithmetic != PositionArithmetic::kContract && sampling.arithmetic != PositionArithmetic::kOnnxRuntime) {
    set_rounded_positions(rule, request);
  } else if (!request.exact) {
    rule.positions = Positions::kReal;
    rule.scale = rule.shrink = request.scale;
    rule.length = request.length_is_out ? static_cast<double>(request.out) : n * request.scale;
    if (!shrinks) rule.shrink = 1;
    if (shrinks) set_exact_shrink(rule, request.scale);
  } else if (rule.crops()) {
    rule.positions = Positions::kReal;
    rule.scale = rule.shrink = nearest_double(request.scale_num, request.scale_den);
    rule.length = nearest_double(Int128{request.in} * request.scale_num, request.scale_den);
    set_exact_shrink(rule, request.scale_num, request.scale_den);
  } else {
    const Int128 divisor = gcd(request.scale_num, request.scale_den);
    set_rational_positions(rule, request.scale_num / divisor, request.scale_den / divisor);
    set_exact_shrink(rule, request.scale_num / divisor, request.scale_den / divisor);
    reduce(rule);
    const std::optional<Int128> largest = largest_integer(rule, window_of(rule));
    if (!largest)
      return limit_error("axis {}: exact positions from extent {} to {} need more than 126 bits", request.axis,
                         request.in, request.out);
    rule.narrow = *largest < kLargestNarrow;
  }
  if (const int64_t window = window_of(rule); window > INT32_MAX)
    return limit_error("axis {}: from extent {} to {} an output has {} taps; the limit is 2^31 - 1", request.axis,
                       request.in, request.out, window);
  return rule;
}

bool simple_rounds_up(const AxisRule& rule) {
  // Outputs further apart than inputs: the axis shrinks.
  return rule.positions == Positions::kRational ? rule.step > rule.den : rule.scale < 1;
}

double position(const AxisRule& rule, int64_t i) {
  switch (rule.positions) {
    case Positions::kIdentity: return static_cast<double>(i);
    case Positions::kRational: return nearest_double(rule.num0 + rule.step * i, rule.den);
    case Positions::kReal: return real_position(rule, static_cast<double>(i));
  }
  return 0;
}

float onnxruntime_distance(const AxisRule& rule, double x, int64_t j) {
  const float centre = 0.5f + static_cast<float>(x);
  const float stretch = rule.shrink < 1 ? 1 / (1 / static_cast<float>(rule.shrink)) : 1;
  return std::abs((static_cast<float>(j) - centre + 0.5f) * stretch);
}

bool is_extrapolated(const AxisRule& rule, int64_t i) {
  if (!rule.crops() || rule.positions != Positions::kReal) return false;
  const double x = real_position(rule, static_cast<double>(i));
  // Written so that a NaN, from a crop beyond all numbers, is outside too.
  return !(x >= 0 && x <= static_cast<double>(rule.in - 1));
}

int64_t nearest_index(const AxisRule& rule, int64_t i) {
  switch (rule.positions) {
    case Positions::kIdentity: return i;
    case Positions::kRational: return nearest_rational(rule, i);
    case Positions::kReal: return nearest_real(rule, i);
  }
  return 0;
}

IndexRange input_range(const AxisRule& rule, IndexRange range) {
  const int64_t last = range.lo + range.n - 1;
  if (rule.positions == Positions::kIdentity) return range;
  if (rule.sampling.filter == Filter::kNearest) {
    const auto [lo, hi] = std::minmax({nearest_index(rule, range.lo), nearest_index(rule, last)});
    return {lo, hi - lo + 1};
  }
  // Positions move in one direction (a reversed crop moves backwards), so the two ends bound everything between.
  const IndexRange a = end_range(rule, range.lo);
  const IndexRange b = end_range(rule, last);
  const int64_t lo = std::min(a.lo, b.lo);
  const int64_t hi = std::max(a.lo + a.n, b.lo + b.n);
  return {lo, hi - lo};
}

TapWindow tap_window(const AxisRule& rule, int64_t i) {
  return rule.positions == Positions::kRational ? ExactNumbers<Int128>(rule).window(i) : real_window(rule, i);
}

}  // namespace tesela
