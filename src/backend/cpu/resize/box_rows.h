// SPDX-License-Identifier: Apache-2.0
// The memory layout of a box's rows.
#pragma once

#include "backend/cpu/resize/program.h"

namespace tesela::cpu {

struct BoxRows {
  BoxRows(const Plan& plan, const Layout& layout, const BoxRun& run);

  Extents in_strides, out_strides;  // bytes
  int64_t in_numbers, out_numbers;  // per row
  int64_t in_row_bytes;
  int64_t in_lo_bytes = 0;            // from the beginning of the horizontal axis to the rows'
  const std::byte* in_end = nullptr;  // end of the input box's memory, if it is contiguous
  bool prefetches;                    // rows of the source, since they exceed the L2 cache
  bool from_memory;                   // the input exceeds half of the last-level cache
  bool leaves_l2;                     // the output exceeds the L2 cache
};

}  // namespace tesela::cpu
