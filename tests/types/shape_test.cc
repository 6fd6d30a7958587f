// SPDX-License-Identifier: Apache-2.0
// Extents, checked products and shapes as text.
#include "types/shape.h"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace tesela {
namespace {

Extents counting(size_t count) {
  Extents extents(count, 0);
  std::iota(extents.begin(), extents.end(), 1);
  return extents;
}

TEST(ExtentsVector, GrowsFromInsideToTheHeapAndKeepsItsEntries) {
  Extents extents;
  for (int64_t i = 1; i <= 100; ++i) {
    extents.push_back(i);
    ASSERT_EQ(extents, counting(static_cast<size_t>(i)));
  }
}

TEST(ExtentsVector, CopiesAndMovesOfEverySize) {
  for (const size_t from : {0u, 1u, 8u, 9u, 40u})
    for (const size_t to : {0u, 1u, 8u, 9u, 40u}) {
      const Extents source = counting(from);
      Extents copied = Extents(to, -1);
      copied = source;
      EXPECT_EQ(copied, source);
      if (from > 0) {
        copied[0] = 99;
        EXPECT_EQ(source[0], 1);  // storage is not shared
      }
      Extents given = source;
      Extents moved = Extents(to, -1);
      moved = std::move(given);
      EXPECT_EQ(moved, source);
      EXPECT_TRUE(given.empty());  // NOLINT: a moved-from Extents is empty
      given.push_back(7);
      EXPECT_EQ(given, Extents({7}));
      EXPECT_EQ(moved, source);
      EXPECT_EQ(Extents(source), source);
      EXPECT_EQ(Extents(std::move(moved)), source);
    }
}

TEST(ExtentsVector, SelfAssignmentChangesNothing) {
  for (const size_t n : {3u, 30u}) {
    Extents extents = counting(n);
    Extents& same = extents;
    extents = same;
    EXPECT_EQ(extents, counting(n));
    extents = std::move(same);
    EXPECT_EQ(extents, counting(n));
  }
}

TEST(ExtentsVector, ResizeFillsAndTruncates) {
  Extents extents = {1, 2};
  extents.resize(4, 9);
  EXPECT_EQ(extents, Extents({1, 2, 9, 9}));
  extents.resize(1);
  EXPECT_EQ(extents, Extents({1}));
  extents.resize(3, 5);
  EXPECT_EQ(extents, Extents({1, 5, 5}));
}

TEST(ExtentsVector, EqualityLooksAtSizeAndEntries) {
  EXPECT_EQ(Extents(), Extents({}));
  EXPECT_NE(Extents({1, 2}), Extents({1}));
  EXPECT_NE(Extents({1, 2}), Extents({1, 3}));
}

TEST(CheckedArithmetic, OverflowIsEmpty) {
  EXPECT_EQ(checked_mul(INT64_MAX, 1), INT64_MAX);
  EXPECT_EQ(checked_mul(int64_t{1} << 32, int64_t{1} << 31), std::nullopt);
  EXPECT_EQ(checked_mul(3, 6148914691236517206), std::nullopt);  // test_traps.py 5: wraps to 2 unchecked
  EXPECT_EQ(checked_add(INT64_MAX, 0), INT64_MAX);
  EXPECT_EQ(checked_add(INT64_MAX, 1), std::nullopt);
}

TEST(ElementCount, ZeroWithHugeExtentsIsEmptyNotOverflow) {  // test_traps.py 11
  const int64_t big = int64_t{1} << 40;
  for (const Extents& extents : {Extents{0, big, big}, Extents{big, 0, big}, Extents{big, big, 0}})
    EXPECT_EQ(*element_count(extents), 0);
}

TEST(ElementCount, NegativeExtentWithZeroIsAnError) {
  EXPECT_EQ(element_count(Extents{0, -1}).status().code(), TESELA_ERROR_SHAPE);
  EXPECT_EQ(element_count(Extents{-1, 0}).status().code(), TESELA_ERROR_SHAPE);
}

TEST(ElementCount, LargestCountFitsAndTheNextDoesNot) {
  EXPECT_EQ(*element_count(Extents{INT64_MAX}), INT64_MAX);
  EXPECT_EQ(*element_count(Extents{7, 1317624576693539401}),
            INT64_MAX);  // 2^63 - 1 = 7 * 1317624576693539401
  EXPECT_EQ(element_count(Extents{int64_t{1} << 32, int64_t{1} << 31}).status().code(), TESELA_ERROR_SHAPE);
}

TEST(ElementCount, ScalarHasOneElement) {
  EXPECT_EQ(*element_count(Extents()), 1);
  EXPECT_EQ(product(Extents()), 1);
}

TEST(ByteCount, PackedTypesRoundUpToWholeBytes) {  // onnx.proto
  for (int64_t n = 0; n < 20; ++n) {
    EXPECT_EQ(*byte_count(DataType::kInt4, Extents{n}), (n + 1) / 2);
    EXPECT_EQ(*byte_count(DataType::kUint2, Extents{n}), (n + 3) / 4);
  }
  EXPECT_EQ(*byte_count(DataType::kInt2, Extents{INT64_MAX}), (int64_t{1} << 61));
}

TEST(ByteCount, BytesOverflowWhereElementsDoNot) {
  const int64_t count = int64_t{1} << 60;
  EXPECT_EQ(*byte_count(DataType::kInt8, Extents{count}), count);
  EXPECT_EQ(byte_count(DataType::kDouble, Extents{count}).status().code(), TESELA_ERROR_SHAPE);
  EXPECT_EQ(*byte_count(DataType::kDouble, Extents{count, 0}), 0);
}

TEST(ShapeText, LongListsAreCut) {
  EXPECT_EQ(shape_text(Extents{1, 3, 480, 640}), "1x3x480x640");
  EXPECT_EQ(shape_text(Extents()), "scalar");
  EXPECT_EQ(list_text(Extents{2, 3, 4}), "[2, 3, 4]");
  EXPECT_EQ(list_text(Extents()), "[]");
  EXPECT_EQ(list_text(counting(13)), "[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, ... (13 in all)]");
}

}  // namespace
}  // namespace tesela
