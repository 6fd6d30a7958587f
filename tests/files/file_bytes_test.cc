// SPDX-License-Identifier: Apache-2.0
// Reading files, and invalid names.
#include "files/file_bytes.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <thread>

#include "files/failing_calls.h"
#include "files/temporary_folder.h"
#include "model/expect_fault.h"

namespace tesela::testing {
namespace {

constexpr int64_t kMebibyte = 1 << 20;

TEST(FileBytes, ReadsWholeFile) {
  const TemporaryFolder folder;
  for (const size_t size : {size_t{0}, size_t{1}, size_t{4096}, size_t{1'000'000}}) {
    const std::string text(size, 'x');
    EXPECT_EQ(text_of(read_file(folder.write("f", text), kMebibyte)->bytes), text);
  }
}

constexpr int64_t kLarge = kReadUpTo + 4096;

// A hole, except "begin", "middle" at 8 MiB and "end".
std::string large_file(const TemporaryFolder& folder) {
  const std::string path = folder.write("f", "begin");
  std::filesystem::resize_file(path, static_cast<uintmax_t>(kLarge));
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekp(8 << 20) << "middle";
  file.seekp(kLarge - 3) << "end";
  return path;
}

TEST(FileBytes, ReadsSparseFileAndSurvivesLaterTruncation) {
  const TemporaryFolder folder;
  const std::string path = large_file(folder);
  const Result<FileBytes> file = read_file(path, kLarge);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->mapped, nullptr);
  std::filesystem::resize_file(path, 0);
  ASSERT_EQ(file->bytes.size(), static_cast<size_t>(kLarge));
  EXPECT_EQ(text_of(file->bytes.first(6)), std::string("begin\0", 6));
  EXPECT_EQ(text_of(file->bytes.subspan(8 << 20, 6)), "middle");
  EXPECT_EQ(text_of(file->bytes.last(3)), "end");
  EXPECT_TRUE(fails(read_file(large_file(folder), kLarge - 1).status(), TESELA_ERROR_LIMIT,
                    "has 67112960 bytes; the limit is 67112959"));
}

TEST(FileBytes, MappedFileCopiesSmallAndMisalignedParts) {
  const TemporaryFolder folder;
  const std::string path = large_file(folder);
  const Descriptor open(::open(path.c_str(), O_RDONLY));
  const FileBytes file = *read_or_map(open.get(), kLarge, "f", kReadUpTo);
  ASSERT_NE(file.mapped, nullptr);
  EXPECT_EQ(read_or_map(open.get(), kLarge, "f", kLarge)->mapped, nullptr);  // as many as are read
  const FileBytes few = *part_of(file, 0, 5, 1);
  const FileBytes many = *part_of(file, 8 << 20, 10'000, 8);
  const FileBytes odd = *part_of(file, (8 << 20) + 1, 10'000, 8);
  EXPECT_FALSE(file.mapped->holds(few.bytes.data()));
  EXPECT_FALSE(file.mapped->holds(odd.bytes.data()));
  EXPECT_TRUE(file.mapped->holds(many.bytes.data()));
  EXPECT_TRUE(file.mapped->holds(file.bytes.data() + kLarge - 1));
  EXPECT_FALSE(file.mapped->holds(file.bytes.data() + kLarge));
  EXPECT_FALSE(file.mapped->holds(file.bytes.data() - 1));
  EXPECT_FALSE(file.mapped->holds(part_of(file, 0, 10'000, 0)->bytes.data()));  // of elements without an alignment
  EXPECT_EQ(text_of(few.bytes), "begin");
  EXPECT_EQ(text_of(odd.bytes.first(5)), "iddle");
  const Tensor read = *file.mapped->read(many.bytes);
  EXPECT_TRUE(file.mapped->check().ok());
  std::filesystem::resize_file(path, 4096);
  EXPECT_EQ(text_of({read.data(), 6}), "middle");
  EXPECT_TRUE(fails(file.mapped->read(many.bytes).status(), TESELA_ERROR_TRUNCATED, "'f' was cut short"));
  EXPECT_TRUE(fails(file.mapped->check(), TESELA_ERROR_TRUNCATED, "it had 67112960 bytes and has 4096"));
}

TEST(FileBytes, ReadsPipeToEndUpToLimit) {
  const TemporaryFolder folder;
  const std::string path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const std::string text(300'000, 'p');
  std::thread writer([&] { std::ofstream(path) << text; });
  EXPECT_EQ(text_of(read_file(path, kMebibyte)->bytes), text);
  writer.join();
  const auto write_ignoring_the_end = [&] {
    std::ofstream out(path);
    out << std::string(60'000, 'p');
  };
  std::thread second(write_ignoring_the_end);
  EXPECT_TRUE(fails(read_file(path, 10'000).status(), TESELA_ERROR_LIMIT, "has more than 10000 bytes"));
  second.join();
}

TEST(FileBytes, LimitsAreExact) {
  const TemporaryFolder folder;
  const std::string path = folder.write("f", "12345678");
  EXPECT_TRUE(read_file(path, 8).ok());
  EXPECT_TRUE(fails(read_file(path, 7).status(), TESELA_ERROR_LIMIT, "has 8 bytes; the limit is 7"));
  const auto pipe_of_eight = [](int64_t limit) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const Descriptor in(ends[0]);
    EXPECT_EQ(::write(ends[1], "12345678", 8), 8);
    ::close(ends[1]);
    return read_file(fmt::format("/proc/self/fd/{}", in.get()), limit);
  };
  const Result<FileBytes> all = pipe_of_eight(8);
  ASSERT_TRUE(all.ok()) << all.status().message();
  EXPECT_EQ(text_of(all->bytes), "12345678");
  EXPECT_TRUE(fails(pipe_of_eight(7).status(), TESELA_ERROR_LIMIT, "has more than 7 bytes"));
}

TEST(FileBytes, PartsOfMoreThan4096BytesStayMapped) {
  const TemporaryFolder folder;
  const Descriptor open(::open(folder.write("f", std::string(10'000, 'x')).c_str(), O_RDONLY));
  const FileBytes file = *read_or_map(open.get(), 10'000, "f", 0);
  const auto is_mapped = [&file](int64_t offset, int64_t size, int64_t alignment) {
    return part_of(file, offset, size, alignment)->mapped != nullptr;
  };
  EXPECT_FALSE(is_mapped(0, 4096, 1));
  EXPECT_TRUE(is_mapped(0, 4097, 1));
  EXPECT_TRUE(is_mapped(1, 4097, 1));
  EXPECT_FALSE(is_mapped(1, 4097, 2));
  EXPECT_TRUE(is_mapped(4, 4097, 2));
}

TEST(FileBytes, ReadsAsMuchAsAsked) {
  const TemporaryFolder folder;
  const Descriptor file(::open(folder.write("f", std::string(4 * kMebibyte, 'x')).c_str(), O_RDONLY));
  EXPECT_EQ(text_of(read_or_map(file.get(), 16, "f", 16)->bytes), std::string(16, 'x'));
  EXPECT_TRUE(read_or_map(file.get(), 0, "f", 16)->bytes.empty());
}

TEST(FileBytes, DescriptorsAreClosed) {
  const NoStdin without;  // 0 is one, too
  for (const int fd : {STDIN_FILENO, 100}) {
    ASSERT_EQ(::dup2(STDERR_FILENO, fd), fd);
    { const Descriptor closed(fd); }
    EXPECT_EQ(::fcntl(fd, F_GETFD), -1) << fd;
  }
}

TEST(FileBytes, ReadsProcFiles) {
  const Result<FileBytes> file = read_file("/proc/self/status", kMebibyte);
  ASSERT_TRUE(file.ok());
  EXPECT_GT(file->bytes.size(), 100u);
}

TEST(FileBytes, SocketsCannotBeOpened) {
  const TemporaryFolder folder;
  make_socket(folder / "s");
  EXPECT_TRUE(fails(read_file(folder / "s", kMebibyte).status(), TESELA_ERROR_IO, "s': No such device or address"));
}

TEST(FileBytes, FailedReadsAreReported) {
  // Address 0 of this process is not mapped.
  EXPECT_TRUE(fails(read_file("/proc/self/mem", kMebibyte).status(), TESELA_ERROR_IO, "cannot read '/proc/self/mem'"));
  EXPECT_TRUE(fails(system_error(EISDIR, "cannot open 'x'"), TESELA_ERROR_PATH, "cannot open 'x': Is a directory"));
}

TEST(FileBytes, MappingNeedsADescriptor) {
  const TemporaryFolder folder;
  const Descriptor file(::open(folder.write("f", "12345678").c_str(), O_RDONLY));
  rlimit before;
  ASSERT_EQ(::getrlimit(RLIMIT_NOFILE, &before), 0);
  const rlimit none{0, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &none), 0);
  const Status status = read_or_map(file.get(), 8, "f", 4).status();
  ASSERT_EQ(::setrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_EQ(status.code(), TESELA_ERROR_IO) << status.message();
  EXPECT_TRUE(fails(status, TESELA_ERROR_IO, "cannot map 'f': "));
}

TEST(FileBytes, RejectsPathsThatAreNotFiles) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("loop", folder / "loop");
  struct Case {
    std::string path;
    tesela_status code;
    std::string_view words;
  };
  const Case cases[] = {
      {"", TESELA_ERROR_PATH, "name is empty"},
      {std::string("a\0b", 3), TESELA_ERROR_PATH, "contains a NUL"},
      {folder.path(), TESELA_ERROR_PATH, "is a directory"},
      {"/dev/zero", TESELA_ERROR_PATH, "is a device"},
      {folder / "loop", TESELA_ERROR_PATH, "symbolic links"},
      {folder / std::string(256, 'n'), TESELA_ERROR_PATH, "File name too long"},
      {folder / "none", TESELA_ERROR_IO, "No such file"},
      {folder.write("f", "") + "/x", TESELA_ERROR_IO, "Not a directory"},
  };
  for (const Case& c : cases) EXPECT_TRUE(fails(read_file(c.path, kMebibyte).status(), c.code, c.words));
}

}  // namespace
}  // namespace tesela::testing
