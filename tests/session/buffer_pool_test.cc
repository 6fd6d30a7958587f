// SPDX-License-Identifier: Apache-2.0
#include "session/buffer_pool.h"

#include <gtest/gtest.h>

#include <cstring>

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
  EXPECT_EQ(pool.peak_bytes(), 1);
}

TEST(BufferPool, FreesBlocksOnlyWhereTheLimitNeedsIt) {
  BufferPool pool;
  pool.begin_run();
  const Tensor used = *pool.take(40);
  const Tensor small = *pool.take(10), large = *pool.take(100);
  pool.give_back(large);
  pool.give_back(small);
  EXPECT_TRUE(pool.free_until_fits(50, 200));  // 150 and 50
  EXPECT_TRUE(pool.has_free(100));
  EXPECT_TRUE(pool.free_until_fits(51, 200));  // without the largest
  EXPECT_FALSE(pool.has_free(11));
  EXPECT_TRUE(pool.has_free(10));
  EXPECT_TRUE(pool.free_until_fits(160, 200));  // beside the block in use
  EXPECT_FALSE(pool.has_free(1));
  EXPECT_FALSE(pool.free_until_fits(161, 200));
}

TEST(BufferPool, KeepsSixteenFreeBlocks) {
  const auto kept = [](int64_t blocks) {
    BufferPool pool;
    pool.begin_run();
    std::vector<Tensor> taken;
    for (int64_t bytes = 1; bytes <= blocks; ++bytes) taken.push_back(*pool.take(bytes));
    for (const Tensor& block : taken) pool.give_back(block);
    pool.end_run();
    pool.begin_run();
    return pool.peak_bytes();
  };
  EXPECT_EQ(kept(16), 16 * 17 / 2);
  EXPECT_EQ(kept(17), 17 * 18 / 2 - 1);  // the smallest is freed
}

TEST(TensorOver, ClearsThePaddingOfThePackedTypes) {
  const auto bytes_after = [](DataType type, const Extents& extents) {
    Tensor block = *Tensor::allocate(DataType::kUint8, {5});
    std::memset(block.mutable_data(), 0x77, 5);
    // A byte of the block lies before it and another behind it, to show that neither is written.
    const Tensor inner = Tensor::borrow(DataType::kUint8, {3}, block.data() + 1, block.storage());
    const Tensor made = tensor_over(inner, type, extents);
    EXPECT_EQ(made.data(), inner.data());
    EXPECT_EQ(made.type(), type);
    return std::vector<uint8_t>(block.as<uint8_t>().begin(), block.as<uint8_t>().end());
  };
  using Bytes = std::vector<uint8_t>;
  EXPECT_EQ(bytes_after(DataType::kInt4, {3}), (Bytes{0x77, 0x77, 0, 0x77, 0x77}));
  EXPECT_EQ(bytes_after(DataType::kInt4, {1}), (Bytes{0x77, 0, 0x77, 0x77, 0x77}));
  EXPECT_EQ(bytes_after(DataType::kInt4, {0}), Bytes(5, 0x77));
  EXPECT_EQ(bytes_after(DataType::kInt8, {3}), Bytes(5, 0x77));
}

}  // namespace
}  // namespace tesela
