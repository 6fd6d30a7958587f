// SPDX-License-Identifier: Apache-2.0
// Runs the kernels that are bound to the table of a horizontal pass.
#include <algorithm>

#include "backend/cpu/resize/horizontal_table.h"

namespace tesela::cpu {

Kernel kernel_of(HorizontalKind kind) {
  switch (kind) {
    case HorizontalKind::kWindow:
    case HorizontalKind::kShifted: return Kernel::horizontal_lookup;
    case HorizontalKind::kFour: return Kernel::horizontal_four;
    case HorizontalKind::kTransposed: return Kernel::horizontal_transposed;
    case HorizontalKind::kChannels: return Kernel::horizontal_channels;
    case HorizontalKind::kBytePairs: return Kernel::horizontal_byte_pairs;
    case HorizontalKind::kBytes: return Kernel::horizontal_bytes;
    case HorizontalKind::kGather: break;
  }
  return Kernel::horizontal_gather;
}

template <class C>
int64_t scratch_numbers(const HorizontalTable<C>& table) {
  if (table.kind != HorizontalKind::kTransposed || sizeof(C) != 4) return 0;
  // A chunk's sums, then its columns.
  int64_t most = 0;
  for (const IndexRange& chunk : table.chunks) most = std::max(most, chunk.n);
  return (table.chunk * table.channels + most) * table.lanes;
}

template <class C>
void run_horizontal(const HorizontalTable<C>& table, const HorizontalRows<C>& rows, bool stream) {
  constexpr uintptr_t kLine = 64;
  const bool streams = stream && std::all_of(rows.out, rows.out + rows.count, [](const C* row) {
                         return reinterpret_cast<uintptr_t>(row) % kLine == 0;
                       });
  for (const auto& segment : table.segments) segment.run[streams](table, segment, rows);
}

#define TESELA_INSTANTIATE(C)                                  \
  template int64_t scratch_numbers(const HorizontalTable<C>&); \
  template void run_horizontal(const HorizontalTable<C>&, const HorizontalRows<C>&, bool);
TESELA_FOR_EACH_ARITHMETIC(TESELA_INSTANTIATE)
#undef TESELA_INSTANTIATE

}  // namespace tesela::cpu
