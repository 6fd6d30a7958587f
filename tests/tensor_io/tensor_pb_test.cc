// SPDX-License-Identifier: Apache-2.0
// .pb files: one TensorProto.
#include "tensor_io/tensor_pb.h"

#include "model/expect_fault.h"
#include "model/onnx_bytes.h"

namespace tesela::testing {
namespace {

Result<NamedTensor> read(std::string_view file) {
  return read_tensor_pb({bytes_of(file), nullptr}, {});
}

std::string text_of_parts(const FileParts& parts) {
  return text_of(parts.head) + text_of(parts.body_bytes()) + text_of(parts.tail);
}

TEST(TensorPb, ReadsTensorAndName) {
  const Result<NamedTensor> tensor = read(raw_tensor_pb("input_0", 1, {1, 2}, "12345678").bytes);
  ASSERT_TRUE(tensor.ok());
  EXPECT_EQ(tensor->name, "input_0");
  EXPECT_EQ(tensor->tensor.extents(), Extents({1, 2}));
}

TEST(TensorPb, BorrowsOnlyFromAnOwnedFile) {
  const std::string file = raw_tensor_pb("t", 2, {4}, "abcd").bytes;
  const auto owner = std::make_shared<std::string>(file);
  const std::byte* end = bytes_of(*owner).data() + file.size();
  EXPECT_EQ(read_tensor_pb({bytes_of(*owner), owner}, {})->tensor.data(), end - 4);
  const Result<NamedTensor> copy = read(*owner);
  *owner = std::string(file.size(), 'x');
  EXPECT_EQ(text_of({copy->tensor.data(), 4}), "abcd");
}

TEST(TensorPb, RejectsInvalidFiles) {
  const Pb tensor = raw_tensor_pb("t", 1, {1}, "1234");
  struct Case {
    std::string bytes;
    tesela_status code;
    std::string_view words;
  };
  const Case cases[] = {
      {"", TESELA_ERROR_TRUNCATED, "the file is empty"},
      {Pb().text(1, "s").number(2, 1).message(3, tensor).message(3, tensor).bytes, TESELA_ERROR_UNSUPPORTED,
       "a sequence"},
      {Pb().number(2, 1).message(3, tensor).bytes, TESELA_ERROR_UNSUPPORTED, "an optional"},
      {Pb(tensor).message(3, Pb().number(1, 0).number(2, 1)).bytes, TESELA_ERROR_UNSUPPORTED, "a segment"},
      {external_tensor_pb("t", 1, {1}, {{"location", "w"}}).bytes, TESELA_ERROR_UNSUPPORTED, "in another file"},
      {raw_tensor_pb("t", 99, {1}, "1234").bytes, TESELA_ERROR_TYPE, "data_type is 99"},
      {model_of_initializer(tensor).bytes, TESELA_ERROR_TYPE, "data_type is 0"},
  };
  for (const Case& c : cases) EXPECT_TRUE(fails(read(c.bytes).status(), c.code, c.words));
}

TEST(TensorPb, BytesMatchOnnx) {  // numpy_helper.from_array(np.uint8([[1], [2]]), 'n') of onnx 1.23.2
  const Tensor tensor = *Tensor::copy_of({bytes_of("\1\2").data(), DataType::kUint8, {2, 1}, {}});
  EXPECT_EQ(text_of_parts(*encode_tensor_pb(tensor, "n")), "\x08\x02\x08\x01\x10\x02\x42\x01nJ\x02\x01\x02");
}

TEST(TensorPb, StringsAreWrittenAsStringData) {
  const Tensor tensor = *Tensor::from_strings({2}, std::vector<std::string_view>{"a", ""});
  const Result<NamedTensor> again = read(text_of_parts(*encode_tensor_pb(tensor, "")));
  ASSERT_TRUE(again.ok());
  EXPECT_EQ(again->tensor.as<StringRef>()[0].view(), "a");
  EXPECT_EQ(again->tensor.as<StringRef>()[1].view(), "");
}

TEST(TensorPb, RejectsTwoGibibytes) {
  const Tensor tensor = Tensor::borrow(DataType::kUint8, {int64_t{1} << 31}, nullptr, nullptr);
  EXPECT_TRUE(fails(encode_tensor_pb(tensor, "").status(), TESELA_ERROR_LIMIT, "protobuf allows 2 GiB"));
  // The fields before the data take up to 34 bytes here. No string's bytes are read before the size is known.
  EXPECT_TRUE(encode_tensor_pb(Tensor::borrow(DataType::kUint8, {INT32_MAX - 34}, nullptr, nullptr), "ab").ok());
  EXPECT_TRUE(
      fails(encode_tensor_pb(Tensor::borrow(DataType::kUint8, {INT32_MAX - 33}, nullptr, nullptr), "ab").status(),
            TESELA_ERROR_LIMIT, "a .pb file of 2147483648 bytes; protobuf allows 2 GiB"));
  const StringRef strings[] = {{nullptr, uint64_t{1} << 31}, {nullptr, 0}};
  const Tensor texts = Tensor::borrow(DataType::kString, {2}, std::as_bytes(std::span(strings)).data(), nullptr);
  EXPECT_TRUE(fails(encode_tensor_pb(texts, "ab").status(), TESELA_ERROR_LIMIT, "a .pb file of 2147483702 bytes"));
}

// Protobuf has no end mark, so a file cut between two fields is a valid message, whose fields are contradictory.
TEST(TensorPb, NoPrefixIsATensor) {
  const auto status_of = [](auto bytes) { return read(text_of(bytes)).status(); };
  sweep_prefixes(raw_tensor_pb("name", 1, {2, 2}, "0123456789abcdef").bytes, status_of,
                 {TESELA_ERROR_TRUNCATED, TESELA_ERROR_PARSE, TESELA_ERROR_TYPE});
}

TEST(TensorPb, EveryBitFlipReturnsAStatus) {
  const auto status_of = [](auto bytes) { return read(text_of(bytes)).status(); };
  for (const Pb& pb :
       {raw_tensor_pb("name", 1, {2, 2}, "0123456789abcdef"), tensor_pb("n", 6, {3}).numbers(5, {1, -2, 300}),
        tensor_pb("n", 8, {2}).text(6, "one").text(6, "two"), tensor_pb("n", 14, {1}).floats(4, {1, 2})})
    sweep_bit_flips(pb.bytes, status_of);
}

}  // namespace
}  // namespace tesela::testing
