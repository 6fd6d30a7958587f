// Extents of tensors, and the only place where sizes are multiplied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "types/data_type.h"
#include "types/status.h"

namespace tesela {

/// A vector of int64 that keeps up to eight entries without the heap, so that tiny calls stay tiny.
class Extents {
 public:
  Extents() = default;
  Extents(std::initializer_list<int64_t> values) { assign(values.begin(), values.size()); }
  Extents(const int64_t* values, size_t count) { assign(values, count); }
  explicit Extents(std::span<const int64_t> values) { assign(values.data(), values.size()); }
  Extents(size_t count, int64_t value) { resize(count, value); }
  Extents(const Extents& other) { assign(other.data(), other.size()); }
  Extents(Extents&& other) noexcept { *this = std::move(other); }
  Extents& operator=(const Extents& other) {
    if (this != &other) assign(other.data(), other.size());
    return *this;
  }
  Extents& operator=(Extents&& other) noexcept {
    if (this == &other) return *this;
    heap_ = std::move(other.heap_);
    capacity_ = std::exchange(other.capacity_, 0);
    size_ = std::exchange(other.size_, 0);
    if (!heap_)
      for (size_t i = 0; i < size_; ++i) inline_[i] = other.inline_[i];
    return *this;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  int64_t* data() { return heap_ ? heap_.get() : inline_; }
  const int64_t* data() const { return heap_ ? heap_.get() : inline_; }
  int64_t& operator[](size_t i) { return data()[i]; }
  int64_t operator[](size_t i) const { return data()[i]; }
  int64_t* begin() { return data(); }
  int64_t* end() { return data() + size_; }
  const int64_t* begin() const { return data(); }
  const int64_t* end() const { return data() + size_; }

  void resize(size_t count, int64_t value = 0) {
    reserve(count);
    for (size_t i = size_; i < count; ++i) data()[i] = value;
    size_ = count;
  }
  void push_back(int64_t value) { resize(size_ + 1, value); }

  friend bool operator==(const Extents& a, const Extents& b) {
    if (a.size_ != b.size_) return false;
    for (size_t i = 0; i < a.size_; ++i)
      if (a[i] != b[i]) return false;
    return true;
  }

 private:
  static constexpr size_t kInline = 8;

  void assign(const int64_t* values, size_t count) {
    size_ = 0;
    reserve(count);
    for (size_t i = 0; i < count; ++i) data()[i] = values[i];
    size_ = count;
  }
  void reserve(size_t count) {
    if (count <= (heap_ ? capacity_ : kInline)) return;
    const size_t capacity = count * 2;
    auto grown = std::make_unique<int64_t[]>(capacity);
    for (size_t i = 0; i < size_; ++i) grown[i] = data()[i];
    heap_ = std::move(grown);
    capacity_ = capacity;
  }

  size_t size_ = 0;
  size_t capacity_ = 0;  // of heap_
  int64_t inline_[kInline];
  std::unique_ptr<int64_t[]> heap_;
};

/// a * b, or empty where it does not fit.
inline std::optional<int64_t> checked_mul(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// a + b, or empty where it does not fit.
inline std::optional<int64_t> checked_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// Elements in a tensor; 0 if any extent is 0, whatever the others are.
/// Errors: shape if an extent is negative or the product does not fit int64.
Result<int64_t> element_count(std::span<const int64_t> extents);

/// Bytes of a dense tensor, packed types rounded up to whole bytes.
/// Errors: as element_count.
Result<int64_t> byte_count(DataType type, std::span<const int64_t> extents);

/// Product of extents whose product is known to fit.
int64_t product(std::span<const int64_t> extents);

/// "1x3x480x640", "scalar" for rank 0.
std::string shape_text(std::span<const int64_t> extents);

/// "[2, 3, 4]".
std::string list_text(std::span<const int64_t> values);

}  // namespace tesela
