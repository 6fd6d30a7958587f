// Memory of one task: handed out once, never given back before the task ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
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
  explicit Scratch(std::span<std::byte> given) : given_(given) {}
  template <class T>
  T* take(int64_t count) {
    const auto bytes = static_cast<size_t>(round_to_rows(count) * static_cast<int64_t>(sizeof(T)) + 64);
    if (bytes <= given_.size()) return reinterpret_cast<T*>(aligned(cut(given_, bytes)));
    if (bytes <= small_.size()) return reinterpret_cast<T*>(aligned(cut(small_, bytes)));
    return reinterpret_cast<T*>(large_.emplace_back(bytes).data());
  }

 private:
  static std::byte* aligned(std::byte* at) {
    return at + (64 - reinterpret_cast<uintptr_t>(at) % 64) % 64;
  }
  static std::byte* cut(std::span<std::byte>& from, size_t bytes) {
    std::byte* at = from.data();
    from = from.subspan(bytes);
    return at;
  }
  std::byte own_[8192];
  std::span<std::byte> small_ = own_;
  std::span<std::byte> given_;
  std::vector<Block> large_;
};

}  // namespace tesela::cpu
