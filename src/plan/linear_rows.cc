// SPDX-License-Identifier: Apache-2.0
// Rows of a table whose outputs take their two neighbours.
#include "plan/linear_rows.h"

#include "plan/sampling/sampling.h"

namespace tesela {
namespace {

using Positions = AxisMap::Positions;

class Writer {
 public:
  Writer(AxisTable& table, ComputeType compute) : table_(table), rounds_(compute == ComputeType::kFloat) { find(); }

  // next: the second neighbour's weight.
  void put(size_t k, int64_t first, double weight, double next) {
    const double second = round(next);
    const size_t count = second == 0 ? 1 : 2;
    if (count > pitch_) widen(k, count);
    first_[k] = first;
    count_[k] = static_cast<int32_t>(count);
    weights_[k * pitch_] = round(weight);
    if (count == 2) weights_[k * pitch_ + 1] = second;
  }

 private:
  double round(double weight) const { return rounds_ ? static_cast<double>(static_cast<float>(weight)) : weight; }
  void find() {
    first_ = table_.first.data();
    count_ = table_.count.data();
    weights_ = table_.weights.data();
    pitch_ = static_cast<size_t>(table_.pitch);
  }
  [[gnu::noinline]] void widen(size_t k, size_t pitch) {
    widen_rows(table_, k, pitch);
    find();
  }

  AxisTable& table_;
  const bool rounds_;
  int64_t* first_ = nullptr;
  int32_t* count_ = nullptr;
  double* weights_ = nullptr;
  size_t pitch_ = 0;
};

// Without a division for each position.
void fill_rational(const AxisMap& map, Writer& rows, int64_t lo, size_t k, size_t end) {
  const auto num0 = static_cast<int64_t>(map.num0);
  const auto den = static_cast<int64_t>(map.den);
  const auto step = static_cast<int64_t>(map.step);
  const exact::Division each = exact::divide(step, den);
  exact::Division at = exact::divide(exact::numerator(num0, step, lo + static_cast<int64_t>(k)), den);
  for (; k < end; ++k, at = exact::add_divisions(at, each, den)) {
    if (at.whole < 0 || at.whole >= map.in - 1)
      rows.put(k, exact::clamp_index(at.whole, map.in), 1, 0);
    else
      rows.put(k, at.whole, quotient(den - at.rest, den), quotient(at.rest, den));
  }
}

// The two weights that clamping moves to one input add up to 1 exactly.
void fill_real(const AxisMap& map, Writer& rows, int64_t lo, size_t k, size_t end) {
  const auto last = static_cast<double>(map.in - 1);
  for (; k < end; ++k) {
    const double x = sampling::real_position(map, static_cast<double>(lo + static_cast<int64_t>(k)));
    if (!(x > 0 && x < last)) {
      rows.put(k, x > 0 ? map.in - 1 : 0, 1, 0);
      continue;
    }
    const auto first = static_cast<int64_t>(x);
    const double rest = x - static_cast<double>(first);
    rows.put(k, first, 1 - rest, rest);
  }
}

}  // namespace

bool has_linear_rows(const AxisMap& map) {
  const bool is_quick = map.positions == Positions::kReal || (map.positions == Positions::kRational && map.narrow);
  const bool is_normalised = map.antialias || map.sampling.exclude_outside;
  return is_quick && map.sampling.filter == Filter::kLinear && !is_normalised && map.weight_bits < 0 && !map.crops();
}

void fill_linear_rows(const AxisMap& map, ComputeType compute, AxisTable& table, size_t k, size_t end) {
  Writer rows(table, compute);
  if (map.positions == Positions::kReal)
    fill_real(map, rows, table.lo, k, end);
  else
    fill_rational(map, rows, table.lo, k, end);
}

}  // namespace tesela
