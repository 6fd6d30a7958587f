// Tensors: a borrowed view, and the one owning type.
#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "types/shape.h"

namespace tesela {

/// One element of a string tensor; the bytes belong to somebody else.
struct StringRef {
  const char* data = nullptr;
  uint64_t size = 0;
  std::string_view view() const { return {data, size}; }
};
static_assert(sizeof(StringRef) == 16);

/// A borrowed tensor. `strides_bytes` empty means dense, row-major.
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

/// A borrowed tensor that may be written.
struct MutableTensorView {
  std::byte* data = nullptr;
  DataType type = DataType::kUndefined;
  Extents extents;
  Extents strides_bytes;
  int64_t bit_offset = 0;

  TensorView as_const() const { return {data, type, extents, strides_bytes, bit_offset}; }
};

/// The view led by axes of extent 1 until it has this rank; unchanged where it has as many already.
TensorView led_by_ones(TensorView view, size_t rank);

/// Byte strides of a dense row-major tensor of at least one byte per element.
Extents dense_strides(DataType type, std::span<const int64_t> extents);

/// Copies the elements of one tensor to another of the same type and extents, whatever their strides; not for packed
/// types. Strings still refer to the same bytes.
void copy_elements(const TensorView& from, const MutableTensorView& to);

/// A dense tensor that shares its storage: copies are cheap, and what the bytes live in (a heap block, a mapped
/// file, another tensor's strings) stays alive as long as any copy does.
class Tensor {
 public:
  Tensor() = default;

  /// Uninitialised elements (null references for strings), 64-byte aligned; of large ones the memory is the pool's.
  /// Errors: shape where the size does not fit int64; no_memory.
  static Result<Tensor> allocate(DataType type, Extents extents);

  /// A tensor over bytes that `keeper` keeps alive.
  static Tensor borrow(DataType type, Extents extents, const std::byte* data, std::shared_ptr<const void> keeper);

  /// A string tensor with its own copy of the bytes.
  static Result<Tensor> from_strings(Extents extents, std::span<const std::string_view> values);

  /// The same tensor with storage of its own, the bytes of strings included.
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

  /// Keeps `keeper` alive with this tensor: strings of an output borrow the input's bytes.
  void keep(std::shared_ptr<const void> keeper) { borrowed_.push_back(std::move(keeper)); }
  const std::shared_ptr<const void>& storage() const { return storage_; }

 private:
  DataType type_ = DataType::kUndefined;
  Extents extents_;
  const std::byte* data_ = nullptr;
  std::shared_ptr<const void> storage_;
  std::vector<std::shared_ptr<const void>> borrowed_;
};

}  // namespace tesela
