// SPDX-License-Identifier: Apache-2.0
// The pixels of outputs that are sums of two by two, and their rows.
#include "backend/cpu/resize/pixel_pairs.h"

#include "backend/cpu/resize/column_gather.h"
#include "backend/cpu/tuning.h"

namespace tesela::cpu {

void sum_pair_rows(PairSumFn sum, const PixelPairs& pairs, const PairRows& rows) {
  PairSum s;
  s.pairs = &pairs;
  for (int64_t i = 0; i < rows.n; ++i) {
    const auto entry = static_cast<size_t>(rows.lo + i - rows.table_lo);
    s.taps = rows.table.count[entry];
    if (s.taps == 0) continue;  // extrapolated: filled at the end
    const std::byte* const source = rows.source + (rows.table.first[entry] - rows.in_lo) * rows.in_stride;
    for (int64_t k = 0; k < s.taps; ++k) {
      s.rows[k] = source + k * rows.in_stride;
      s.weights[k] = rows.table.weights_of(entry)[k];
    }
    s.out = rows.out + i * rows.out_stride;
    if (rows.watch != nullptr) rows.watch->spend(4 * pairs.outputs() * pairs.channels);
    sum(s);
  }
}

PixelPairs::PixelPairs(const AxisTable& table, int64_t in_lo, int64_t in_n, int64_t pixel_channels, bool saves_passes) {
  constexpr int64_t kMostSingle = 16;  // of so many outputs one
  const auto n = static_cast<int64_t>(table.first.size());
  row_end = (in_lo + in_n) * pixel_channels;
  const bool pays =
      gathering_pays(2, n, in_n) || (saves_passes && pixel_channels >= kMinPairChannels && n <= kMostPairGrowth * in_n);
  if (!pays || pixel_channels == 2 || row_end > INT32_MAX / 2) return;
  const Runs runs = longest_run(table);
  if (runs.longest < 1 || runs.longest > 2) return;
  channels = pixel_channels;
  const int64_t lowest = runs.lowest * channels;
  const int64_t last = is_wide() ? row_end : row_end - kPairNumbers;  // where a vector may begin
  if (last < 0 || lowest > last) return;
  const int64_t numbers = is_wide() ? 1 : channels;  // of a pixel that have weights of their own
  pitch = channels == 1 || is_wide() ? 2 : kPairNumbers;
  weights.resize(static_cast<size_t>((n + kPairNumbers) * pitch));
  const int64_t vector_end = channels == 1 ? row_end - 2 : last;
  for (int64_t i = 0; i < n; ++i) {
    const auto k = static_cast<size_t>(i);
    const int64_t at = table.first[k] * channels;
    const int32_t count = table.count[k];
    for (int64_t c = 0; c < count * numbers; ++c)
      weights[static_cast<size_t>(i * pitch + c)] = static_cast<float>(table.row(i)[c / numbers]);
    taps.push_back(count);
    place.push_back(static_cast<int32_t>(at));
    first.push_back(static_cast<int32_t>(count == 0 || at > vector_end ? lowest : at));
    if (!is_wide() && (count == 1 || (count == 2 && at > vector_end))) single.push_back(static_cast<int32_t>(i));
  }
  first.resize(static_cast<size_t>(n + kPairNumbers), static_cast<int32_t>(lowest));  // several are computed at once
  if (std::ssize(single) > n / kMostSingle + 2) *this = {};
}

}  // namespace tesela::cpu
