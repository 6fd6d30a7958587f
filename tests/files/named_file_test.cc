// SPDX-License-Identifier: Apache-2.0
// Files that models name: only plain files inside the folder, with one name.
#include "files/named_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

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

std::string read_all(const Descriptor& file) {
  std::string text(100, '\0');
  const ssize_t got = ::read(file.get(), text.data(), text.size());
  text.resize(static_cast<size_t>(std::max<ssize_t>(got, 0)));
  return text;
}

TEST(NamedFile, BothOpenMethodsAgree) {
  const Place place;
  for (const bool walk : {false, true}) {
    for (const std::string_view good : {"w.bin", "./w.bin", "sub/w.bin", "sub//./w.bin", "sub/."})
      EXPECT_TRUE(open_beneath(place.base, good, walk).ok()) << good;
    EXPECT_EQ(read_all(*open_beneath(place.base, "./w.bin", walk)), "abcdefgh");
    for (const std::string_view inner : {"sub/w.bin", "./sub/w.bin", "sub//./w.bin"})
      EXPECT_EQ(read_all(*open_beneath(place.base, inner, walk)), "ABCDEFGH") << inner;
    EXPECT_TRUE(fails(open_beneath(place.base, "link", walk).status(), TESELA_ERROR_PATH,
                      "cannot open 'link': a symbolic link or a file where a directory is expected"));
    EXPECT_TRUE(fails(open_beneath(place.base, "w.bin/x", walk).status(), TESELA_ERROR_PATH,
                      "cannot open 'w.bin/x': a symbolic link or a file where a directory is expected"));
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

TEST(NamedFile, LocationsStayBelowTheFolder) {
  const Place place;
  const auto says = [&place](std::string_view location, std::string_view why) {
    EXPECT_TRUE(fails(open_beneath(place.base, location).status(), TESELA_ERROR_PATH, why)) << location;
  };
  says("", "location '' is empty; expected a file beside the model");
  says(std::string_view("w\0bin", 5), "contains a NUL");
  says("sub\\w.bin", "contains a backslash");
  says("/etc/passwd", "is an absolute path");
  says("sub/", "is a directory");
  says("*/_ORT_MEM_ADDR_/w.bin", "is an address in some process's memory");
  for (const std::string_view up : {"..", "../secret", "sub/..", "sub/../w.bin", "sub/../../secret"})
    says(up, "contains '..'");
  place.folder.write("model/..w.bin", "x");
  place.folder.write("model/w..", "x");
  for (const std::string_view inside : {"..w.bin", "w.."}) EXPECT_TRUE(open_beneath(place.base, inside).ok()) << inside;
}

TEST(NamedFile, MessagesNameTheFolderThatIsMissing) {
  const Place place;
  const std::string none = place.base + "/none";
  EXPECT_TRUE(fails(open_beneath(none, "w.bin").status(), TESELA_ERROR_IO,
                    fmt::format("cannot open the folder '{}': No such file", none)));
  EXPECT_TRUE(fails(open_named_file(place.base, "secret_link").status(), TESELA_ERROR_PATH,
                    "'secret_link' has 2 names (hard links); expected 1"));
}

}  // namespace
}  // namespace tesela::testing
