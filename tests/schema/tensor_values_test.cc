// SPDX-License-Identifier: Apache-2.0
// Reads repeats, shapes, scales and sizes, as far as they are known.
#include "schema/tensor_values.h"

#include <gtest/gtest.h>

#include <cstring>

namespace tesela {
namespace {

template <class T>
Tensor make_tensor(DataType type, const std::vector<T>& values, Extents extents) {
  Tensor tensor = *Tensor::allocate(type, std::move(extents));
  if (!values.empty()) std::memcpy(tensor.mutable_data(), values.data(), values.size() * sizeof(T));
  return tensor;
}

TensorInfo known(const std::vector<int64_t>& values) {
  const auto count = static_cast<int64_t>(values.size());
  return {DataType::kInt64, Dims{{count, ""}}, make_tensor(DataType::kInt64, values, {count}), {}};
}

TEST(ReadIntegers, PackedEntriesKeepTheirSign) {
  const std::vector<uint8_t> bytes = {0x78, 0x0f};  // 8, 7, 15 from the low bits up
  EXPECT_EQ(*read_integers(make_tensor(DataType::kInt4, bytes, {3}), "axes"), (Extents{-8, 7, -1}));
  EXPECT_EQ(*read_integers(make_tensor(DataType::kUint4, bytes, {3}), "axes"), (Extents{8, 7, 15}));
}

TEST(ReadIntegers, BytesKeepTheirSign) {
  EXPECT_EQ(*read_integers(make_tensor<int8_t>(DataType::kInt8, {-128, 127, -1}, {3}), "axes"),
            (Extents{-128, 127, -1}));
  EXPECT_EQ(*read_integers(make_tensor<uint8_t>(DataType::kUint8, {255, 0, 128}, {3}), "axes"), (Extents{255, 0, 128}));
}

TEST(ReadIntegers, OtherTypesAreRefused) {
  const auto values = read_integers(make_tensor<float>(DataType::kFloat, {1}, {1}), "axes");
  EXPECT_EQ(values.status().code(), TESELA_ERROR_TYPE);
  EXPECT_EQ(values.status().message(), "input 'axes' has type float; expected integers");
}

TEST(ReadDims, ConstantGivesItsEntries) {
  const auto dims = read_dims(known({2, 0, 5}), "sizes");
  ASSERT_TRUE(dims.ok());
  EXPECT_EQ(**dims, (Dims{{2, ""}, {0, ""}, {5, ""}}));
}

TEST(ReadDims, NegativeConstantIsRefused) {
  const auto dims = read_dims(known({2, -1}), "sizes");
  EXPECT_EQ(dims.status().code(), TESELA_ERROR_VALUE);
  EXPECT_EQ(dims.status().message(), "input 'sizes': entry 1 is -1; expected at least 0");
}

TEST(ReadDims, PropagatedShapeKeepsItsSymbols) {
  TensorInfo info;
  info.shape_value = {{3, ""}, {-1, "N"}};
  EXPECT_EQ(**read_dims(info, "sizes"), *info.shape_value);
}

TEST(ReadDims, StaticLengthGivesUnknownEntries) {
  TensorInfo info;
  info.dims = {{4, ""}};
  EXPECT_EQ(**read_dims(info, "repeats"), Dims(4));
}

TEST(ReadDims, UnknownInputGivesNoDims) {
  EXPECT_FALSE(read_dims({}, "repeats")->has_value());
  TensorInfo info;
  info.dims = {{-1, "k"}};
  EXPECT_FALSE(read_dims(info, "repeats")->has_value());
}

TEST(ReadDims, OtherRanksAreRefused) {
  TensorInfo info;
  info.dims.emplace();
  EXPECT_EQ(read_dims(info, "repeats").status().code(), TESELA_ERROR_RANK);
  info.dims = Dims(2);
  EXPECT_EQ(read_dims(info, "repeats").status().code(), TESELA_ERROR_RANK);
}

TEST(ReadDims, OnlyShortLengthsGiveEntries) {
  TensorInfo info;
  info.dims = {{4095, ""}};
  EXPECT_EQ(**read_dims(info, "repeats"), Dims(4095));
  info.dims = {{4096, ""}};
  EXPECT_FALSE(read_dims(info, "repeats")->has_value());
}

TEST(ReadDims, HugeLengthAllocatesNothing) {
  TensorInfo info;
  info.dims = {{INT64_MAX, ""}};
  EXPECT_FALSE(read_dims(info, "repeats")->has_value());
}

TEST(IsEmpty, YesNoOrUnknown) {
  EXPECT_EQ(is_empty(known({})), true);
  EXPECT_EQ(is_empty(known({1})), false);
  EXPECT_EQ(is_empty({}), std::nullopt);
  TensorInfo info;
  info.dims = {{-1, ""}};
  EXPECT_EQ(is_empty(info), std::nullopt);
  info.dims = {{-1, ""}, {3, ""}};
  EXPECT_EQ(is_empty(info), std::nullopt);
  info.dims = {{-1, ""}, {0, ""}};
  EXPECT_EQ(is_empty(info), true);
  info.dims = {{3, ""}};
  EXPECT_EQ(is_empty(info), false);
  info = {};
  info.shape_value.emplace();
  EXPECT_EQ(is_empty(info), true);
}

TEST(ReadFloats, WidensEveryFloatTypeExactly) {
  EXPECT_EQ(read_floats(make_tensor<uint16_t>(DataType::kFloat16, {0x3e00, 0xc000}, {2})),
            (std::vector<double>{1.5, -2}));
  EXPECT_EQ(read_floats(make_tensor<float>(DataType::kFloat, {0.1f}, {1})), std::vector<double>{0.1f});
  EXPECT_EQ(read_floats(make_tensor<double>(DataType::kDouble, {0.1}, {1})), std::vector<double>{0.1});
  EXPECT_TRUE(read_floats(make_tensor<float>(DataType::kFloat, {}, {0})).empty());
  EXPECT_TRUE(read_floats(make_tensor<int64_t>(DataType::kInt64, {3}, {1})).empty());
}

}  // namespace
}  // namespace tesela
