// Resampling tables of one axis: the contract's section 1, step by step.
#include "plan/axis_table.h"

#include <algorithm>
#include <cmath>

namespace tesela {
namespace {

using Positions = AxisRule::Positions;

// Keys' kernel. The branches are chosen by the caller, who may know the distance exactly.
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

// One output's weights while they are worked out. Raw weights stand at inputs window.lo, window.lo + 1, ...
struct Taps {
  TapWindow window;
  std::vector<double> weight;
  std::vector<Int128> exact;  // numerators, for linear filters at rational positions
};

bool is_exact_linear(const AxisRule& rule) {
  return rule.sampling.filter == Filter::kLinear && rule.positions == Positions::kRational;
}

// Positions outside the input lose their weight before anything is summed.
void drop_outside(const AxisRule& rule, Taps& taps) {
  taps.window.lo = std::max<int64_t>(taps.window.lo, 0);
  taps.window.hi = std::min(taps.window.hi, rule.in - 1);
}

bool is_normalised(const AxisRule& rule) {
  return rule.antialias || rule.sampling.exclude_outside;
}

// Adds up what falls on the same input once positions are clamped, in ascending order.
template <class Weight>
void fold(const AxisRule& rule, TapWindow& window, std::vector<Weight>& weight) {
  const int64_t lo = std::clamp<int64_t>(window.lo, 0, rule.in - 1);
  const int64_t hi = std::clamp<int64_t>(window.hi, 0, rule.in - 1);
  if (lo == window.lo && hi == window.hi) return;
  std::vector<Weight> folded(static_cast<size_t>(hi - lo + 1));
  std::vector<bool> begun(folded.size());
  for (size_t k = 0; k < weight.size(); ++k) {
    const int64_t j = std::clamp(window.lo + static_cast<int64_t>(k), lo, hi);
    const auto at = static_cast<size_t>(j - lo);
    folded[at] = begun[at] ? folded[at] + weight[k] : weight[k];
    begun[at] = true;
  }
  window = {lo, hi};
  weight = std::move(folded);
}

// Linear weights at rational positions: integers all the way to one division for each weight.
void weigh_exactly(const AxisRule& rule, int64_t i, Taps& taps) {
  const Int128 num = rule.num0 + rule.step * i;
  const Int128 whole = rule.den * rule.shrink_den;
  Int128 total = rule.antialias ? 0 : rule.den;
  if (is_normalised(rule)) total = 0;
  taps.exact.clear();
  for (int64_t j = taps.window.lo; j <= taps.window.hi; ++j) {
    taps.exact.push_back(whole - absolute(j * rule.den - num) * rule.shrink_num);
    if (is_normalised(rule)) total += taps.exact.back();
  }
  taps.weight.clear();
  if (taps.exact.empty() || total == 0) return;
  fold(rule, taps.window, taps.exact);
  for (const Int128 weight : taps.exact) taps.weight.push_back(nearest_double(weight, total));
}

double rational_cubic(const AxisRule& rule, Int128 num, int64_t j) {
  const Int128 distance = absolute(j * rule.den - num) * rule.shrink_num;
  const Int128 one = rule.den * rule.shrink_den;
  if (distance == one || distance >= 2 * one) return 0;
  const double t = nearest_double(distance, one);
  return distance < one ? keys_near(rule.sampling.cubic_a, t) : keys_far(rule.sampling.cubic_a, t);
}

// The kernel in floats, in the order of ONNX Runtime's operations: without antialias, and with it.
float keys_by_onnxruntime(float a, float t) {
  return t <= 1 ? ((a + 2) * t - (a + 3)) * t * t + 1 : ((a * t - 5 * a) * t + 8 * a) * t - 4 * a;
}
float filter_by_onnxruntime(float a, float t) {
  if (t < 1) return ((a + 2) * t - (a + 3)) * t * t + 1;
  return t < 2 ? (((t - 5) * t + 8) * t - 4) * a : 0;
}

double weight_by_onnxruntime(const AxisRule& rule, double x, int64_t j) {
  const auto a = static_cast<float>(rule.sampling.cubic_a);
  if (rule.antialias) {
    const float t = onnxruntime_distance(rule, x, j);
    return static_cast<double>(rule.sampling.filter == Filter::kLinear ? std::max(1 - t, 0.0f)
                                                                       : filter_by_onnxruntime(a, t));
  }
  const double floor = std::floor(x);
  const auto r = static_cast<float>(x - floor);
  const auto offset = static_cast<int>(static_cast<double>(j) - floor);  // -1, 0, 1 or 2
  const float distances[] = {r + 1, r, 1 - r, 2 - r};
  return static_cast<double>(keys_by_onnxruntime(a, distances[offset + 1]));
}

// Raw weights at positions that are doubles.
double real_weight(const AxisRule& rule, double x, int64_t j) {
  const bool linear = rule.sampling.filter == Filter::kLinear;
  if (rule.sampling.arithmetic == PositionArithmetic::kOnnxRuntime && (rule.antialias || !linear))
    return weight_by_onnxruntime(rule, x, j);
  if (rule.antialias) {
    const double t = std::abs(static_cast<double>(j) - x) * rule.shrink;
    return linear ? 1 - t : keys(rule.sampling.cubic_a, t);
  }
  const double floor = std::floor(x);
  const double r = x - floor;
  const auto offset = static_cast<int>(static_cast<double>(j) - floor);  // -1, 0, 1 or 2
  if (linear) return offset == 0 ? 1 - r : r;
  const double distances[] = {1 + r, r, 1 - r, 2 - r};
  return keys(rule.sampling.cubic_a, distances[offset + 1]);
}

void weigh_in_doubles(const AxisRule& rule, int64_t i, Taps& taps) {
  const bool rational = rule.positions == Positions::kRational;
  const Int128 num = rational ? rule.num0 + rule.step * i : 0;
  const double x = rational ? 0 : position(rule, i);
  taps.weight.clear();
  double sum = 0;
  for (int64_t j = taps.window.lo; j <= taps.window.hi; ++j) {
    taps.weight.push_back(rational ? rational_cubic(rule, num, j) : real_weight(rule, x, j));
    sum += taps.weight.back();
  }
  if (taps.weight.empty()) return;
  if (is_normalised(rule)) {
    if (sum == 0) {
      taps.weight.clear();
      return;
    }
    for (double& weight : taps.weight) weight /= sum;
  }
  fold(rule, taps.window, taps.weight);
}

double round_to(const AxisRule& rule, ComputeType compute, double weight) {
  if (rule.weight_bits >= 0) return std::ldexp(std::round(std::ldexp(weight, rule.weight_bits)), -rule.weight_bits);
  return compute == ComputeType::kFloat ? static_cast<double>(static_cast<float>(weight)) : weight;
}

// The weights of output i, merged and rounded, without zeros at either end. Never empty.
void find_taps(const AxisRule& rule, int64_t i, ComputeType compute, Taps& taps) {
  taps.window = tap_window(rule, i);
  if (rule.sampling.exclude_outside) drop_outside(rule, taps);
  if (is_exact_linear(rule))
    weigh_exactly(rule, i, taps);
  else
    weigh_in_doubles(rule, i, taps);
  for (double& weight : taps.weight) weight = round_to(rule, compute, weight);
  while (!taps.weight.empty() && taps.weight.back() == 0) taps.weight.pop_back();
  size_t zeros = 0;
  while (zeros < taps.weight.size() && taps.weight[zeros] == 0) ++zeros;
  taps.weight.erase(taps.weight.begin(), taps.weight.begin() + static_cast<std::ptrdiff_t>(zeros));
  taps.window.lo += static_cast<int64_t>(zeros);
  if (!taps.weight.empty()) return;
  // No weight is left to divide among inputs: the one at or below the position stands for all.
  const Int128 num = rule.num0 + rule.step * i;
  const double below = rule.positions == Positions::kRational
                           ? static_cast<double>(static_cast<int64_t>(floor_div(num, rule.den)))
                           : std::floor(position(rule, i));
  taps.window.lo = static_cast<int64_t>(std::clamp(below, 0.0, static_cast<double>(rule.in - 1)));
  taps.weight.assign(1, 1.0);
}

}  // namespace

int8_t int16_weight_bits(const AxisRule& rule) {
  double largest = 0;
  Taps taps;
  for (int64_t i = 0; i < rule.out; ++i) {
    find_taps(rule, i, ComputeType::kDouble, taps);
    for (const double weight : taps.weight) largest = std::max(largest, weight);
  }
  constexpr int8_t kFinest = 22;
  int8_t bits = 0;
  while (bits < kFinest && std::floor(std::ldexp(largest, bits + 1) + 0.5) < 0x1p15) ++bits;
  return bits;
}

AxisTable make_axis_table(const AxisRule& rule, IndexRange range, ComputeType compute) {
  AxisTable table;
  table.lo = range.lo;
  table.first.reserve(static_cast<size_t>(range.n));
  table.count.reserve(static_cast<size_t>(range.n));
  Taps taps;
  std::vector<double> packed;  // rows behind each other, until the longest is known
  for (int64_t i = range.lo; i < range.lo + range.n; ++i) {
    if (is_extrapolated(rule, i)) {
      table.first.push_back(0);
      table.count.push_back(0);
      continue;
    }
    find_taps(rule, i, compute, taps);
    table.first.push_back(taps.window.lo);
    table.count.push_back(static_cast<int32_t>(taps.weight.size()));
    table.pitch = std::max(table.pitch, static_cast<int64_t>(taps.weight.size()));
    packed.insert(packed.end(), taps.weight.begin(), taps.weight.end());
  }
  table.weights.resize(static_cast<size_t>(range.n * table.pitch));
  auto from = packed.begin();
  for (int64_t i = 0; i < range.n; ++i) {
    const auto n = table.count[static_cast<size_t>(i)];
    std::copy(from, from + n, table.weights.begin() + i * table.pitch);
    from += n;
  }
  return table;
}

std::vector<int64_t> make_index_table(const AxisRule& rule, IndexRange range) {
  std::vector<int64_t> index;
  index.reserve(static_cast<size_t>(range.n));
  for (int64_t i = range.lo; i < range.lo + range.n; ++i)
    index.push_back(is_extrapolated(rule, i) ? -1 : nearest_index(rule, i));
  return index;
}

int64_t axis_table_bytes(int64_t window, int64_t n) {
  // Weights twice: packed while they are made, then in rows.
  const auto row = checked_mul(window, 2 * int64_t{sizeof(double)});
  const auto all = row ? checked_mul(*row, n) : std::nullopt;
  return all.value_or(INT64_MAX);
}

}  // namespace tesela
