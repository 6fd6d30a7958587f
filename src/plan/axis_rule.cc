// Where each output of one axis samples the input.
#include "plan/axis_rule.h"

#include <algorithm>
#include <cmath>

#include "plan/sampling/sampling.h"

namespace tesela {
namespace {

using Positions = AxisRule::Positions;
using sampling::clamp_index;

constexpr int64_t kLargestExtent = int64_t{1} << 40;

bool shrinks(const AxisRequest& request) {
  return request.exact ? request.scale_num < request.scale_den : request.scale < 1;
}

bool is_identity(const AxisRequest& request, const AxisRule& rule) {
  const bool unit_scale = request.exact ? request.scale_num == request.scale_den : request.scale == 1;
  const bool whole = !rule.crops() || (request.roi_start == 0 && request.roi_end == 1);
  return request.in == request.out && unit_scale && whole;
}

Status set_positions(AxisRule& rule, const AxisRequest& request) {
  const PositionArithmetic arithmetic = rule.sampling.arithmetic;
  if (arithmetic != PositionArithmetic::kContract && arithmetic != PositionArithmetic::kOnnxRuntime)
    sampling::set_rounded(rule, request);
  else if (request.exact && !rule.crops())
    return sampling::set_rational(rule, request);
  else
    sampling::set_real(rule, request);
  return {};
}

TapWindow real_window(const AxisRule& rule, int64_t i) {
  const double x = position(rule, i);
  if (!rule.antialias) {
    const auto floor = static_cast<int64_t>(std::floor(x));
    const int64_t support = sampling::support_of(rule);
    return {floor - support + 1, floor + support};
  }
  return rule.sampling.arithmetic == PositionArithmetic::kOnnxRuntime ? sampling::onnxruntime_window(rule, x)
                                                                      : sampling::contract_window(rule, x);
}

// The inputs of the output at one end of a range, inside the input.
IndexRange end_range(const AxisRule& rule, int64_t i) {
  if (is_extrapolated(rule, i)) return {clamp_index(position(rule, i), rule.in), 1};
  const TapWindow window = tap_window(rule, i);
  // If no tap remains, the input below the position is used, which is in the window or next to it.
  const int64_t fallback = clamp_index(std::floor(position(rule, i)), rule.in);
  const int64_t lo = std::min(clamp_index(Int128{window.lo}, rule.in), fallback);
  const int64_t hi = std::max(clamp_index(Int128{window.hi}, rule.in), fallback);
  return {lo, hi - lo + 1};
}

}  // namespace

int64_t window_of(const AxisRule& rule) {
  if (rule.sampling.filter == Filter::kNearest) return 1;
  const int64_t support = sampling::support_of(rule);
  if (!rule.antialias) return 2 * support;
  const auto window = static_cast<int64_t>(2 * ceil_div(support * rule.shrink_den, rule.shrink_num));
  // A rounded distance can be inside the filter's support where the exact one is not.
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
  if (is_identity(request, rule)) return rule;
  if (request.in == 0 || request.out == 0) return rule;  // nothing to sample
  // ONNX Runtime's kernels antialias even if the filter is not stretched.
  const bool filters = shrinks(request) || sampling.arithmetic == PositionArithmetic::kOnnxRuntime;
  rule.antialias = sampling.antialias && filters && sampling.filter != Filter::kNearest;
  TESELA_RETURN_IF_ERROR(set_positions(rule, request));
  if (const int64_t window = window_of(rule); window > INT32_MAX)
    return limit_error("axis {}: from extent {} to {} an output has {} taps; the limit is 2^31 - 1", request.axis,
                       request.in, request.out, window);
  return rule;
}

bool simple_rounds_up(const AxisRule& rule) {
  // Up if outputs are further apart than inputs: the axis shrinks.
  return rule.positions == Positions::kRational ? rule.step > rule.den : rule.scale < 1;
}

double position(const AxisRule& rule, int64_t i) {
  switch (rule.positions) {
    case Positions::kIdentity: return static_cast<double>(i);
    case Positions::kRational: return nearest_double(rule.num0 + rule.step * i, rule.den);
    case Positions::kReal: return sampling::real_position(rule, static_cast<double>(i));
  }
  return 0;
}

bool is_extrapolated(const AxisRule& rule, int64_t i) {
  if (!rule.crops() || rule.positions != Positions::kReal) return false;
  const double x = sampling::real_position(rule, static_cast<double>(i));
  // In this form a NaN, from an overflowing crop, also counts as outside.
  return !(x >= 0 && x <= static_cast<double>(rule.in - 1));
}

int64_t nearest_index(const AxisRule& rule, int64_t i) {
  switch (rule.positions) {
    case Positions::kIdentity: return i;
    case Positions::kRational: return sampling::nearest_rational(rule, i);
    case Positions::kReal: return sampling::nearest_real(rule, i);
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
  // Positions are monotonic (decreasing for a reversed crop), so the two ends bound all others.
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
