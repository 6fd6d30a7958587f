// Memory of one task, handed out in one direction and given back at once when the task ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "types/memory_pool.h"

namespace tesela::cpu {

inline constexpr int64_t kRowAlign = 16;  // numbers: rows begin at cache lines

inline int64_t round_to_rows(int64_t n) {
  return (n + kRowAlign - 1) / kRowAlign * kRowAlign;
}

/// Blocks begin at cache lines and are not initialised. They come from the caller's memory as long as it lasts, small
/// ones from the object itself, so that tiny calls do without the heap.
class Scratch {
 public:
  explicit Scratch(std::span<std::byte> given = {}) {
    const size_t skipped = (kAlignment - reinterpret_cast<uintptr_t>(given.data()) % kAlignment) % kAlignment;
    if (skipped < given.size()) given_ = given.subspan(skipped);
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  template <class T>
  T* take(int64_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlignment);
    const size_t bytes = (static_cast<size_t>(count) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes <= given_.size()) return reinterpret_cast<T*>(cut(given_, bytes));
    if (bytes <= small_.size()) return reinterpret_cast<T*>(cut(small_, bytes));
    return reinterpret_cast<T*>(large_.emplace_back(bytes).data());
  }
  template <class T, class... Arguments>
  T* make(Arguments&&... arguments) {
    return ::new (static_cast<void*>(take<T>(1))) T(std::forward<Arguments>(arguments)...);
  }

 private:
  static constexpr size_t kAlignment = 64;  // a cache line, and the widest vector

  static std::byte* cut(std::span<std::byte>& from, size_t bytes) {
    std::byte* const at = from.data();
    from = from.subspan(bytes);
    return at;
  }

  std::span<std::byte> given_;
  std::span<std::byte> small_ = own_;
  std::vector<Block> large_;
  alignas(kAlignment) std::byte own_[8192];
};

}  // namespace tesela::cpu
