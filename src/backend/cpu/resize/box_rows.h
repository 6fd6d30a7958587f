// How the rows of a box lie.
#pragma once

#include "backend/cpu/resize/program.h"

namespace tesela::cpu {

struct BoxRows {
  BoxRows(const Plan& plan, const Layout& layout, const BoxRun& run);

  Extents in_strides, out_strides;  // bytes
  int64_t in_numbers, out_numbers;  // of a row
  int64_t in_row_bytes;
  const std::byte* in_end = nullptr;  // of the memory that holds the box of the input, where it has no gaps
  bool prefetches;                    // rows of the source, since they come from beyond the L2 cache
  bool prefetches_windows;            // all rows of the next windows, not only those of the next output
};

}  // namespace tesela::cpu
