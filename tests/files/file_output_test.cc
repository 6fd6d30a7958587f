// SPDX-License-Identifier: Apache-2.0
// Writing files completely or not at all.
#include "files/file_output.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <thread>

#include "files/failing_calls.h"
#include "files/temporary_folder.h"
#include "model/expect_fault.h"

namespace tesela::testing {
namespace {

FileParts parts_of(std::string_view head, std::string_view body = "", std::string_view tail = "") {
  FileParts parts{{bytes_of(head).begin(), bytes_of(head).end()}};
  if (!body.empty())
    parts.body = Tensor::borrow(DataType::kUint8, {static_cast<int64_t>(body.size())}, bytes_of(body).data(), nullptr);
  parts.tail.assign(bytes_of(tail).begin(), bytes_of(tail).end());
  return parts;
}

TEST(FileOutput, WritesPartsInOrder) {
  const TemporaryFolder folder;
  ASSERT_TRUE(write_file(folder / "f", parts_of("head", "body", "tail")).ok());
  EXPECT_EQ(folder.read("f"), "headbodytail");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(FileOutput, ReplacesExistingFileAndKeepsItsMode) {
  const TemporaryFolder folder;
  const std::string path = folder.write("f", "old and longer");
  ::chmod(path.c_str(), 0640);
  ASSERT_TRUE(write_file(path, parts_of("new")).ok());
  EXPECT_EQ(folder.read("f"), "new");
  struct stat info;
  ::stat(path.c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(FileOutput, NewFileFollowsUmask) {
  const TemporaryFolder folder;
  const mode_t old = ::umask(027);
  EXPECT_TRUE(write_file(folder / "f", parts_of("x")).ok());
  ::umask(old);
  struct stat info;
  ::stat((folder / "f").c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
}

TEST(FileOutput, WritesThroughSymbolicLink) {
  const TemporaryFolder folder;
  folder.write("real", "old");
  std::filesystem::create_symlink("real", folder / "link");
  ASSERT_TRUE(write_file(folder / "link", parts_of("new")).ok());
  EXPECT_EQ(folder.read("real"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
}

TEST(FileOutput, RejectsInvalidTargetsEarly) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder / "dir");
  std::filesystem::create_symlink("nowhere", folder / "dangling");
  struct Case {
    std::string path;
    tesela_status code;
    std::string_view words;
  };
  const Case cases[] = {
      {"", TESELA_ERROR_PATH, "name is empty"},
      {std::string("a\0b", 3), TESELA_ERROR_PATH, "contains a NUL"},
      {folder / "dir", TESELA_ERROR_PATH, "is a directory"},
      {folder / "new/", TESELA_ERROR_PATH, "is a directory"},
      {folder / "dangling", TESELA_ERROR_PATH, "a symbolic link to a missing file"},
      {folder / "none/f", TESELA_ERROR_IO, "No such file"},
      {folder / std::string(256, 'n'), TESELA_ERROR_PATH, "File name too long"},
  };
  for (const Case& c : cases) {
    EXPECT_TRUE(fails(check_output(c.path), c.code, c.words)) << c.path;
    EXPECT_TRUE(fails(write_file(c.path, parts_of("x")), c.code, c.words)) << c.path;
  }
  EXPECT_EQ(folder.entries(), 2u);
}

TEST(FileOutput, NamesOfDescriptorsAreNumbers) {
  EXPECT_TRUE(without_renaming([] { return write_file("/dev/stderr", parts_of("")); }).ok());
  for (const std::string path : {"/dev/fd/none", "/dev/fd/1x", "/proc/self/fd/99999999999"})
    EXPECT_FALSE(write_file(path, parts_of("")).ok()) << path;
}

TEST(FileOutput, FilesCanBeInTheRoot) {
  EXPECT_EQ(check_output("/tesela-test-is-not-written").ok(), ::access("/", W_OK) == 0);
}

TEST(FileOutput, AcceptsLongestFileName) {
  const TemporaryFolder folder;
  EXPECT_TRUE(write_file(folder / std::string(255, 'n'), parts_of("x")).ok());
}

TEST(FileOutput, FullDeviceIsAnError) {
  const auto write = [](const std::string& path) {
    return without_renaming([&path] { return write_file(path, parts_of("x")); });
  };
  EXPECT_TRUE(fails(write("/dev/full"), TESELA_ERROR_IO, "No space left"));
  EXPECT_TRUE(write("/dev/null").ok());
}

TEST(FileOutput, FailedWriteKeepsOldFile) {
  const TemporaryFolder folder;
  const std::string path = folder.write("f", "old");
  rlimit old_limit;
  ::getrlimit(RLIMIT_FSIZE, &old_limit);
  const auto old_handler = ::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{1000, old_limit.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const Status status = write_file(path, parts_of(std::string(500, 'a'), std::string(1000, 'b')));
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  ::signal(SIGXFSZ, old_handler);
  EXPECT_TRUE(fails(status, TESELA_ERROR_IO, "File too large"));
  EXPECT_EQ(folder.read("f"), "old");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(FileOutput, WritesPipeDirectly) {
  const TemporaryFolder folder;
  const std::string path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string got;
  std::thread reader([&] { got = folder.read("pipe"); });
  const std::string body(300'000, 'b');
  EXPECT_TRUE(write_file(path, parts_of("head", body)).ok());
  reader.join();
  EXPECT_EQ(got, "head" + body);
  EXPECT_TRUE(std::filesystem::is_fifo(path));
}

// A redirected stdout is written at its current position; it is neither replaced nor overwritten.
TEST(FileOutput, WritesDescriptorsAtTheirCurrentPosition) {
  const TemporaryFolder folder;
  const int fd = ::open((folder / "f").c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_EQ(::write(fd, "before ", 7), 7);
  EXPECT_TRUE(write_file(fmt::format("/dev/fd/{}", fd), parts_of("one ")).ok());
  EXPECT_TRUE(write_file(fmt::format("/proc/self/fd/{}", fd), parts_of("two")).ok());
  ::close(fd);
  EXPECT_EQ(folder.read("f"), "before one two");
  EXPECT_TRUE(fails(write_file("/dev/fd/987654", parts_of("x")), TESELA_ERROR_IO, "Bad file descriptor"));
}

TEST(FileOutput, NamesWithoutAFolderAreInTheCurrentOne) {
  const TemporaryFolder folder;
  const std::filesystem::path before = std::filesystem::current_path();
  std::filesystem::current_path(folder.path());
  const Status status = write_file("f", parts_of("x"));
  std::filesystem::current_path(before);
  EXPECT_TRUE(status.ok()) << status.message();
  EXPECT_EQ(folder.read("f"), "x");
  EXPECT_EQ(folder.entries(), 1u);
}

TEST(FileOutput, DescriptorZeroIsLikeOthers) {
  const TemporaryFolder folder;
  const std::string path = folder.write("f", "old");
  folder.write("g", "");
  const NoStdin without;
  errno = EEXIST;  // of an earlier call
  EXPECT_TRUE(write_file(path, parts_of("new")).ok());
  EXPECT_EQ(folder.read("f"), "new");
  EXPECT_EQ(folder.entries(), 2u);
  ASSERT_EQ(::open((folder / "g").c_str(), O_WRONLY), STDIN_FILENO);
  ASSERT_EQ(::write(STDIN_FILENO, "before ", 7), 7);
  EXPECT_TRUE(write_file("/dev/fd/0", parts_of("this")).ok());
  EXPECT_EQ(folder.read("g"), "before this");
  std::filesystem::remove(folder / "g");
  EXPECT_TRUE(write_file("/dev/fd/0", parts_of("without a name")).ok());
}

}  // namespace
}  // namespace tesela::testing
