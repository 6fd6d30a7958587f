// SPDX-License-Identifier: Apache-2.0
// The memory layout of a box's rows.
#include "backend/cpu/resize/box_rows.h"

#include "backend/cpu/caches.h"
#include "backend/cpu/tuning.h"
#include "types/elements.h"

namespace tesela::cpu {

BoxRows::BoxRows(const Plan& plan, const Layout& layout, const BoxRun& run)
    : in_strides(strides_of(run.input)),
      out_strides(strides_of(run.output)),
      in_numbers(parts_of(plan.type)),
      out_numbers(in_numbers) {
  for (size_t d = layout.row_axis; d < plan.in.size(); ++d) {
    in_numbers *= run.input.extents[d];
    out_numbers *= run.output.extents[d];
  }
  in_row_bytes = in_numbers * layout.element_bytes;
  if (layout.has_horizontal)
    in_lo_bytes = in_row_bytes / run.input.extents[layout.row_axis] * run.input_lo[layout.row_axis];
  if (run.input.strides_bytes.empty()) {
    in_end = run.input.data + in_row_bytes;
    for (size_t d = 0; d < layout.row_axis; ++d) in_end += (run.input.extents[d] - 1) * in_strides[d];
  }
  const int64_t bits = element_bits(plan.type);
  prefetches = product(run.input.extents) > kPrefetchedInput * 8 / bits;
  // Beyond the last-level cache memory is slower than sums, so prefetching costs nothing.
  const int64_t all = product(plan.in);
  leaves_l2 = exceeds_l2_cache(product(plan.out) * bits / 8);
  from_memory = all > kPrefetchedInput * 8 / bits && all > last_level_cache_bytes() / 2 * 8 / bits;
}

}  // namespace tesela::cpu
