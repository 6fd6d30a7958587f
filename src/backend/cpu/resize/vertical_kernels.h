// SPDX-License-Identifier: Apache-2.0
// Kernels of vertical passes: weighted sums of whole rows, and row conversions between elements and numbers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "backend/cpu/resize/arithmetic.h"
#include "types/data_type.h"

namespace tesela::cpu {

/// outs[r][i] = sum of weights[r][k] * rows[k][i], k ascending, each product and sum rounded; then rounded to the
/// output's type. taps >= 1, no weight is zero. rows and outs may be unaligned; no output overlaps a row.
struct VerticalSum {
  const void* const* rows = nullptr;
  int64_t taps = 0;
  const void* weights = nullptr;  // of the compute type: [outputs, pitch]
  int64_t pitch = 0;
  void* const* outs = nullptr;
  int64_t outputs = 1;                      // sums of the same rows
  bool steps = false;                       // the second half of the outputs are sums of the rows from rows[1] on
  int64_t n = 0;                            // numbers: two for each complex element
  bool stream = false;                      // whole cache lines of the outputs bypass the caches; the caller fences
  bool leaves_l2 = false;                   // the outputs of the whole run exceed the L2 cache
  const void* const* prefetched = nullptr;  // rows that the next call reads
  int64_t prefetches = 0;
  Rounding rounding;  // as in to_element
};

using VerticalSumFn = void (*)(const VerticalSum&);

/// Rows of elements to be converted to numbers, each followed by zeros up to `padded` numbers.
struct Widening {
  const std::byte* from = nullptr;
  int64_t stride = 0;  // bytes from one row to the next
  int64_t count = 1;
  void* to = nullptr;
  int64_t pitch = 0;  // numbers from one row to the next
  int64_t n = 0;      // of a row
  int64_t padded = 0;
};

using WidenFn = void (*)(const Widening&);
using RoundRowFn = void (*)(const void* from, void* to, int64_t n, const Rounding& rounding);

/// Combinations of taps and outputs with kernels of their own.
enum class VerticalShape : uint8_t {
  kAny,
  kOneTap,
  kTwoTaps,
  kFourTaps,
  kTwoTapsTwice,
  kTwoTapsFourTimes,
  kTwoTapsTwiceTwice,  // `steps`; null on instruction sets with few registers
  kFourTapsTwice
};
inline constexpr size_t kVerticalShapes = 8;

inline VerticalShape shape_of(int64_t taps, int64_t outputs) {
  using enum VerticalShape;
  constexpr int64_t kTaps = 5;
  static constexpr VerticalShape kShapes[][kTaps] = {
      {kAny, kAny, kAny, kAny, kAny},
      {kAny, kOneTap, kTwoTaps, kAny, kFourTaps},
      {kAny, kAny, kTwoTapsTwice, kAny, kFourTapsTwice},
      {kAny, kAny, kAny, kAny, kAny},
      {kAny, kAny, kTwoTapsFourTimes, kAny, kAny},
  };
  return taps < kTaps ? kShapes[outputs][taps] : kAny;
}

/// The kernels of an element type and its compute type. Null: rows are converted separately.
struct VerticalKernels {
  VerticalSumFn sum[2][2][kVerticalShapes];  // [from numbers, not elements][to elements, not numbers]
  WidenFn widen;                             // elements to numbers
  RoundRowFn round;                          // numbers to elements
};

/// The best number of outputs per call, of `available` outputs with the same rows.
inline int64_t outputs_per_call(int64_t taps, int64_t available) {
  if (taps == 2 && available >= 4) return 4;
  return (taps == 2 || taps == 4) && available >= 2 ? 2 : 1;
}

/// type: a type that interpolation supports; for complex types, that of their parts. compute: the plan's.
const VerticalKernels& vertical_kernels(DataType type, ComputeType compute);

/// The same for uint8 and int8 in integers. arithmetic: kPowerOfTwo or kFixedPoint.
const VerticalKernels& vertical_kernels_of_integers(DataType type, Arithmetic arithmetic);

}  // namespace tesela::cpu
