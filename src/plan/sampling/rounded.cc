// Positions from a rounded ratio of the extents, as in the libraries of presets.
#include "plan/sampling/sampling.h"

namespace tesela::sampling {
namespace {

// The formulas from the rounded ratio of the extents, in those libraries' order of operations.
template <class T>
double position_in(const AxisRule& rule, T i) {
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

// Inputs per output, rounded.
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

}  // namespace

double rounded_position(const AxisRule& rule, double i) {
  switch (rule.sampling.arithmetic) {
    case PositionArithmetic::kFloat32: return position_in(rule, static_cast<float>(i));
    case PositionArithmetic::kRounded64: return static_cast<double>(static_cast<float>(position_in(rule, i)));
    default: return position_in(rule, i);
  }
}

void set_rounded(AxisRule& rule, const AxisRequest& request) {
  rule.positions = AxisRule::Positions::kReal;
  rule.rounded_ratio = rounded_ratio(rule, request);
  rule.scale = rule.shrink = request.exact ? nearest_double(request.scale_num, request.scale_den) : request.scale;
  set_exact_shrink(rule, request);
  // Those libraries do not subtract a half from positions and add it back in rounding, so neither does this.
  SamplingParams& sampling = rule.sampling;
  if (sampling.coordinates == CoordinateMode::kHalfPixel && sampling.nearest == NearestMode::kRoundPreferCeil &&
      sampling.filter == Filter::kNearest) {
    sampling.coordinates = CoordinateMode::kTfHalfPixelForNn;
    sampling.nearest = NearestMode::kFloor;
  }
}

}  // namespace tesela::sampling
