// SPDX-License-Identifier: Apache-2.0
// Kernels of horizontal passes for the instruction set in use.
#pragma once

#include "backend/cpu/resize/horizontal_table.h"

namespace tesela::cpu {

template <class C>
struct HorizontalKernels {
  int64_t lanes = 0;                   // of the kernels' vectors
  int32_t most_taps_of_four = 0;       // for which lookups in four vectors are faster than transposing rows
  int32_t most_taps_of_four_held = 0;  // the same if four vectors contain the inputs of all taps
  using Run = typename HorizontalTable<C>::Segment::Run;
  /// The kernel of a block. stream: whole cache lines of the outputs may bypass the caches.
  Run (*choose)(const HorizontalTable<C>& table, size_t block, bool stream) = nullptr;
};
template <class C>
HorizontalKernels<C> horizontal_kernels();

/// The kernel for kTransposed; 16-bit numbers have none.
template <class C>
typename HorizontalTable<C>::Segment::Run transposed_kernel();

/// The kernel for kBytePairs with these numbers of outputs, bytes and pairs; null if the instruction set has none.
HorizontalKernels<int32_t>::Run byte_pairs_kernel(const BytePairs& pairs);

/// The kernel for kBytes; null if the instruction set has no vectors.
HorizontalKernels<int32_t>::Run bytes_kernel(int64_t pitch);

/// The kernel for kChannels.
template <class C>
typename HorizontalTable<C>::Segment::Run channels_kernel(int64_t channels, bool stream);

}  // namespace tesela::cpu
