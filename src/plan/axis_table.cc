// SPDX-License-Identifier: Apache-2.0
// Resampling tables of one axis: section 1 of the arithmetic contract.
#include "plan/axis_table.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "plan/linear_rows.h"
#include "plan/sampling/sampling.h"

namespace tesela {
namespace {

using Positions = AxisMap::Positions;

// Keys' cubic kernel. The caller chooses the branch, since it may know the distance exactly.
double keys_near(double a, double t) {
  return ((a + 2) * t - (a + 3)) * t * t + 1;
}
double keys_far(double a, double t) {
  return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
}

double keys(double a, double t) {
  if (t < 1) return keys_near(a, t);
  return t > 1 && t < 2 ? keys_far(a, t) : 0;
}

// One output's weights while they are computed. Raw weights are those of inputs window.lo, window.lo + 1, ...
template <class Weight>
struct Taps {
  TapWindow window = {};
  SmallVector<Weight, 16> weight;
};

// Drops positions outside the input before weights are summed.
TapWindow inside(const AxisMap& map, TapWindow window) {
  if (!map.sampling.exclude_outside) return window;
  return {std::max<int64_t>(window.lo, 0), std::min(window.hi, map.in - 1)};
}

bool is_normalised(const AxisMap& map) {
  return map.antialias || map.sampling.exclude_outside;
}

// Adds up the weights that clamping moves to the same input, in ascending order.
template <class Weight>
void fold(const AxisMap& map, Taps<Weight>& taps) {
  const int64_t lo = std::clamp<int64_t>(taps.window.lo, 0, map.in - 1);
  const int64_t hi = std::clamp<int64_t>(taps.window.hi, 0, map.in - 1);
  if (lo == taps.window.lo && hi == taps.window.hi) return;
  size_t kept = 0;
  int64_t last = -1;
  for (size_t k = 0; k < taps.weight.size(); ++k) {
    const int64_t j = std::clamp(taps.window.lo + static_cast<int64_t>(k), lo, hi);
    if (j == last)
      taps.weight[kept - 1] += taps.weight[k];
    else
      taps.weight[kept++] = taps.weight[k];
    last = j;
  }
  taps.window = {lo, hi};
  taps.weight.resize(kept);
}

// Linear weights at rational positions: computed in integers, with one division for each weight.
template <class Int>
void weigh_exactly(const AxisMap& map, const ExactNumbers<Int>& numbers, int64_t i, Taps<double>& taps) {
  Taps<Int> whole;
  whole.window = inside(map, numbers.window(i));
  const bool normalised = is_normalised(map);
  const Int num = numbers.numerator(i);
  const Int one = numbers.den * numbers.shrink_den;
  Int total = normalised ? 0 : numbers.den;
  for (int64_t j = whole.window.lo; j <= whole.window.hi; ++j) {
    const Int weight = one - exact::tap_distance(j, num, numbers.den, numbers.shrink_num);
    whole.weight.push_back(weight);
    if (normalised) total += weight;
  }
  taps.window = whole.window;
  // Positions are above -1 and stretched windows end where weights do, so a tap inside the input has a weight.
  if (whole.weight.empty()) return;
  fold(map, whole);
  taps.window = whole.window;
  for (const Int weight : whole.weight) taps.weight.push_back(quotient(weight, total));
}

template <class Int>
double rational_cubic(const AxisMap& map, const ExactNumbers<Int>& numbers, Int num, int64_t j) {
  const Int distance = exact::tap_distance(j, num, numbers.den, numbers.shrink_num);
  const Int one = numbers.den * numbers.shrink_den;
  if (distance == one || distance >= 2 * one) return 0;
  const double t = quotient(distance, one);
  return distance < one ? keys_near(map.sampling.cubic_a, t) : keys_far(map.sampling.cubic_a, t);
}

// Raw weights at double positions.
double real_weight(const AxisMap& map, double x, int64_t j) {
  const bool linear = map.sampling.filter == Filter::kLinear;
  if (map.sampling.arithmetic == PositionArithmetic::kOnnxRuntime && (map.antialias || !linear))
    return sampling::onnxruntime_weight(map, x, j);
  if (map.antialias) {
    const double t = std::abs(static_cast<double>(j) - x) * map.shrink;
    return linear ? 1 - t : keys(map.sampling.cubic_a, t);
  }
  const double floor = std::floor(x);
  const double r = x - floor;
  const auto offset = static_cast<int>(static_cast<double>(j) - floor);  // -1, 0, 1 or 2
  if (linear) return offset == 0 ? 1 - r : r;
  const double distances[] = {1 + r, r, 1 - r, 2 - r};
  return keys(map.sampling.cubic_a, distances[offset + 1]);
}

// The weights of the window, normalized and folded. weight(j): the raw weight of input j.
template <class WeightOf>
void weigh_in_doubles(const AxisMap& map, TapWindow window, Taps<double>& taps, WeightOf weight) {
  taps.window = inside(map, window);
  double sum = 0;
  for (int64_t j = taps.window.lo; j <= taps.window.hi; ++j) {
    taps.weight.push_back(weight(j));
    sum += taps.weight.back();
  }
  if (taps.weight.empty()) return;
  if (is_normalised(map)) {
    if (sum == 0) return taps.weight.clear();
    for (double& each : taps.weight) each /= sum;
  }
  fold(map, taps);
}

template <class Int>
void weigh_rational(const AxisMap& map, const ExactNumbers<Int>& numbers, int64_t i, Taps<double>& taps) {
  if (map.sampling.filter == Filter::kLinear) return weigh_exactly(map, numbers, i, taps);
  const Int num = numbers.numerator(i);
  weigh_in_doubles(map, numbers.window(i), taps, [&](int64_t j) { return rational_cubic(map, numbers, num, j); });
}

double round_to(const AxisMap& map, ComputeType compute, double weight) {
  if (map.weight_bits >= 0) return std::ldexp(std::round(std::ldexp(weight, map.weight_bits)), -map.weight_bits);
  return compute == ComputeType::kFloat ? static_cast<double>(static_cast<float>(weight)) : weight;
}

// Generates the weights of one axis's outputs, merged and rounded, without zeros at either end. Never empty.
class WeightGenerator {
 public:
  WeightGenerator(const AxisMap& map, ComputeType compute) : map_(map), compute_(compute), narrow_(map), wide_(map) {
    if (!map.narrow || narrow_.step == 0) return;
    const int64_t common = std::gcd(narrow_.step, narrow_.den);
    period_ = narrow_.den / common;
    advance_ = narrow_.step / common;
  }

  const Taps<double>& taps(int64_t i) {
    taps_.weight.clear();
    if (map_.positions != Positions::kRational)
      weigh_real(i);
    else if (map_.narrow)
      weigh_rational(map_, narrow_, i, taps_);
    else
      weigh_rational(map_, wide_, i, taps_);
    for (double& weight : taps_.weight) weight = round_to(map_, compute_, weight);
    trim();
    if (taps_.weight.empty()) take_below(i);
    return taps_;
  }

  // Away from the borders an output has the weights of the output `period` before it, `advance` inputs later.
  int64_t period() const { return period_; }
  int64_t advance() const { return advance_; }
  // Whether output i and the one a period before it are away from the borders. All outputs between two such are, too.
  bool repeats(int64_t i) const {
    const TapWindow window = narrow_.window(i);
    return window.lo >= advance_ && window.hi < map_.in;
  }

 private:
  void weigh_real(int64_t i) {
    const double x = position(map_, i);
    weigh_in_doubles(map_, tap_window_at(map_, x), taps_, [&](int64_t j) { return real_weight(map_, x, j); });
  }

  void trim() {
    while (!taps_.weight.empty() && taps_.weight.back() == 0) taps_.weight.pop_back();
    size_t zeros = 0;
    while (zeros < taps_.weight.size() && taps_.weight[zeros] == 0) ++zeros;
    if (zeros == 0) return;
    std::copy(taps_.weight.begin() + zeros, taps_.weight.end(), taps_.weight.begin());
    taps_.weight.resize(taps_.weight.size() - zeros);
    taps_.window.lo += static_cast<int64_t>(zeros);
  }

  // If no weight is left, the input at or below the position gets all of it.
  void take_below(int64_t i) {
    taps_.window.lo = map_.positions == Positions::kRational
                          ? exact::clamp_index(exact::floor_div(wide_.numerator(i), wide_.den), map_.in)
                          : exact::clamp_position(std::floor(position(map_, i)), map_.in);
    taps_.weight.assign(1, 1.0);
  }

  const AxisMap& map_;
  ComputeType compute_;
  ExactNumbers<int64_t> narrow_;
  ExactNumbers<Int128> wide_;
  int64_t period_ = 0;  // 0: unknown
  int64_t advance_ = 0;
  Taps<double> taps_;
};

// Copies rows [k, end) from the rows a period before them.
void repeat_rows(AxisTable& table, size_t k, size_t end, size_t period, int64_t advance) {
  for (size_t r = k; r < end; ++r) {
    table.first[r] = table.first[r - period] + advance;
    table.count[r] = table.count[r - period];
  }
  const auto pitch = static_cast<size_t>(table.pitch);
  double* const weights = table.weights.data();
  for (size_t w = k * pitch; w < end * pitch; ++w) weights[w] = weights[w - period * pitch];
}

}  // namespace

WeightFacts weigh(const AxisMap& map, IndexRange range, ComputeType compute) {
  WeightFacts facts;
  WeightGenerator generator(map, compute);
  for (int64_t i = range.lo; i < range.lo + range.n; ++i) {
    if (is_extrapolated(map, i)) continue;
    const Taps<double>& taps = generator.taps(i);
    double gain = 0;
    for (const double weight : taps.weight) {
      facts.largest = std::max(facts.largest, weight);
      facts.smoothing += weight * weight;
      gain += std::abs(weight);
    }
    facts.gain = std::max(facts.gain, gain);
    facts.taps = std::max(facts.taps, static_cast<double>(taps.weight.size()));
  }
  facts.smoothing /= static_cast<double>(std::max<int64_t>(range.n, 1));
  return facts;
}

void widen_rows(AxisTable& table, size_t k, size_t pitch) {
  const auto old = static_cast<size_t>(table.pitch);
  table.pitch = static_cast<int64_t>(pitch);
  table.weights.resize(table.first.size() * pitch);
  double* const weights = table.weights.data();
  for (size_t row = k; row-- > 0;) {
    std::copy_backward(weights + row * old, weights + (row + 1) * old, weights + row * pitch + old);
    std::fill(weights + row * pitch + old, weights + (row + 1) * pitch, 0.0);
  }
  std::fill(weights + k * pitch, table.weights.end(), 0.0);
}

AxisTable make_axis_table(const AxisMap& map, IndexRange range, ComputeType compute) {
  const auto n = static_cast<size_t>(range.n);
  AxisTable table;
  table.lo = range.lo;
  table.first.resize(n);
  table.count.resize(n);
  WeightGenerator generator(map, compute);
  const auto period = generator.period() > 0 ? static_cast<size_t>(generator.period()) : n;
  const bool linear = has_linear_rows(map);
  for (size_t k = 0; k < n; ++k) {
    const int64_t i = range.lo + static_cast<int64_t>(k);
    if (is_extrapolated(map, i)) continue;
    if (k >= period && generator.repeats(i)) {
      size_t end = n;
      while (!generator.repeats(range.lo + static_cast<int64_t>(end) - 1)) --end;
      repeat_rows(table, k, end, period, generator.advance());
      k = end - 1;
      continue;
    }
    if (linear) {
      const size_t end = k < period ? std::min(period, n) : k + 1;
      fill_linear_rows(map, compute, table, k, end);
      k = end - 1;
      continue;
    }
    const Taps<double>& taps = generator.taps(i);
    const size_t count = taps.weight.size();
    if (count > static_cast<size_t>(table.pitch)) widen_rows(table, k, count);
    table.first[k] = taps.window.lo;
    table.count[k] = static_cast<int32_t>(count);
    std::copy(taps.weight.begin(), taps.weight.end(), table.weights.data() + k * static_cast<size_t>(table.pitch));
  }
  return table;
}

std::vector<int64_t> make_index_table(const AxisMap& map, IndexRange range) {
  std::vector<int64_t> index;
  index.reserve(static_cast<size_t>(range.n));
  for (int64_t i = range.lo; i < range.lo + range.n; ++i)
    index.push_back(is_extrapolated(map, i) ? -1 : nearest_index(map, i));
  return index;
}

int64_t axis_table_bytes(int64_t window, int64_t n) {
  // Weights count twice: their vector grows by copying.
  const auto row = checked_mul(window, 2 * int64_t{sizeof(double)});
  const auto all = row ? checked_mul(*row, n) : std::nullopt;
  return all.value_or(INT64_MAX);
}

}  // namespace tesela
