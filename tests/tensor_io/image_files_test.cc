// SPDX-License-Identifier: Apache-2.0
// Images that become files of elements and back: bands, passes, limits, cancellation.
#include "tensor_io/image_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <fstream>

#include "files/file_bytes.h"
#include "files/temporary_folder.h"
#include "model/expect_fault.h"
#include "tensor_io/image.h"

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
