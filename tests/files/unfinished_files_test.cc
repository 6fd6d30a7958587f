// SPDX-License-Identifier: Apache-2.0
#include "files/unfinished_files.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "files/temporary_folder.h"

namespace tesela {
namespace {

TEST(UnfinishedFiles, QuickExitRemovesOwnUnfinishedFiles) {
  const testing::TemporaryFolder folder;
  const std::string kept = folder.write("kept", "x"), done = folder.write("done", "x"),
                    gone = folder.write("gone", "x");
  const UnfinishedFile parents(kept);
  const pid_t child = ::fork();
  if (child == 0) {
    std::optional<UnfinishedFile> finished(done);
    finished.reset();
    const UnfinishedFile unfinished(gone);
    std::quick_exit(7);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 7);
  EXPECT_TRUE(std::filesystem::exists(kept));
  EXPECT_TRUE(std::filesystem::exists(done));
  EXPECT_FALSE(std::filesystem::exists(gone));
}

// The exit status of a child that runs the work and ends.
int status_after(const std::function<void()>& work) {
  const pid_t child = ::fork();
  if (child == 0) {
    work();
    std::quick_exit(7);
  }
  int status = 0;
  EXPECT_EQ(::waitpid(child, &status, 0), child);
  return WEXITSTATUS(status);
}

TEST(UnfinishedFiles, FinishedFilesStay) {
  const testing::TemporaryFolder folder;
  const std::string done = folder.write("done", "x");
  EXPECT_EQ(status_after([&done] { const UnfinishedFile finished(done); }), 7);
  EXPECT_TRUE(std::filesystem::exists(done));
}

TEST(UnfinishedFiles, SixteenAreRemoved) {
  const testing::TemporaryFolder folder;
  std::vector<std::string> paths;
  for (int i = 0; i < 17; ++i) paths.push_back(folder.write(std::to_string(i), "x"));
  const auto work = [&paths] {
    std::vector<std::unique_ptr<UnfinishedFile>> files;
    for (const std::string& path : paths) files.push_back(std::make_unique<UnfinishedFile>(path));
    std::quick_exit(7);
  };
  EXPECT_EQ(status_after(work), 7);
  EXPECT_EQ(folder.entries(), 1U);
  EXPECT_TRUE(std::filesystem::exists(paths.back()));
}

TEST(UnfinishedFiles, NamesThatAreTooLongTakeNoPlace) {
  const testing::TemporaryFolder folder;
  const std::string path = folder.write("f", "x");
  const std::string long_path(10'000, 'a');
  const auto work = [&] {
    std::optional<UnfinishedFile> first(path);
    const UnfinishedFile second(path);
    first.reset();
    const UnfinishedFile too_long(long_path);  // would be in the place before
    std::quick_exit(7);
  };
  EXPECT_EQ(status_after(work), 7);
  EXPECT_FALSE(std::filesystem::exists(path));
}

// The handlers of quick_exit run backwards: this one, of before the library was loaded, after the library's.
UnfinishedFile* late = nullptr;
void create_late() {
  if (late == nullptr) return;
  const int fd = late->create();
  ::_exit(fd == -1 && errno == ECANCELED ? 5 : 6);
}
__attribute__((constructor(101))) void register_late() {
  std::at_quick_exit(create_late);
}

TEST(UnfinishedFiles, NoneIsCreatedOnceTheProcessEnds) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "f";
  const auto work = [&path] {
    UnfinishedFile file(path);
    late = &file;
    std::quick_exit(7);
  };
  EXPECT_EQ(status_after(work), 5);
  EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(UnfinishedFiles, SignalsAreHandledAfterwards) {
  const testing::TemporaryFolder folder;
  const std::string path = folder / "f";
  sigset_t one;
  sigset_t before;
  sigset_t after;
  sigemptyset(&one);
  sigaddset(&one, SIGUSR1);
  ::pthread_sigmask(SIG_UNBLOCK, &one, &before);
  UnfinishedFile file(path);
  ::close(file.create());
  EXPECT_LT(file.create(), 0);
  EXPECT_EQ(errno, EEXIST);
  ::pthread_sigmask(SIG_SETMASK, &before, &after);
  EXPECT_FALSE(sigismember(&after, SIGUSR1));
}

TEST(UnfinishedFiles, FilesBeyondCapacityAreIgnored) {
  std::vector<std::unique_ptr<UnfinishedFile>> many;
  for (int i = 0; i < 100; ++i) many.push_back(std::make_unique<UnfinishedFile>("/none/" + std::to_string(i)));
  const UnfinishedFile too_long(std::string(10'000, 'a'));
  const testing::TemporaryFolder folder;
  const std::string path = folder / "beyond";
  UnfinishedFile beyond(path);
  ::close(beyond.create());
  EXPECT_TRUE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace tesela
