// SPDX-License-Identifier: Apache-2.0
// Tensors: a borrowed view, and the one owning type.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "types/shape.h"

namespace tesela {

/// One element of a string tensor; it does not own the bytes.
struct StringRef {
  const char* data = nullptr;
  uint64_t size = 0;
  std::string_view view() const { return {data, static_cast<size_t>(size)}; }
};
static_assert(sizeof(StringRef) == 16);

/// A view of a tensor. Empty `strides_bytes` means dense, row-major.
/// Packed types are always dense; their first element begins `bit_offset` bits into `data`.
struct TensorView {
  const std::byte* data = nullptr;
  DataType type = DataType::kUndefined;
  Extents extents;
  Extents strides_bytes;
  int64_t bit_offset = 0;

  template <class T>
  const T* as() const {
    return reinterpret_cast<const T*>(data);
  }
};

/// A writable view of a tensor.
struct MutableTensorView {
  std::byte* data = nullptr;
  DataType type = DataType::kUndefined;
  Extents extents;
  Extents strides_bytes;
  int64_t bit_offset = 0;

  TensorView as_const() const { return {data, type, extents, strides_bytes, bit_offset}; }
};

/// Pads the view's shape with leading axes of extent 1 up to this rank.
TensorView pad_rank(TensorView view, size_t rank);

/// Byte strides of a dense row-major tensor of at least one byte per element.
Extents dense_strides(DataType type, std::span<const int64_t> extents);

/// The strides of a view, also of one that says only that it is dense.
template <class View>
Extents strides_of(const View& view) {
  return view.strides_bytes.empty() ? dense_strides(view.type, view.extents) : view.strides_bytes;
}

/// Copies the elements of one tensor to another of the same type and extents, with any strides; not for packed types.
/// Strings still refer to the same bytes.
void copy_elements(const TensorView& from, const MutableTensorView& to);

/// A dense tensor that shares its storage: copies are cheap, and the storage (a heap block, a mapped file, another
/// tensor's strings) lives as long as any copy.
class Tensor {
 public:
  Tensor() = default;

  /// Uninitialised elements (null references for strings), 64-byte aligned; large tensors use the pool's memory.
  /// Errors: shape if the size does not fit int64; no_memory.
  static Result<Tensor> allocate(DataType type, Extents extents);

  /// A tensor over bytes that `owner` keeps alive.
  static Tensor borrow(DataType type, Extents extents, const std::byte* data, std::shared_ptr<const void> owner);

  /// A string tensor with its own copy of the bytes.
  static Result<Tensor> from_strings(Extents extents, std::span<const std::string_view> values);

  /// A copy with its own storage, including the bytes of strings.
  static Result<Tensor> copy_of(const TensorView& view);

  DataType type() const { return type_; }
  const Extents& extents() const { return extents_; }
  const std::byte* data() const { return data_; }
  std::byte* mutable_data() { return const_cast<std::byte*>(data_); }
  int64_t count() const { return product(extents_); }
  int64_t bytes() const;
  bool defined() const { return type_ != DataType::kUndefined; }

  template <class T>
  std::span<const T> as() const {
    return {reinterpret_cast<const T*>(data_), static_cast<size_t>(count())};
  }
  TensorView view() const { return {data_, type_, extents_, {}, 0}; }
  MutableTensorView mutable_view() { return {mutable_data(), type_, extents_, {}, 0}; }

  /// Keeps `owner` alive with this tensor: strings of an output borrow the input's bytes.
  void keep(std::shared_ptr<const void> owner) { borrowed_.push_back(std::move(owner)); }
  const std::shared_ptr<const void>& storage() const { return storage_; }

 private:
  DataType type_ = DataType::kUndefined;
  Extents extents_;
  const std::byte* data_ = nullptr;
  std::shared_ptr<const void> storage_;
  std::vector<std::shared_ptr<const void>> borrowed_;
};

}  // namespace tesela
