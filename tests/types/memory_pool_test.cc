// SPDX-License-Identifier: Apache-2.0
// Memory reused between large tensors: alignment, reuse, limits, and threads.
#include "types/memory_pool.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#include "types/tensor.h"

namespace tesela {
namespace {

constexpr size_t kPage = MemoryPool::kPooled;

TEST(MemoryPool, BlocksAreHugePageAlignedAndLargeEnough) {
  MemoryPool pool;
  for (const size_t bytes : {size_t{1}, kPage, kPage + 1, 5 * kPage - 1}) {
    const MemoryPool::Span block = pool.take(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block.data) % kPage, 0u);
    EXPECT_GE(block.bytes, bytes);
    EXPECT_LT(block.bytes, bytes + kPage);
    std::memset(block.data, 1, block.bytes);
    pool.give_back(block);
  }
}

TEST(MemoryPool, ReusesReturnedBlock) {
  MemoryPool pool;
  const MemoryPool::Span first = pool.take(8 * kPage);
  pool.give_back(first);
  EXPECT_EQ(pool.kept_bytes(), 8 * kPage);
  const MemoryPool::Span again = pool.take(7 * kPage);  // slightly smaller
  EXPECT_EQ(again.data, first.data);
  EXPECT_EQ(again.bytes, 8 * kPage);
  EXPECT_EQ(pool.kept_bytes(), 0u);
  pool.give_back(again);
  const MemoryPool::Span small = pool.take(kPage);  // would waste seven pages
  EXPECT_NE(small.data, first.data);
  EXPECT_EQ(pool.kept_bytes(), 8 * kPage);
  pool.give_back(small);
}

TEST(MemoryPool, TakesSmallestFittingBlock) {
  MemoryPool pool;
  const MemoryPool::Span large = pool.take(10 * kPage);
  const MemoryPool::Span small = pool.take(9 * kPage);
  pool.give_back(small);
  pool.give_back(large);
  const MemoryPool::Span fitting = pool.take(9 * kPage);
  EXPECT_EQ(fitting.data, small.data);
  pool.give_back(fitting);
}

TEST(MemoryPool, EvictsOldestBlocksBeyondLimit) {
  MemoryPool pool(4 * kPage);
  std::vector<MemoryPool::Span> blocks;
  for (int i = 0; i < 6; ++i) blocks.push_back(pool.take(kPage));
  for (const MemoryPool::Span block : blocks) pool.give_back(block);
  EXPECT_EQ(pool.kept_bytes(), 4 * kPage);
  const MemoryPool::Span newest = pool.take(kPage);
  EXPECT_EQ(newest.data, blocks.back().data);
  pool.give_back(newest);
  pool.give_back(pool.take(5 * kPage));  // larger than the limit by itself
  EXPECT_EQ(pool.kept_bytes(), 4 * kPage);
}

TEST(MemoryPool, TrimKeepsAtMostGivenBytes) {
  MemoryPool pool;
  std::vector<MemoryPool::Span> blocks;
  for (int i = 0; i < 5; ++i) blocks.push_back(pool.take(kPage));
  for (const MemoryPool::Span block : blocks) pool.give_back(block);
  EXPECT_EQ(pool.trim(3 * kPage), 3 * kPage);
  EXPECT_EQ(pool.trim(3 * kPage - 1), 2 * kPage);
  EXPECT_EQ(pool.trim(SIZE_MAX), 2 * kPage);
  EXPECT_EQ(pool.trim(0), 0u);
}

TEST(MemoryPool, ImpossibleSizeThrowsBadAlloc) {
  MemoryPool pool;
  EXPECT_THROW(static_cast<void>(pool.take(SIZE_MAX)), std::bad_alloc);
  EXPECT_THROW(static_cast<void>(pool.take(SIZE_MAX / 2)), std::bad_alloc);
}

// Each thread finds the bytes that it wrote, so no block has two owners.
TEST(MemoryPool, ThreadsDoNotShareBlocks) {
  MemoryPool pool(8 * kPage);
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 300; ++i) {
        const size_t bytes = static_cast<size_t>(1 + (i + t) % 3) * kPage;
        const MemoryPool::Span block = pool.take(bytes);
        const auto mark = static_cast<std::byte>(16 * t + i % 16);
        block.data[0] = block.data[bytes - 1] = mark;
        std::this_thread::yield();
        if (block.data[0] != mark || block.data[bytes - 1] != mark) ++wrong;
        pool.give_back(block);
        if (i % 100 == 99) pool.trim(kPage);
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_LE(pool.kept_bytes(), 8 * kPage);
}

// A fork while other threads use the pool does not leave it unusable in the child.
TEST(MemoryPool, WorksInForkedChild) {
  std::atomic<bool> done = false;
  std::thread busy([&] {
    while (!done) const Block block(kPage);
  });
  for (int i = 0; i < 20; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);
      { Block block(3 * kPage); }
      _exit(0);
    }
    int status = 1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  done = true;
  busy.join();
}

TEST(MemoryPool, ServesOnlyLargeTensors) {
  MemoryPool& pool = MemoryPool::shared();
  pool.trim(0);
  const std::byte* data = nullptr;
  {
    const Tensor large = *Tensor::allocate(DataType::kFloat, {3, 1 << 20});
    data = large.data();
    EXPECT_EQ(reinterpret_cast<uintptr_t>(data) % kPage, 0u);
    const Tensor copy = large;
  }
  EXPECT_EQ(pool.kept_bytes(), 6 * kPage);
  { EXPECT_EQ(Tensor::allocate(DataType::kFloat, {3, 1 << 20})->data(), data); }
  { const Tensor small = *Tensor::allocate(DataType::kFloat, {1000}); }
  EXPECT_EQ(pool.kept_bytes(), 6 * kPage);
  EXPECT_EQ(pool.trim(0), 0u);
}

}  // namespace
}  // namespace tesela
