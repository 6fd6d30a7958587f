// SPDX-License-Identifier: Apache-2.0
#include "session/buffer_pool.h"

#include <gtest/gtest.h>

namespace tesela {
namespace {

TEST(BufferPool, GivesTheSmallestBlockThatFits) {
  BufferPool pool;
  pool.begin_run();
  const Tensor small = *pool.take(100);
  const Tensor large = *pool.take(1000);
  pool.give_back(large);
  pool.give_back(small);
  EXPECT_EQ(pool.take(90)->data(), small.data());
  EXPECT_EQ(pool.take(90)->data(), large.data());
  EXPECT_EQ(pool.peak_bytes(), 1100);
}

TEST(BufferPool, FreesTooSmallBlocks) {
  BufferPool pool;
  pool.begin_run();
  for (int64_t bytes = 1; bytes <= 1024; bytes *= 2) pool.give_back(*pool.take(bytes));
  EXPECT_EQ(pool.peak_bytes(), 1024);
}

TEST(BufferPool, EndOfRunFreesUnusedBlocks) {
  BufferPool pool;
  pool.begin_run();
  pool.give_back(*pool.take(1000));
  pool.end_run();
  pool.begin_run();
  EXPECT_EQ(pool.peak_bytes(), 1000);
  pool.end_run();
  pool.begin_run();
  EXPECT_EQ(pool.peak_bytes(), 0);
}

TEST(BufferPool, ZeroBytesGiveAValidBlock) {
  BufferPool pool;
  pool.begin_run();
  EXPECT_NE(pool.take(0)->data(), nullptr);
}

}  // namespace
}  // namespace tesela
