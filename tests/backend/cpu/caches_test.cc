// SPDX-License-Identifier: Apache-2.0
// The rules for stores, on machines with other caches.
#include "backend/cpu/caches.h"

#include <gtest/gtest.h>

#include <cstdlib>

namespace tesela::cpu {
namespace {

constexpr int64_t kMiB = int64_t{1} << 20;

TEST(Caches, SmallRunsUseThem) {
  for (const int64_t cache : {16 * kMiB, 32 * kMiB, 300 * kMiB}) EXPECT_FALSE(bypasses_caches(kMiB, kMiB, true, cache));
}

TEST(Caches, RunsOfTheirSizeBypassThem) {
  EXPECT_FALSE(bypasses_caches(8 * kMiB, kMiB, false, 16 * kMiB));
  EXPECT_TRUE(bypasses_caches(9 * kMiB, kMiB, false, 16 * kMiB));
  EXPECT_FALSE(bypasses_caches(9 * kMiB, kMiB, true, 16 * kMiB));
  EXPECT_TRUE(bypasses_caches(12 * kMiB, kMiB, true, 16 * kMiB));
}

// Nobody has a socket's cache alone.
TEST(Caches, LargeOnesCountAs32MiB) {
  for (const bool moves : {false, true})
    for (int64_t output = kMiB; output < 400 * kMiB; output += kMiB)
      EXPECT_EQ(bypasses_caches(output, 0, moves, 260 * kMiB), bypasses_caches(output, 0, moves, 32 * kMiB));
}

TEST(Caches, StringsFillBeyondThem) {
  constexpr int64_t kL1 = int64_t{48} << 10, kL2 = 2 * kMiB;
  for (const bool is_intel : {false, true}) {
    EXPECT_FALSE(fills_by_string(kL1 / 2, kL1, kL2, is_intel));
    EXPECT_EQ(fills_by_string(kL1, kL1, kL2, is_intel), is_intel);
    EXPECT_EQ(fills_by_string(kL2 / 2, kL1, kL2, is_intel), is_intel);
    EXPECT_TRUE(fills_by_string(kL2, kL1, kL2, is_intel));
  }
  EXPECT_FALSE(fills_by_string(0));
}

TEST(Caches, VariableTakesPrecedence) {
  ASSERT_EQ(setenv("TESELA_CACHE_BYTES", "272629760", 1), 0);
  EXPECT_EQ(read_last_level_cache(), 260 * kMiB);
  ASSERT_EQ(unsetenv("TESELA_CACHE_BYTES"), 0);
  const int64_t reported = read_last_level_cache();
  EXPECT_GT(reported, 0);
  for (const char* other : {"", "0", "-5", "much"}) {
    ASSERT_EQ(setenv("TESELA_CACHE_BYTES", other, 1), 0);
    EXPECT_EQ(read_last_level_cache(), reported) << other;
  }
  ASSERT_EQ(unsetenv("TESELA_CACHE_BYTES"), 0);
}

}  // namespace
}  // namespace tesela::cpu
