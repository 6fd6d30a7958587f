// Row kernels: weighted sums of whole rows, and conversions of a row between element and compute type.
#pragma once

#include <cstdint>

#include "types/data_type.h"

namespace tesela::cpu {

/// outs[r][i] = sum of weights[r][k] * rows[k][i], k ascending, each product and sum rounded; then rounded to the
/// output's type. taps >= 1, no weight is zero. rows and outs may be unaligned; no output overlaps a row.
struct RowBlend {
  const void* const* rows;
  int64_t taps;
  const void* weights;    // of the compute type: [outputs, pitch]
  int64_t pitch;
  void* const* outs;
  int64_t outputs;        // that are sums of the same rows
  int64_t n;              // numbers: two for each complex element
  bool stream;            // whole cache lines of the outputs bypass the caches; the caller fences
  const void* const* ahead;  // rows that the next call reads, to be fetched on the way
  int64_t aheads;
  int32_t shift;             // of dyadic numbers: bits behind the point of a sum that becomes an element
};
/// Sums of overlapping windows, kSwept at a time: each row is loaded, and widened, once for all of them.
inline constexpr int64_t kSwept = 4;
struct RowSweep {
  const void* const* rows;  // of the first window's first to the last window's last
  int64_t count;            // of them
  const uint8_t* open;      // [count] which outputs take the row: first * kSwept + last
  const void* weights;      // of the compute type: [count, kSwept]; none that is used is zero
  void* const* outs;        // [kSwept]
  int64_t n;
  const void* const* ahead;  // as in RowBlend
  int64_t aheads;
  bool by_row;              // no row is taken by more than two outputs, and the rows come from memory
};
using SweepRowsFn = void (*)(const RowSweep&);
using BlendRowsFn = void (*)(const RowBlend&);
using ConvertRowFn = void (*)(const void* from, void* to, int64_t n, int32_t shift);

/// The row kernels of one element type and its compute type.
struct RowKernels {
  BlendRowsFn element_to_element;
  BlendRowsFn element_to_compute;
  BlendRowsFn compute_to_element;
  BlendRowsFn compute_to_compute;
  SweepRowsFn sweep_to_compute;  // from elements
  SweepRowsFn sweep_to_element;
  ConvertRowFn widen;  // element to compute
  ConvertRowFn round;  // compute to element
};

/// Of `available` outputs of the same rows, how many a call makes best.
inline int64_t outputs_together(int64_t taps, int64_t available) {
  if (taps == 2 && available >= 4) return 4;
  return (taps == 2 || taps == 4) && available >= 2 ? 2 : 1;
}

/// type: a type that is computed with; complex types count as their parts' type. compute: of the plan.
RowKernels row_kernels(DataType type, ComputeType compute);

/// The same of uint8 and int8 in numbers of 16 bits (shorts.h), which do not sweep.
RowKernels short_row_kernels(DataType type, bool is_fixed);

}  // namespace tesela::cpu
