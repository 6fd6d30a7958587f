// SPDX-License-Identifier: Apache-2.0
// Memory of tensors and scratch. Large blocks are aligned to huge pages and kept for reuse when freed: page faults of
// new memory take longer than most runs.
#pragma once

#include <cstddef>
#include <list>
#include <mutex>

#include "types/block.h"

namespace tesela {

/// Free blocks of at least kPooled bytes, up to `most_kept` bytes in total. Thread-safe.
class MemoryPool {
 public:
  static constexpr size_t kPooled = size_t{2} << 20;  // a huge page
  static constexpr size_t kMaxKept = size_t{256} << 20;

  explicit MemoryPool(size_t most_kept = kMaxKept) : most_kept_(most_kept) {}
  ~MemoryPool() { trim(0); }
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  /// The pool that tensors use; it outlives them all.
  static MemoryPool& shared();

  using Span = MemorySpan;
  /// A block of at least `bytes` bytes (not 0), aligned to kPooled. Throws std::bad_alloc.
  Span take(size_t bytes);
  void give_back(Span block) noexcept;

  /// Unmaps the blocks that were freed first, until at most `keep` bytes are kept. Returns the kept bytes.
  size_t trim(size_t keep) noexcept;
  size_t kept_bytes() const;

 private:
  Span find(size_t bytes);
  std::list<Span> cut(size_t keep) noexcept;
  void hold_for_fork() { mutex_.lock(); }
  void go_on_after_fork() { mutex_.unlock(); }

  const size_t most_kept_;
  mutable std::mutex mutex_;
  std::list<Span> free_;  // the last freed block first
  size_t kept_ = 0;       // bytes of free_
};

}  // namespace tesela
