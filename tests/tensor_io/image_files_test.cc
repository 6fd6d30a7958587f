// SPDX-License-Identifier: Apache-2.0
// Images that become files of elements and back: bands, passes, limits, cancellation.
#include "tensor_io/image_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <functional>

#include "files/cost.h"
#include "files/file_bytes.h"
#include "files/temporary_folder.h"
#include "model/expect_fault.h"
#include "tensor_io/image.h"
#include "tensor_io/png_bytes.h"

namespace tesela::testing {
namespace {

const OnRows kNoProgress = [](double) { return Status(); };

class ImageFiles : public ::testing::Test {
 protected:
  std::string path(const char* name) const { return folder_.path() + "/" + name; }
  Descriptor open(const char* name, int flags = O_RDONLY) const {
    return Descriptor(::open(path(name).c_str(), flags | O_CLOEXEC, 0666));
  }
  Descriptor made(const char* name) const { return open(name, O_RDWR | O_CREAT | O_TRUNC); }
  std::string contents(const char* name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  Status pack(const Tensor& tensor, FileFormat format, const OnRows& on_rows = kNoProgress) const {
    std::ofstream(path("elements"), std::ios::binary) << text_of({tensor.data(), static_cast<size_t>(tensor.bytes())});
    TensorFileOptions options;
    options.format = format;
    return pack_image({open("elements").get(), tensor.type(), tensor.extents()}, options, made("image").get(), on_rows);
  }

 private:
  TemporaryFolder folder_;
};

// More rows than a band of 1 MiB has.
Tensor picture(DataType type) {
  Tensor tensor = *Tensor::allocate(type, {900, 700, 3});
  for (int64_t i = 0; i < tensor.bytes(); ++i) tensor.mutable_data()[i] = static_cast<std::byte>(i / 2100 + i % 2100);
  return tensor;
}

TEST_F(ImageFiles, PackWritesTheFileOfEncode) {
  for (const DataType type : {DataType::kUint8, DataType::kUint16}) {
    const Tensor tensor = picture(type);
    ASSERT_TRUE(pack(tensor, FileFormat::kPng).ok());
    EXPECT_EQ(contents("image"), text_of(encode_png(tensor)->head));
    const Result<UnpackedImage> image = unpack_image(path("image"), Limits(), made("again").get(), kNoProgress);
    ASSERT_TRUE(image.ok()) << image.status().message();
    EXPECT_EQ(image->extents, tensor.extents());
    EXPECT_EQ(contents("again"), contents("elements"));
  }
  ASSERT_TRUE(pack(picture(DataType::kUint8), FileFormat::kJpeg).ok());
  EXPECT_EQ(contents("image"), text_of(encode_jpeg(picture(DataType::kUint8), 92)->head));
}

// 1 MiB is 1024 of these rows: the second band has one.
constexpr uint32_t kRows = 1025, kColumns = 1024;

char pixel(uint32_t x, uint32_t y) {
  return static_cast<char>((7 * x + 3 * y) % 251);
}

// Adam7: the first pixel and the steps of each pass.
std::string interlaced_png() {
  struct Pass {
    uint32_t x, y, right, down;
  };
  std::string rows;
  for (const Pass& pass : {Pass{0, 0, 8, 8}, Pass{4, 0, 8, 8}, Pass{0, 4, 4, 8}, Pass{2, 0, 4, 4}, Pass{0, 2, 2, 4},
                           Pass{1, 0, 2, 2}, Pass{0, 1, 1, 2}})
    for (uint32_t y = pass.y; y < kRows; y += pass.down) {
      rows += '\0';  // no filter
      for (uint32_t x = pass.x; x < kColumns; x += pass.right) rows += pixel(x, y);
    }
  return png({kColumns, kRows, 8, kPngGrey, true}, rows);
}

TEST_F(ImageFiles, PassesCompleteEveryBand) {
  std::string pixels;
  for (uint32_t y = 0; y < kRows; ++y)
    for (uint32_t x = 0; x < kColumns; ++x) pixels += pixel(x, y);
  std::ofstream(path("image"), std::ios::binary) << interlaced_png();
  const Result<UnpackedImage> image = unpack_image(path("image"), Limits(), made("again").get(), kNoProgress);
  ASSERT_TRUE(image.ok()) << image.status().message();
  EXPECT_EQ(image->extents, Extents({kRows, kColumns, 1}));
  EXPECT_TRUE(contents("again") == pixels);
  // Rows of earlier passes are read from the file.
  EXPECT_TRUE(fails(unpack_image(path("image"), Limits(), open("again", O_WRONLY).get(), kNoProgress).status(),
                    TESELA_ERROR_IO, "cannot read the elements of " + tesela::in_quotes(path("image")) + ": Bad file"));
}

TEST_F(ImageFiles, BandsOfAJpegAreThoseOfTheWholeImage) {
  Tensor tensor = *Tensor::allocate(DataType::kUint8, {kRows, kColumns, 1});
  for (int64_t i = 0; i < tensor.bytes(); ++i) tensor.mutable_data()[i] = static_cast<std::byte>(i / kColumns / 8);
  ASSERT_TRUE(pack(tensor, FileFormat::kJpeg).ok());
  const std::string file = contents("image");
  const Result<UnpackedImage> image = unpack_image(path("image"), Limits(), made("again").get(), kNoProgress);
  ASSERT_TRUE(image.ok()) << image.status().message();
  const Result<Tensor> whole = read_jpeg(bytes_of(file), Limits());
  ASSERT_TRUE(whole.ok()) << whole.status().message();
  EXPECT_TRUE(contents("again") == text_of({whole->data(), static_cast<size_t>(whole->bytes())}));
}

TEST_F(ImageFiles, ProgressIsReportedForEachMebibyte) {
  struct Case {
    Extents extents;
    std::vector<double> shares;
  };
  const Case cases[] = {
      {{2048, 1024, 1}, {0, 0.5}},
      {{600'000, 1, 1}, {0}},
      {{3, (1 << 20) + 1, 1}, {0, 1.0 / 3, 2.0 / 3}},  // a row at least
  };
  for (const Case& c : cases) {
    Tensor tensor = *Tensor::allocate(DataType::kUint8, c.extents);
    std::fill_n(tensor.mutable_data(), tensor.bytes(), std::byte{1});
    std::vector<double> shares;
    const Status status = pack(tensor, FileFormat::kPng, [&](double share) {
      shares.push_back(share);
      return Status();
    });
    EXPECT_TRUE(status.ok()) << status.message();
    EXPECT_EQ(shares, c.shares) << shape_text(c.extents);
  }
}

TEST_F(ImageFiles, MemoryIsThatOfAFewRows) {
  const Extents extents = {8192, 8192, 1};
  const Descriptor elements = made("elements");
  ASSERT_EQ(::ftruncate(elements.get(), int64_t{8192} * 8192), 0);
  TensorFileOptions options;
  options.format = FileFormat::kPng;
  const Cost packing = cost_of([&] {
    return pack_image({elements.get(), DataType::kUint8, extents}, options, made("image").get(), kNoProgress).ok();
  });
  EXPECT_TRUE(packing.succeeded);
  EXPECT_LT(packing.mebibytes, 32);
  const Cost unpacking =
      cost_of([&] { return unpack_image(path("image"), Limits(), made("again").get(), kNoProgress).ok(); });
  EXPECT_TRUE(unpacking.succeeded);
  EXPECT_LT(unpacking.mebibytes, 32);
}

TEST_F(ImageFiles, CancellationEndsTheWork) {
  int calls = 0;
  const OnRows stop = [&calls](double share) -> Status {
    EXPECT_EQ(share > 0, calls > 0);
    return ++calls == 2 ? cancelled_error("enough") : Status();
  };
  EXPECT_EQ(pack(picture(DataType::kUint16), FileFormat::kPng, stop).code(), TESELA_ERROR_CANCELLED);
  EXPECT_EQ(calls, 2);
  ASSERT_TRUE(pack(picture(DataType::kUint16), FileFormat::kPng).ok());
  calls = 0;
  const Result<UnpackedImage> image = unpack_image(path("image"), Limits(), made("again").get(), stop);
  EXPECT_EQ(image.status().code(), TESELA_ERROR_CANCELLED);
}

TEST_F(ImageFiles, WhatCannotBeIsRefused) {
  const Tensor tensor = picture(DataType::kUint8);
  EXPECT_EQ(pack(tensor, FileFormat::kNpy).code(), TESELA_ERROR_USAGE);
  EXPECT_EQ(unpack_image(path(""), Limits(), -1, kNoProgress).status().code(), TESELA_ERROR_PATH);
  EXPECT_EQ(unpack_image(path("none"), Limits(), -1, kNoProgress).status().code(), TESELA_ERROR_IO);
  ASSERT_TRUE(pack(tensor, FileFormat::kPng).ok());
  EXPECT_EQ(unpack_image(path("image"), Limits(), -1, kNoProgress).status().code(), TESELA_ERROR_IO);
  // Elements that end early.
  TensorFileOptions options;
  options.format = FileFormat::kPng;
  const PackedImage longer{open("elements").get(), DataType::kUint8, {901, 700, 3}};
  EXPECT_EQ(pack_image(longer, options, made("other").get(), kNoProgress).code(), TESELA_ERROR_TRUNCATED);
}

TEST_F(ImageFiles, ErrorsOfTheSystemNameTheOperationAndTheFile) {
  const Tensor tensor = picture(DataType::kUint8);
  ASSERT_TRUE(pack(tensor, FileFormat::kPng).ok());
  // What is open for reading cannot be written, and the other way round.
  const Descriptor read_only = open("elements");
  const Descriptor write_only = open("elements", O_WRONLY);
  const std::string why = ": Bad file descriptor";
  EXPECT_TRUE(fails(unpack_image(path("image"), Limits(), read_only.get(), kNoProgress).status(), TESELA_ERROR_IO,
                    "cannot write the elements of " + tesela::in_quotes(path("image")) + why));
  TensorFileOptions options;
  options.format = FileFormat::kPng;
  const Extents& extents = tensor.extents();
  const PackedImage unreadable{write_only.get(), tensor.type(), extents};
  EXPECT_TRUE(fails(pack_image(unreadable, options, made("other").get(), kNoProgress), TESELA_ERROR_IO,
                    "cannot read the elements of the image" + why));
  const PackedImage readable{read_only.get(), tensor.type(), extents};
  EXPECT_TRUE(fails(pack_image(readable, options, open("image").get(), kNoProgress), TESELA_ERROR_IO,
                    "cannot write the image" + why));
}

TEST_F(ImageFiles, MessagesNameTheFileOnce) {
  const auto status_of = [](const std::string& name) { return unpack_image(name, Limits(), -1, kNoProgress).status(); };
  EXPECT_TRUE(fails(status_of(std::string("a\0b", 3)), TESELA_ERROR_PATH, ""));
  EXPECT_EQ(status_of(path("none")).message(),
            "cannot open " + tesela::in_quotes(path("none")) + ": No such file or directory");
  EXPECT_EQ(status_of("/dev/null").message(), "'/dev/null' is not a regular file; expected an image");
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);  // waits for no writer
  EXPECT_TRUE(fails(status_of(path("pipe")), TESELA_ERROR_PATH, "is not a regular file"));
  EXPECT_EQ(status_of("/dev/null").code(), TESELA_ERROR_PATH);
  // Address 0 of this process is not mapped.
  EXPECT_TRUE(fails(status_of("/proc/self/mem"), TESELA_ERROR_IO, "cannot read '/proc/self/mem': "));
  std::ofstream(path("empty"), std::ios::binary).close();
  EXPECT_EQ(status_of(path("empty")).message(),
            tesela::in_quotes(path("empty")) + ": the file is empty; expected an image");
  EXPECT_EQ(status_of(path("empty")).code(), TESELA_ERROR_TRUNCATED);
}

TEST_F(ImageFiles, DamagedPixelsAreRefused) {
  ASSERT_TRUE(pack(picture(DataType::kUint8), FileFormat::kPng).ok());
  const std::string file = contents("image");
  std::ofstream(path("image"), std::ios::binary) << file.substr(0, file.size() / 2);
  const Status status = unpack_image(path("image"), Limits(), made("again").get(), kNoProgress).status();
  EXPECT_EQ(status.message(), tesela::in_quotes(path("image")) + ": the PNG file ends early");
  EXPECT_EQ(status.code(), TESELA_ERROR_TRUNCATED);
}

TEST_F(ImageFiles, RowsThatTakeTooMuchMemoryAreRefused) {
  Tensor wide = *Tensor::allocate(DataType::kUint16, {1, 100'000, 1});
  std::fill_n(wide.mutable_data(), wide.bytes(), std::byte{1});
  ASSERT_TRUE(pack(wide, FileFormat::kPng).ok());
  Limits limits;
  limits.max_working_bytes = 1'000'000;
  const Result<UnpackedImage> image = unpack_image(path("image"), limits, made("again").get(), kNoProgress);
  EXPECT_EQ(image.status().code(), TESELA_ERROR_LIMIT);
}

}  // namespace
}  // namespace tesela::testing
