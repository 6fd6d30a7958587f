// SPDX-License-Identifier: Apache-2.0
// TensorProto: every type in every valid form, and contradictory fields.
#include "model/onnx_tensor.h"

#include <cstring>

#include "model/expect_fault.h"
#include "model/onnx_bytes.h"
#include "types/packed.h"

namespace tesela::testing {
namespace {

Result<Tensor> tensor_of(const std::string& bytes, const Limits& limits = {}) {
  TensorFields fields;
  PbPosition position = nullptr;
  const Status parsed = parse_protobuf(bytes_of(bytes), position, [&](std::string_view message) {
    read_tensor_fields(message, position, fields);
    return Status();
  });
  if (!parsed.ok()) return parsed;
  ExternalFiles nowhere("");
  return make_tensor(fields, {nullptr, false, &nowhere, limits});
}

int64_t code(const DataTypeTraits& type) {
  return static_cast<int64_t>(type.type);
}

// Bytes of `count` valid elements; padding bits are zero.
std::string some_bytes(const DataTypeTraits& type, int64_t count) {
  std::string bytes(static_cast<size_t>((count * type.bits + 7) / 8), '\0');
  for (size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<char>(type.kind == DataKind::kBoolean ? i & 1 : i * 37 + 11);
  const int64_t used = count * type.bits % 8;
  if (used != 0) bytes.back() = static_cast<char>(static_cast<unsigned char>(bytes.back()) & ((1u << used) - 1u));
  return bytes;
}

template <class T>
std::vector<T> numbers_in(const std::string& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

template <class T>
std::vector<int64_t> widened(const std::string& bytes) {
  const std::vector<T> values = numbers_in<T>(bytes);
  return {values.begin(), values.end()};
}

// The typed field for the type, by the comments of onnx.proto3.
Pb typed(const DataTypeTraits& type, const std::string& bytes, Pb pb) {
  using enum DataType;
  switch (type.type) {
    case kFloat:
    case kComplex64: return pb.floats(4, numbers_in<float>(bytes));
    case kDouble:
    case kComplex128: return pb.doubles(10, numbers_in<double>(bytes));
    case kInt64: return pb.numbers(7, numbers_in<int64_t>(bytes));
    case kUint32: return pb.numbers(11, widened<uint32_t>(bytes));
    case kUint64: return pb.numbers(11, widened<uint64_t>(bytes));
    case kInt32: return pb.numbers(5, widened<int32_t>(bytes));
    case kInt16: return pb.numbers(5, widened<int16_t>(bytes));
    case kInt8: return pb.numbers(5, widened<int8_t>(bytes));
    case kUint16:
    case kFloat16:
    case kBfloat16: return pb.numbers(5, widened<uint16_t>(bytes));
    default: return pb.numbers(5, widened<uint8_t>(bytes));
  }
}

TEST(OnnxTensor, EveryTypeIsReadFromRawAndTypedData) {
  for (const DataTypeTraits& type : all_data_types()) {
    if (type.type == DataType::kString) continue;
    for (const int64_t count : {0, 1, 3, 5, 8}) {
      const std::string bytes = some_bytes(type, count);
      const Pb head = tensor_pb("t", code(type), {count});
      for (const Pb& pb : {Pb(head).text(9, bytes), typed(type, bytes, head)}) {
        const Result<Tensor> tensor = tensor_of(pb.bytes);
        ASSERT_TRUE(tensor.ok()) << type.onnx_name << ": " << tensor.status().message();
        EXPECT_EQ(tensor->type(), type.type);
        EXPECT_EQ(tensor->extents(), Extents({count}));
        EXPECT_EQ(text_of({tensor->data(), static_cast<size_t>(tensor->bytes())}), bytes) << type.onnx_name;
      }
    }
  }
}

TEST(OnnxTensor, OneAndAHalfIsEncodedAsInOnnx) {  // by onnx.helper.make_tensor of onnx 1.23.2
  struct Case {
    DataType type;
    int64_t entry;
  };
  using enum DataType;
  for (const Case& c :
       {Case{kFloat16, 15872}, Case{kBfloat16, 16320}, Case{kFloat8e4m3fn, 60}, Case{kFloat8e4m3fnuz, 68},
        Case{kFloat8e5m2, 62}, Case{kFloat8e5m2fnuz, 66}, Case{kFloat8e8m0, 128}, Case{kFloat4e2m1, 3}, Case{kInt4, 13},
        Case{kUint4, 15}, Case{kInt2, 2}, Case{kUint2, 3}, Case{kBool, 1}}) {
    const Result<Tensor> tensor = tensor_of(tensor_pb("", static_cast<int64_t>(c.type), {1}).number(5, c.entry).bytes);
    ASSERT_TRUE(tensor.ok());
    int64_t bits = 0;
    std::memcpy(&bits, tensor->data(), static_cast<size_t>(tensor->bytes()));
    EXPECT_EQ(bits, c.entry) << name(c.type);
  }
}

TEST(OnnxTensor, StringsKeepTheirBytes) {
  const Result<Tensor> tensor =
      tensor_of(tensor_pb("", 8, {2, 2}).text(6, "a").text(6, "").text(6, std::string("\0x", 2)).text(6, "é").bytes);
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->as<StringRef>()[2].view(), std::string_view("\0x", 2));
  EXPECT_EQ(tensor->as<StringRef>()[3].view(), "é");
  EXPECT_TRUE(tensor_of(tensor_pb("", 8, {0}).text(9, "").bytes).ok());
}

TEST(OnnxTensor, AcceptsMixedPackedAndUnpackedNumbers) {
  const Result<Tensor> tensor = tensor_of(Pb().numbers(1, {2})
                                              .number(1, 3)
                                              .number(2, 6)
                                              .number(5, 1)
                                              .numbers(5, {2, 3, 4})
                                              .number(5, -5)
                                              .numbers(5, {6})
                                              .bytes);
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->extents(), Extents({2, 3}));
  EXPECT_EQ(tensor->as<int32_t>()[4], -5);
}

TEST(OnnxTensor, AcceptsUnpackedNumbersOf64Bits) {
  const Result<Tensor> ints = tensor_of(tensor_pb("", 7, {2}).number(7, -5).number(7, INT64_MAX).bytes);
  ASSERT_TRUE(ints.ok()) << ints.status().message();
  EXPECT_EQ(ints->as<int64_t>()[0], -5);
  EXPECT_EQ(ints->as<int64_t>()[1], INT64_MAX);
  const Result<Tensor> floats =
      tensor_of(tensor_pb("", 11, {3}).float64(10, 0.1).doubles(10, {-2}).float64(10, 1e300).bytes);
  ASSERT_TRUE(floats.ok()) << floats.status().message();
  EXPECT_EQ(floats->as<double>()[0], 0.1);
  EXPECT_EQ(floats->as<double>()[1], -2);
  EXPECT_EQ(floats->as<double>()[2], 1e300);
}

TEST(OnnxTensor, AcceptsUnpackedFloats) {
  const Result<Tensor> floats = tensor_of(tensor_pb("", 1, {3}).float32(4, 1.5f).floats(4, {-2}).float32(4, 3).bytes);
  ASSERT_TRUE(floats.ok()) << floats.status().message();
  EXPECT_EQ(floats->as<float>()[0], 1.5f);
  EXPECT_EQ(floats->as<float>()[1], -2);
  EXPECT_EQ(floats->as<float>()[2], 3);
}

TEST(OnnxTensor, Uint32IsReadFromItsLeastToItsGreatest) {
  const Result<Tensor> tensor = tensor_of(tensor_pb("", 12, {2}).numbers(11, {0, UINT32_MAX}).bytes);
  ASSERT_TRUE(tensor.ok()) << tensor.status().message();
  EXPECT_EQ(tensor->as<uint32_t>()[0], 0u);
  EXPECT_EQ(tensor->as<uint32_t>()[1], UINT32_MAX);
}

TEST(OnnxTensor, EmptyRawDataIsNoData) {
  const Result<Tensor> tensor = tensor_of(tensor_pb("", 1, {1}).text(9, "").floats(4, {2.5f}).bytes);
  ASSERT_TRUE(tensor.ok()) << tensor.status().message();
  EXPECT_EQ(tensor->as<float>()[0], 2.5f);
  EXPECT_TRUE(fails(tensor_of(tensor_pb("", 1, {1}).text(9, "").bytes).status(), TESELA_ERROR_PARSE,
                    "raw_data has 0 bytes; a float tensor of shape 1 has 4"));
}

TEST(OnnxTensor, PadBitsAreCleared) {
  const Result<Tensor> raw = tensor_of(raw_tensor_pb("", 22, {1}, "\xad").bytes);
  EXPECT_EQ(raw->data()[0], std::byte{0x0d});
  const Result<Tensor> typed = tensor_of(tensor_pb("", 26, {3}).number(5, 0xff).bytes);
  EXPECT_EQ(typed->data()[0], std::byte{0x3f});
}

TEST(OnnxTensor, RejectsContradictions) {
  struct Case {
    Pb pb;
    tesela_status code;
    std::string_view words;
  };
  const int64_t big = int64_t{1} << 60;
  const Case cases[] = {
      {raw_tensor_pb("", 1, {2}, "1234567"), TESELA_ERROR_PARSE,
       "raw_data has 7 bytes; a float tensor of shape 2 has 8"},
      {raw_tensor_pb("", 1, {2}, "123456789"), TESELA_ERROR_PARSE, "raw_data has 9 bytes"},
      {raw_tensor_pb("", 22, {3}, "1"), TESELA_ERROR_PARSE, "raw_data has 1 bytes; a int4 tensor of shape 3 has 2"},
      {raw_tensor_pb("", 1, {-2}, "12345678"), TESELA_ERROR_SHAPE, "axis 0 has extent -2"},
      {raw_tensor_pb("", 1, {-2, -1}, "12345678"), TESELA_ERROR_SHAPE, "axis 0 has extent -2"},
      {raw_tensor_pb("", 1, {0, -1}, ""), TESELA_ERROR_SHAPE, "axis 1 has extent -1"},
      {raw_tensor_pb("", 1, {big, 16}, "12345678"), TESELA_ERROR_SHAPE, "more than 2^63 - 1 elements"},
      {raw_tensor_pb("", 15, {big}, "12345678"), TESELA_ERROR_SHAPE, "more than 2^63 - 1 bytes"},
      {raw_tensor_pb("", 1, {int64_t{1} << 31, int64_t{1} << 31}, "1234567812345678"), TESELA_ERROR_SHAPE,
       "more than 2^63"},
      {tensor_pb("", 1, {big}), TESELA_ERROR_PARSE, "has no data"},
      {tensor_pb("", 1, {int64_t{1} << 62, 4}), TESELA_ERROR_SHAPE, "more than 2^63 - 1 elements"},
      {tensor_pb("", 1, {2}), TESELA_ERROR_PARSE, "has no data; expected 2 entries in float_data or 8 bytes"},
      {tensor_pb("", 1, std::vector<int64_t>(65, 1)).text(9, "1234"), TESELA_ERROR_LIMIT,
       "has 65 dims; the limit is 64"},
      {raw_tensor_pb("", 0, {1}, "1"), TESELA_ERROR_TYPE, "data_type is 0; expected 1 to "},
      {raw_tensor_pb("", 99, {1}, "1"), TESELA_ERROR_TYPE, "data_type is 99"},
      {raw_tensor_pb("", -1, {1}, "1"), TESELA_ERROR_TYPE, "data_type is -1"},
      {raw_tensor_pb("", 1, {1}, "1234").floats(4, {1}), TESELA_ERROR_PARSE, "both float_data and raw_data"},
      {tensor_pb("", 1, {1}).floats(4, {1}).numbers(5, {1}), TESELA_ERROR_PARSE, "both float_data and int32_data"},
      {tensor_pb("", 7, {1}).floats(4, {1}), TESELA_ERROR_PARSE, "has float_data; expected int64_data or raw_data"},
      {tensor_pb("", 1, {2}).floats(4, {1}), TESELA_ERROR_PARSE, "float_data has length 1; expected 2"},
      {tensor_pb("", 14, {2}).floats(4, {1, 2, 3}), TESELA_ERROR_PARSE, "float_data has length 3; expected 4"},
      {tensor_pb("", 22, {3}).numbers(5, {1, 2, 3}), TESELA_ERROR_PARSE, "int32_data has length 3; expected 2"},
      {tensor_pb("", 2, {1}).number(5, 300), TESELA_ERROR_VALUE, "int32_data[0] is 300; expected 0 to 255 for uint8"},
      {tensor_pb("", 2, {1}).number(5, -1), TESELA_ERROR_VALUE, "is -1"},
      {tensor_pb("", 3, {1}).number(5, 128), TESELA_ERROR_VALUE, "expected -128 to 127 for int8"},
      {tensor_pb("", 9, {1}).number(5, 2), TESELA_ERROR_VALUE, "expected 0 to 1 for bool"},
      {tensor_pb("", 10, {1}).number(5, 65536), TESELA_ERROR_VALUE, "expected 0 to 65535 for float16"},
      {tensor_pb("", 22, {1}).number(5, 256), TESELA_ERROR_VALUE, "expected 0 to 255 for int4"},
      {tensor_pb("", 12, {1}).number(11, int64_t{1} << 32), TESELA_ERROR_VALUE, "uint64_data[0] is 4294967296"},
      {raw_tensor_pb("", 8, {1}, "1234567812345678"), TESELA_ERROR_PARSE, "strings are in raw_data"},
      {tensor_pb("", 1, {1}).text(3, ""), TESELA_ERROR_UNSUPPORTED, "is a segment"},
      {external_tensor_pb("", 1, {1}, {{"location", "w"}}).text(9, "1234"), TESELA_ERROR_PARSE,
       "raw_data and external"},
      {external_tensor_pb("", 1, {1}, {{"location", "w"}}).floats(4, {1}), TESELA_ERROR_PARSE,
       "float_data and external"},
      {external_tensor_pb("", 8, {1}, {{"location", "w"}}), TESELA_ERROR_PARSE, "strings are in another file"},
  };
  for (const Case& c : cases) EXPECT_TRUE(fails(tensor_of(c.pb.bytes).status(), c.code, c.words));
}

TEST(OnnxTensor, TakesAsManyDimsAsTheLimit) {
  const Pb pb = raw_tensor_pb("", 1, std::vector<int64_t>(64, 1), "1234");
  EXPECT_TRUE(tensor_of(pb.bytes).ok());
  Limits limits;
  limits.max_rank = 63;
  EXPECT_TRUE(fails(tensor_of(pb.bytes, limits).status(), TESELA_ERROR_LIMIT, "has 64 dims; the limit is 63"));
}

}  // namespace
}  // namespace tesela::testing
