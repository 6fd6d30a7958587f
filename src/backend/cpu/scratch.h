// Memory of one task: handed out once, never given back before the task ends.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tesela::cpu {

inline constexpr int64_t kRowAlign = 16;  // numbers: rows begin at cache lines

inline int64_t round_to_rows(int64_t n) {
  return (n + kRowAlign - 1) / kRowAlign * kRowAlign;
}

/// Blocks begin at cache lines and are not initialised. Small ones come from the object itself: tiny calls do without
/// the heap.
class Scratch {
 public:
  template <class T>
  T* take(int64_t count) {
    const auto bytes = static_cast<size_t>(round_to_rows(count) * static_cast<int64_t>(sizeof(T)) + 64);
    if (used_ + bytes <= sizeof small_) {
      std::byte* at = small_ + used_;
      used_ += bytes;
      return reinterpret_cast<T*>(aligned(at));
    }
    large_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
    return reinterpret_cast<T*>(aligned(large_.back().get()));
  }

 private:
  static std::byte* aligned(std::byte* at) {
    return at + (64 - reinterpret_cast<uintptr_t>(at) % 64) % 64;
  }
  std::byte small_[8192];
  size_t used_ = 0;
  std::vector<std::unique_ptr<std::byte[]>> large_;
};

}  // namespace tesela::cpu
