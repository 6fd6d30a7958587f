// Large blocks: mapped at huge pages, kept while they are free.
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

constexpr size_t kAlignment = 64;  // of small blocks: a cache line, and the widest vector

size_t round_up(size_t bytes, size_t unit) {
  if (bytes > SIZE_MAX - 2 * unit) throw OutOfMemory(bytes);
  return (bytes + unit - 1) / unit * unit;
}

// Memory that is kept belongs to nobody: address sanitizers report who still uses it.
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
  // One page more than is needed holds an aligned block somewhere; what is around it goes back at once.
  void* const mapped = mmap(nullptr, bytes + kPage, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) throw OutOfMemory(bytes);
  auto* const begin = static_cast<std::byte*>(mapped);
  const size_t before = (kPage - reinterpret_cast<uintptr_t>(begin) % kPage) % kPage;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + bytes, kPage - before);
#if defined(MADV_HUGEPAGE)
  // Advice: where the system has no huge pages, small ones do.
  static_cast<void>(madvise(begin + before, bytes, MADV_HUGEPAGE));
#endif
  return {begin + before, bytes};
}

void unmap_block(MemoryPool::Span block) {
  munmap(block.data, block.bytes);
}

}  // namespace

MemoryPool& MemoryPool::shared() {
  // Never destroyed: tensors may be, later than anything here. A fork while another thread holds the lock would leave it
  // locked for ever in the child.
  static MemoryPool& pool = *[] {
    auto* const made = new MemoryPool();
    pthread_atfork([] { shared().hold_for_fork(); }, [] { shared().go_on_after_fork(); },
                   [] { shared().go_on_after_fork(); });
    return made;
  }();
  return pool;
}

// Made when the library is loaded: a fork while another thread is at its first use would leave it half made in the child.
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
    // What is kept may be what is missing.
    trim(0);
    return map_block(bytes);
  }
}

// The smallest free block that holds so many bytes; none that is much larger, which would waste what it has more.
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

// Under the lock. The system is called without it.
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
  // Aligned here: glibc before 2.38 does not reuse what its aligned allocations have freed, and grows with every run.
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
