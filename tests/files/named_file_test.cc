// SPDX-License-Identifier: Apache-2.0
// Files that models name: only plain files inside the folder, with one name.
#include "files/named_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "files/temporary_folder.h"
#include "model/expect_fault.h"

namespace tesela::testing {
namespace {

struct Place {
  TemporaryFolder folder;
  std::string base = folder / "model";
  Place() {
    folder.write("secret", "12345678");
    folder.write("model/w.bin", "abcdefgh");
    folder.write("model/sub/w.bin", "ABCDEFGH");
    std::filesystem::create_symlink("w.bin", base + "/link");
    std::filesystem::create_symlink("../secret", base + "/way_out");
    std::filesystem::create_symlink("sub", base + "/sub_link");
    std::filesystem::create_symlink("link_loop", base + "/link_loop");
    std::filesystem::create_hard_link(folder / "secret", base + "/secret_link");
    ::mkfifo((base + "/fifo").c_str(), 0600);
    make_socket(base + "/socket");
  }
};

TEST(NamedFile, BothOpenMethodsAgree) {
  const Place place;
  for (const bool walk : {false, true}) {
    for (const std::string_view good : {"w.bin", "./w.bin", "sub/w.bin", "sub//./w.bin", "sub/."})
      EXPECT_TRUE(open_beneath(place.base, good, walk).ok()) << good;
    for (const std::string_view bad : {"link", "way_out", "sub_link/w.bin", "link_loop", "w.bin/x"})
      EXPECT_EQ(open_beneath(place.base, bad, walk).status().code(), TESELA_ERROR_PATH) << bad << " " << walk;
    EXPECT_EQ(open_beneath(place.base, "none", walk).status().code(), TESELA_ERROR_IO);
    EXPECT_EQ(open_beneath(place.base + "/none", "w.bin", walk).status().code(), TESELA_ERROR_IO);
  }
}

TEST(NamedFile, AcceptsOnlyRegularFilesWithOneLink) {
  const Place place;
  const Result<NamedFile> file = open_named_file(place.base, "sub/w.bin");
  ASSERT_TRUE(file.ok()) << file.status().message();
  EXPECT_EQ(file->size, 8);
  EXPECT_EQ(file->identity, open_named_file(place.base, "./sub/w.bin")->identity);
  EXPECT_TRUE(fails(open_named_file(place.base, "socket").status(), TESELA_ERROR_PATH, "'socket': not a regular file"));
  for (const std::string_view bad : {"secret_link", "fifo", "sub", ".", "../secret", "/etc/passwd"})
    EXPECT_EQ(open_named_file(place.base, bad).status().code(), TESELA_ERROR_PATH) << bad;
}

}  // namespace
}  // namespace tesela::testing
