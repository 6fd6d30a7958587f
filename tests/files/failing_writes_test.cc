// SPDX-License-Identifier: Apache-2.0
// Writing files while system calls fail.
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "files/failing_calls.h"
#include "files/file_output.h"
#include "files/temporary_folder.h"
#include "model/expect_fault.h"

namespace tesela::testing {
namespace {

constexpr int64_t kMebibyte = 1 << 20;

FileParts parts_of(std::string_view text) {
  return {{bytes_of(text).begin(), bytes_of(text).end()}};
}

FailingCalls both(FailingCalls calls, const FailingCalls& more) {
  calls.insert(calls.end(), more.begin(), more.end());
  return calls;
}

class FailingWrites : public CallsCanFail {
 protected:
  static Status write(const std::string& path, const FailingCalls& calls) {
    return failing(calls, [&path] { return write_file(path, parts_of("new")); });
  }
  // Of so many bytes, which are not synced.
  Status write_long(int64_t size, const FailingCall& call) const {
    FileParts parts;
    parts.body = *Tensor::allocate(DataType::kUint8, {size});
    return failing({call, {SYS_fsync, 0}}, [&] {
      errno = EIO;  // of an earlier call
      return write_file(folder / "f", parts);
    });
  }
  // The name of the temporary file of f, which stays because it cannot be deleted.
  std::string temporary_name() const {
    EXPECT_FALSE(write(folder / "f", both(failing_rename(EIO), failing_unlink(EIO))).ok());
    std::string name;
    for (const auto& entry : std::filesystem::directory_iterator(folder.path()))
      if (entry.path().filename() != "f") name = entry.path().filename();
    std::filesystem::remove(folder / name);
    return name;
  }

  const TemporaryFolder folder;
};

TEST_F(FailingWrites, TheOldFileIsKept) {
  const std::string path = folder.write("f", "old");
  const auto keeps = [&](const FailingCalls& calls) {
    EXPECT_TRUE(fails(write(path, calls), TESELA_ERROR_IO, fmt::format("cannot write '{}': Input/output", path)));
    EXPECT_EQ(folder.read("f"), "old");
    EXPECT_EQ(folder.entries(), 1U);
  };
  keeps({{SYS_fchmod, EIO}});
  keeps({{SYS_write, EIO}});
  keeps({{SYS_fsync, EIO}});
  keeps(failing_rename(EIO));
  const int file = next_descriptor();
  keeps({{SYS_close, EIO, {{0, file}}}});
  ::close(file);
}

TEST_F(FailingWrites, SomeErrorsDoNotMatter) {
  const std::string path = folder.write("f", "old");
  const auto is_written = [&](const FailingCalls& calls) {
    folder.write("f", "old");
    const Status status = write(path, calls);
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(folder.read("f"), "new");
    EXPECT_EQ(folder.entries(), 1U);
  };
  is_written({{SYS_fsync, EINVAL}});                                              // a file system without it
  is_written({{SYS_openat, EACCES, {{2, O_RDONLY | O_DIRECTORY | O_CLOEXEC}}}});  // a folder that cannot be read
  const int file = next_descriptor();
  is_written({{SYS_close, EINTR, {{0, file}}}});
  ::close(file);
  std::filesystem::remove(path);
  EXPECT_TRUE(write(path, {{SYS_fchmod, EIO}}).ok());  // only the mode of an old file is kept
}

TEST_F(FailingWrites, FoldersThatCannotBeSynced) {
  const auto synced = [&](int error) {
    const int file = ::dup(STDERR_FILENO);
    const int its_folder = next_descriptor();
    ::close(file);
    // The file stays open, so that its folder has another number.
    const Status status = write(folder / "f", {{SYS_close, EINTR, {{0, file}}}, {SYS_fsync, error, {{0, its_folder}}}});
    ::close(file);
    EXPECT_EQ(folder.read("f"), "new");
    return status;
  };
  EXPECT_TRUE(fails(synced(EIO), TESELA_ERROR_IO, "f' is written, but its folder could not be synced"));
  EXPECT_TRUE(synced(EINVAL).ok());
  EXPECT_TRUE(synced(ENOTSUP).ok());
}

TEST_F(FailingWrites, PermissionsAreChecked) {
  const std::string path = folder.write("f", "old");
  const auto check = [](const std::string& name, int mode) {
    return failing(failing_access(EACCES, mode), [&name] { return check_output(name); });
  };
  EXPECT_TRUE(fails(check(path, W_OK), TESELA_ERROR_IO, "f': Permission denied"));
  EXPECT_TRUE(fails(check("/dev/null", W_OK), TESELA_ERROR_IO, "'/dev/null': Permission denied"));
  EXPECT_TRUE(fails(write(path, failing_access(EACCES, W_OK)), TESELA_ERROR_IO, "f': Permission denied"));
  EXPECT_EQ(folder.read("f"), "old");
  // Of the folder.
  EXPECT_TRUE(fails(check(path, W_OK | X_OK), TESELA_ERROR_IO, "f': Permission denied"));
  EXPECT_TRUE(fails(check(folder / "g", W_OK | X_OK), TESELA_ERROR_IO, "g': Permission denied"));
  EXPECT_TRUE(check("/dev/null", W_OK | X_OK).ok());
  EXPECT_TRUE(check("/dev/fd/0", W_OK | X_OK).ok());
}

TEST_F(FailingWrites, MessagesNameFilesAsTheyWereGiven) {
  const std::filesystem::path before = std::filesystem::current_path();
  folder.write("f", "old");
  std::filesystem::current_path(folder.path());
  const Status old = write("f", {{SYS_fsync, EIO}});
  const Status added = write("g", {{SYS_fsync, EIO}});
  std::filesystem::current_path(before);
  EXPECT_EQ(old.message(), "cannot write 'f': Input/output error");
  EXPECT_EQ(added.message(), "cannot write 'g': Input/output error");
}

TEST_F(FailingWrites, ErrorsOfDirectWritesAreReported) {
  const int file = next_descriptor();
  const auto write_device = [file](int error) {
    const Status status = write("/dev/null", both(failing_rename(EPERM), {{SYS_close, error, {{0, file}}}}));
    ::close(file);
    return status;
  };
  EXPECT_TRUE(fails(write_device(EIO), TESELA_ERROR_IO, "cannot write '/dev/null': Input/output error"));
  EXPECT_TRUE(write_device(EINTR).ok());
}

TEST_F(FailingWrites, MoreThanEightMebibytesAreFlushedMeanwhile) {
  const auto write_with = [this](int64_t size, int error) { return write_long(size, {SYS_sync_file_range, error}); };
  EXPECT_TRUE(write_with(8 * kMebibyte, EIO).ok());
  EXPECT_TRUE(write_long(9 * kMebibyte, {SYS_sync_file_range, EIO, {{3, 0}}}).ok());  // no such call fails
  for (const int error : {EIO, ENOSPC, EDQUOT})
    EXPECT_EQ(write_with(8 * kMebibyte + 1, error).code(), TESELA_ERROR_IO) << error;
  for (const int error : {ENOSYS, EINVAL}) EXPECT_TRUE(write_with(8 * kMebibyte + 1, error).ok()) << error;
}

TEST_F(FailingWrites, EachMebibyteIsFlushedAndWaitedFor) {
  constexpr int kStarts = SYNC_FILE_RANGE_WRITE;
  constexpr int kWaits = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  const auto flushes = [this](int64_t mebibyte, int how) {
    const FailingCall call = {SYS_sync_file_range, EIO, {{1, mebibyte * kMebibyte}, {2, kMebibyte}, {3, how}}};
    return !write_long(10 * kMebibyte, call).ok();
  };
  EXPECT_FALSE(flushes(7, kStarts));
  EXPECT_TRUE(flushes(8, kStarts));
  EXPECT_TRUE(flushes(9, kStarts));
  EXPECT_TRUE(flushes(0, kWaits));
  EXPECT_TRUE(flushes(1, kWaits));
  EXPECT_FALSE(flushes(2, kWaits));
}

TEST_F(FailingWrites, NamesInUseAreSkipped) {
  const auto number = [](const std::string& name) {
    EXPECT_EQ(name.substr(0, 3), ".f.");  // hidden
    return static_cast<uint32_t>(std::strtoul(name.c_str() + 3, nullptr, 16)) ^ static_cast<uint32_t>(::getpid());
  };
  const uint32_t first = number(temporary_name());
  const uint32_t second = number(temporary_name());
  const std::string third = fmt::format(".f.{:08x}", (second + (second - first)) ^ static_cast<uint32_t>(::getpid()));
  folder.write(third, "another program's");
  EXPECT_TRUE(write(folder / "f", {}).ok());
  EXPECT_EQ(folder.read(third), "another program's");
  EXPECT_EQ(folder.read("f"), "new");
  EXPECT_EQ(folder.entries(), 2U);
  constexpr int kCreates = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  EXPECT_TRUE(fails(write(folder / "f", {{SYS_openat, EEXIST, {{2, kCreates}}}}), TESELA_ERROR_IO, "f': File exists"));
}

}  // namespace
}  // namespace tesela::testing
