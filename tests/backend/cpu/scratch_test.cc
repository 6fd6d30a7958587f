// SPDX-License-Identifier: Apache-2.0
// Arenas give aligned blocks that do not overlap, and a thread's memory is used again.
#include "backend/cpu/scratch.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>

namespace tesela::testing {
namespace {

void expect_blocks(cpu::Arena& arena) {
  std::vector<std::pair<std::byte*, int64_t>> blocks;
  for (const int64_t bytes : {1, 63, 64, 65, 1000, 1024, 5000, 9000, 100000, 3, 70000}) {
    auto* const block = arena.take<std::byte>(bytes);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(block) % 64, 0U) << bytes;
    std::memset(block, static_cast<int>(blocks.size() + 1), static_cast<size_t>(bytes));
    blocks.emplace_back(block, bytes);
  }
  for (size_t i = 0; i < blocks.size(); ++i)
    for (int64_t at = 0; at < blocks[i].second; ++at) ASSERT_EQ(blocks[i].first[at], static_cast<std::byte>(i + 1));
}

TEST(Scratch, GivesAlignedBlocksThatDoNotOverlap) {
  cpu::Scratch scratch;
  expect_blocks(scratch);
  std::vector<std::byte> given(3000);
  cpu::Scratch of_callers(std::span<std::byte>(given).subspan(1));
  auto* const first = of_callers.take<std::byte>(100);
  EXPECT_TRUE(first > given.data() && first + 100 <= given.data() + given.size());
  expect_blocks(of_callers);
}

TEST(Scratch, MemoryOfAThreadIsUsedAgain) {
  const auto take = [] {
    cpu::Scratch scratch;
    return scratch.take<std::byte>(1 << 20);
  };
  std::set<std::byte*> places;
  // In a thread that keeps nothing yet, because there is a limit of what is kept.
  std::thread([&] {
    for (int i = 0; i < 10; ++i) places.insert(take());
  }).join();
  EXPECT_EQ(places.size(), 1U);
}

TEST(Scratch, InnerOnesLeaveTheMemoryOfOuterOnes) {
  cpu::Scratch outer;
  auto* const kept = outer.take<int>(100000);
  for (int i = 0; i < 100000; ++i) kept[i] = i;
  for (int i = 0; i < 3; ++i) {
    cpu::Scratch inner;
    std::memset(inner.take<std::byte>(1 << 20), 0xff, 1 << 20);
  }
  for (int i = 0; i < 100000; ++i) ASSERT_EQ(kept[i], i);
}

TEST(KeptArena, GivesAlignedBlocksThatDoNotOverlap) {
  cpu::KeptArena arena;
  expect_blocks(arena);
}

TEST(Scratch, RowsAreRoundedUpToCacheLines) {
  EXPECT_EQ(cpu::round_to_rows(0), 0);
  EXPECT_EQ(cpu::round_to_rows(1), cpu::kRowAlign);
  EXPECT_EQ(cpu::round_to_rows(cpu::kRowAlign), cpu::kRowAlign);
}

}  // namespace
}  // namespace tesela::testing
