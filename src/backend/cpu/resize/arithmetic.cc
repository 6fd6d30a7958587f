// SPDX-License-Identifier: Apache-2.0
// Chooses the plans that compute in integers, and their weights.
#include "backend/cpu/resize/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <span>

#include "backend/cpu/resize/program.h"

namespace tesela::cpu {
namespace {

constexpr int32_t kMaxWeightBits = 8;                   // plus 8 bits of the element: 16
constexpr int64_t kMaxExaminedTaps = int64_t{1} << 18;  // of an axis whose weights are examined

bool is_whole(double value) {
  return value == std::floor(value);
}

// The fewest bits, at least `bits`, with which the weight is k / 2^bits; -1 if it is below zero, above one, or needs
// more than kMaxWeightBits.
int32_t power_of_two_bits(double weight, int32_t bits) {
  if (!(weight >= 0 && weight <= 1)) return -1;
  while (bits <= kMaxWeightBits && !is_whole(std::ldexp(weight, bits))) ++bits;
  return bits <= kMaxWeightBits ? bits : -1;
}

// The same for all weights of a table; their sums are one.
int32_t power_of_two_bits(const AxisTable& table) {
  int32_t bits = 0;
  for (size_t i = 0; i < table.first.size(); ++i) {
    const std::span weights(table.row(static_cast<int64_t>(i)), static_cast<size_t>(table.count[i]));
    if (!weights.empty() && std::accumulate(weights.begin(), weights.end(), 0.0) != 1) return -1;
    for (const double weight : weights)
      if ((bits = power_of_two_bits(weight, bits)) < 0) return -1;
  }
  return bits;
}

// Whether the first inputs of each vector of outputs are within two vectors, the range of lookups.
bool reaches_first_inputs(const ResizePlan& work, const Layout& layout) {
  if (!layout.has_horizontal) return true;
  const auto is_horizontal = [&](const Pass& each) { return layout.is_horizontal(each); };
  const Pass& pass = *std::find_if(work.passes.begin(), work.passes.end(), is_horizontal);
  const bool is_gathered = is_horizontal(work.passes.back()) && gathering_pays(pass.window, pass.map.out, pass.map.in);
  const double step = is_gathered ? static_cast<double>(pass.window)
                                  : static_cast<double>(pass.map.in) / static_cast<double>(pass.map.out);
  for (const int64_t lanes : {8, 32}) {
    const int64_t steps = (lanes + layout.channels - 2) / layout.channels;  // most outputs that begin in a vector
    if (step * static_cast<double>(steps * layout.channels) + static_cast<double>(layout.channels) >
        static_cast<double>(2 * lanes))
      return false;
  }
  return true;
}

// Whether rows fill a vector; otherwise they would be computed one lane at a time.
bool has_long_rows(const Plan& plan, const Layout& layout) {
  constexpr int64_t kMaxLanes = 32;
  int64_t in = 1;
  int64_t out = 1;
  for (size_t d = layout.row_axis; d < plan.in.size(); ++d) {
    in *= plan.in[d];
    out *= plan.out[d];
  }
  return std::min(in, out) >= kMaxLanes;
}

bool choose_power_of_two(const ResizePlan& work, Layout& layout) {
  int32_t all = 0;
  std::vector<int32_t> bits;
  for (const Pass& pass : work.passes) {
    if (pass.map.out > kStrip || pass.window > kMaxExaminedTaps / pass.map.out) return false;
    bits.push_back(power_of_two_bits(make_axis_table(pass.map, {0, pass.map.out}, layout.compute)));
    all += bits.back();
    if (bits.back() < 0 || all > kMaxWeightBits) return false;
  }
  layout.weight_bits = std::move(bits);
  layout.rounding.assign(work.passes.size(), {all});
  return true;
}

// ---- Fixed point ----------------------------------------------------------------------------------------------------

constexpr int64_t kMaxMeasuredTaps = int64_t{1} << 24;  // of an axis for which sums are bounded

// Tracks the fraction bits and the largest magnitude of numbers from pass to pass.
class FixedPointBounds {
 public:
  explicit FixedPointBounds(DataType type) : is_signed_(type == DataType::kInt8), largest_(largest_element()) {}

  // The pass's rounding; empty if a sum may not fit 32 bits.
  std::optional<Rounding> add(const Pass& pass) {
    const AxisMap& map = pass.map;
    if (pass.window > kMaxMeasuredTaps / std::max<int64_t>(map.out, 1)) return {};
    Rounding rounding;
    const int32_t sum_bits = bits_ + map.weight_bits;
    bits_ = pass.rounds_sums ? 0 : sum_bits;
    rounding.shift = sum_bits - bits_;
    if (rounding.shift < 0 || rounding.shift > 30) return {};
    const double gain = weigh(map, {0, map.out}, ComputeType::kDouble).gain;
    const double sum = std::ldexp(largest_ * gain, map.weight_bits) + half_of(rounding.shift);
    if (!(sum < 0x1p31)) return {};
    largest_ = std::ceil(std::ldexp(sum, -rounding.shift));
    if (pass.rounds_sums) clamp_to_elements(rounding);
    return rounding;
  }

 private:
  double largest_element() const { return is_signed_ ? 128 : 255; }
  void clamp_to_elements(Rounding& rounding) {
    rounding.lowest = is_signed_ ? -128 : 0;
    rounding.highest = rounding.lowest + 255;
    largest_ = largest_element();
  }

  bool is_signed_;
  int32_t bits_ = 0;
  double largest_;  // magnitude
};

// Per pass; empty if a sum may not fit 32 bits.
std::vector<Rounding> fixed_point_rounding(DataType type, const ResizePlan& work) {
  FixedPointBounds bounds(type);
  std::vector<Rounding> all;
  for (const Pass& pass : work.passes) {
    const std::optional<Rounding> rounding = bounds.add(pass);
    if (!rounding) return {};
    all.push_back(*rounding);
  }
  return all;
}

// Whether 16-bit sums give the same results as float; if so, sets the layout's weights.
bool chooses_power_of_two(const Plan& plan, const ResizePlan& work, Layout& layout) {
  const bool is_byte = plan.type == DataType::kUint8 || plan.type == DataType::kInt8;
  return layout.compute == ComputeType::kFloat && is_byte && has_long_rows(plan, layout) &&
         reaches_first_inputs(work, layout) && choose_power_of_two(work, layout);
}

}  // namespace

AxisTable make_taps(const Layout& layout, const Pass& pass, size_t p, IndexRange range) {
  AxisTable table = make_axis_table(pass.map, range, layout.compute);
  if (!layout.weight_bits.empty())
    for (double& weight : table.weights) weight = std::ldexp(weight, layout.weight_bits[p]);
  return table;
}

void count_arithmetic(Arithmetic arithmetic) {
  if (arithmetic == Arithmetic::kPowerOfTwo) count_task(Kernel::sum_power_of_two);
  if (arithmetic == Arithmetic::kFixedPoint) count_task(Kernel::sum_fixed_point);
}

bool has_arithmetic(const Plan& plan, const ResizePlan& work) {
  return !work.fixed_point || !fixed_point_rounding(plan.type, work).empty();
}

void choose_arithmetic(const Plan& plan, const ResizePlan& work, Layout& layout) {
  if (work.fixed_point) {
    layout.arithmetic = Arithmetic::kFixedPoint;
    layout.rounding = fixed_point_rounding(plan.type, work);
    layout.of_bytes = plan.type == DataType::kUint8;
    for (const Pass& pass : work.passes) layout.weight_bits.push_back(pass.map.weight_bits);
  } else if (chooses_power_of_two(plan, work, layout)) {
    layout.arithmetic = Arithmetic::kPowerOfTwo;
  } else {
    return;
  }
  layout.overlapping = {};
  layout.vertical = &vertical_kernels_of_integers(plan.type, layout.arithmetic);
}

}  // namespace tesela::cpu
