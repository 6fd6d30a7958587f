// Row kernels: weighted sums of whole rows, and conversions of a row between element and compute type.
#pragma once

#include <cstdint>

#include "types/data_type.h"

namespace tesela::cpu {

/// out[i] = sum of weights[k] * rows[k][i], k ascending, each product and sum rounded; then rounded to the output's
/// type. taps >= 1, no weight is zero. rows and out may be unaligned. weights: of the compute type.
/// stream: whole cache lines of the output bypass the caches; the caller fences.
struct RowBlend {
  const void* const* rows;
  const void* weights;
  int64_t taps;
  void* out;
  int64_t n;  // numbers: two for each complex element
  bool stream;
};
using BlendRowsFn = void (*)(const RowBlend&);
using ConvertRowFn = void (*)(const void* from, void* to, int64_t n);

/// The row kernels of one element type and its compute type.
struct RowKernels {
  BlendRowsFn element_to_element;
  BlendRowsFn element_to_compute;
  BlendRowsFn compute_to_element;
  BlendRowsFn compute_to_compute;
  ConvertRowFn widen;  // element to compute
  ConvertRowFn round;  // compute to element
};

/// type: a type that is computed with; complex types count as their parts' type. compute: of the plan.
RowKernels row_kernels(DataType type, ComputeType compute);

}  // namespace tesela::cpu
