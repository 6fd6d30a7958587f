// SPDX-License-Identifier: Apache-2.0
// .npz: reads one array of an archive by name.
#include "tensor_io/npz.h"

#include "files/cost.h"
#include "model/expect_fault.h"
#include "tensor_io/npy_header.h"
#include "tensor_io/zip_bytes.h"

namespace tesela::testing {
namespace {

std::string array(std::string_view data) {
  return npy_header("|u1", Extents({static_cast<int64_t>(data.size())})) + std::string(data);
}

Result<NamedTensor> read(std::string_view file, const std::string& entry = "") {
  TensorFileOptions options;
  options.entry = entry;
  return read_npz({bytes_of(file), nullptr}, options);
}

std::string data_of(const Result<NamedTensor>& tensor) {
  if (!tensor.ok()) return tensor.status().message();
  return text_of({tensor->tensor.data(), static_cast<size_t>(tensor->tensor.bytes())});
}

TEST(Npz, ChoosesArrayByName) {
  const std::string file = zip({member("a.npy", array("one")), member("b.npy", array("two"), true)});
  EXPECT_EQ(data_of(read(file, "a")), "one");
  EXPECT_EQ(data_of(read(file, "b")), "two");
  EXPECT_EQ(data_of(read(file, "b.npy")), "two");
  EXPECT_EQ(read(file, "b")->name, "b");
  EXPECT_TRUE(fails(read(file).status(), TESELA_ERROR_VALUE, "has 2 arrays, 'a', 'b'; name one"));
  EXPECT_TRUE(fails(read(file, "c").status(), TESELA_ERROR_VALUE, "has no array 'c'; it has 'a', 'b'"));
  EXPECT_TRUE(fails(read(zip({})).status(), TESELA_ERROR_VALUE, "has no arrays"));
}

TEST(Npz, MessagesNameTheFirstArrays) {
  std::vector<ZipMember> many;
  for (int i = 0; i < 50; ++i) many.push_back(member(fmt::format("array{:02}.npy", i), array("x")));
  EXPECT_TRUE(fails(read(zip(many)).status(), TESELA_ERROR_VALUE, "'array10', 'array11', ...; name one"));
}

// Names are added while the list has at most 120 bytes.
TEST(Npz, ListOfNamesEndsAt120Bytes) {
  const auto list = [](size_t first, size_t second) {
    return read(zip({member(std::string(first, 'a'), ""), member(std::string(second, 'b'), ""), member("c", "")}))
        .status();
  };
  EXPECT_TRUE(fails(list(57, 57), TESELA_ERROR_VALUE, "bbb', 'c'; name one"));
  EXPECT_TRUE(fails(list(57, 58), TESELA_ERROR_VALUE, "bbb', ...; name one"));
}

TEST(Npz, TextsAreRead) {
  const std::string characters("a\0\0\0b\0\0\0", 8);
  const std::string file = zip({member("a.npy", npy_header("<U1", Extents({2})) + characters, true)});
  EXPECT_EQ(read(file)->tensor.as<StringRef>()[1].view(), "b");
}

TEST(Npz, NamesAreAsLongAsZipAllows) {
  TensorFileOptions options;
  options.entry = std::string(UINT16_MAX - 4, 'n');
  const Tensor tensor = *Tensor::allocate(DataType::kUint8, {1});
  EXPECT_TRUE(encode_npz(tensor, options).ok());
  options.entry += "n";
  EXPECT_TRUE(fails(encode_npz(tensor, options).status(), TESELA_ERROR_USAGE, "an array's name of 65536 bytes"));
}

TEST(Npz, OnlyArrayNeedsNoName) {
  EXPECT_EQ(data_of(read(zip({member("x.npy", array("data"))}))), "data");
}

TEST(Npz, NamesAreNotPaths) {
  for (const std::string& name : {std::string("../x.npy"), std::string("/etc/x.npy"), std::string("a\0b.npy", 7)})
    EXPECT_EQ(data_of(read(zip({member(name, array("data"))}))), "data");
}

TEST(Npz, ErrorNamesEntryThatIsNotAnArray) {
  EXPECT_TRUE(fails(read(zip({member("readme.txt", "some text")})).status(), TESELA_ERROR_PARSE,
                    "'readme.txt': not a .npy file"));
}

TEST(Npz, RejectsBombBeforeUnpacking) {
  TensorFileOptions options;
  options.limits.max_output_bytes = 1 << 20;
  const std::string file = zip({member("a.npy", array(std::string(2 << 20, 'x')), true)});
  EXPECT_TRUE(fails(read_npz({bytes_of(file), nullptr}, options).status(), TESELA_ERROR_LIMIT, "the limit is"));
}

// A file of 204 kB took 8.2 GiB: each byte became a string of 16 bytes, in three copies.
TEST(Npz, StringSizeIsCheckedBeforeUnpacking) {
  constexpr int64_t kCount = 100'000'000;
  const std::string texts = npy_header("|S1", Extents({kCount})) + std::string(kCount, 'x');
  const std::string file = zip({member("a.npy", texts, true)});
  EXPECT_LT(file.size(), size_t{1} << 20);
  const Cost cost = cost_of([&] {
    return fails(read(file).status(), TESELA_ERROR_LIMIT, "'a.npy': a string tensor of 1600000000 bytes from") ? true
                                                                                                               : false;
  });
  EXPECT_TRUE(cost.succeeded);
  EXPECT_LT(cost.seconds, 0.2);
  EXPECT_LT(cost.mebibytes, 8);
}

// Of 128 packed bytes, and by these limits, 8,208 bytes may become: 513 strings. The file has none of them.
TEST(Npz, StringsMayTakeAsMuchAsDecoding) {
  TensorFileOptions options;
  options.limits.max_output_bytes = 512;
  const auto status_of = [&](ZipMember entry) {
    return read_npz({bytes_of(zip({std::move(entry)})), nullptr}, options).status();
  };
  for (const std::string_view descr : {"|S1", "<U1"}) {
    const std::string fitting = npy_header(descr, Extents({513})), large = npy_header(descr, Extents({514}));
    ASSERT_EQ(large.size(), 128u);
    EXPECT_TRUE(fails(status_of(member("a", fitting)), TESELA_ERROR_TRUNCATED, "the array has 0 bytes"));
    EXPECT_TRUE(fails(status_of(member("a", large)), TESELA_ERROR_LIMIT,
                      "'a': a string tensor of 8224 bytes from 128 packed ones; the limit is 8208"));
  }
  EXPECT_TRUE(fails(status_of(member("a", npy_header("|u1", Extents({514})))), TESELA_ERROR_TRUNCATED, "has 0 bytes"));
  ZipMember entry = member("a", npy_header("|S1", Extents({1'000'000})), true);
  EXPECT_TRUE(fails(status_of(entry), TESELA_ERROR_LIMIT, "'a': a string tensor of 16000000 bytes from"));
  entry.method = 9;  // whose data are not looked at, nor those of encrypted entries
  EXPECT_TRUE(fails(status_of(entry), TESELA_ERROR_UNSUPPORTED, "packed by method 9"));
  entry = member("a", npy_header("|S1", Extents({1'000'000})));
  entry.flags = 1;
  EXPECT_TRUE(fails(status_of(entry), TESELA_ERROR_UNSUPPORTED, "is encrypted"));
}

TEST(Npz, HighCompressionIsAllowedUpToALimit) {
  TensorFileOptions options;
  const std::string file = zip({member("a.npy", array(std::string(20'000'000, '\0')), true)});
  EXPECT_TRUE(read(file).ok());
  options.limits.max_output_bytes = 500'000'000;
  EXPECT_TRUE(
      fails(read_npz({bytes_of(file), nullptr}, options).status(), TESELA_ERROR_LIMIT, "claims 20000128 bytes from"));
}

// Field by field as in sections 4.3.7 and 4.3.12 to 4.3.16 of PKWARE's APPNOTE.TXT.
TEST(Npz, WritesZip64Archives) {
  TensorFileOptions options;
  options.entry = "w";
  const std::string data = array("ab"), name = "w.npy";
  const auto crc = static_cast<uint32_t>(crc32_z(0, reinterpret_cast<const Bytef*>(data.data()), data.size()));
  const auto put16 = [](std::string& out, std::initializer_list<uint16_t> values) {
    for (const uint16_t value : values) put(out, value);
  };
  const auto put_entry = [&](std::string& out) {
    put16(out, {0x800, 0, 0, 0x21});  // a name in UTF-8, stored, 0:00 on 1980-01-01
    put<uint32_t>(out, crc), put<uint32_t>(out, UINT32_MAX), put<uint32_t>(out, UINT32_MAX);
    put16(out, {5, 20});  // bytes of the name and of the sizes after it
  };
  const auto put_sizes = [&](std::string& out) {
    put16(out, {1, 16}), put<uint64_t>(out, data.size()), put<uint64_t>(out, data.size());
  };
  std::string expected, directory;
  put<uint32_t>(expected, 0x04034b50), put16(expected, {45});  // 4.5: the version that has zip64
  put_entry(expected), expected += name, put_sizes(expected), expected += data;
  const size_t offset = expected.size();
  put<uint32_t>(directory, 0x02014b50), put16(directory, {45, 45});
  put_entry(directory), put16(directory, {0, 0, 0});  // no comment; the first disk; no attributes
  put<uint32_t>(directory, 0), put<uint32_t>(directory, 0);
  directory += name, put_sizes(directory), expected += directory;
  put<uint32_t>(expected, 0x06064b50), put<uint64_t>(expected, 44), put16(expected, {45, 45});
  put<uint32_t>(expected, 0), put<uint32_t>(expected, 0), put<uint64_t>(expected, 1), put<uint64_t>(expected, 1);
  put<uint64_t>(expected, directory.size()), put<uint64_t>(expected, offset);
  put<uint32_t>(expected, 0x07064b50), put<uint32_t>(expected, 0);
  put<uint64_t>(expected, offset + directory.size()), put<uint32_t>(expected, 1);
  put<uint32_t>(expected, 0x06054b50), put16(expected, {0, 0, 1, 1});
  put<uint32_t>(expected, static_cast<uint32_t>(directory.size())), put<uint32_t>(expected, UINT32_MAX);
  put16(expected, {0});
  const FileParts parts = *encode_npz(*Tensor::copy_of({bytes_of("ab").data(), DataType::kUint8, {2}, {}}), options);
  EXPECT_EQ(text_of(parts.head) + text_of(parts.body_bytes()) + text_of(parts.tail), expected);
}

TEST(Npz, WriteReadRoundTrip) {
  const Tensor tensor = *Tensor::from_strings({1}, std::vector<std::string_view>{"x"});
  EXPECT_EQ(encode_npz(tensor, {}).status().code(), TESELA_ERROR_UNSUPPORTED);
  TensorFileOptions options;
  for (const std::string& entry : {std::string(), std::string("weights"), std::string("weights.npy")}) {
    options.entry = entry;
    const FileParts parts = *encode_npz(*Tensor::allocate(DataType::kInt16, {3, 0}), options);
    const std::string file = text_of(parts.head) + text_of(parts.body_bytes()) + text_of(parts.tail);
    EXPECT_EQ(file.substr(10, 4), std::string_view("\0\0\x21\0", 4));  // 1980-01-01, 0:00
    EXPECT_EQ(read(file)->name, entry.empty() ? "arr_0" : "weights");
    EXPECT_EQ(read(file)->tensor.extents(), Extents({3, 0}));
  }
}

}  // namespace
}  // namespace tesela::testing
