// SPDX-License-Identifier: Apache-2.0
// External data: only plain files inside the model's folder, no byte beyond their end.
#include "model/external_data.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/temporary_folder.h"
#include "model/expect_fault.h"
#include "model/model_file.h"
#include "model/onnx_bytes.h"

namespace tesela::testing {
namespace {

// A folder with a model's data, and files that the model must not read.
struct Place {
  TemporaryFolder folder;
  std::string base = folder / "model";
  Place() {
    folder.write("secret", "12345678");
    folder.write("model/w.bin", "abcdefgh");
    folder.write("model/sub/w.bin", "ABCDEFGH");
    folder.write("model/twice", "12345678");
    std::filesystem::create_symlink("w.bin", base + "/link");
    std::filesystem::create_symlink("../secret", base + "/way_out");
    std::filesystem::create_symlink("sub", base + "/sub_link");
    std::filesystem::create_symlink("link_loop", base + "/link_loop");
    std::filesystem::create_hard_link(base + "/twice", base + "/twice2");
    std::filesystem::create_hard_link(folder / "secret", base + "/secret_link");
    ::mkfifo((base + "/fifo").c_str(), 0600);
  }
};

Result<std::string> bytes_at(const Place& place, std::string_view location, int64_t offset = 0, int64_t bytes = 4) {
  ExternalFiles files(place.base);
  TESELA_ASSIGN_OR_RETURN(const FileBytes found, files.find({location, offset, std::nullopt}, bytes, 1));
  return text_of(found.bytes);
}

TEST(ExternalData, ReadsFilesInModelFolder) {
  const Place place;
  EXPECT_EQ(*bytes_at(place, "w.bin"), "abcd");
  EXPECT_EQ(*bytes_at(place, "./w.bin", 3), "defg");
  EXPECT_EQ(*bytes_at(place, "sub/w.bin", 4), "EFGH");
  EXPECT_EQ(*bytes_at(place, "sub/.//w.bin", 8, 0), "");
}

TEST(ExternalData, RejectsOtherPaths) {
  struct Case {
    std::string location;
    std::string_view words;
  };
  const Case cases[] = {
      {"", "is empty"},
      {"../secret", "contains '..'"},
      {"sub/../../secret", "contains '..'"},
      {"sub/..", "contains '..'"},
      {"/etc/passwd", "is an absolute path"},
      {"..\\secret", "contains a backslash"},
      {std::string("w.bin\0x", 7), "contains a NUL"},
      {"sub/", "is a directory"},
      {"*/_ORT_MEM_ADDR_/*", "is an address"},
      {"link", "symbolic link"},
      {"way_out", "symbolic link"},
      {"sub_link/w.bin", "symbolic link"},
      {"link_loop", "symbolic link"},
      {"w.bin/x", "symbolic link or a file where"},
      {"twice", "has 2 names"},
      {"secret_link", "has 2 names"},
      {"fifo", "is not a regular file"},
      {"sub", "is not a regular file"},
      {".", "is not a regular file"},
  };
  const Place place;
  for (const Case& c : cases)
    EXPECT_TRUE(fails(bytes_at(place, c.location).status(), TESELA_ERROR_PATH, c.words)) << in_quotes(c.location);
  EXPECT_TRUE(fails(bytes_at(place, "none").status(), TESELA_ERROR_IO, "No such file"));
  EXPECT_TRUE(fails(bytes_at(place, std::string(300, 'x')).status(), TESELA_ERROR_PATH, "File name too long"));
}

TEST(ExternalData, RejectsRangesBeyondTheFile) {
  const Place place;
  EXPECT_EQ(*bytes_at(place, "w.bin", 0, 8), "abcdefgh");
  for (const auto& [offset, bytes] : std::vector<std::pair<int64_t, int64_t>>{
           {0, 9}, {5, 4}, {9, 0}, {INT64_MAX, 1}, {1, INT64_MAX}, {INT64_MAX, INT64_MAX}})
    EXPECT_TRUE(fails(bytes_at(place, "w.bin", offset, bytes).status(), TESELA_ERROR_TRUNCATED, "'w.bin' has 8 bytes"));
}

TEST(ExternalData, ParsesEntries) {
  using Entries = std::vector<std::pair<std::string_view, std::string_view>>;
  const Entries good = {{"location", "w"}, {"checksum", "?"}, {"offset", "4096"}, {"length", "12"}, {"checksum", "?"}};
  const Result<ExternalPlace> place = parse_external(good);
  ASSERT_TRUE(place.ok());
  EXPECT_EQ(place->location, "w");
  EXPECT_EQ(place->offset, 4096);
  EXPECT_EQ(place->length, 12);
  for (const std::string_view number :
       {"-1", "abc", "", "1e3", " 12 ", "+1", "0x10", "9223372036854775808", "18446744073709551616"}) {
    EXPECT_TRUE(fails(parse_external(Entries{{"location", "w"}, {"offset", number}}).status(), TESELA_ERROR_VALUE,
                      "offset is"));
    EXPECT_TRUE(fails(parse_external(Entries{{"location", "w"}, {"length", number}}).status(), TESELA_ERROR_VALUE,
                      "length is"));
  }
  EXPECT_TRUE(fails(parse_external(Entries{{"offset", "0"}}).status(), TESELA_ERROR_PATH, "'location' is missing"));
  EXPECT_TRUE(fails(parse_external(Entries{{"location", "a"}, {"location", "b"}}).status(), TESELA_ERROR_PARSE,
                    "'location' is given twice"));
}

TEST(ExternalData, OpensFileOnceForEquivalentPaths) {
  const Place place;
  ExternalFiles files(place.base);
  const std::byte* first = files.find({"w.bin"}, 8, 1)->bytes.data();
  EXPECT_EQ(files.find({"./w.bin"}, 8, 1)->bytes.data(), first);
  EXPECT_EQ(files.find({".//.//w.bin", 1}, 7, 1)->bytes.data(), first + 1);
}

// Files are read until they have 64 MiB together; each beyond is mapped, and does not count.
TEST(ExternalData, ReadsSmallFilesUpTo64MebibytesInAll) {
  const TemporaryFolder folder;
  const auto sparse = [&](std::string_view name, size_t mebibytes) {
    std::filesystem::resize_file(folder.write(name, ""), mebibytes << 20);
  };
  sparse("first", 40);
  sparse("large", 100);
  sparse("rest", 24);
  folder.write("beyond", "1");
  ExternalFiles files(folder.path());
  const auto mapped_after = [&](std::string_view name) {
    EXPECT_TRUE(files.find({name}, 1, 1).ok()) << name;
    return files.mapped().size();
  };
  EXPECT_EQ(mapped_after("first"), 0u);
  EXPECT_EQ(mapped_after("large"), 1u);
  EXPECT_EQ(mapped_after("rest"), 1u);
  EXPECT_EQ(mapped_after("beyond"), 2u);
  for (const auto& file : files.mapped()) EXPECT_NE(file, nullptr);
}

TEST(ExternalData, KeepsLocationsThatWereAskedFor) {
  const Place place;
  ExternalFiles files(place.base);
  for (const char* location : {"w.bin", "none", "w.bin", "../secret"}) (void)files.find({location}, 1, 1);
  EXPECT_EQ(files.locations(), (std::set<std::string, std::less<>>{"../secret", "none", "w.bin"}));
}

TEST(ExternalData, MappedFileThatIsCutShortIsTruncated) {
  const Place place;
  const std::string path = place.folder.write("model/large", "");
  std::filesystem::resize_file(path, (size_t{64} << 20) + 8);  // the first size that is mapped; all is a hole
  ExternalFiles files(place.base);
  EXPECT_EQ(files.find({"large", 64 << 20}, 8, 1)->bytes.size(), 8u);
  std::filesystem::resize_file(path, 4096);
  EXPECT_EQ(files.find({"large", 64 << 20}, 8, 1).status().code(), TESELA_ERROR_TRUNCATED);
  EXPECT_EQ(files.find({"large", 64 << 20}, 8, 1).status().message(),
            "external data: 'large' was cut short while it was in use: it had 67108872 bytes");
}

Status fault_of(const Result<Model>& model) {
  return model.ok() ? model->graph.initializers[0].fault : model.status();
}

TEST(ExternalData, TensorsShareTheirFile) {
  const Place place;
  Pb graph;
  graph.message(5, external_tensor_pb("a", 6, {1}, {{"location", "w.bin"}, {"length", "4"}}));
  graph.message(5, external_tensor_pb("b", 6, {1}, {{"location", "w.bin"}, {"offset", "4"}}));
  graph.message(5, external_tensor_pb("c", 6, {1}, {{"location", "w.bin"}, {"offset", "1"}}));
  const std::string path = place.folder.write("model/m.onnx", model_pb(graph).bytes);
  const Result<Model> model = read_model(path, {});
  ASSERT_TRUE(model.ok());
  const auto& tensors = model->graph.initializers;
  for (const Initializer& tensor : tensors) ASSERT_TRUE(tensor.fault.ok()) << tensor.fault.message();
  EXPECT_EQ(text_of({tensors[1].value.data(), 4}), "efgh");
  EXPECT_EQ(tensors[1].value.data(), tensors[0].value.data() + 4);
  EXPECT_EQ(text_of({tensors[2].value.data(), 4}), "bcde");
  EXPECT_EQ(reinterpret_cast<uintptr_t>(tensors[2].value.data()) % 4, 0u);
}

TEST(ExternalData, ModelFromMemoryNeedsBaseDirectory) {
  const Place place;
  const std::string bytes = model_of_initializer(external_tensor_pb("a", 6, {1}, {{"location", "w.bin"}})).bytes;
  EXPECT_TRUE(fails(fault_of(read_onnx(bytes_of(bytes), nullptr, {})), TESELA_ERROR_PATH, "has no folder"));
  OnnxReadOptions options;
  options.base_directory = place.base;
  EXPECT_TRUE(fault_of(read_onnx(bytes_of(bytes), nullptr, options)).ok());
}

TEST(ExternalData, RejectsLengthThatDiffersFromTensor) {
  const Place place;
  OnnxReadOptions options;
  options.base_directory = place.base;
  const Pb tensor = external_tensor_pb("a", 6, {1}, {{"location", "w.bin"}, {"length", "5"}});
  const std::string bytes = model_of_initializer(tensor).bytes;
  EXPECT_TRUE(
      fails(fault_of(read_onnx(bytes_of(bytes), nullptr, options)), TESELA_ERROR_PARSE, "length is 5; expected 4"));
}

TEST(ExternalData, HugeTensorSizeAllocatesNothing) {
  const Place place;
  OnnxReadOptions options;
  options.base_directory = place.base;
  const Pb tensor = external_tensor_pb("a", 6, {int64_t{1} << 48}, {{"location", "w.bin"}});
  EXPECT_TRUE(fails(fault_of(read_onnx(bytes_of(model_of_initializer(tensor).bytes), nullptr, options)),
                    TESELA_ERROR_TRUNCATED, "expected 1125899906842624 at offset 0"));
}

}  // namespace
}  // namespace tesela::testing
