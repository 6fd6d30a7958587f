// SPDX-License-Identifier: Apache-2.0
// Reading files while system calls fail.
#include <fcntl.h>
#include <sys/mman.h>

#include <cerrno>
#include <filesystem>
#include <fstream>

#include "files/failing_calls.h"
#include "files/file_bytes.h"
#include "files/named_file.h"
#include "files/temporary_folder.h"
#include "model/expect_fault.h"

namespace tesela::testing {
namespace {

constexpr int64_t kMebibyte = 1 << 20;
constexpr int64_t kLarge = kReadUpTo + 4096;

class FailingReads : public CallsCanFail {
 protected:
  // Of kLarge bytes, a hole except for this data.
  std::string sparse_file(int64_t at, std::string_view data) const {
    const std::string path = folder.write("f", "");
    std::filesystem::resize_file(path, static_cast<uintmax_t>(kLarge));
    std::fstream(path, std::ios::in | std::ios::out | std::ios::binary).seekp(at) << data;
    return path;
  }

  const TemporaryFolder folder;
};

bool reports_holes(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY));
  const off_t data = ::lseek(file.get(), 0, SEEK_DATA);
  return data > 0 || ::lseek(file.get(), 0, SEEK_HOLE) < kLarge;
}

// Each byte differs from those a multiple of a mebibyte away.
std::string pattern(int64_t size) {
  std::string text(static_cast<size_t>(size), '\0');
  for (size_t k = 0; k < text.size(); ++k) text[k] = static_cast<char>(k % 251);
  return text;
}

TEST_F(FailingReads, ErrorsAreReported) {
  const std::string path = folder.write("f", "12345678");
  const auto read = [&path](const FailingCalls& calls) {
    return failing(calls, [&path] { return read_file(path, 8); }).status();
  };
  EXPECT_TRUE(read({}).ok());
  EXPECT_TRUE(fails(read({{SYS_read, EIO}}), TESELA_ERROR_IO, fmt::format("cannot read '{}': Input/output", path)));
  // A folder that may not be opened is one all the same.
  const auto read_folder = [this] { return read_file(folder.path(), 8).status(); };
  EXPECT_TRUE(fails(failing({{SYS_openat, EACCES}}, read_folder), TESELA_ERROR_PATH, "is a directory"));
  EXPECT_TRUE(fails(read(failing_fstat(EIO)), TESELA_ERROR_IO, fmt::format("cannot open '{}': Input/output", path)));
}

TEST_F(FailingReads, ErrorsOfLargeFilesAreReported) {
  const std::string path = sparse_file(0, "begin");
  const auto read = [&path](const FailingCalls& calls) {
    return failing(calls, [&path] { return read_file(path, kLarge); }).status();
  };
  const std::string cannot = fmt::format("cannot read '{}': ", path);
  EXPECT_TRUE(fails(read({{SYS_mmap, ENOMEM, {{1, kLarge}}}}), TESELA_ERROR_NO_MEMORY, cannot));
  EXPECT_TRUE(fails(read({{SYS_lseek, EIO, {{2, SEEK_SET}}}}), TESELA_ERROR_IO, cannot));
  EXPECT_TRUE(fails(read({{SYS_read, EIO}}), TESELA_ERROR_IO, cannot));
}

TEST_F(FailingReads, FilesMayBeCutShortMeanwhile) {
  const std::string small = folder.write("small", "12345678");
  const auto nothing = [&small] { return read_file(small, 8)->bytes.size(); };
  EXPECT_EQ(failing({{SYS_read, 0}}, nothing), 0U);
  const std::string data = pattern(9 * kMebibyte);  // is read in two steps
  const std::string path = sparse_file(kMebibyte, data);
  ASSERT_TRUE(reports_holes(path)) << "a file system without holes";
  const FileBytes part = failing({{SYS_read, 0, {{2, kMebibyte}}}}, [&path] { return *read_file(path, kLarge); });
  ASSERT_EQ(part.bytes.size(), static_cast<size_t>(9 * kMebibyte));
  EXPECT_EQ(text_of(part.bytes.last(100)), data.substr(static_cast<size_t>(8 * kMebibyte) - 100, 100));
}

TEST_F(FailingReads, HolesAreNotRead) {
  for (const int64_t at : {int64_t{0}, 8 * kMebibyte}) {
    const std::string path = sparse_file(at, "data");
    ASSERT_TRUE(reports_holes(path)) << "a file system without holes";
    // They would be read in steps of 8 MiB.
    const Result<FileBytes> file =
        failing({{SYS_read, EIO, {{2, 8 * kMebibyte}}}}, [&path] { return read_file(path, kLarge); });
    ASSERT_TRUE(file.ok()) << file.status().message();
    ASSERT_EQ(file->bytes.size(), static_cast<size_t>(kLarge));
    EXPECT_EQ(text_of(file->bytes.subspan(static_cast<size_t>(at), 4)), "data");
    EXPECT_EQ(file->bytes.back(), std::byte{0});
  }
}

TEST_F(FailingReads, FileSystemsNeedNotReportHoles) {
  const std::string path = sparse_file(8 * kMebibyte, "data");
  for (const int whence : {SEEK_DATA, SEEK_HOLE}) {
    const Result<FileBytes> file =
        failing({{SYS_lseek, EINVAL, {{2, whence}}}}, [&path] { return read_file(path, kLarge); });
    ASSERT_TRUE(file.ok()) << file.status().message();
    ASSERT_EQ(file->bytes.size(), static_cast<size_t>(kLarge));
    EXPECT_EQ(text_of(file->bytes.subspan(8 * kMebibyte, 4)), "data");
  }
}

TEST_F(FailingReads, LongFilesAreReadInSteps) {  // so that signals are handled meanwhile
  constexpr auto kSize = 9 * kMebibyte;
  const std::string data = pattern(17 * kMebibyte);
  const Descriptor file(::open(folder.write("f", data).c_str(), O_RDONLY));
  const Result<FileBytes> read =
      failing({{SYS_read, EIO, {{2, kSize}}}}, [&file] { return read_or_map(file.get(), kSize, "f", kSize); });
  ASSERT_TRUE(read.ok()) << read.status().message();
  EXPECT_TRUE(text_of(read->bytes) == data.substr(0, kSize));
  const FileBytes mapped = *read_or_map(file.get(), 17 * kMebibyte, "f", 0);
  const Result<Tensor> copy =
      failing({{SYS_pread64, EIO, {{2, kSize}}}, {SYS_pread64, EIO, {{2, 8 * kMebibyte}, {3, 64 + 8 * kMebibyte}}}},
              [&mapped] { return mapped.mapped->read(mapped.bytes.subspan(64, kSize)); });
  ASSERT_TRUE(copy.ok()) << copy.status().message();
  EXPECT_TRUE(text_of({copy->data(), kSize}) == data.substr(64, kSize));
}

TEST_F(FailingReads, ErrorsOfMappingsAreReported) {
  const Descriptor file(::open(folder.write("f", "12345678").c_str(), O_RDONLY));
  const auto map = [&file] { return read_or_map(file.get(), 8, "f", 4); };
  EXPECT_TRUE(fails(failing({{SYS_mmap, ENODEV, {{3, MAP_PRIVATE}}}}, map).status(), TESELA_ERROR_IO,
                    "cannot map 'f': No such device"));
  const FileBytes mapped = *map();
  const auto read = [&mapped] { return mapped.mapped->read(mapped.bytes).status(); };
  EXPECT_TRUE(fails(failing({{SYS_pread64, EIO}}, read), TESELA_ERROR_IO, "cannot read 'f': Input/output error"));
  EXPECT_TRUE(fails(failing({{SYS_pread64, 0}}, read), TESELA_ERROR_TRUNCATED, "'f' was cut short"));
  // A size that is not known is no reason to stop.
  EXPECT_TRUE(failing(failing_fstat(EIO), [&mapped] { return mapped.mapped->check(); }).ok());
}

TEST_F(FailingReads, NamedFilesAreFoundWithoutOpenat2) {
  folder.write("model/sub/w.bin", "data");
  std::filesystem::create_symlink("sub/w.bin", folder / "model/link");
  const auto open = [&](std::string_view location, const FailingCalls& calls) {
    return failing(calls, [&] { return open_named_file(folder / "model", location); });
  };
  for (const int error : {ENOSYS, EPERM}) {
    const Result<NamedFile> file = open("sub/w.bin", {{SYS_openat2, error}});
    ASSERT_TRUE(file.ok()) << file.status().message();
    char text[5] = {};
    EXPECT_EQ(::read(file->file.get(), text, 4), 4);
    EXPECT_STREQ(text, "data");
    EXPECT_NE(open("link", {{SYS_openat2, error}}).status().message().find("a symbolic link"), std::string::npos);
  }
  const auto message = [&](const FailingCalls& calls) { return open("sub/w.bin", calls).status().message(); };
  EXPECT_EQ(message({{SYS_openat2, EACCES}}), "cannot open 'sub/w.bin': Permission denied");
  EXPECT_NE(message({{SYS_openat2, EXDEV}}).find("the path leaves the model's folder"), std::string::npos);
  EXPECT_EQ(message(failing_fstat(EIO)), "cannot open 'sub/w.bin': Input/output error");
}

}  // namespace
}  // namespace tesela::testing
