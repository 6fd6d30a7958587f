// SPDX-License-Identifier: Apache-2.0
// The list of element types and its lookups.
#include "types/data_type.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace tesela {
namespace {

TEST(DataTypes, CodesMatchOnnxWithoutGaps) {  // TensorProto.DataType, from 1 on
  int32_t code = 1;
  for (const DataTypeTraits& row : all_data_types()) EXPECT_EQ(static_cast<int32_t>(row.type), code++);
}

TEST(DataTypes, UnknownCodesHaveNoTraits) {
  const auto beyond = static_cast<int32_t>(all_data_types().size()) + 1;
  for (const int32_t code : {-1, 0, beyond, 1000, INT32_MIN, INT32_MAX}) {
    EXPECT_EQ(find_traits(static_cast<DataType>(code)), nullptr) << code;
    EXPECT_EQ(name(static_cast<DataType>(code)), "undefined") << code;
  }
}

TEST(DataTypes, EveryNameFindsItsType) {
  for (const DataTypeTraits& row : all_data_types()) {
    EXPECT_EQ(find_data_type(row.onnx_name), row.type) << row.onnx_name;
    EXPECT_EQ(find_data_type(row.numpy_name), row.type) << row.numpy_name;
    if (row.openvino_name.empty()) continue;
    EXPECT_EQ(find_data_type(row.openvino_name), row.type) << row.openvino_name;
  }
}

TEST(DataTypes, NoNameIsSharedByTwoTypes) {
  std::set<std::string> names;
  for (const DataTypeTraits& row : all_data_types()) {
    std::set<std::string> mine;
    for (const std::string_view one : {row.onnx_name, row.openvino_name, row.numpy_name})
      if (!one.empty()) mine.emplace(one);
    for (const std::string& one : mine) EXPECT_TRUE(names.insert(one).second) << one;
  }
}

TEST(DataTypes, DlpackCodesAndBitsFindTheType) {  // dlpack.h, DLDataTypeCode
  for (const DataTypeTraits& row : all_data_types()) {
    const auto found = find_dlpack_type(row.dlpack_code, row.bits);
    EXPECT_EQ(found, row.type == DataType::kString ? std::nullopt : std::optional(row.type)) << row.onnx_name;
  }
  EXPECT_EQ(find_dlpack_type(2, 16), DataType::kFloat16);
  EXPECT_EQ(find_dlpack_type(4, 16), DataType::kBfloat16);
  EXPECT_EQ(find_dlpack_type(2, 128), std::nullopt);
}

TEST(DataTypes, UnknownAndEmptyNamesAreNotFound) {
  for (const std::string_view text : {"", "FLOAT", "float33", "float ", "half"})
    EXPECT_FALSE(find_data_type(text).has_value()) << text;
}

TEST(DataTypes, BitsMatchTheSpecification) {  // onnx.proto, raw_data
  EXPECT_EQ(element_bits(DataType::kInt2), 2);
  EXPECT_EQ(element_bits(DataType::kUint4), 4);
  EXPECT_EQ(element_bits(DataType::kFloat4e2m1), 4);
  EXPECT_EQ(element_bits(DataType::kFloat8e8m0), 8);
  EXPECT_EQ(element_bits(DataType::kBfloat16), 16);
  EXPECT_EQ(element_bits(DataType::kComplex64), 64);
  EXPECT_EQ(element_bits(DataType::kComplex128), 128);
  EXPECT_EQ(element_bits(DataType::kString), 128);  // pointer and length
}

TEST(DataTypes, FiveTypesArePacked) {
  int packed = 0;
  for (const DataTypeTraits& row : all_data_types()) packed += is_packed(row.type);
  EXPECT_EQ(packed, 5);  // uint4, int4, float4e2m1, uint2, int2
}

TEST(DataTypes, ComputeTypesMatchTheContract) {  // the arithmetic contract
  using enum DataType;
  for (const DataType type : {kUint8, kInt8, kUint16, kInt16, kBool, kFloat16, kBfloat16, kFloat, kComplex64})
    EXPECT_EQ(traits(type).compute, ComputeType::kFloat) << name(type);
  for (const DataType type : {kUint32, kInt32, kUint64, kInt64, kDouble, kComplex128})
    EXPECT_EQ(traits(type).compute, ComputeType::kDouble) << name(type);
  EXPECT_EQ(traits(kString).compute, ComputeType::kNone);
  EXPECT_EQ(traits(kFloat8e5m2).compute, ComputeType::kNone);
}

}  // namespace
}  // namespace tesela
