// SPDX-License-Identifier: Apache-2.0
// Tensors in memory: any layout, any alignment.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "digests/case.h"
#include "tesela/tesela.h"

namespace tesela::digests {

/// Memory of a tensor, with strides unless it is dense.
class Memory {
 public:
  /// Uninitialised elements. alignment: bytes after a multiple of 64; tensors of strings stay aligned.
  Memory(DataType type, std::vector<int64_t> extents, Layout layout, int alignment, int64_t bit_offset, uint64_t seed);

  /// Elements as in make_elements.
  void fill(const std::vector<std::byte>& elements);
  std::vector<std::byte> elements() const;

  /// A view, valid as long as this.
  tesela_tensor view();
  /// A view of a box; not for packed types. strides: of every axis, written.
  tesela_tensor view_of(const std::vector<int64_t>& lo, const std::vector<int64_t>& extents,
                        std::vector<int64_t>& strides);
  /// Copies a box of `whole` here, or this into a box of it.
  void read_box(const Memory& whole, const std::vector<int64_t>& lo);
  void write_box(Memory& whole, const std::vector<int64_t>& lo) const;

  bool is_aligned() const { return reinterpret_cast<uintptr_t>(data_) % 64 == 0; }

 private:
  template <class F>
  void for_each(F&& f) const;  // f(index) for each index in row-major order
  void get(const std::vector<int64_t>& index, std::byte* element) const;
  void set(const std::vector<int64_t>& index, const std::byte* element);
  int64_t offset_of(const std::vector<int64_t>& index) const;
  int64_t position_of(const std::vector<int64_t>& index) const;

  DataType type_;
  std::vector<int64_t> extents_;
  std::vector<int64_t> strides_;  // bytes; of a dense tensor, too, but not of a packed one
  bool dense_;
  int64_t bit_offset_ = 0;  // in bits
  size_t element_bytes_;
  std::vector<std::byte> bytes_;
  std::byte* data_ = nullptr;
};

}  // namespace tesela::digests
