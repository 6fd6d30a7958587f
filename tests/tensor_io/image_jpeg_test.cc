// SPDX-License-Identifier: Apache-2.0
// JPEG: grey and RGB, and damaged files whose missing pixels libjpeg would invent.
#include <cstdio>  // needed by jpeglib.h

#include <jpeglib.h>

#include <cstdlib>

#include "model/expect_fault.h"
#include "tensor_io/image.h"

namespace tesela::testing {
namespace {

Result<Tensor> read(std::string_view file, const Limits& limits = {}) {
  return read_jpeg(bytes_of(file), limits);
}

Status status_of(std::span<const std::byte> file) {
  if (file.empty()) return truncated_error("empty");
  return read_jpeg(file, {}).status();
}

// A smooth gradient, which JPEG preserves well.
Tensor picture(int64_t height, int64_t width, int64_t channels) {
  Tensor tensor = *Tensor::allocate(DataType::kUint8, {height, width, channels});
  for (int64_t i = 0; i < tensor.count(); ++i)
    tensor.mutable_data()[i] =
        static_cast<std::byte>((i / channels % width + i / channels / width) * 2 + i % channels * 20);
  return tensor;
}

std::string encoded(const Tensor& tensor, int quality = 92) {
  return text_of(encode_jpeg(tensor, quality)->head);
}

/// Options of libjpeg that encode_jpeg does not use.
struct OtherJpeg {
  int channels = 3;
  J_COLOR_SPACE space = JCS_RGB;
  bool progressive = false;
  bool arithmetic = false;
  std::vector<jpeg_scan_info> scans = {};
};

std::string other_jpeg(const OtherJpeg& kind, unsigned width, unsigned height) {
  jpeg_error_mgr errors;
  jpeg_compress_struct codec = {};
  codec.err = jpeg_std_error(&errors);
  jpeg_create_compress(&codec);
  unsigned char* out = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&codec, &out, &size);
  codec.image_width = width;
  codec.image_height = height;
  codec.input_components = kind.channels;
  codec.in_color_space = kind.space;
  jpeg_set_defaults(&codec);
  if (kind.progressive) jpeg_simple_progression(&codec);
  if (!kind.scans.empty()) {
    codec.scan_info = kind.scans.data();
    codec.num_scans = static_cast<int>(kind.scans.size());
  }
  codec.arith_code = kind.arithmetic ? TRUE : FALSE;
  jpeg_start_compress(&codec, TRUE);
  std::string row(width * static_cast<unsigned>(kind.channels), 'x');
  while (codec.next_scanline < height) {
    row[0] = static_cast<char>(codec.next_scanline);
    auto* at = reinterpret_cast<JSAMPROW>(row.data());
    jpeg_write_scanlines(&codec, &at, 1);
  }
  jpeg_finish_compress(&codec);
  std::string file(reinterpret_cast<char*>(out), size);
  jpeg_destroy_compress(&codec);
  std::free(out);
  return file;
}

TEST(ImageJpeg, WriteReadRoundTrip) {
  for (const int64_t channels : {1, 3}) {
    const Tensor tensor = picture(17, 33, channels);
    const Result<Tensor> again = read(encoded(tensor, 100));
    ASSERT_TRUE(again.ok()) << again.status().message();
    EXPECT_EQ(again->extents(), tensor.extents());
    for (int64_t i = 0; i < tensor.count(); ++i)
      EXPECT_NEAR(static_cast<int>(again->data()[i]), static_cast<int>(tensor.data()[i]), channels == 1 ? 2 : 40);
  }
  EXPECT_EQ(read(encoded(*Tensor::copy_of(
                     Tensor::borrow(DataType::kUint8, {17, 33}, picture(17, 33, 1).data(), nullptr).view())))
                ->extents(),
            Extents({17, 33, 1}));
}

TEST(ImageJpeg, LowerQualityMakesSmallerFiles) {
  EXPECT_LT(encoded(picture(64, 64, 3), 10).size(), encoded(picture(64, 64, 3), 95).size());
}

TEST(ImageJpeg, ProgressiveFilesAreRead) {
  EXPECT_EQ(read(other_jpeg({3, JCS_RGB, true}, 40, 30))->extents(), Extents({30, 40, 3}));
}

TEST(ImageJpeg, HostileFilesAreRefused) {
  const std::string good = encoded(picture(16, 16, 3));
  const size_t frame = good.find("\xff\xc0");
  std::string huge = good, twelve_bits = good, lossless = good, taller = good, bad_codes = good;
  huge.replace(frame + 5, 4, "\xff\xdc\xff\xdc");
  twelve_bits[frame + 4] = 12;
  lossless[frame + 1] = '\xc3';
  taller[frame + 6] = 100;
  bad_codes.replace(good.find("\xff\xc4") + 5, 16, std::string(16, '\xff'));
  std::string wide = good;
  wide.replace(frame + 5, 4, "\x10\x00\xff\xdc", 4);
  std::string widest = good;
  widest.replace(frame + 5, 4, "\xff\xff\xff\xff");
  struct Case {
    std::string file;
    tesela_status code;
    std::string_view words;
  };
  const Case cases[] = {
      {"text", TESELA_ERROR_PARSE, "not a JPEG file"},
      {"\xff\xd8", TESELA_ERROR_TRUNCATED, "the JPEG file ends after 2 bytes"},
      {"\xff\xd8\xff", TESELA_ERROR_TRUNCATED, "the JPEG file ends early"},
      {huge, TESELA_ERROR_LIMIT, "65500 x 65500 pixels"},
      {wide, TESELA_ERROR_TRUNCATED, "too few for 65500 x 4096 pixels"},
      {twelve_bits, TESELA_ERROR_UNSUPPORTED, "JPEG: "},
      {lossless, TESELA_ERROR_UNSUPPORTED, "JPEG: "},
      {taller, TESELA_ERROR_TRUNCATED, "ends early"},
      {bad_codes, TESELA_ERROR_PARSE, "JPEG: "},
      {widest, TESELA_ERROR_UNSUPPORTED, "65500"},
      {other_jpeg({4, JCS_CMYK}, 16, 16), TESELA_ERROR_UNSUPPORTED, "4 channels (CMYK)"},
      {other_jpeg({2, JCS_UNKNOWN}, 16, 16), TESELA_ERROR_UNSUPPORTED, "2 channels"},
      {other_jpeg({3, JCS_RGB, false, true}, 16, 16), TESELA_ERROR_UNSUPPORTED, "arithmetic coding"},
      {good.substr(0, good.size() - 2), TESELA_ERROR_TRUNCATED, "ends early"},
      {good.substr(0, good.size() - 2) + std::string(20, '\0'), TESELA_ERROR_TRUNCATED, "ends early"},
  };
  for (const Case& c : cases) EXPECT_TRUE(fails(read(c.file).status(), c.code, c.words)) << c.words;
}

// Each block of 8 x 8 pixels takes a bit.
TEST(ImageJpeg, SizesThatAFileCannotHoldAreRefused) {
  std::string file = encoded(picture(16, 16, 1));
  const auto status_with = [&file](size_t blocks) {  // eight in each row
    const auto height = static_cast<uint16_t>(blocks);
    const size_t frame = file.find("\xff\xc0");
    file.replace(frame + 5, 4, {static_cast<char>(height >> 8), static_cast<char>(height), 0, 64});
    return read(file).status();
  };
  EXPECT_TRUE(fails(status_with(8 * file.size()), TESELA_ERROR_TRUNCATED, "ends early"));
  EXPECT_TRUE(fails(status_with(8 * file.size() + 8), TESELA_ERROR_TRUNCATED, "too few for 64 x "));
}

// A picture may have a smaller one in a segment.
TEST(ImageJpeg, OtherSegmentsAreSkipped) {
  const std::string file = encoded(picture(16, 16, 3));
  const auto with_segment = [&file](std::string_view data, std::string_view after = "") {
    std::string segment = "\xff\xe1";
    segment += {static_cast<char>((data.size() + 2) >> 8), static_cast<char>(data.size() + 2)};
    return file.substr(0, 2) + segment + std::string(data) + std::string(after) + file.substr(2);
  };
  const Result<Tensor> plain = read(file);
  // Bytes between segments are no fault: these two are not one marker.
  for (const std::string& other :
       {with_segment(encoded(picture(8, 8, 1))), with_segment(""), with_segment("\xff", "\xd9")}) {
    const Result<Tensor> tensor = read(other);
    ASSERT_TRUE(tensor.ok()) << tensor.status().message();
    EXPECT_EQ(std::memcmp(tensor->data(), plain->data(), static_cast<size_t>(plain->bytes())), 0);
  }
}

// An Adobe segment instead of JFIF's, which is the first one and has 18 bytes.
std::string with_adobe(std::string file, char transform) {
  const std::string adobe(
      "\xff\xee\0\x0e"
      "Adobe\0\x64\0\0\0\0",
      15);
  return file.replace(2, 18, adobe + transform);
}

TEST(ImageJpeg, ColoursOfAdobeFiles) {
  const std::string file = encoded(picture(16, 16, 3));
  const Result<Tensor> plain = read(file);
  ASSERT_TRUE(plain.ok());
  const Result<Tensor> converted = read(with_adobe(file, 1));  // YCbCr, as without it
  ASSERT_TRUE(converted.ok()) << converted.status().message();
  EXPECT_EQ(std::memcmp(converted->data(), plain->data(), static_cast<size_t>(plain->bytes())), 0);
  EXPECT_TRUE(read(with_adobe(file, 9)).ok());              // an unknown conversion: YCbCr
  const Result<Tensor> stored = read(with_adobe(file, 0));  // RGB
  ASSERT_TRUE(stored.ok()) << stored.status().message();
  EXPECT_NE(std::memcmp(stored->data(), plain->data(), static_cast<size_t>(plain->bytes())), 0);
  std::string ycck = other_jpeg({4, JCS_CMYK}, 16, 16);
  ycck[ycck.find("Adobe") + 11] = 2;
  EXPECT_TRUE(fails(read(ycck).status(), TESELA_ERROR_UNSUPPORTED, "4 channels (CMYK)"));
}

TEST(ImageJpeg, FractionsOfSamplesAreUnsupported) {
  std::string file = encoded(picture(48, 48, 3));
  const size_t frame = file.find("\xff\xc0");
  for (const auto& [k, factors] : {std::pair(0, '\x31'), std::pair(1, '\x21'), std::pair(2, '\x11')})
    file[frame + 11 + 3 * static_cast<size_t>(k)] = factors;
  EXPECT_TRUE(fails(read(file).status(), TESELA_ERROR_UNSUPPORTED, "JPEG: "));
}

// Each coefficient separately and bit by bit: the most scans that libjpeg reads without a warning.
std::vector<jpeg_scan_info> slow_scans() {
  std::vector<jpeg_scan_info> scans = {{1, {0}, 0, 0, 0, 0}};
  constexpr int kBits = 10;
  for (int k = 1; k < 64; ++k)
    for (int bit = kBits; bit >= 0; --bit) scans.push_back({1, {0}, k, k, bit == kBits ? 0 : bit + 1, bit});
  return scans;
}

TEST(ImageJpeg, TooManyScansAreOverTheLimit) {
  const std::vector<jpeg_scan_info> scans = slow_scans();
  EXPECT_TRUE(fails(read(other_jpeg({1, JCS_GRAYSCALE, false, false, scans}, 64, 64)).status(), TESELA_ERROR_LIMIT,
                    "too many scans"));
  const auto status_with = [&scans](int count) {
    return read(other_jpeg({1, JCS_GRAYSCALE, false, false, {scans.begin(), scans.begin() + count}}, 64, 64)).status();
  };
  EXPECT_TRUE(status_with(12).ok());
  EXPECT_TRUE(status_with(500).ok()) << status_with(500).message();
  EXPECT_TRUE(fails(status_with(501), TESELA_ERROR_LIMIT, "too many scans"));
}

// The limits for so many bytes of work, part of which is paid by the file's size.
Limits limits_of(int64_t work, const std::string& file) {
  Limits limits;
  limits.max_output_bytes = 32 * (work - 64 * static_cast<int64_t>(file.size()));
  return limits;
}

// Each scan processes every block, but needs few bytes.
TEST(ImageJpeg, ScansCountTowardsWorkLimit) {
  const std::vector<jpeg_scan_info> scans = slow_scans();
  const std::string file =
      other_jpeg({1, JCS_GRAYSCALE, false, false, {scans.begin(), scans.begin() + 62}}, 2048, 2048);
  EXPECT_TRUE(read(file).ok());
  // The pixels, and each scan of 256 x 256 blocks.
  const int64_t work = 2048 * 2048 + 62 * 2 * 65537;
  EXPECT_TRUE(read(file, limits_of(work, file)).ok());
  EXPECT_TRUE(fails(read(file, limits_of(work - 1, file)).status(), TESELA_ERROR_LIMIT, "too many scans"));
  const std::string two = other_jpeg({1, JCS_GRAYSCALE, false, false, {scans.begin(), scans.begin() + 2}}, 2048, 2048);
  EXPECT_TRUE(fails(read(two, limits_of(2048 * 2048, two)).status(), TESELA_ERROR_LIMIT, "too many scans"));
}

TEST(ImageJpeg, PixelsCountTowardsLimits) {
  Tensor flat = *Tensor::allocate(DataType::kUint8, {2048, 2048, 1});
  std::fill_n(flat.mutable_data(), flat.bytes(), std::byte{7});
  const std::string file = encoded(flat);
  EXPECT_TRUE(read(file, limits_of(2048 * 2048, file)).ok());
  EXPECT_TRUE(fails(read(file, limits_of(2048 * 2048 - 1, file)).status(), TESELA_ERROR_LIMIT,
                    "the image of 2048 x 2048 pixels processes 4194304 bytes"));
  const std::string small = encoded(picture(17, 33, 3));
  Limits limits;
  limits.max_output_bytes = 17 * 33 * 3;
  EXPECT_TRUE(read(small, limits).ok());
  --limits.max_output_bytes;
  EXPECT_TRUE(fails(read(small, limits).status(), TESELA_ERROR_LIMIT, "33 x 17 pixels of 3 bytes; the limit is 1682"));
}

TEST(ImageJpeg, CoefficientsCountTowardsMemoryLimit) {
  Limits limits;
  limits.max_working_bytes = 100'000;
  EXPECT_TRUE(
      fails(read(other_jpeg({3, JCS_RGB, true}, 2000, 2000), limits).status(), TESELA_ERROR_LIMIT, "more memory"));
}

TEST(ImageJpeg, EveryPrefixIsTruncated) {
  for (const std::string& file : {encoded(picture(24, 16, 3)), other_jpeg({3, JCS_RGB, true}, 16, 24)})
    sweep_prefixes(file, status_of, {TESELA_ERROR_TRUNCATED});
}

TEST(ImageJpeg, EveryBitFlipReturnsAStatus) {
  for (const std::string& file : {encoded(picture(24, 16, 3)), other_jpeg({3, JCS_RGB, true}, 16, 24)})
    sweep_bit_flips(file, status_of);
}

TEST(ImageJpeg, QualityAndExtentsMayBeTheirLimits) {
  EXPECT_EQ(read(encoded(picture(3, 2, 3), 1))->extents(), Extents({3, 2, 3}));
  EXPECT_EQ(read(encoded(picture(65500, 1, 1)))->extents(), Extents({65500, 1, 1}));
  EXPECT_EQ(read(encoded(picture(1, 65500, 1)))->extents(), Extents({1, 65500, 1}));
}

TEST(ImageJpeg, WriteRejectsTensorsThatAreNotImages) {
  struct Case {
    DataType type;
    Extents extents;
    int quality;
    tesela_status code;
    std::string_view words;
  };
  const Case cases[] = {
      {DataType::kUint16, {2, 2, 3}, 92, TESELA_ERROR_UNSUPPORTED, "JPEG cannot hold type uint16; expected uint8"},
      {DataType::kFloat, {2, 2, 3}, 92, TESELA_ERROR_UNSUPPORTED, "scale to 0..255"},
      {DataType::kUint8, {2, 2, 4}, 92, TESELA_ERROR_SHAPE, "JPEG cannot hold 4 channels; expected 1 or 3"},
      {DataType::kUint8, {2, 0, 3}, 92, TESELA_ERROR_SHAPE, "expected 1 to 65500"},
      {DataType::kUint8, {65501, 1, 1}, 92, TESELA_ERROR_SHAPE, "expected 1 to 65500"},
      {DataType::kUint8, {2, 2, 3}, 0, TESELA_ERROR_VALUE, "JPEG quality is 0; expected 1 to 100"},
      {DataType::kUint8, {2, 2, 3}, 101, TESELA_ERROR_VALUE, "JPEG quality is 101"},
  };
  for (const Case& c : cases)
    EXPECT_TRUE(fails(encode_jpeg(*Tensor::allocate(c.type, c.extents), c.quality).status(), c.code, c.words));
}

}  // namespace
}  // namespace tesela::testing
