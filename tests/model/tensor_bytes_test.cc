// SPDX-License-Identifier: Apache-2.0
// Bytes of tensors in models: which may be borrowed.
#include "model/tensor_bytes.h"

#include <gtest/gtest.h>

namespace tesela {
namespace {

TEST(TensorBytes, PackedTensorsAreBorrowedIfTheyFillTheirLastByte) {
  const auto alignment = [](DataType type, int64_t count) { return borrowed_alignment(type, Extents({count})); };
  for (const int64_t count : {2, 4, 10}) EXPECT_EQ(alignment(DataType::kUint4, count), 1) << count;
  for (const int64_t count : {1, 3, 9}) EXPECT_EQ(alignment(DataType::kUint4, count), 0) << count;
  EXPECT_EQ(alignment(DataType::kInt2, 4), 1);
  EXPECT_EQ(alignment(DataType::kInt2, 6), 0);
}

TEST(TensorBytes, ElementsAreBorrowedAtTheirAlignment) {
  const auto alignment = [](DataType type) { return borrowed_alignment(type, Extents({3})); };
  EXPECT_EQ(alignment(DataType::kUint8), 1);
  EXPECT_EQ(alignment(DataType::kDouble), 8);
  EXPECT_EQ(alignment(DataType::kComplex64), 4);
  EXPECT_EQ(alignment(DataType::kComplex128), 8);
}

}  // namespace
}  // namespace tesela
