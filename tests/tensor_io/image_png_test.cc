// SPDX-License-Identifier: Apache-2.0
// PNG: every kind of pixel, and files with less data than declared.
#include <ctime>

#include "files/cost.h"
#include "model/expect_fault.h"
#include "tensor_io/decode_cost.h"
#include "tensor_io/image.h"
#include "tensor_io/png_bytes.h"

namespace tesela::testing {
namespace {

Result<Tensor> read(std::string_view file, const Limits& limits = {}) {
  return read_png(bytes_of(file), limits);
}

Status status_of(std::span<const std::byte> file) {
  return read_png(file, {}).status();
}

std::string data_of(const Result<Tensor>& tensor) {
  if (!tensor.ok()) return tensor.status().message();
  return shape_text(tensor->extents()) + ":" + text_of({tensor->data(), static_cast<size_t>(tensor->bytes())});
}

const std::string kRow0("\0", 1);  // no filter

TEST(ImagePng, EveryKindOfPixelIsRead) {
  const std::string palette = png_chunk("PLTE", "abcdefghi");
  struct Case {
    std::string file;
    std::string expected;
  };
  const Case cases[] = {
      {png({2, 1, 8, kPngGrey}, kRow0 + "ab"), "1x2x1:ab"},
      {png({2, 1, 8, kPngGreyAlpha}, kRow0 + "abcd"), "1x2x2:abcd"},
      {png({1, 2, 8, kPngRgb}, kRow0 + "abc" + kRow0 + "def"), "2x1x3:abcdef"},
      {png({1, 1, 8, kPngRgba}, kRow0 + "abcd"), "1x1x4:abcd"},
      {png({1, 1, 16, kPngGrey}, kRow0 + "ab"), "1x1x1:ba"},  // big-endian in the file
      {png({1, 1, 16, kPngRgb}, kRow0 + "abcdef"), "1x1x3:badcfe"},
      {png({4, 1, 1, kPngGrey}, kRow0 + "\xa0"), std::string("1x4x1:\xff\0\xff\0", 10)},
      {png({2, 1, 4, kPngGrey}, kRow0 + "\x5f"), "1x2x1:\x55\xff"},
      {png({3, 1, 8, kPngPalette}, kRow0 + std::string("\2\0\1", 3), palette), "1x3x3:ghiabcdef"},
      {png({4, 1, 2, kPngPalette}, kRow0 + "\x91", palette), "1x4x3:ghidefabcdef"},
      {png({2, 1, 8, kPngPalette}, kRow0 + std::string("\1\0", 2), palette + png_chunk("tRNS", "\x10\x20")),
       "1x2x4:def\x20"
       "abc\x10"},
      {png({2, 1, 8, kPngGrey}, kRow0 + "ab", png_chunk("tRNS", std::string("\0b", 2))), std::string("1x2x2:a\xff"
                                                                                                     "b\0",
                                                                                                     10)},
  };
  for (const Case& c : cases) EXPECT_EQ(data_of(read(c.file)), c.expected);
}

// Adam7 of a 3 x 3 picture: passes 1 (0,0), 4 (0,2), 5 (2,0) (2,2), 6 (0,1) (2,1), 7 row 1.
TEST(ImagePng, InterlacedPicturesAreRead) {
  const auto row = [](std::string_view pixels) { return kRow0 + std::string(pixels); };
  const std::string narrow = row("a") + row("c") + row("gi") + row("b") + row("h") + row("def");
  EXPECT_EQ(data_of(read(png({3, 3, 8, kPngGrey, true}, narrow))), "3x3x1:abcdefghi");
  const std::string wide = row("aA") + row("cC") + row("gGiI") + row("bB") + row("hH") + row("dDeEfF");
  EXPECT_EQ(data_of(read(png({3, 3, 16, kPngGrey, true}, wide))), "3x3x1:AaBbCcDdEeFfGgHhIi");
}

TEST(ImagePng, HostileFilesAreRefused) {
  struct Case {
    std::string file;
    tesela_status code;
    std::string_view words;
  };
  const std::string good = png({2, 2}, kRow0 + "ab" + kRow0 + "cd");
  std::string bad_crc = good;
  bad_crc[bad_crc.size() - 14] ^= 1;  // the CRC of IDAT
  std::string bad_header_crc = good;
  bad_header_crc[30] ^= 1;
  const uint32_t most = INT32_MAX;
  const Case cases[] = {
      {"GIF89a..", TESELA_ERROR_PARSE, "not a PNG file"},
      {png({most, most}, ""), TESELA_ERROR_LIMIT, "2147483647 x 2147483647 pixels"},
      {png({1u << 14, (1u << 14) + 1}, ""), TESELA_ERROR_LIMIT, "the limit is 268435456 in all"},
      {png({1u << 14, 1u << 14}, ""), TESELA_ERROR_TRUNCATED, "too few for 16384 x 16384 pixels"},
      {png({0, 1}, ""), TESELA_ERROR_VALUE, "0 x 1 pixels"},
      {png({1, 0}, ""), TESELA_ERROR_VALUE, "1 x 0 pixels"},
      {png({1u << 31, 1}, ""), TESELA_ERROR_VALUE, "2147483648 x 1 pixels"},
      {png({1, 1, 3}, kRow0 + "a"), TESELA_ERROR_PARSE, "PNG: "},
      {png({1, 1, 8, static_cast<PngColor>(5)}, kRow0 + "a"), TESELA_ERROR_PARSE, "PNG: "},
      {png({1, 1, 8, kPngPalette}, kRow0 + "a"), TESELA_ERROR_PARSE, "PNG: "},
      {png({2, 2}, kRow0 + "ab"), TESELA_ERROR_TRUNCATED, "ends early"},
      {good.substr(0, good.size() - 12), TESELA_ERROR_TRUNCATED, "ends early"},
      {good.substr(0, 33), TESELA_ERROR_TRUNCATED, "ends early"},
      {good.substr(0, 32), TESELA_ERROR_TRUNCATED, "ends in its header, after 32 bytes"},
      {png_head({1, 1}) + png_chunk("IEND", ""), TESELA_ERROR_PARSE, "PNG: "},
      {bad_crc, TESELA_ERROR_PARSE, "CRC"},
      {bad_header_crc, TESELA_ERROR_PARSE, "CRC"},
      {"\x89PNG\r\n\x1a\n" + png_chunk("IDAT", "0123456789abc") + good.substr(8), TESELA_ERROR_PARSE,
       "does not begin with its header"},
  };
  for (const Case& c : cases) EXPECT_TRUE(fails(read(c.file).status(), c.code, c.words)) << c.words;
}

TEST(ImagePng, AncillaryChunksAreNotUnpacked) {
  const std::string bomb = zlib_packed(std::string(20 << 20, 'x'));
  std::string chunks =
      png_chunk("iCCP", std::string("name\0\0", 6) + bomb) + png_chunk("zTXt", std::string("key\0\0", 5) + bomb);
  for (int i = 0; i < 100'000; ++i) chunks += png_chunk("tEXt", std::string("a\0b", 3));
  const std::clock_t begin = std::clock();
  EXPECT_EQ(data_of(read(png({2, 1}, kRow0 + "ab", chunks))), "1x2x1:ab");
  EXPECT_LT(std::clock() - begin, CLOCKS_PER_SEC);
}

TEST(ImagePng, OnlyRealNumbersAreToBeScaled) {
  EXPECT_EQ(image_type_error(DataType::kInt8, "PNG", "uint8").message(), "PNG cannot hold type int8; expected uint8");
}

TEST(ImagePng, TypesOfNoNameAreRefused) {
  EXPECT_TRUE(
      fails(image_type_error(static_cast<DataType>(99), "PNG", "uint8"), TESELA_ERROR_UNSUPPORTED, "expected uint8"));
}

// Products beyond 63 bits, for callers who set no limits.
TEST(ImagePng, SizesBeyondIntegersAreOverTheLimit) {
  Limits limits;
  limits.max_pixels = limits.max_output_bytes = INT64_MAX;
  EXPECT_TRUE(fails(check_image_size({INT64_MAX, 2, 1}, 1, limits), TESELA_ERROR_LIMIT, "pixels; the limit is"));
  EXPECT_TRUE(fails(check_image_size({int64_t{1} << 40, 1 << 20, 4}, 2, limits), TESELA_ERROR_LIMIT, "of 8 bytes"));
  EXPECT_TRUE(check_image_size({int64_t{1} << 40, 1 << 20, 4}, 1, limits).ok());
}

TEST(ImagePng, LimitsCountPixelsAndBytes) {
  Limits limits;
  limits.max_pixels = 3;
  const std::string file = png({2, 2, 8, kPngRgb}, kRow0 + "abcdef" + kRow0 + "abcdef");
  EXPECT_TRUE(fails(read(file, limits).status(), TESELA_ERROR_LIMIT, "the limit is 3 in all"));
  limits.max_pixels = 4;
  limits.max_output_bytes = 11;
  EXPECT_TRUE(fails(read(file, limits).status(), TESELA_ERROR_LIMIT, "2 x 2 pixels of 3 bytes; the limit is 11 bytes"));
  limits.max_output_bytes = 12;
  EXPECT_TRUE(read(file, limits).ok());
  const std::string grey = png({2, 2}, kRow0 + "ab" + kRow0 + "cd");
  limits.max_output_bytes = 4;
  EXPECT_TRUE(read(grey, limits).ok());
  const std::string wide = png({2, 2, 16}, kRow0 + "abcd" + kRow0 + "efgh");
  limits.max_output_bytes = 8;
  EXPECT_TRUE(read(wide, limits).ok());
  limits.max_output_bytes = 7;
  EXPECT_TRUE(fails(read(wide, limits).status(), TESELA_ERROR_LIMIT, "2 x 2 pixels of 2 bytes; the limit is 7 bytes"));
}

// libpng keeps three rows of four channels.
TEST(ImagePng, RowsCountTowardsMemoryLimit) {
  for (const int bytes : {1, 2}) {
    const std::string file = png({1000, 1, 8 * bytes}, std::string(static_cast<size_t>(1 + 1000 * bytes), '\0'));
    Limits limits;
    limits.max_working_bytes = 12'000 * bytes;
    EXPECT_TRUE(read(file, limits).ok());
    --limits.max_working_bytes;
    EXPECT_TRUE(fails(read(file, limits).status(), TESELA_ERROR_LIMIT,
                      fmt::format("take {} bytes; the limit is {}", 12'000 * bytes, 12'000 * bytes - 1)));
  }
}

// A byte unpacks to 1,100 at most, and these files have 65.
TEST(ImagePng, SizesThatAFileCannotHoldAreRefused) {
  struct Case {
    uint32_t width;
    int depth;
    tesela_status code;
    std::string_view words;
  };
  const Case cases[] = {
      {72'592, 8, TESELA_ERROR_TRUNCATED, "ends early"},
      {72'600, 8, TESELA_ERROR_TRUNCATED, "the PNG file has 65 bytes; too few for 72600 x 1 pixels"},
      {580'792, 1, TESELA_ERROR_TRUNCATED, "ends early"},
      {580'800, 1, TESELA_ERROR_TRUNCATED, "too few for 580800 x 1 pixels"},
      // Those that do not exist count as 16 bits.
      {36'296, 17, TESELA_ERROR_PARSE, "PNG: "},
      {36'304, 17, TESELA_ERROR_TRUNCATED, "too few for 36304 x 1 pixels"},
  };
  for (const Case& c : cases) {
    const std::string file = png({c.width, 1, c.depth}, "");
    ASSERT_EQ(file.size(), 65u);
    EXPECT_TRUE(fails(read(file).status(), c.code, c.words)) << c.width;
  }
}

TEST(ImagePng, BytesOfWideSamplesCountTowardsWorkLimit) {
  Limits limits;
  limits.max_output_bytes = int64_t{2} << 20;
  EXPECT_TRUE(fails(read(png({1024, 1024, 16}, std::string(1024 * 2049, '\0')), limits).status(), TESELA_ERROR_LIMIT,
                    "the image of 1024 x 1024 pixels processes 2113536 bytes"));
}

// Few pixels in many rows: each row is a call, seven for an interlaced image.
TEST(ImagePng, RowsCountTowardsWorkLimit) {
  const auto tall = [](bool interlaced) {
    return png({1, 1u << 22, 8, kPngGrey, interlaced}, std::string(8 << 20, '\0'));
  };
  Limits limits;
  EXPECT_TRUE(read(tall(false)).ok());
  limits.max_output_bytes = int64_t{32} << 26;  // 64 MiB of work, plus the budget from the file's size
  EXPECT_TRUE(fails(read(tall(false), limits).status(), TESELA_ERROR_LIMIT,
                    "the image of 1 x 4194304 pixels processes 71303168 bytes, from a file of"));
  EXPECT_TRUE(fails(read(tall(true)).status(), TESELA_ERROR_LIMIT, "processes 138412032 bytes"));
  for (const bool interlaced : {false, true}) {
    const std::string file =
        png_head({1, 1u << 28, 8, kPngGrey, interlaced}) + png_chunk("IDAT", std::string(500'000, '\0'));
    const Cost cost = cost_of([&] {
      return fails(read(file).status(), TESELA_ERROR_LIMIT, "the image of 1 x 268435456 pixels") ? true : false;
    });
    EXPECT_TRUE(cost.succeeded);
    EXPECT_LT(cost.seconds, 0.2);
    EXPECT_LT(cost.mebibytes, 8);
  }
}

TEST(ImagePng, EveryPrefixIsTruncated) {
  for (const bool interlaced : {false, true}) {
    const std::string file =
        png({7, 8, 8, kPngGrey, interlaced}, interlaced ? std::string(7 * 8 + 15, '\0') : std::string(8 * 8, '\0'));
    ASSERT_TRUE(read(file).ok()) << read(file).status().message();
    sweep_prefixes(file, [](auto bytes) { return bytes.empty() ? truncated_error("empty") : status_of(bytes); },
                   {TESELA_ERROR_TRUNCATED});
  }
}

TEST(ImagePng, EveryBitFlipReturnsAStatus) {
  sweep_bit_flips(png({3, 2, 8, kPngPalette}, kRow0 + std::string("\0\1\2", 3) + kRow0 + std::string("\2\1\0", 3),
                      png_chunk("PLTE", "abcdefghi") + png_chunk("tRNS", "x")),
                  status_of);
  sweep_bit_flips(png({3, 3, 16, kPngGrey, true}, std::string(6 + 18, '\0')), status_of);
}

TEST(ImagePng, WriteReadRoundTrip) {
  for (const DataType type : {DataType::kUint8, DataType::kUint16}) {
    for (const Extents& extents :
         {Extents({3, 5}), Extents({3, 5, 1}), Extents({3, 5, 2}), Extents({1, 1, 3}), Extents({7, 2, 4})}) {
      Tensor tensor = *Tensor::allocate(type, extents);
      for (int64_t i = 0; i < tensor.bytes(); ++i) tensor.mutable_data()[i] = static_cast<std::byte>(i * 37);
      const Result<FileParts> parts = encode_png(tensor);
      ASSERT_TRUE(parts.ok()) << parts.status().message();
      const Result<Tensor> again = read(text_of(parts->head));
      ASSERT_TRUE(again.ok()) << again.status().message();
      EXPECT_EQ(again->type(), type);
      EXPECT_EQ(again->extents(), Extents({extents[0], extents[1], extents.size() == 3 ? extents[2] : 1}));
      EXPECT_EQ(text_of({again->data(), static_cast<size_t>(again->bytes())}),
                text_of({tensor.data(), static_cast<size_t>(tensor.bytes())}));
    }
  }
}

TEST(Image, DecodingMayTakeItsBudget) {
  const Limits limits;
  const int64_t most = decode_budget(1000, limits);
  EXPECT_TRUE(check_decode_cost({9, 9, 3}, most, 1000, limits).ok());
  EXPECT_TRUE(fails(check_decode_cost({9, 9, 3}, most + 1, 1000, limits), TESELA_ERROR_LIMIT, "from a file of 1000"));
}

TEST(ImagePng, WriteRejectsTensorsThatAreNotImages) {
  struct Case {
    DataType type;
    Extents extents;
    tesela_status code;
    std::string_view words;
  };
  const Case cases[] = {
      {DataType::kFloat,
       {2, 2, 3},
       TESELA_ERROR_UNSUPPORTED,
       "PNG cannot hold type float; expected uint8 or uint16: scale to 0..255 and cast to uint8"},
      {DataType::kInt8, {2, 2, 3}, TESELA_ERROR_UNSUPPORTED, "PNG cannot hold type int8; expected uint8 or uint16"},
      {DataType::kUint8, {2}, TESELA_ERROR_SHAPE, "expected [height, width] or [height, width, channels]"},
      {DataType::kUint8, {1, 3, 2, 2}, TESELA_ERROR_SHAPE, "shape 1x3x2x2"},
      {DataType::kUint8, {2, 2, 5}, TESELA_ERROR_SHAPE, "PNG cannot hold 5 channels; expected 1 to 4"},
      {DataType::kUint8, {2, 2, 0}, TESELA_ERROR_SHAPE, "0 channels"},
      {DataType::kUint8, {0, 2, 3}, TESELA_ERROR_SHAPE, "expected 1 to 2147483647 rows"},
  };
  for (const Case& c : cases)
    EXPECT_TRUE(fails(encode_png(*Tensor::allocate(c.type, c.extents)).status(), c.code, c.words));
  const Tensor huge = Tensor::borrow(DataType::kUint8, {int64_t{1} << 32, 1}, nullptr, nullptr);
  EXPECT_TRUE(fails(encode_png(huge).status(), TESELA_ERROR_SHAPE, "4294967296x1"));
}

}  // namespace
}  // namespace tesela::testing
