// Kernels of horizontal passes on the instruction set in use.
#pragma once

#include "backend/cpu/resize/horizontal_table.h"

namespace tesela::cpu {

template <class C>
struct HorizontalKernels {
  int64_t lanes = 0;  // of the vectors that they work on
  using Run = typename HorizontalTable<C>::Segment::Run;
  /// The kernel of a block. stream: whole cache lines of the outputs may bypass the caches.
  Run (*choose)(const HorizontalTable<C>& table, size_t block, bool stream) = nullptr;
};
template <class C>
HorizontalKernels<C> horizontal_kernels();

/// The kernel of kTransposed, which 16-bit numbers do not have.
template <class C>
typename HorizontalTable<C>::Segment::Run transposed_kernel();

}  // namespace tesela::cpu
