// SPDX-License-Identifier: Apache-2.0
// Tensor files by signature and extension, and every type in every format that supports it.
#include "tensor_io/tensor_file.h"

#include "files/temporary_folder.h"
#include "model/expect_fault.h"
#include "model/onnx_bytes.h"

namespace tesela::testing {
namespace {

Tensor some_tensor(DataType type, const Extents& extents) {
  if (type == DataType::kString) {
    const std::vector<std::string> values(static_cast<size_t>(product(extents)), "text");
    return *Tensor::from_strings(extents, std::vector<std::string_view>(values.begin(), values.end()));
  }
  Tensor tensor = *Tensor::allocate(type, extents);
  const bool boolean = type == DataType::kBool;
  for (int64_t i = 0; i < tensor.bytes(); ++i)
    tensor.mutable_data()[i] = static_cast<std::byte>(boolean ? i & 1 : i * 37 + 5);
  return *Tensor::copy_of(tensor.view());  // clears the padding bits
}

// The elements' bytes, including those of strings.
std::string contents(const Tensor& tensor) {
  if (tensor.type() != DataType::kString) return text_of({tensor.data(), static_cast<size_t>(tensor.bytes())});
  std::string out;
  for (const StringRef& value : tensor.as<StringRef>()) out += fmt::format("{}:{} ", value.size, value.view());
  return out;
}

bool npy_has(DataType type) {
  return !is_packed(type) && type != DataType::kString &&
         (traits(type).kind != DataKind::kFloating || traits(type).numpy_name.starts_with("float")) &&
         !traits(type).numpy_name.starts_with("float8");
}

TEST(TensorFile, EveryTypeRoundTripsThroughItsFormats) {
  TensorFileOptions options;
  options.name = "t";
  for (const DataTypeTraits& type : all_data_types()) {
    for (const Extents& extents : {Extents(), Extents({3}), Extents({0, 2}), Extents({2, 3, 5})}) {
      const Tensor tensor = some_tensor(type.type, extents);
      for (const FileFormat format : {FileFormat::kPb, FileFormat::kNpy, FileFormat::kNpz}) {
        options.format = format;
        const Result<std::vector<std::byte>> bytes = encode_tensor(tensor.view(), options);
        if (format != FileFormat::kPb && !npy_has(type.type)) {
          EXPECT_EQ(bytes.status().code(), TESELA_ERROR_UNSUPPORTED) << type.onnx_name;
          continue;
        }
        ASSERT_TRUE(bytes.ok()) << bytes.status().message();
        const Result<NamedTensor> again = read_tensor(*bytes, {});
        ASSERT_TRUE(again.ok()) << again.status().message();
        EXPECT_EQ(again->tensor.type(), type.type);
        EXPECT_EQ(again->tensor.extents(), extents);
        EXPECT_EQ(contents(again->tensor), contents(tensor)) << type.onnx_name;
        EXPECT_EQ(again->name, format == FileFormat::kPb ? "t" : format == FileFormat::kNpz ? "arr_0" : "");
      }
    }
  }
}

TEST(TensorFile, FileHasTheEncodedBytes) {
  const TemporaryFolder folder;
  TensorFileOptions options;
  for (const DataType type : {DataType::kFloat, DataType::kInt4, DataType::kString}) {
    const Tensor tensor = some_tensor(type, {2, 3, 5});
    options.format = FileFormat::kPb;
    ASSERT_TRUE(write_tensor(tensor.view(), folder / "t.pb", {}).ok());
    EXPECT_EQ(folder.read("t.pb"), text_of(*encode_tensor(tensor.view(), options)));
    EXPECT_EQ(contents(read_tensor(folder / "t.pb", {})->tensor), contents(tensor));
  }
}

TEST(TensorFile, StridedAndShiftedViewsAreWrittenDense) {
  const std::string numbers = "abcdef";
  TensorFileOptions options;
  options.format = FileFormat::kPb;
  const TensorView turned{bytes_of(numbers).data(), DataType::kUint8, {3, 2}, {1, 3}};
  EXPECT_EQ(contents(read_tensor(*encode_tensor(turned, options), {})->tensor), "adbecf");
  const TensorView backwards{bytes_of(numbers).data() + 5, DataType::kUint8, {6}, {-1}};
  EXPECT_EQ(contents(read_tensor(*encode_tensor(backwards, options), {})->tensor), "fedcba");
  const std::string nibbles = "\x21\x43\xf5";
  const TensorView shifted{bytes_of(nibbles).data(), DataType::kUint4, {3}, {}, 4};
  EXPECT_EQ(contents(read_tensor(*encode_tensor(shifted, options), {})->tensor), "\x32\x04");
  const TensorView padded{bytes_of(nibbles).data() + 2, DataType::kInt4, {1}, {}};
  EXPECT_EQ(contents(read_tensor(*encode_tensor(padded, options), {})->tensor), "\x05");
}

TEST(TensorFile, ReadDetectsFormatByContentNotByName) {
  const TemporaryFolder folder;
  const Tensor tensor = some_tensor(DataType::kUint8, {8, 9, 3});
  for (const std::string ending : {".npy", ".npz", ".pb", ".png", ".jpg", ".jpeg", ".PNG", ".Npy"}) {
    ASSERT_TRUE(write_tensor(tensor.view(), folder / ("t" + ending), {}).ok());
    std::filesystem::rename(folder / ("t" + ending), folder / "x.dat");
    const Result<NamedTensor> again = read_tensor(folder / "x.dat", {});
    ASSERT_TRUE(again.ok()) << again.status().message();
    EXPECT_EQ(again->tensor.extents(), tensor.extents()) << ending;
  }
}

TEST(TensorFile, RejectsUnknownFormats) {
  struct Case {
    std::string bytes;
    tesela_status code;
    std::string_view words;
  };
  const Case cases[] = {
      {"", TESELA_ERROR_TRUNCATED, "the file is empty"},
      {"some text", TESELA_ERROR_PARSE, "not .npy, .npz, .png or .jpg; as .pb: "},
      {"\x93NUM", TESELA_ERROR_TRUNCATED, ".npy file ends"},
      {"P", TESELA_ERROR_TRUNCATED, "zip archive"},
      {"\x89P", TESELA_ERROR_TRUNCATED, "PNG file ends"},
      {"\xff", TESELA_ERROR_TRUNCATED, "JPEG file ends"},
  };
  for (const Case& c : cases) EXPECT_TRUE(fails(read_tensor(bytes_of(c.bytes), {}).status(), c.code, c.words));
}

TEST(TensorFile, TriesOnlyTheGivenFormat) {
  TensorFileOptions options;
  const std::string pb = raw_tensor_pb("t", 2, {1}, "x").bytes;
  for (const auto& [format, words] :
       std::vector<std::pair<FileFormat, std::string_view>>{{FileFormat::kNpy, "not a .npy file"},
                                                            {FileFormat::kPng, "not a PNG file"},
                                                            {FileFormat::kJpeg, "not a JPEG file"}}) {
    options.format = format;
    EXPECT_TRUE(fails(read_tensor(bytes_of(pb), options).status(), TESELA_ERROR_PARSE, words));
  }
}

TEST(TensorFile, ErrorsNameTheFile) {
  const TemporaryFolder folder;
  EXPECT_TRUE(
      fails(read_tensor(folder.write("bad.npy", "\x93NUMPY"), {}).status(), TESELA_ERROR_TRUNCATED, "bad.npy': "));
}

TEST(TensorFile, UnknownFileEndingsAreUsageErrors) {
  const TemporaryFolder folder;
  const Tensor tensor = some_tensor(DataType::kUint8, {2, 2});
  for (const std::string_view name : {"t", "t.gif", "t.npy.gz", "npy"})
    EXPECT_TRUE(fails(write_tensor(tensor.view(), folder / name, {}), TESELA_ERROR_USAGE, "expected an ending .npy"));
  EXPECT_EQ(folder.entries(), 0u);
}

TEST(TensorFile, EndingsMayBeInCapitals) {
  const TemporaryFolder folder;
  const Tensor tensor = some_tensor(DataType::kUint8, {2, 2});
  for (const std::string_view name : {"t.NPY", "t.NPZ", "t.PB", "t.PNG", "t.JPG", "t.JPEG", "t.nPz"})
    EXPECT_TRUE(write_tensor(tensor.view(), folder / name, {}).ok()) << name;
}

TEST(TensorFile, FailedEncodingKeepsOldFile) {
  const TemporaryFolder folder;
  folder.write("t.png", "old");
  const Tensor tensor = some_tensor(DataType::kFloat, {2, 2});
  EXPECT_TRUE(fails(write_tensor(tensor.view(), folder / "t.png", {}), TESELA_ERROR_UNSUPPORTED, "cast to uint8"));
  EXPECT_EQ(folder.read("t.png"), "old");
  EXPECT_EQ(folder.entries(), 1u);
}

// Before the tensor is encoded, which can take long.
TEST(TensorFile, MissingFoldersAreReportedFirst) {
  const TemporaryFolder folder;
  const Tensor tensor = some_tensor(DataType::kFloat, {2, 2});
  EXPECT_TRUE(fails(write_tensor(tensor.view(), folder / "none/t.png", {}), TESELA_ERROR_IO, "cannot write"));
}

TEST(TensorFile, EncodingNeedsFormatAndValidTensor) {
  EXPECT_TRUE(fails(encode_tensor(some_tensor(DataType::kUint8, {2}).view(), {}).status(), TESELA_ERROR_USAGE,
                    "not a file format"));
  TensorFileOptions options;
  options.format = FileFormat::kNpy;
  EXPECT_TRUE(fails(encode_tensor({nullptr, static_cast<DataType>(99), {2}, {}}, options).status(), TESELA_ERROR_TYPE,
                    "type 99"));
  EXPECT_TRUE(fails(encode_tensor({nullptr, DataType::kUint8, {-2}, {}}, options).status(), TESELA_ERROR_SHAPE,
                    "axis 0 has extent -2"));
}

TEST(TensorFile, InputAndOutputMayBeTheSameFile) {
  const TemporaryFolder folder;
  const Tensor tensor = some_tensor(DataType::kInt32, {1000});
  ASSERT_TRUE(write_tensor(tensor.view(), folder / "t.npy", {}).ok());
  const Result<NamedTensor> read = read_tensor(folder / "t.npy", {});
  ASSERT_TRUE(write_tensor(read->tensor.view(), folder / "t.npy", {}).ok());
  EXPECT_EQ(contents(read_tensor(folder / "t.npy", {})->tensor), contents(tensor));
}

}  // namespace
}  // namespace tesela::testing
