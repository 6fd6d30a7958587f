// SPDX-License-Identifier: Apache-2.0
// A vector with inline storage for its first entries, so that small calls allocate nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

namespace tesela {

/// Like std::vector, for lists that are nearly always short: more than `kInline` entries go to the heap.
template <class T, size_t kInline>
class SmallVector {
 public:
  using value_type = T;

  SmallVector() noexcept {}
  SmallVector(std::initializer_list<T> values) { append(values.begin(), values.size()); }
  SmallVector(const T* values, size_t count) { append(values, count); }
  explicit SmallVector(std::span<const T> values) { append(values.data(), values.size()); }
  explicit SmallVector(size_t count) { resize(count); }
  SmallVector(size_t count, const T& value) { resize(count, value); }
  SmallVector(const SmallVector& other) { append(other.data_, other.size_); }
  SmallVector(SmallVector&& other) noexcept { take(other); }
  SmallVector& operator=(const SmallVector& other) {
    if (this == &other) return *this;
    clear();
    append(other.data_, other.size_);
    return *this;
  }
  SmallVector& operator=(SmallVector&& other) noexcept {
    if (this == &other) return *this;
    release();
    take(other);
    return *this;
  }
  ~SmallVector() { release(); }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  T* data() { return data_; }
  const T* data() const { return data_; }
  T& operator[](size_t i) { return data_[i]; }
  const T& operator[](size_t i) const { return data_[i]; }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }
  T& front() { return data_[0]; }
  const T& front() const { return data_[0]; }
  T& back() { return data_[size_ - 1]; }
  const T& back() const { return data_[size_ - 1]; }

  void clear() {
    std::destroy_n(data_, size_);
    size_ = 0;
  }
  void reserve(size_t count) {
    if (count > capacity_) grow(count);
  }
  void resize(size_t count) {
    resize_by(count, [](T* at) { std::construct_at(at); });
  }
  void resize(size_t count, const T& value) {
    resize_by(count, [&value](T* at) { std::construct_at(at, value); });
  }
  void assign(size_t count, const T& value) {
    clear();
    resize(count, value);
  }
  /// A default-initialised entry, as in `T entry;`: aggregates are not zeroed.
  T& emplace_back() {
    if (size_ == capacity_) grow(size_ + 1);
    return *::new (static_cast<void*>(data_ + size_++)) T;
  }
  void push_back(const T& value) {
    if (size_ < capacity_) {
      std::construct_at(data_ + size_++, value);
    } else {
      push_back(T(value));  // `value` may be an entry of this vector
    }
  }
  void push_back(T&& value) {
    if (size_ < capacity_) {
      std::construct_at(data_ + size_++, std::move(value));
    } else {
      T kept(std::move(value));
      grow(size_ + 1);
      std::construct_at(data_ + size_++, std::move(kept));
    }
  }
  void pop_back() { std::destroy_at(data_ + --size_); }
  /// values: must not be entries of this vector.
  void append(const T* values, size_t count) {
    reserve(size_ + count);
    for (size_t i = 0; i < count; ++i) std::construct_at(data_ + size_ + i, values[i]);
    size_ += count;
  }

  friend bool operator==(const SmallVector& a, const SmallVector& b) {
    if (a.size_ != b.size_) return false;
    for (size_t i = 0; i < a.size_; ++i)
      if (!(a.data_[i] == b.data_[i])) return false;
    return true;
  }

 private:
  static_assert(std::is_nothrow_move_constructible_v<T>);

  T* own() { return reinterpret_cast<T*>(inline_); }

  template <class Construct>
  void resize_by(size_t count, Construct construct) {
    reserve(count);
    for (size_t i = size_; i < count; ++i) construct(data_ + i);
    if (count < size_) std::destroy(data_ + count, data_ + size_);
    size_ = count;
  }
  [[gnu::noinline]] void grow(size_t count) {
    const size_t capacity = std::max(count, 2 * capacity_);
    T* const grown = std::allocator<T>().allocate(capacity);
    for (size_t i = 0; i < size_; ++i) {
      std::construct_at(grown + i, std::move(data_[i]));
      std::destroy_at(data_ + i);
    }
    if (data_ != own()) std::allocator<T>().deallocate(data_, capacity_);
    data_ = grown;
    capacity_ = capacity;
  }
  // Requires an empty vector without a heap block.
  void take(SmallVector& other) {
    if (other.data_ == other.own()) {
      for (size_t i = 0; i < other.size_; ++i) std::construct_at(data_ + i, std::move(other.data_[i]));
      size_ = other.size_;
      other.clear();
      return;
    }
    data_ = std::exchange(other.data_, other.own());
    capacity_ = std::exchange(other.capacity_, kInline);
    size_ = std::exchange(other.size_, 0);
  }
  void release() {
    clear();
    if (data_ == own()) return;
    std::allocator<T>().deallocate(data_, capacity_);
    data_ = own();
    capacity_ = kInline;
  }

  T* data_ = own();
  size_t size_ = 0;
  size_t capacity_ = kInline;
  alignas(T) std::byte inline_[kInline * sizeof(T)];
};

}  // namespace tesela
