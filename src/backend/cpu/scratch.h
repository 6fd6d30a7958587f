// SPDX-License-Identifier: Apache-2.0
// Arenas: memory that is allocated in sequence and freed at once, of a task or a program.
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

inline constexpr int64_t kRowAlign = 16;  // numbers; aligns rows to cache lines

inline int64_t round_to_rows(int64_t n) {
  return (n + kRowAlign - 1) / kRowAlign * kRowAlign;
}

/// Blocks are aligned to cache lines and not initialised.
class Arena {
 public:
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;

  template <class T>
  T* take(int64_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= kAlignment);
    const size_t bytes = (static_cast<size_t>(count) * sizeof(T) + kAlignment - 1) / kAlignment * kAlignment;
    if (bytes <= first_.size()) return reinterpret_cast<T*>(cut(first_, bytes));
    if (bytes <= second_.size()) return reinterpret_cast<T*>(cut(second_, bytes));
    return reinterpret_cast<T*>(take_large(bytes));
  }
  template <class T, class... Arguments>
  T* make(Arguments&&... arguments) {
    return ::new (static_cast<void*>(take<T>(1))) T(std::forward<Arguments>(arguments)...);
  }

 protected:
  static constexpr size_t kAlignment = 64;  // a cache line and the widest vector

  Arena(std::span<std::byte> first, std::span<std::byte> second) : first_(first), second_(second) {}
  ~Arena() = default;

  static std::byte* cut(std::span<std::byte>& from, size_t bytes) {
    std::byte* const at = from.data();
    from = from.subspan(bytes);
    return at;
  }

  std::span<std::byte> first_;

 private:
  virtual std::byte* take_large(size_t bytes) = 0;

  std::span<std::byte> second_;
};

/// Memory of one task: first the caller's, then an inline buffer for tiny calls, then blocks that the thread keeps from
/// task to task, so that runs allocate nothing. Scratches of one thread must be destroyed in reverse order.
class Scratch final : public Arena {
 public:
  explicit Scratch(std::span<std::byte> given = {}) : Arena(aligned(given), own_) {}
  ~Scratch() {
    if (marked_) release();
  }

  /// A position in the thread's kept memory.
  struct Mark {
    size_t block = 0;
    size_t used = 0;
  };

 private:
  static std::span<std::byte> aligned(std::span<std::byte> given) {
    const size_t skipped = (kAlignment - reinterpret_cast<uintptr_t>(given.data()) % kAlignment) % kAlignment;
    return skipped < given.size() ? given.subspan(skipped) : std::span<std::byte>();
  }
  std::byte* take_large(size_t bytes) override;
  void release();

  bool marked_ = false;
  Mark mark_;
  alignas(kAlignment) std::byte own_[8192];
};

/// Memory of a program, freed with it.
class KeptArena final : public Arena {
 public:
  KeptArena() : Arena({}, {}) {}

  /// Of its blocks.
  int64_t bytes() const { return bytes_; }

 private:
  static constexpr size_t kBlock = 1024;

  std::byte* take_block(size_t bytes) {
    bytes_ += static_cast<int64_t>(bytes);
    return blocks_.emplace_back(bytes).data();
  }
  std::byte* take_large(size_t bytes) override {
    if (bytes >= kBlock) return take_block(bytes);
    first_ = {take_block(kBlock), kBlock};
    return cut(first_, bytes);
  }

  std::vector<Block> blocks_;
  int64_t bytes_ = 0;
};

}  // namespace tesela::cpu
