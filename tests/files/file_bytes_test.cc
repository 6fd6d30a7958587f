// Reading files, and names that are none.
#include "files/file_bytes.h"

#include <sys/stat.h>

#include <thread>

#include "files/temporary_folder.h"
#include "model/expect_fault.h"

namespace tesela::testing {
namespace {

constexpr int64_t kMebibyte = 1 << 20;

TEST(FileBytes, AFileIsReadWhole) {
  const TemporaryFolder folder;
  for (const size_t size : {size_t{0}, size_t{1}, size_t{4096}, size_t{1'000'000}}) {
    const std::string text(size, 'x');
    EXPECT_EQ(text_of(read_file(folder.write("f", text), kMebibyte)->bytes), text);
  }
}

TEST(FileBytes, AFileAbove64MebibytesIsMapped) {
  const TemporaryFolder folder;
  const std::string path = folder.write("f", "begin");
  std::filesystem::resize_file(path, static_cast<uintmax_t>(kReadUpTo) + 1);
  const Result<FileBytes> file = read_file(path, kMebibyte);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->bytes.size(), static_cast<size_t>(kReadUpTo) + 1);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(file->bytes.data()) % 4096, 0u);
  EXPECT_EQ(text_of(file->bytes.first(5)), "begin");
  ASSERT_NE(file->mapped, nullptr);
  EXPECT_TRUE(file->mapped->check().ok());
  std::filesystem::resize_file(path, static_cast<uintmax_t>(kReadUpTo) + 4096);
  EXPECT_TRUE(file->mapped->check().ok());
  std::filesystem::resize_file(path, 5);
  EXPECT_TRUE(fails(file->mapped->check(), TESELA_ERROR_TRUNCATED,
                    "cut short while it was in use: it had 67108865 bytes and has 5"));
}

TEST(FileBytes, APipeIsReadToItsEndAndNotBeyondTheLimit) {
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
  EXPECT_TRUE(fails(read_file(path, 10'000).status(), TESELA_ERROR_LIMIT, "brings more than 10000 bytes"));
  second.join();
}

TEST(FileBytes, FilesOfProcAreRead) {
  const Result<FileBytes> file = read_file("/proc/self/status", kMebibyte);
  ASSERT_TRUE(file.ok());
  EXPECT_GT(file->bytes.size(), 100u);
}

TEST(FileBytes, WhatIsNoFileIsRefused) {
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
