// SPDX-License-Identifier: Apache-2.0
// Element types of the IR: names and storage. The bytes are those that OpenVINO 2026.4.1 writes.
#include "model/ir_types.h"

#include <cstring>

#include "model/expect_fault.h"

namespace tesela {
namespace {

using testing::bytes_of;
using testing::fails;
using namespace std::string_view_literals;

std::vector<int> codes(std::string_view type, std::string_view bytes, Extents extents) {
  const IrType& ir = *find_ir_type(type);
  EXPECT_EQ(*ir_stored_bytes(ir, extents), static_cast<int64_t>(bytes.size())) << type;
  const Result<Tensor> tensor = read_ir_tensor(ir, std::move(extents), bytes_of(bytes), nullptr);
  EXPECT_TRUE(tensor.ok());
  std::vector<int> values;
  for (int64_t i = 0; i < tensor->bytes(); ++i) values.push_back(static_cast<int>(tensor->data()[i]));
  return values;
}

TEST(IrTypes, EveryTypeHasBothOpenvinoNames) {
  const std::map<std::string, std::string> names = {
      {"boolean", "BOOL"},  {"u1", "BIN"},        {"u2", "U2"},         {"u3", "U3"},         {"u4", "U4"},
      {"u6", "U6"},         {"u8", "U8"},         {"u16", "U16"},       {"u32", "U32"},       {"u64", "U64"},
      {"i4", "I4"},         {"i8", "I8"},         {"i16", "I16"},       {"i32", "I32"},       {"i64", "I64"},
      {"f16", "FP16"},      {"bf16", "BF16"},     {"f32", "FP32"},      {"f64", "FP64"},      {"nf4", "NF4"},
      {"f8e4m3", "F8E4M3"}, {"f8e5m2", "F8E5M2"}, {"f8e8m0", "F8E8M0"}, {"f4e2m1", "F4E2M1"}, {"string", "STRING"},
      {"i2", "I2"}};  // OpenVINO 2026.4.1 has no i2
  EXPECT_EQ(all_ir_types().size(), names.size());
  for (const auto& [name, precision] : names) {
    ASSERT_NE(find_ir_type(name), nullptr) << name;
    EXPECT_EQ(find_ir_type(name)->precision, precision);
    EXPECT_EQ(find_ir_precision(precision), find_ir_type(name));
  }
  for (const char* none : {"f31", "", "complex64", "F32", "dynamic"}) EXPECT_EQ(find_ir_type(none), nullptr);
  EXPECT_EQ(find_ir_precision("UNSPECIFIED"), nullptr);
}

TEST(IrTypes, BitsOfU1AreMostSignificantFirst) {  // but those of u2 and u4 least significant first
  EXPECT_EQ(codes("u1", "\xa0"sv, {3}), (std::vector{1, 0, 1}));
  EXPECT_EQ(codes("u1", "\xff\x80"sv, {9}), std::vector(9, 1));
  EXPECT_EQ(codes("u2", "\x39"sv, {3}), (std::vector{0x39}));
  EXPECT_EQ(codes("u4", "\x21\x03"sv, {3}), (std::vector{0x21, 0x03}));
  EXPECT_EQ(codes("i4", "\xe1\x03"sv, {3}), (std::vector{0xe1, 0x03}));
  EXPECT_EQ(codes("nf4", "\xf7\x00"sv, {3}), (std::vector{0xf7, 0x00}));
}

TEST(IrTypes, U3AndU6AreSplitIntoPlanes) {
  EXPECT_EQ(codes("u3", "\x6c\0\0"sv, {3}), (std::vector{1, 2, 3}));
  EXPECT_EQ(codes("u3", "\0\0\x81"sv, {8}), (std::vector{4, 0, 0, 0, 0, 0, 0, 4}));
  EXPECT_EQ(codes("u3", "\x55\x55\0\x40\0\0"sv, {9}), std::vector(9, 1));
  EXPECT_EQ(codes("u3", "\x55\xaa\x0f"sv, {8}), (std::vector{1, 1, 1, 1, 6, 6, 6, 6}));
  EXPECT_EQ(codes("u6", "\x12\x30\0"sv, {3}), (std::vector{1, 2, 3}));
  EXPECT_EQ(codes("u6", "\x0f\xf0\x36"sv, {4}), (std::vector{0, 15 + 48, 15 + 16, 32}));
  EXPECT_EQ(codes("u6", "\x11\x11\0\x10\0\0"sv, {5}), std::vector(5, 1));
}

TEST(IrTypes, PadBitsAreDropped) {
  EXPECT_EQ(codes("u4", "\xa1"sv, {1}), (std::vector{0x01}));
  EXPECT_EQ(codes("u1", "\x9f"sv, {2}), (std::vector{1, 0}));
}

TEST(IrTypes, ReadsMisalignedElements) {
  alignas(8) char file[17] = {};
  const double value = 1.5;
  std::memcpy(file + 3, &value, sizeof value);
  const Result<Tensor> tensor =
      read_ir_tensor(*find_ir_type("f64"), {1}, std::as_bytes(std::span(file)).subspan(3, 8), nullptr);
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->as<double>()[0], 1.5);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensor->data()) % 8, 0u);
}

Result<Tensor> texts(std::string_view bytes, Extents extents) {
  return read_ir_tensor(*find_ir_type("string"), std::move(extents), bytes_of(bytes), nullptr);
}

TEST(IrTypes, StringsHaveOffsets) {
  const Result<Tensor> tensor =
      texts("\x04\0\0\0\0\0\0\0\x01\0\0\0\x03\0\0\0\x03\0\0\0\x08\0\0\0abcxyz\xc3\xa9"sv, {2, 2});
  ASSERT_TRUE(tensor.ok()) << tensor.status().message();
  const auto refs = tensor->as<StringRef>();
  EXPECT_EQ(refs[0].view(), "a");
  EXPECT_EQ(refs[1].view(), "bc");
  EXPECT_EQ(refs[2].view(), "");
  EXPECT_EQ(refs[3].view(), "xyz\u00e9");
}

TEST(IrTypes, StringsCanBeOneOrNone) {
  const Result<Tensor> one = texts("\x01\0\0\0\0\0\0\0\x02\0\0\0ab"sv, {});
  ASSERT_TRUE(one.ok()) << one.status().message();
  EXPECT_EQ(one->as<StringRef>()[0].view(), "ab");
  EXPECT_TRUE(texts("\0\0\0\0\0\0\0\0"sv, {0}).ok());
}

TEST(IrTypes, RejectsInvalidStringOffsets) {
  const auto refused = [](std::string_view bytes, int64_t count, std::string_view words = "") {
    return fails(texts(bytes, {count}).status(), TESELA_ERROR_PARSE, words);
  };
  EXPECT_TRUE(refused("", 0));
  EXPECT_TRUE(refused("\x07\0\0"sv, 1, "its 3 bytes begin with 0 strings; expected 1 and their offsets"));
  EXPECT_TRUE(refused("\x07\0\0\0"sv, 1, "its 4 bytes begin with 7 strings; expected 1"));
  EXPECT_TRUE(refused("\x07\0\0\0\x02\0\0\0\x03\0\0\0"sv, 1, "its 12 bytes begin with 7 strings; expected 1"));
  EXPECT_TRUE(refused("\x01\0\0\0\0\0\0\0"sv, 1));                   // no end
  EXPECT_TRUE(refused("\x02\0\0\0\0\0\0\0\x01\0\0\0a"sv, 1));        // another count
  EXPECT_TRUE(refused("\xff\xff\xff\xff\0\0\0\0\x01\0\0\0a"sv, 1));  // a negative count
  EXPECT_TRUE(refused("\x01\0\0\0\x01\0\0\0\0\0\0\0a"sv, 1));        // descends
  EXPECT_TRUE(refused("\x01\0\0\0\0\0\0\0\x02\0\0\0a"sv, 1));        // beyond the end
  EXPECT_TRUE(refused("\x01\0\0\0\xff\xff\xff\xff\x01\0\0\0a"sv, 1, "string 0 has the offsets -1 to 1"));
}

}  // namespace
}  // namespace tesela
