// SPDX-License-Identifier: Apache-2.0
// Bytes of tensors in models: which may be borrowed.
#include "model/tensor_bytes.h"

#include <gtest/gtest.h>

#include <vector>

namespace tesela {
namespace {

TEST(TensorBytes, PackedTensorsAreBorrowedIfTheyFillTheirLastByte) {
  const auto alignment = [](DataType type, int64_t count) { return borrowed_alignment(type, Extents({count})); };
  for (const int64_t count : {2, 4, 10}) EXPECT_EQ(alignment(DataType::kUint4, count), 1) << count;
  for (const int64_t count : {1, 3, 9}) EXPECT_EQ(alignment(DataType::kUint4, count), 0) << count;
  EXPECT_EQ(alignment(DataType::kInt2, 4), 1);
  EXPECT_EQ(alignment(DataType::kInt2, 6), 0);
}

TEST(TensorBytes, PackedTensorsWithPadBitsAreCopiedWithoutThem) {
  for (const int pad : {0, 1, 2, 8, 15}) {
    const std::vector<std::byte> bytes = {std::byte{0x21}, static_cast<std::byte>(pad << 4 | 0xf)};
    const Result<Tensor> tensor = tensor_over_bytes(DataType::kUint4, {3}, bytes, nullptr, true);
    ASSERT_TRUE(tensor.ok());
    EXPECT_EQ(tensor->data() == bytes.data(), pad == 0) << pad;
    EXPECT_EQ(tensor->data()[0], std::byte{0x21});
    EXPECT_EQ(tensor->data()[1], std::byte{0x0f}) << pad;
  }
}

TEST(TensorBytes, FullPackedTensorsAreBorrowed) {
  const std::vector<std::byte> bytes = {std::byte{0x21}, std::byte{0xf3}};
  EXPECT_EQ(tensor_over_bytes(DataType::kUint4, {4}, bytes, nullptr, true)->data(), bytes.data());
  EXPECT_NE(tensor_over_bytes(DataType::kUint4, {4}, bytes, nullptr, false)->data(), bytes.data());
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
