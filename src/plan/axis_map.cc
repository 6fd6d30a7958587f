// SPDX-License-Identifier: Apache-2.0
// Where each output of one axis samples the input.
#include "plan/axis_map.h"

#include <algorithm>
#include <cmath>

#include "plan/sampling/sampling.h"

namespace tesela {
namespace {

using Positions = AxisMap::Positions;
using exact::clamp_position;

constexpr int64_t kMaxExtent = int64_t{1} << 40;

bool shrinks(const AxisRequest& request) {
  return request.exact ? request.scale_num < request.scale_den : request.scale < 1;
}

bool is_identity(const AxisRequest& request, const AxisMap& map) {
  const bool unit_scale = request.exact ? request.scale_num == request.scale_den : request.scale == 1;
  const bool whole = !map.crops() || (request.roi_start == 0 && request.roi_end == 1);
  return request.in == request.out && unit_scale && whole;
}

Status set_positions(AxisMap& map, const AxisRequest& request) {
  const PositionArithmetic arithmetic = map.sampling.arithmetic;
  if (arithmetic != PositionArithmetic::kContract && arithmetic != PositionArithmetic::kOnnxRuntime)
    sampling::set_rounded(map, request);
  else if (request.exact && !map.crops())
    return sampling::set_rational(map, request);
  else
    sampling::set_real(map, request);
  return {};
}

// The inputs of the output at one end of a range, inside the input.
IndexRange end_range(const AxisMap& map, int64_t i) {
  if (is_extrapolated(map, i)) return {clamp_position(position(map, i), map.in), 1};
  const TapWindow window = tap_window(map, i);
  // If no tap remains, the input below the position is used, which is in the window or next to it.
  const int64_t fallback = clamp_position(std::floor(position(map, i)), map.in);
  const int64_t lo = std::min(exact::clamp_index(window.lo, map.in), fallback);
  const int64_t hi = std::max(exact::clamp_index(window.hi, map.in), fallback);
  return {lo, hi - lo + 1};
}

}  // namespace

int64_t window_of(const AxisMap& map) {
  if (map.sampling.filter == Filter::kNearest) return 1;
  const int64_t support = sampling::support_of(map);
  if (!map.antialias) return 2 * support;
  const int64_t window = exact::most_taps(support, map.shrink_num, map.shrink_den);
  // A rounded distance can be inside the filter's support where the exact one is not.
  return window + (map.sampling.arithmetic == PositionArithmetic::kOnnxRuntime ? 2 : 0);
}

Status set_axis_map(const AxisRequest& request, const SamplingParams& sampling, AxisMap& map) {
  for (const int64_t extent : {request.in, request.out})
    if (extent > kMaxExtent)
      return limit_error("axis {}: extent {} is above the limit of 2^40 for a resized axis", request.axis, extent);
  map.in = request.in;
  map.out = request.out;
  map.sampling = sampling;
  map.roi_start = request.roi_start;
  map.roi_end = request.roi_end;
  if (is_identity(request, map)) return {};
  if (request.in == 0 || request.out == 0) return {};  // nothing to sample
  // ONNX Runtime's kernels antialias even if the filter is not stretched.
  const bool filters = shrinks(request) || sampling.arithmetic == PositionArithmetic::kOnnxRuntime;
  map.antialias = sampling.antialias && filters && sampling.filter != Filter::kNearest;
  TESELA_RETURN_IF_ERROR(set_positions(map, request));
  if (const int64_t window = window_of(map); window > INT32_MAX)
    return limit_error("axis {}: from extent {} to {} an output has {} taps; the limit is 2^31 - 1", request.axis,
                       request.in, request.out, window);
  return {};
}

bool simple_rounds_up(const AxisMap& map) {
  return map.positions == Positions::kRational ? exact::line_shrinks(map.line()) : map.scale < 1;
}

double position(const AxisMap& map, int64_t i) {
  switch (map.positions) {
    case Positions::kIdentity: return static_cast<double>(i);
    case Positions::kRational: return nearest_double(exact::numerator(map.num0, map.step, i), map.den);
    case Positions::kReal: return sampling::real_position(map, static_cast<double>(i));
  }
  return 0;
}

bool is_extrapolated(const AxisMap& map, int64_t i) {
  if (!map.crops() || map.positions != Positions::kReal) return false;
  const double x = sampling::real_position(map, static_cast<double>(i));
  // In this form a NaN, from an overflowing crop, also counts as outside.
  return !(x >= 0 && x <= static_cast<double>(map.in - 1));
}

int64_t nearest_index(const AxisMap& map, int64_t i) {
  switch (map.positions) {
    case Positions::kIdentity: return i;
    case Positions::kRational: return exact::nearest_input(map.line(), map.sampling.nearest, map.in, i);
    case Positions::kReal: return sampling::nearest_real(map, i);
  }
  return 0;
}

IndexRange input_range(const AxisMap& map, IndexRange range) {
  const int64_t last = range.lo + range.n - 1;
  if (map.positions == Positions::kIdentity) return range;
  if (map.sampling.filter == Filter::kNearest) {
    const auto [lo, hi] = std::minmax({nearest_index(map, range.lo), nearest_index(map, last)});
    return {lo, hi - lo + 1};
  }
  if (map.positions == Positions::kRational) {
    const TapWindow inside = exact::inputs_between(tap_window(map, range.lo), tap_window(map, last), map.in);
    return {inside.lo, inside.hi - inside.lo + 1};
  }
  // Positions are monotonic (decreasing for a reversed crop), so the two ends bound all others.
  const IndexRange a = end_range(map, range.lo);
  const IndexRange b = end_range(map, last);
  const int64_t lo = std::min(a.lo, b.lo);
  const int64_t hi = std::max(a.lo + a.n, b.lo + b.n);
  return {lo, hi - lo};
}

TapWindow tap_window_at(const AxisMap& map, double x) {
  if (!map.antialias) {
    const auto floor = static_cast<int64_t>(std::floor(x));
    const int64_t support = sampling::support_of(map);
    return {floor - support + 1, floor + support};
  }
  return map.sampling.arithmetic == PositionArithmetic::kOnnxRuntime ? sampling::onnxruntime_window(map, x)
                                                                     : sampling::contract_window(map, x);
}

IndexRange output_range(const AxisMap& map, IndexRange outputs, IndexRange inputs) {
  if (outputs.n == 0 || inputs.n == 0) return {outputs.lo, 0};
  const int64_t last = outputs.lo + outputs.n - 1;
  const double ends[] = {position(map, outputs.lo), position(map, last)};
  // An overflowing crop has no order of windows.
  if (!std::isfinite(ends[0]) || !std::isfinite(ends[1])) return outputs;
  const bool is_reversed = ends[1] < ends[0];
  // Windows begin and end in the order of positions; by that order, the first output whose window is not `before`.
  const auto first_not = [&](auto&& before) {
    int64_t lo = 0;
    int64_t hi = outputs.n;
    while (lo < hi) {
      const int64_t middle = lo + (hi - lo) / 2;
      if (before(input_range(map, {is_reversed ? last - middle : outputs.lo + middle, 1})))
        lo = middle + 1;
      else
        hi = middle;
    }
    return lo;
  };
  const int64_t begin = first_not([&](IndexRange window) { return window.lo + window.n <= inputs.lo; });
  const int64_t end = first_not([&](IndexRange window) { return window.lo < inputs.lo + inputs.n; });
  const int64_t n = std::max<int64_t>(end - begin, 0);
  return {is_reversed ? last + 1 - end : outputs.lo + begin, n};
}

TapWindow tap_window(const AxisMap& map, int64_t i) {
  return map.positions == Positions::kRational ? ExactNumbers<Int128>(map).window(i)
                                               : tap_window_at(map, position(map, i));
}

}  // namespace tesela
