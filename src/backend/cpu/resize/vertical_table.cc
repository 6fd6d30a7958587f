// SPDX-License-Identifier: Apache-2.0
// Computes the tables of vertical passes.
#include "backend/cpu/resize/vertical_table.h"

namespace tesela::cpu {
namespace {

template <class C>
void find_alike(VerticalTable<C>& table) {
  constexpr uint8_t kMaxAlike = 4;  // the most outputs of a call
  const size_t n = table.first.size();
  table.alike.assign(n, 0);
  for (size_t i = n; i-- > 0;) {
    const C* weights = table.weights_of(i);
    if (table.count[i] == 0 || std::find(weights, weights + table.count[i], C{0}) != weights + table.count[i]) continue;
    const bool as_next = i + 1 < n && table.alike[i + 1] > 0 && table.first[i + 1] == table.first[i] &&
                         table.count[i + 1] == table.count[i];
    table.alike[i] = as_next ? std::min<uint8_t>(kMaxAlike, static_cast<uint8_t>(table.alike[i + 1] + 1)) : 1;
  }
}

template <class C>
void find_steps(VerticalTable<C>& table) {
  const size_t n = table.first.size();
  table.steps.assign(n, 0);
  for (size_t i = 0; i + 4 <= n; ++i)
    table.steps[i] = table.count[i] == 2 && table.alike[i] == 2 && table.count[i + 2] == 2 && table.alike[i + 2] >= 2 &&
                     table.first[i + 2] == table.first[i] + 1;
}

}  // namespace

template <class C>
VerticalTable<C> make_vertical_table(const AxisTable& from) {
  VerticalTable<C> table;
  table.pitch = from.pitch;
  table.most_taps = std::max<int64_t>(from.pitch, 1);
  table.weights.reserve(from.weights.size());
  for (const double weight : from.weights) table.weights.push_back(static_cast<C>(weight));
  table.first.assign(from.first.begin(), from.first.end());
  table.count.assign(from.count.begin(), from.count.end());
  find_alike(table);
  find_steps(table);
  return table;
}

#define TESELA_INSTANTIATE(C) template VerticalTable<C> make_vertical_table(const AxisTable&);
TESELA_FOR_EACH_ARITHMETIC(TESELA_INSTANTIATE)
#undef TESELA_INSTANTIATE

}  // namespace tesela::cpu
