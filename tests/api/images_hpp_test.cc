// SPDX-License-Identifier: Apache-2.0
// Images by rows in the C++20 interface.
#include "tesela/images.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "files/temporary_folder.h"

namespace {

using tesela::File;
using tesela::ImageInfo;

static_assert(!std::is_copy_constructible_v<File> && std::is_nothrow_move_constructible_v<File> &&
              std::is_nothrow_move_assignable_v<File>);

constexpr int64_t kRows = 900;
constexpr int64_t kColumns = 700;

class ImagesHpp : public ::testing::Test {
 protected:
  std::string path(const char* name) const { return folder_.path() + "/" + name; }

 private:
  tesela::testing::TemporaryFolder folder_;
};

// More rows than a band of 1 MiB has.
std::vector<uint8_t> picture() {
  std::vector<uint8_t> elements(static_cast<size_t>(kRows * kColumns * 3));
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<uint8_t>(i / 2100 + i % 2100);
  return elements;
}

std::vector<uint8_t> contents(const File& file) {
  struct stat info = {};
  EXPECT_EQ(::fstat(file.descriptor(), &info), 0);
  std::vector<uint8_t> bytes(static_cast<size_t>(info.st_size));
  EXPECT_EQ(::pread(file.descriptor(), bytes.data(), bytes.size(), 0), info.st_size);
  return bytes;
}

File with(const std::vector<uint8_t>& bytes, const std::string& folder) {
  File file = File::unnamed(folder);
  EXPECT_EQ(::pwrite(file.descriptor(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
  return file;
}

template <class F>
std::pair<tesela_status, std::string> error_of(F&& f) {
  try {
    f();
  } catch (const tesela::Error& error) {
    return {error.code(), error.what()};
  }
  return {TESELA_OK, ""};
}

TEST_F(ImagesHpp, ElementsBecomeAnImageAndAreReadBack) {
  const std::vector<uint8_t> elements = picture();
  const ImageInfo image{TESELA_UINT8, {kRows, kColumns, 3}};
  const File from = with(elements, path(""));
  const File to = File::create(path("x.png"));
  std::vector<double> shares;
  tesela::RunOptions options;
  options.on_progress = [&](double share) { shares.push_back(share); };
  tesela::pack_image(image, from, to, {.format = TESELA_FILE_PNG}, options);
  EXPECT_GT(shares.size(), 1u);

  tesela::write({elements, image.extents}, path("whole.png"));
  EXPECT_EQ(contents(to), contents(File::open(path("whole.png"))));

  const File back = File::unnamed(path(""));
  const ImageInfo found = tesela::unpack_image(path("x.png"), back, {}, options);
  EXPECT_EQ(found.dtype, TESELA_UINT8);
  EXPECT_EQ(found.extents, image.extents);
  EXPECT_EQ(contents(back), elements);
}

TEST_F(ImagesHpp, ErrorsAreThoseOfTheInterface) {
  const ImageInfo image{TESELA_FLOAT, {4, 4}};
  const std::pair<tesela_status, std::string> refused = error_of([&] { tesela::check_image(image, TESELA_FILE_PNG); });
  EXPECT_EQ(refused.first, TESELA_ERROR_UNSUPPORTED);
  EXPECT_NE(refused.second.find("PNG cannot hold type float"), std::string::npos) << refused.second;
  tesela::check_image({TESELA_UINT8, {4, 4}}, TESELA_FILE_PNG);

  const File nowhere = File::unnamed(path(""));
  EXPECT_EQ(error_of([&] { tesela::unpack_image(path("none"), nowhere); }).first, TESELA_ERROR_IO);
  EXPECT_EQ(error_of([&] { tesela::pack_image(image, nowhere, nowhere, {.format = TESELA_FILE_PNG}); }).first,
            TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(error_of([&] { File::open(path("none")); }),
            std::pair(TESELA_ERROR_IO, "cannot open '" + path("none") + "': No such file or directory"));
  EXPECT_EQ(error_of([&] { File::create(path("none/x")); }),
            std::pair(TESELA_ERROR_IO, "cannot write '" + path("none/x") + "': No such file or directory"));
  EXPECT_EQ(error_of([&] { File::unnamed(path("none")); }).first, TESELA_ERROR_IO);

  tesela::Limits limits;
  limits.max_pixels = 10;
  tesela::write({picture(), {kRows, kColumns, 3}}, path("x.png"));
  EXPECT_EQ(error_of([&] { tesela::unpack_image(path("x.png"), nowhere, limits); }).first, TESELA_ERROR_LIMIT);
}

TEST_F(ImagesHpp, CallbacksMayThrow) {
  tesela::write({picture(), {kRows, kColumns, 3}}, path("x.png"));
  tesela::RunOptions options;
  options.on_progress = [](double) { throw std::runtime_error("enough"); };
  const File to = File::unnamed(path(""));
  EXPECT_THROW(tesela::unpack_image(path("x.png"), to, {}, options), std::runtime_error);
  const ImageInfo image{TESELA_UINT8, {kRows, kColumns, 3}};
  const File from = with(picture(), path(""));
  EXPECT_THROW(tesela::pack_image(image, from, to, {.format = TESELA_FILE_PNG}, options), std::runtime_error);
}

TEST_F(ImagesHpp, FilesAreClosedByTheirOwner) {
  int descriptor = -1;
  {
    File first = File::unnamed(path(""));
    descriptor = first.descriptor();
    File second = std::move(first);
    EXPECT_EQ(first.descriptor(), -1);  // NOLINT(bugprone-use-after-move)
    EXPECT_EQ(second.descriptor(), descriptor);
    first = std::move(second);
    EXPECT_EQ(first.descriptor(), descriptor);
    EXPECT_NE(::fcntl(descriptor, F_GETFD), -1);
  }
  EXPECT_EQ(::fcntl(descriptor, F_GETFD), -1);
}

}  // namespace
