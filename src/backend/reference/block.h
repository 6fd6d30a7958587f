// SPDX-License-Identifier: Apache-2.0
// Numbers between the elements of an input and those of an output: loaded, rounded and stored.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "backend/reference/strided.h"
#include "types/elements.h"

namespace tesela::reference {

/// A dense intermediate: values of the compute type, with the parts of complex numbers as an additional inner axis.
template <class C>
struct Block {
  Extents extents;
  int64_t parts;
  std::vector<C> values;
};

template <class C>
Block<C> load_block(const TensorView& view, Watch* watch) {
  Block<C> block{view.extents, parts_of(view.type), {}};
  block.values.reserve(static_cast<size_t>(product(view.extents) * block.parts));
  visit_computed(view.type, [&](auto stored) {
    using T = typename decltype(stored)::Type;
    for_each_offset(view.type, view.extents, view.strides_bytes, watch, [&](int64_t offset) {
      for (int64_t part = 0; part < block.parts; ++part) {
        T value;
        std::memcpy(&value, view.data + offset + part * static_cast<int64_t>(sizeof(T)), sizeof value);
        block.values.push_back(load_as<C>(value));
      }
    });
  });
  return block;
}

/// Rounds the block into the output.
template <class C>
void store_block(const Block<C>& block, const MutableTensorView& view, Watch* watch) {
  const C* from = block.values.data();
  visit_computed(view.type, [&](auto stored) {
    using T = typename decltype(stored)::Type;
    for_each_offset(view.type, view.extents, view.strides_bytes, watch, [&](int64_t offset) {
      for (int64_t part = 0; part < block.parts; ++part) {
        const T value = store_as<T>(*from++);
        std::memcpy(view.data + offset + part * static_cast<int64_t>(sizeof(T)), &value, sizeof value);
      }
    });
  });
}

/// Rounds the sums of a fixed-point pass, halves up, to elements of 8 bits.
template <class C>
void round_sums(Block<C>& block, DataType type) {
  const double lowest = type == DataType::kInt8 ? -128 : 0;
  for (C& value : block.values)
    value = static_cast<C>(std::clamp(std::floor(static_cast<double>(value) + 0.5), lowest, lowest + 255));
}

}  // namespace tesela::reference
