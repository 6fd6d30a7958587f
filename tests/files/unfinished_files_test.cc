// SPDX-License-Identifier: Apache-2.0
#include "files/unfinished_files.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
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
