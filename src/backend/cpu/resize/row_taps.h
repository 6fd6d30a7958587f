// SPDX-License-Identifier: Apache-2.0
// Kernels that add weighted rows to a row of partial sums.
#pragma once

#include <cstddef>
#include <cstdint>

#include "types/data_type.h"

namespace tesela::cpu {

/// sums[i] += weights[k] * rows[k][i], i < n, k ascending, each product and sum rounded; taps of weight zero are absent.
/// Row k begins k * pitch_bytes after `rows`. Rows and sums are aligned to their numbers, and no sum overlaps a row.
struct RowTaps {
  const double* weights = nullptr;
  int64_t taps = 0;
  const std::byte* rows = nullptr;
  int64_t pitch_bytes = 0;
  std::byte* sums = nullptr;
  int64_t n = 0;
};
using RowTapsFn = void (*)(const RowTaps&);

/// type: of the rows' elements, or for complex types of their parts. compute: of the sums.
RowTapsFn row_taps(DataType type, ComputeType compute);

}  // namespace tesela::cpu
