// SPDX-License-Identifier: Apache-2.0
// Single elements as numbers: exact when read, rounded once when stored.
#include "types/elements.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cstring>

namespace tesela {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

using Element = std::array<std::byte, 16>;

template <class T>
T stored(DataType type, double value) {
  Element element;
  EXPECT_TRUE(element_from_double(type, value, element.data()));
  T result;
  std::memcpy(&result, element.data(), sizeof result);
  return result;
}

double back(DataType type, double value) {
  Element element;
  EXPECT_TRUE(element_from_double(type, value, element.data()));
  double parts[2] = {};
  element_to_doubles(type, element.data(), parts);
  return parts[0];
}

TEST(RoundToInteger, HalvesGoToEven) {  // docs/semantics.md, Resize: values: 1.5 -> 2, 2.5 -> 2
  EXPECT_EQ(round_to_integer<uint8_t>(0.5f), 0);
  EXPECT_EQ(round_to_integer<uint8_t>(1.5f), 2);
  EXPECT_EQ(round_to_integer<uint8_t>(2.5f), 2);
  EXPECT_EQ(round_to_integer<int8_t>(-0.5f), 0);
  EXPECT_EQ(round_to_integer<int8_t>(-1.5f), -2);
  EXPECT_EQ(round_to_integer<int32_t>(-2.5), -2);
}

TEST(RoundToInteger, OutsideTheRangeItSaturates) {
  EXPECT_EQ(round_to_integer<uint8_t>(255.5f), 255);
  EXPECT_EQ(round_to_integer<uint8_t>(1e30f), 255);
  EXPECT_EQ(round_to_integer<uint8_t>(-26.89f), 0);  // test_traps.py 44
  EXPECT_EQ(round_to_integer<int8_t>(127.5f), 127);
  EXPECT_EQ(round_to_integer<int8_t>(-128.5f), -128);
  EXPECT_EQ(round_to_integer<int8_t>(-129.f), -128);
  EXPECT_EQ(round_to_integer<int64_t>(0x1p63), INT64_MAX);  // test_traps.py 45
  EXPECT_EQ(round_to_integer<int64_t>(-0x1p63), INT64_MIN);
  EXPECT_EQ(round_to_integer<int64_t>(-kInf), INT64_MIN);
  EXPECT_EQ(round_to_integer<uint64_t>(0x1p64), UINT64_MAX);
  EXPECT_EQ(round_to_integer<uint64_t>(std::nextafter(0x1p64, 0)), UINT64_MAX - 2047);
  EXPECT_EQ(round_to_integer<uint32_t>(-1.0), 0u);
}

TEST(RoundToInteger, NanBecomesZero) {  // the arithmetic contract
  EXPECT_EQ(round_to_integer<int32_t>(kNan), 0);
  EXPECT_EQ(round_to_integer<uint16_t>(std::numeric_limits<float>::quiet_NaN()), 0);
}

TEST(StoreAs, BooleansAreTrueAboveOneHalf) {  // the arithmetic contract
  EXPECT_EQ(store_as<BoolByte>(0.5f).byte, 0);
  EXPECT_EQ(store_as<BoolByte>(std::nextafter(0.5f, 1.f)).byte, 1);
  EXPECT_EQ(store_as<BoolByte>(kNan).byte, 0);
  EXPECT_EQ(store_as<BoolByte>(-3.0).byte, 0);
}

TEST(LoadAs, BoolBytesAboveOneCountAsTrue) {
  EXPECT_EQ(load_as<float>(BoolByte{0}), 0.f);
  EXPECT_EQ(load_as<float>(BoolByte{1}), 1.f);
  EXPECT_EQ(load_as<float>(BoolByte{200}), 1.f);
}

TEST(Elements, EveryTypeButStringStoresOne) {
  for (const DataTypeTraits& row : all_data_types()) {
    Element element;
    if (row.type == DataType::kString) {
      EXPECT_FALSE(element_from_double(row.type, 1, element.data()));
      double value = 0;
      element_to_doubles(row.type, element.data(), &value);
      EXPECT_TRUE(std::isnan(value));
      continue;
    }
    // Signed 2-bit integers and everything else hold 1; float8e8m0 too.
    EXPECT_EQ(back(row.type, 1), 1) << row.onnx_name;
  }
}

TEST(Elements, EveryCodeOfEveryByteTypeRoundTrips) {
  for (const DataTypeTraits& row : all_data_types()) {
    if (row.bits > 8 || row.type == DataType::kBool) continue;
    for (unsigned code = 0; code < (1u << row.bits); ++code) {
      const std::byte element{static_cast<uint8_t>(code)};
      double value = 0;
      element_to_doubles(row.type, &element, &value);
      if (std::isnan(value)) continue;
      EXPECT_EQ(stored<uint8_t>(row.type, value), code) << row.onnx_name;
    }
  }
}

TEST(Elements, PackedIntegersAreTwosComplementAndSaturate) {
  EXPECT_EQ(stored<uint8_t>(DataType::kInt4, -3), 13);  // onnx.proto
  EXPECT_EQ(stored<uint8_t>(DataType::kInt2, -2), 2);
  EXPECT_EQ(back(DataType::kInt4, 100), 7);
  EXPECT_EQ(back(DataType::kInt4, -100), -8);
  EXPECT_EQ(back(DataType::kUint4, -1), 0);
  EXPECT_EQ(back(DataType::kUint4, 2.5), 2);
  EXPECT_EQ(back(DataType::kUint2, 1e300), 3);
  EXPECT_EQ(back(DataType::kInt2, kNan), 0);
}

TEST(Elements, HighBitsOfPackedElementAreIgnored) {  // test_traps.py 8: raw 0xAD reads as -3
  const std::byte element{0xad};
  double value = 0;
  element_to_doubles(DataType::kInt4, &element, &value);
  EXPECT_EQ(value, -3);
}

TEST(Elements, FloatsOverflowToInfinityAndKeepDenormals) {
  EXPECT_EQ(stored<float>(DataType::kFloat, 1e300), std::numeric_limits<float>::infinity());
  EXPECT_EQ(stored<float>(DataType::kFloat, 1e-45), std::numeric_limits<float>::denorm_min());
  EXPECT_EQ(stored<uint16_t>(DataType::kFloat16, 70000), 0x7c00);
  EXPECT_TRUE(std::signbit(stored<double>(DataType::kDouble, -0.0)));
}

TEST(Elements, ComplexFromDoubleHasZeroImaginaryPart) {
  Element element;
  element_from_double(DataType::kComplex64, -2.5, element.data());
  double parts[2] = {};
  element_to_doubles(DataType::kComplex64, element.data(), parts);
  EXPECT_EQ(parts[0], -2.5);
  EXPECT_EQ(parts[1], 0);
  EXPECT_EQ(parts_of(DataType::kComplex128), 2);
  EXPECT_EQ(parts_of(DataType::kDouble), 1);
}

TEST(Elements, UnusedBytesOfAnElementAreZero) {
  Element element;
  element.fill(std::byte{0xff});
  element_from_double(DataType::kUint8, 3, element.data());
  for (size_t i = 1; i < element.size(); ++i) EXPECT_EQ(element[i], std::byte{0});
}

}  // namespace
}  // namespace tesela
