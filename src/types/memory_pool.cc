// SPDX-License-Identifier: Apache-2.0
// Large blocks: aligned to huge pages, and kept when freed.
#include "types/memory_pool.h"

#include <pthread.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>
#include <new>

#include "types/out_of_memory.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace tesela {
namespace {

constexpr size_t kAlignment = 64;  // of small blocks: a cache line and the widest vector

size_t round_up(size_t bytes, size_t unit) {
  if (bytes > SIZE_MAX - 2 * unit) throw OutOfMemory(bytes);
  return (bytes + unit - 1) / unit * unit;
}

// Address sanitizers report uses of free blocks.
void forbid([[maybe_unused]] MemoryPool::Span block) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_poison_memory_region(block.data, block.bytes);
#endif
}
void allow([[maybe_unused]] MemoryPool::Span block) {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(block.data, block.bytes);
#endif
}

MemoryPool::Span map_block(size_t bytes) {
  constexpr size_t kPage = MemoryPool::kPooled;
  // Maps one huge page more than needed, and unmaps what surrounds the aligned block.
  void* const mapped = mmap(nullptr, bytes + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw OutOfMemory(bytes);
  auto* const begin = static_cast<std::byte*>(mapped);
  const size_t before = (kPage - reinterpret_cast<uintptr_t>(begin) % kPage) % kPage;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + bytes, kPage - before);
#if defined(MADV_HUGEPAGE)
  // Only advice: small pages work, too.
  static_cast<void>(madvise(begin + before, bytes, MADV_HUGEPAGE));
#endif
  return {begin + before, bytes};
}

void unmap_block(MemoryPool::Span block) {
  munmap(block.data, block.bytes);
}

}  // namespace

MemoryPool& MemoryPool::shared() {
  // Never destroyed: tensors may be freed later than any static object. The fork handlers keep a child from inheriting
  // a lock that another thread holds.
  static MemoryPool& pool = *[] {
    auto* const made = new MemoryPool();
    pthread_atfork([] { shared().hold_for_fork(); }, [] { shared().go_on_after_fork(); },
                   [] { shared().go_on_after_fork(); });
    return made;
  }();
  return pool;
}

// Created when the library is loaded: after a fork during another thread's first use it would be half created.
[[maybe_unused]] static MemoryPool& made_early = MemoryPool::shared();

MemoryPool::Span MemoryPool::take(size_t bytes) {
  bytes = round_up(bytes, kPooled);
  if (const Span kept = find(bytes); kept.data != nullptr) {
    allow(kept);
    return kept;
  }
  try {
    return map_block(bytes);
  } catch (const std::bad_alloc&) {
    // Frees the kept blocks and tries again.
    trim(0);
    return map_block(bytes);
  }
}

// The smallest free block of at least `bytes`, unless it is much larger and would waste memory.
MemoryPool::Span MemoryPool::find(size_t bytes) {
  const size_t most = bytes + bytes / 4;
  const std::lock_guard lock(mutex_);
  auto best = free_.end();
  for (auto block = free_.begin(); block != free_.end(); ++block)
    if (block->bytes >= bytes && block->bytes <= most && (best == free_.end() || block->bytes < best->bytes))
      best = block;
  if (best == free_.end()) return {};
  const Span found = *best;
  kept_ -= found.bytes;
  free_.erase(best);
  return found;
}

void MemoryPool::give_back(Span block) noexcept {
  std::list<Span> entry;
  try {
    if (block.bytes <= most_kept_) entry.push_back(block);
  } catch (const std::bad_alloc&) {
  }
  if (entry.empty()) return unmap_block(block);
  forbid(block);
  std::list<Span> surplus;
  {
    const std::lock_guard lock(mutex_);
    free_.splice(free_.begin(), entry);
    kept_ += block.bytes;
    surplus = cut(most_kept_);
  }
  for (const Span old : surplus) {
    allow(old);
    unmap_block(old);
  }
}

// Requires the lock. The caller unmaps the blocks without it.
std::list<MemoryPool::Span> MemoryPool::cut(size_t keep) noexcept {
  std::list<Span> surplus;
  while (kept_ > keep) {
    kept_ -= free_.back().bytes;
    surplus.splice(surplus.begin(), free_, std::prev(free_.end()));
  }
  return surplus;
}

size_t MemoryPool::trim(size_t keep) noexcept {
  std::list<Span> surplus;
  size_t kept = 0;
  {
    const std::lock_guard lock(mutex_);
    surplus = cut(keep);
    kept = kept_;
  }
  for (const Span old : surplus) {
    allow(old);
    unmap_block(old);
  }
  return kept;
}

size_t MemoryPool::kept_bytes() const {
  const std::lock_guard lock(mutex_);
  return kept_;
}

Block::Block(size_t bytes) {
  if (bytes >= MemoryPool::kPooled) {
    memory_ = MemoryPool::shared().take(bytes);
    return;
  }
  // Aligned here: glibc before 2.38 does not reuse freed aligned allocations, so memory would grow with every run.
  owned_ = std::malloc(bytes + kAlignment);
  if (owned_ == nullptr) throw OutOfMemory(bytes);
  const auto begin = reinterpret_cast<uintptr_t>(owned_);
  memory_ = {static_cast<std::byte*>(owned_) + (round_up(begin, kAlignment) - begin), bytes};
}

Block::~Block() {
  if (memory_.data == nullptr) return;
  if (memory_.bytes >= MemoryPool::kPooled)
    MemoryPool::shared().give_back(memory_);
  else
    std::free(owned_);
}

}  // namespace tesela
