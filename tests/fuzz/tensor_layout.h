// SPDX-License-Identifier: Apache-2.0
// Layouts of tensors in memory: strides of any sign, gaps, overlap, misaligned and bit positions.
#pragma once

#include "fuzz/guarded_arena.h"
#include "fuzz/input.h"
#include "types/tensor.h"

namespace tesela::testing {

struct TensorLayout {
  Extents strides;  // empty: dense
  int64_t bit_offset = 0;
  int64_t before = 0;  // bytes before the first element
  int64_t bytes = 0;   // of the whole tensor
  int64_t shift = 0;   // of its place in an arena
  bool at_end = true;

  MutableTensorView place(GuardedArena& arena, DataType type, const Extents& extents) const {
    return {arena.place(bytes, shift, at_end) + before, type, extents, strides, bit_offset};
  }
};

/// may_overlap: elements may share bytes, as those of an input may.
TensorLayout draw_layout(Input& input, DataType type, const Extents& extents, bool may_overlap);

/// Fills the elements of a dense tensor from a seed: any bits, ordinary numbers, or ordinary and special ones.
void fill_elements(DataType type, uint64_t seed, std::byte* data, int64_t bytes);

/// Whether dense elements have the same bits, or are NaN on both sides. Not for packed types and strings.
bool equal_or_nan(DataType type, const std::byte* a, const std::byte* b, int64_t bytes);

/// A view for the C interface, valid as long as `view`.
template <class View>
tesela_tensor c_tensor(const View& view) {
  return {const_cast<std::byte*>(view.data),
          static_cast<tesela_dtype>(view.type),
          static_cast<int32_t>(view.extents.size()),
          view.extents.data(),
          view.strides_bytes.empty() ? nullptr : view.strides_bytes.data(),
          view.bit_offset};
}

}  // namespace tesela::testing
