// Sums of overlapping windows: which outputs are summed together, and the lists that their kernels read.
#pragma once

#include <algorithm>

#include "backend/cpu/resize/vertical_table.h"
#include "types/data_type.h"

namespace tesela::cpu {

/// Outputs that are summed together: each row is loaded, and widened, once for all of them.
inline constexpr int64_t kOverlapped = 4;
inline constexpr int64_t kMostOverlappedRows = 96;

struct OverlappingSum {
  const void* const* rows;  // of the first window's first to the last window's last
  int64_t count;            // of them
  const uint8_t* active;    // [count] which outputs take the row: first * kOverlapped + last
  const void* weights;      // of the compute type: [count, kOverlapped]; none that is used is zero
  void* const* outs;        // [kOverlapped]
  int64_t n;
  const void* const* prefetched;  // as in VerticalSum
  int64_t prefetches;
  bool by_row;  // no row is taken by more than two outputs, and the rows come from memory
};
using OverlappingSumFn = void (*)(const OverlappingSum&);

/// From elements of a type. Null where windows are not summed together.
struct OverlappingKernels {
  OverlappingSumFn sum[2];  // [to elements, not numbers]
};
OverlappingKernels overlapping_kernels(DataType type, ComputeType compute);

/// Whether the windows of kOverlapped outputs from this entry on overlap so that they are better summed together.
template <class C>
bool windows_overlap(const VerticalTable<C>& table, size_t entry, int64_t available) {
  if (available < kOverlapped) return false;
  int64_t taps = 0;
  for (size_t e = entry; e < entry + kOverlapped; ++e) {
    if (table.alike[e] == 0) return false;
    taps += table.count[e];
    if (e == entry) continue;
    if (table.first[e] < table.first[e - 1] || table.first[e] > table.last(e - 1) || table.last(e) < table.last(e - 1))
      return false;
  }
  const int64_t rows = table.last(entry + kOverlapped - 1) + 1 - table.first[entry];
  // Windows of a few taps are summed faster with their weights in registers.
  return rows <= kMostOverlappedRows && taps > 4 * kOverlapped && 4 * rows <= 3 * taps;
}

/// The rows of overlapping windows, which outputs take each, and how much of it.
template <class C>
struct OverlappingLists {
  /// source: the row of the first window's first input.
  OverlappingLists(const VerticalTable<C>& table, size_t entry, const std::byte* source, int64_t stride)
      : first(table.first[entry]), count(table.last(entry + kOverlapped - 1) + 1 - first) {
    size_t begin = entry;  // outputs [begin, end) take the row
    size_t end = entry;
    for (int64_t k = 0; k < count; ++k, source += stride) {
      while (table.last(begin) < first + k) ++begin;
      while (end < entry + kOverlapped && table.first[end] <= first + k) ++end;
      rows[k] = source;
      active[k] = static_cast<uint8_t>((begin - entry) * kOverlapped + (end - 1 - entry));
      most_active = std::max(most_active, static_cast<int64_t>(end - begin));
      for (size_t e = begin; e < end; ++e)
        weights[k * kOverlapped + static_cast<int64_t>(e - entry)] = table.weights_of(e)[first + k - table.first[e]];
    }
  }

  int64_t first;
  int64_t count;
  int64_t most_active = 1;  // outputs that take the same row
  const void* rows[kMostOverlappedRows];
  uint8_t active[kMostOverlappedRows];
  C weights[kMostOverlappedRows * kOverlapped];
};

}  // namespace tesela::cpu
