// Memory of tensors and scratch. Large blocks begin at huge pages and are kept, once freed, for the next that need them:
// fresh pages would cost more than most runs take.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>
#include <utility>

namespace tesela {

/// Blocks of at least kPooled bytes that are free, at most `most_kept` bytes of them. For any threads.
class MemoryPool {
 public:
  static constexpr size_t kPooled = size_t{2} << 20;  // a huge page
  static constexpr size_t kMostKept = size_t{256} << 20;

  explicit MemoryPool(size_t most_kept = kMostKept) : most_kept_(most_kept) {}
  ~MemoryPool() { trim(0); }
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// The one that tensors use; it outlives them all.
  static MemoryPool& shared();

  struct Span {
    std::byte* data = nullptr;
    size_t bytes = 0;
  };
  /// At least so many bytes (not 0), from a page of kPooled bytes on. Throws std::bad_alloc.
  Span take(size_t bytes);
  void give_back(Span block) noexcept;

  /// Gives memory back to the system, what was freed first, until at most `keep` bytes are kept. Returns what is kept.
  size_t trim(size_t keep) noexcept;
  size_t kept_bytes() const;

 private:
  Span find(size_t bytes);
  std::list<Span> cut(size_t keep) noexcept;
  void hold_for_fork() { mutex_.lock(); }
  void go_on_after_fork() { mutex_.unlock(); }

  const size_t most_kept_;
  mutable std::mutex mutex_;
  std::list<Span> free_;  // what was freed last in front
  size_t kept_ = 0;       // bytes of free_
};

/// A block of memory, 64-byte aligned, not initialised; a large one is the shared pool's.
class Block {
 public:
  Block() = default;
  /// Throws std::bad_alloc.
  explicit Block(size_t bytes);
  Block(Block&& other) noexcept
      : memory_(std::exchange(other.memory_, {})), owned_(std::exchange(other.owned_, nullptr)) {}
  Block& operator=(Block&& other) noexcept {
    std::swap(memory_, other.memory_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~Block();

  std::byte* data() const { return memory_.data; }

 private:
  MemoryPool::Span memory_;
  void* owned_ = nullptr;  // of malloc, where memory_ is not the pool's
};

}  // namespace tesela
