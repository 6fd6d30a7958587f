// SPDX-License-Identifier: Apache-2.0
// Positions from a rounded ratio of the extents, as in the libraries of presets.
#include "plan/real_arithmetic.h"
#include "plan/sampling/sampling.h"

namespace tesela::sampling {
namespace {

template <class T>
double position_in(const AxisMap& map, T i) {
  return real::ratio_position(map.sampling.coordinates, static_cast<double>(map.out), static_cast<T>(map.rounded_ratio),
                              i);
}

// Inputs per output, rounded.
double rounded_ratio(const AxisMap& map, const AxisRequest& request) {
  const bool corners = map.sampling.coordinates == CoordinateMode::kAlignCorners;
  if (corners && map.out <= 1) return 0;
  if (request.rounds_scale && !corners) {
    const double ratio = 1 / request.scale;
    return map.sampling.arithmetic == PositionArithmetic::kFloat32 ? static_cast<double>(static_cast<float>(ratio))
                                                                   : ratio;
  }
  const int64_t in = map.in - (corners ? 1 : 0);
  const int64_t out = map.out - (corners ? 1 : 0);
  if (map.sampling.arithmetic == PositionArithmetic::kFloat32)
    return static_cast<double>(static_cast<float>(in) / static_cast<float>(out));
  const auto ratio = static_cast<double>(in) / static_cast<double>(out);
  if (map.sampling.arithmetic != PositionArithmetic::kReciprocal64) return ratio;
  return 1 / (static_cast<double>(out) / static_cast<double>(in));
}

}  // namespace

double rounded_position(const AxisMap& map, double i) {
  switch (map.sampling.arithmetic) {
    case PositionArithmetic::kFloat32: return position_in(map, static_cast<float>(i));
    case PositionArithmetic::kRounded64: return static_cast<double>(static_cast<float>(position_in(map, i)));
    default: return position_in(map, i);
  }
}

void set_rounded(AxisMap& map, const AxisRequest& request) {
  map.positions = AxisMap::Positions::kReal;
  map.rounded_ratio = rounded_ratio(map, request);
  map.scale = map.shrink = request.exact ? nearest_double(request.scale_num, request.scale_den) : request.scale;
  set_exact_shrink(map, request);
  // Those libraries do not subtract a half from positions and add it back in rounding, so neither does this.
  SamplingParams& sampling = map.sampling;
  if (sampling.coordinates == CoordinateMode::kHalfPixel && sampling.nearest == NearestMode::kRoundPreferCeil &&
      sampling.filter == Filter::kNearest) {
    sampling.coordinates = CoordinateMode::kTfHalfPixelForNn;
    sampling.nearest = NearestMode::kFloor;
  }
}

}  // namespace tesela::sampling
