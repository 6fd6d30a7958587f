// Sweeps: which windows of rows are summed together, and the lists that their kernel reads.
#pragma once

#include <algorithm>

#include "backend/cpu/program.h"

namespace tesela::cpu {

inline constexpr int64_t kMostSwept = 96;  // rows of the windows that are summed together

/// Whether the windows of kSwept outputs from this entry on overlap so that they are better summed together.
template <class C>
bool is_swept(const PassTable<C>& table, size_t entry, int64_t available) {
  if (available < kSwept) return false;
  int64_t taps = 0;
  for (size_t e = entry; e < entry + kSwept; ++e) {
    if (table.shared[e] == 0) return false;
    taps += table.count[e];
    if (e == entry) continue;
    if (table.first[e] < table.first[e - 1] || table.first[e] > table.last(e - 1) || table.last(e) < table.last(e - 1))
      return false;
  }
  const int64_t rows = table.last(entry + kSwept - 1) + 1 - table.first[entry];
  // Windows of a few taps are summed faster with their weights in registers.
  return rows <= kMostSwept && taps > 4 * kSwept && 4 * rows <= 3 * taps;
}

/// The rows of a sweep, which outputs take each, and how much of it.
template <class C>
struct SweepLists {
  /// source: the row of the first window's first input.
  SweepLists(const PassTable<C>& table, size_t entry, const std::byte* source, int64_t stride)
      : first(table.first[entry]), count(table.last(entry + kSwept - 1) + 1 - first) {
    size_t begin = entry;  // outputs [begin, end) take the row
    size_t end = entry;
    for (int64_t k = 0; k < count; ++k, source += stride) {
      while (table.last(begin) < first + k) ++begin;
      while (end < entry + kSwept && table.first[end] <= first + k) ++end;
      rows[k] = source;
      open[k] = static_cast<uint8_t>((begin - entry) * kSwept + (end - 1 - entry));
      most_open = std::max(most_open, static_cast<int64_t>(end - begin));
      for (size_t e = begin; e < end; ++e)
        weights[k * kSwept + static_cast<int64_t>(e - entry)] =
            table.weights[e * static_cast<size_t>(table.pitch) + static_cast<size_t>(first + k - table.first[e])];
    }
  }

  int64_t first;
  int64_t count;
  int64_t most_open = 1;  // outputs that take the same row
  const void* rows[kMostSwept];
  uint8_t open[kMostSwept];
  C weights[kMostSwept * kSwept];
};

}  // namespace tesela::cpu
