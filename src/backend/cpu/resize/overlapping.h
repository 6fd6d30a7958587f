// SPDX-License-Identifier: Apache-2.0
// Sums of overlapping windows: which outputs are summed together, and the lists that kernels read.
#pragma once

#include <algorithm>

#include "backend/cpu/resize/vertical_table.h"
#include "types/data_type.h"

namespace tesela::cpu {

/// Outputs that are summed together: each row is loaded and converted once for all of them.
inline constexpr int64_t kOverlapped = 4;
inline constexpr int64_t kMaxOverlappedRows = 96;

struct OverlappingSum {
  const void* const* rows;  // from the first window's first to the last window's last
  int64_t count;            // of rows
  const uint8_t* active;    // [count] the outputs that use the row: first * kOverlapped + last
  const void* weights;      // [count, kOverlapped], of the compute type; used ones are not zero
  void* const* outs;        // [kOverlapped]
  int64_t n;
  const void* const* prefetched;  // as in VerticalSum
  int64_t prefetches;
  bool from_memory;  // rows are read from memory, beyond the last-level cache
  bool by_row;       // no row is used by more than two outputs, and rows are read from memory
};
using OverlappingSumFn = void (*)(const OverlappingSum&);

/// The kernels for elements of a type; null if windows are not summed together.
struct OverlappingKernels {
  OverlappingSumFn sum[2];  // [to elements, not numbers]
};
OverlappingKernels overlapping_kernels(DataType type, ComputeType compute);

/// Windows of so few taps on average are summed faster apart, with their weights in registers, unless the sums wait for memory. Measured
/// for linear antialias of 2160x3840 to a half, of four taps: apart 1.2.
inline bool is_long_window(int64_t taps, int64_t windows, bool from_memory) {
  return taps > 4 * windows || (from_memory && taps == 4 * windows);
}

/// Whether the windows of kOverlapped outputs, starting at this entry, overlap enough to sum them together. from_memory: as in
/// OverlappingSum.
template <class C>
bool windows_overlap(const VerticalTable<C>& table, size_t entry, int64_t available, bool from_memory) {
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
  return rows <= kMaxOverlappedRows && is_long_window(taps, kOverlapped, from_memory) && 4 * rows <= 3 * taps;
}

/// The rows of overlapping windows, with the outputs that use each and their weights.
template <class C>
struct OverlappingLists {
  /// source: the row at the first window's first input.
  OverlappingLists(const VerticalTable<C>& table, size_t entry, const std::byte* source, int64_t stride)
      : first(table.first[entry]), count(table.last(entry + kOverlapped - 1) + 1 - first) {
    size_t begin = entry;  // outputs [begin, end) use the row
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
  int64_t most_active = 1;  // outputs that use the same row
  const void* rows[kMaxOverlappedRows];
  uint8_t active[kMaxOverlappedRows];
  C weights[kMaxOverlappedRows * kOverlapped];
};

}  // namespace tesela::cpu
