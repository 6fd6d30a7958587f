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
constexpr int64_t kMaxFastExtent = int64_t{1} << 16;      // outputs
constexpr int64_t kMaxFastTaps = 16;                      // taps; wider windows are not faster in fixed point
constexpr int8_t kFastFraction = 7;                       // plus 9 bits of the signed element: 16
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

// ---- Fixed point of plan fields -------------------------------------------------------------------------------------

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
    pass.fraction_bits = params.rounds_passes || &pass == &work.passes.back() ? int8_t{0} : kExactSums;
  }
  work.fixed_point = true;
  return {};
}

// ---- Fixed point of precision=fast ----------------------------------------------------------------------------------

// The least common denominator of all weights; most + 1 if it is above `most`.
int64_t common_denominator(const AxisTable& table, int64_t most) {
  constexpr double kNear = 1e-6;
  const auto is_fraction = [&](int64_t of) {
    return std::all_of(table.weights.begin(), table.weights.end(), [&](double weight) {
      const double scaled = weight * static_cast<double>(of);
      return std::abs(scaled - std::floor(scaled + 0.5)) < kNear * static_cast<double>(of);
    });
  };
  int64_t of = 1;
  while (of <= most && !is_fraction(of)) ++of;
  return of;
}

// Bounds that keep fixed-point results within one unit of the exact ones, and nearly all equal. The total error
// determines how likely a difference is: the bounds keep it under 1%.
class FastBounds {
 public:
  explicit FastBounds(const ResizePlan& work) : passes_left_(work.passes.size()) {}

  // Adds a pass and sets the weights of its map; false if a bound is exceeded.
  bool add(Pass& pass) {
    AxisMap& map = pass.map;
    if (map.out > kMaxFastExtent || pass.window > kMaxFastTaps) return false;
    const AxisTable exact = make_axis_table(map, {0, map.out}, ComputeType::kDouble);
    parts_ = std::min(parts_, kFewParts) * common_denominator(exact, kFewParts);
    set_weights(map);
    const WeightFacts facts = weigh(map, {0, map.out}, ComputeType::kDouble);
    value_bits_ = 8 + kFastFraction;
    --passes_left_;
    // The squared error of weights (twice that of rounding, since they are adjusted to add up to one) times the squared
    // noise, plus the error of the pass's rounding.
    const double step = kNoise * std::ldexp(1.0, kFastFraction - map.weight_bits);
    gain_ *= facts.gain;
    error_ = error_ * facts.smoothing + 2 * facts.taps * step * step + (passes_left_ > 0 ? 1 : 0);
    return gain_ <= kMaxGain && error_ <= kMaxError;
  }

  // With a small common denominator sums are often exact halves, which exact arithmetic rounds to even, not up.
  bool makes_ties() const { return parts_ % 2 == 0 && parts_ < kFewParts; }

 private:
  static constexpr double kMaxGain = 1.98;  // 9 bits hold magnitudes up to 256; the element's are up to 128
  static constexpr double kMaxError = 16;   // sum of squares, in units of 2^-7 / sqrt(12)
  static constexpr double kNoise = 74;      // standard deviation of evenly spread bytes
  static constexpr int64_t kFewParts = 512;

  // Sets the finest weights with sums that fit 32 bits; the adjusted weight may then require a coarser grid.
  void set_weights(AxisMap& map) const {
    map.sums_to_one = true;
    const double largest = weigh(map, {0, map.out}, ComputeType::kDouble).largest;
    map.weight_bits = bits_of_int16(largest, static_cast<int8_t>(30 - value_bits_));
    if (std::ldexp(weigh(map, {0, map.out}, ComputeType::kDouble).largest, map.weight_bits) >= 0x1p15)
      --map.weight_bits;
  }

  size_t passes_left_;
  int value_bits_ = 8;  // of the next pass's input
  double gain_ = 1;     // the most that magnitudes grow by
  double error_ = 0;
  int64_t parts_ = 1;
};

// Leaves the plan unchanged if a bound is exceeded.
void try_fast(DataType type, ResizePlan& work) {
  if (type != DataType::kUint8 && type != DataType::kInt8) return;
  std::vector<Pass> passes = work.passes;
  FastBounds bounds(work);
  for (Pass& pass : passes) {
    if (!bounds.add(pass)) return;
    pass.fraction_bits = &pass == &passes.back() ? int8_t{0} : kFastFraction;
  }
  if (bounds.makes_ties()) return;
  work.passes = std::move(passes);
  work.fixed_point = true;
}

}  // namespace

Status choose_arithmetic(const ResizeParams& params, ResizePlan& work) {
  if (work.filter == Filter::kNearest || work.passes.empty()) return {};
  work.compute = contract_type(params.type, work.passes);
  if (params.sampling.grid != WeightGrid::kFree)
    TESELA_RETURN_IF_ERROR(set_fixed_point(params, work));
  else if (params.fast)
    try_fast(params.type, work);
  if (work.fixed_point) work.compute = ComputeType::kDouble;
  return {};
}

}  // namespace tesela
