// SPDX-License-Identifier: Apache-2.0
// Chooses float, double or fixed point for a plan, and the bits of fixed point.
#include "plan/arithmetic.h"

#include <algorithm>
#include <cmath>

#include "plan/axis_table.h"
#include "plan/plan.h"

namespace tesela {
namespace {

constexpr int64_t kMaxFloatTaps = 1024;                   // taps; longer sums in float lose too much precision
constexpr int64_t kMaxMeasuredExtent = int64_t{1} << 20;  // outputs whose weights are compared
constexpr int8_t kMaxWeightBits = 22;                     // plus 8 bits of the element, and 1 for sums above one: 31

ComputeType contract_type(DataType type, const std::vector<Pass>& passes) {
  const bool has_long_window =
      std::any_of(passes.begin(), passes.end(), [](const Pass& pass) { return pass.window > kMaxFloatTaps; });
  return has_long_window ? ComputeType::kDouble : traits(type).compute;
}

// The most weight bits, at most `finest`, with which the largest weight fits 16 bits, signed.
int8_t bits_of_int16(double largest, int8_t finest) {
  int8_t bits = 0;
  while (bits < finest && std::floor(std::ldexp(largest, bits + 1) + 0.5) < 0x1p15) ++bits;
  return bits;
}

Status set_grid(WeightGrid grid, Pass& pass) {
  AxisMap& map = pass.map;
  switch (grid) {
    case WeightGrid::kFree: break;
    case WeightGrid::kFixed8: map.weight_bits = 8; break;
    case WeightGrid::kFixed22: map.weight_bits = 22; break;
    case WeightGrid::kInt16:
      if (map.out > kMaxMeasuredExtent)
        return limit_error("axis {}: extent {} is above the limit of 2^20 for weights of int16", pass.axis, map.out);
      map.weight_bits = bits_of_int16(weigh(map, {0, map.out}, ComputeType::kDouble).largest, kMaxWeightBits);
  }
  return {};
}

Status set_fixed_point(const ResizeParams& params, ResizePlan& work) {
  for (Pass& pass : work.passes) {
    TESELA_RETURN_IF_ERROR(set_grid(params.sampling.grid, pass));
    pass.rounds_sums = params.rounds_passes || &pass == &work.passes.back();
  }
  work.fixed_point = true;
  return {};
}

}  // namespace

Status choose_arithmetic(const ResizeParams& params, ResizePlan& work) {
  if (work.filter == Filter::kNearest || work.passes.empty()) return {};
  work.compute = contract_type(params.type, work.passes);
  if (params.sampling.grid != WeightGrid::kFree) TESELA_RETURN_IF_ERROR(set_fixed_point(params, work));
  if (work.fixed_point) work.compute = ComputeType::kDouble;
  return {};
}

}  // namespace tesela
