// Which plans compute in 16 bits, and their weights there.
#include "backend/cpu/resize/arithmetic.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "backend/cpu/resize/program.h"

namespace tesela::cpu {
namespace {

constexpr int32_t kMostWeightBits = 8;  // and 8 of the element are 16
constexpr double kFixedOne = 32768;
constexpr int64_t kMostFixedOutputs = int64_t{1} << 16;
constexpr int64_t kMostFixedTaps = 16;

// The bits behind the point of weights that all are k / 2^bits, none below zero, and add up to one; -1: there are others.
int32_t power_of_two_bits(const AxisTable& table) {
  const double most = std::ldexp(1.0, kMostWeightBits);
  int32_t bits = 0;
  for (size_t i = 0; i < table.first.size(); ++i) {
    const double* weights = table.row(static_cast<int64_t>(i));
    double sum = 0;
    for (int32_t k = 0; k < table.count[i]; ++k) {
      const double scaled = weights[k] * most;
      if (!(scaled >= 0 && scaled <= most) || scaled != std::floor(scaled)) return -1;
      for (; std::ldexp(weights[k], bits) != std::floor(std::ldexp(weights[k], bits)); ++bits) {
      }
      sum += weights[k];
    }
    if (table.count[i] > 0 && sum != 1) return -1;
  }
  return bits;
}

// Multiples of 2^-15 whose sum is one, what is missing added to the largest. One itself does not fit, and what it lacks
// does not show.
void fix_weights(AxisTable& table) {
  for (size_t i = 0; i < table.first.size(); ++i) {
    double* begin = table.weights.data() + static_cast<int64_t>(i) * table.pitch;
    double* end = begin + table.count[i];
    if (begin == end) continue;
    for (double* weight = begin; weight != end; ++weight) *weight = std::floor(*weight * kFixedOne + 0.5);
    double* largest = std::max_element(begin, end);
    *largest += kFixedOne - std::accumulate(begin, end, 0.0);
    if (*largest == kFixedOne) *largest = kFixedOne - 1;
  }
}

// The least number up to `most` of which all weights are fractions; most + 1 where there is none.
int64_t common_denominator(const AxisTable& table, int64_t most) {
  constexpr double kNear = 1e-6;  // weights have been rounded to floats
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

// What fixed-point sums of a pass are like.
struct FixedFacts {
  double gain = 0;       // most that magnitudes grow by
  double taps = 0;       // most of an output
  double smoothing = 0;  // mean of the sums of squared weights: what becomes of the errors of passes before
};

FixedFacts fixed_facts(const AxisTable& table) {
  FixedFacts facts;
  for (size_t i = 0; i < table.first.size(); ++i) {
    const double* weights = table.row(static_cast<int64_t>(i));
    double sum = 0;
    for (int32_t k = 0; k < table.count[i]; ++k) {
      sum += std::abs(weights[k]);
      facts.smoothing += weights[k] * weights[k];
    }
    facts.gain = std::max(facts.gain, sum);
    facts.taps = std::max<double>(facts.taps, table.count[i]);
  }
  facts.smoothing /= static_cast<double>(std::max<size_t>(table.first.size(), 1));
  return facts;
}

// Each product is rounded to 2^-7 of a unit, by which an error of 2^-7 / sqrt(12) is added. A unit of difference is as
// likely as the errors together are large: these bounds keep it under one in a hundred. They know of no instruction set.
bool suits_fixed_point(const ResizePlan& work) {
  constexpr double kMostGain = 1.98;  // of the 256 that fit 9 bits, 128 are the element's
  constexpr double kMostError = 16;   // sum of squares, in rounded products
  constexpr int64_t kFewParts = 512;
  double gain = 1;
  double error = 0;
  int64_t parts = 1;
  for (const Pass& pass : work.passes) {
    if (pass.rule.out > kMostFixedOutputs || pass.window > kMostFixedTaps) return false;
    const AxisTable table = make_axis_table(pass.rule, {0, pass.rule.out}, work.compute);
    const FixedFacts facts = fixed_facts(table);
    parts = std::min(parts, kFewParts) * common_denominator(table, kFewParts);
    gain *= facts.gain;
    error = error * facts.smoothing + facts.taps;
    if (gain > kMostGain || error > kMostError) return false;
  }
  // Where weights are fractions of few parts, sums often are an exact half, which goes to the even unit and not to the
  // one that its error points at.
  return parts % 2 != 0 || parts >= kFewParts;
}

// The first inputs of a vector of the line's outputs lie within two vectors, which is as far as lookups reach: of every
// instruction set's vectors, so that none computes what another does not.
bool reaches_first_inputs(const ResizePlan& work, const Layout& layout) {
  if (!layout.has_horizontal) return true;
  const auto is_horizontal = [&](const Pass& each) { return layout.is_horizontal(each); };
  const Pass& pass = *std::find_if(work.passes.begin(), work.passes.end(), is_horizontal);
  const bool is_gathered =
      is_horizontal(work.passes.back()) && gathering_pays(pass.window, pass.rule.out, pass.rule.in);
  const double step = is_gathered ? static_cast<double>(pass.window)
                                  : static_cast<double>(pass.rule.in) / static_cast<double>(pass.rule.out);
  for (const int64_t lanes : {8, 32}) {
    const int64_t steps = (lanes + layout.channels - 2) / layout.channels;  // most that begin in a vector
    if (step * static_cast<double>(steps * layout.channels) + static_cast<double>(layout.channels) >
        static_cast<double>(2 * lanes))
      return false;
  }
  return true;
}

// Rows fill a vector, or its lanes would be done one by one.
bool has_long_rows(const Plan& plan, const Layout& layout) {
  constexpr int64_t kMostLanes = 32;
  int64_t in = 1;
  int64_t out = 1;
  for (size_t d = layout.row_axis; d < plan.in.size(); ++d) {
    in *= plan.in[d];
    out *= plan.out[d];
  }
  return std::min(in, out) >= kMostLanes;
}

bool choose_power_of_two(const ResizePlan& work, Layout& layout) {
  int32_t all = 0;
  std::vector<int32_t> bits;
  for (const Pass& pass : work.passes) {
    if (!is_kept(pass)) return false;
    bits.push_back(power_of_two_bits(make_axis_table(pass.rule, {0, pass.rule.out}, layout.compute)));
    all += bits.back();
    if (bits.back() < 0 || all > kMostWeightBits) return false;
  }
  layout.weight_bits = std::move(bits);
  layout.shift = all;
  return true;
}

}  // namespace

AxisTable make_taps(const Layout& layout, const Pass& pass, size_t p, IndexRange range) {
  AxisTable table = make_axis_table(pass.rule, range, layout.compute);
  if (layout.arithmetic == Arithmetic::kPowerOfTwo)
    for (double& weight : table.weights) weight = std::ldexp(weight, layout.weight_bits[p]);
  if (layout.arithmetic == Arithmetic::kFixedPoint) fix_weights(table);
  return table;
}

void choose_arithmetic(const Plan& plan, const ResizePlan& work, Layout& layout) {
  if (layout.compute != ComputeType::kFloat) return;
  if (plan.type != DataType::kUint8 && plan.type != DataType::kInt8) return;
  if (!has_long_rows(plan, layout) || !reaches_first_inputs(work, layout)) return;
  if (choose_power_of_two(work, layout))
    layout.arithmetic = Arithmetic::kPowerOfTwo;
  else if (work.fast && suits_fixed_point(work))
    layout.arithmetic = Arithmetic::kFixedPoint;
  else
    return;
  layout.overlapping = {};
  layout.vertical = vertical_kernels_of_16_bits(plan.type, layout.arithmetic == Arithmetic::kFixedPoint);
}

}  // namespace tesela::cpu
