// SPDX-License-Identifier: Apache-2.0
// Iterates over the elements of a strided tensor.
#pragma once

#include "backend/watch.h"
#include "types/tensor.h"

namespace tesela::reference {

inline void spend(Watch* watch, int64_t products) {
  if (watch != nullptr) watch->spend(products);
}

/// Calls f(offset in bytes, index) for every element of a strided tensor, in row-major order.
template <class F>
void for_each_element(DataType type, const Extents& extents, const Extents& strides_bytes, Watch* watch, F&& f) {
  const Extents strides = strides_bytes.empty() ? dense_strides(type, extents) : strides_bytes;
  Extents index(extents.size(), 0);
  int64_t offset = 0;
  for (int64_t count = product(extents); count > 0; --count) {
    f(offset, index);
    spend(watch, 1);
    for (size_t d = extents.size(); d-- > 0;) {
      offset += strides[d];
      if (++index[d] < extents[d]) break;
      offset -= strides[d] * extents[d];
      index[d] = 0;
    }
  }
}

/// Calls f(offset in bytes).
template <class F>
void for_each_offset(DataType type, const Extents& extents, const Extents& strides_bytes, Watch* watch, F&& f) {
  for_each_element(type, extents, strides_bytes, watch, [&f](int64_t offset, const Extents&) { f(offset); });
}

}  // namespace tesela::reference
