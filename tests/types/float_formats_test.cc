// SPDX-License-Identifier: Apache-2.0
// The codecs of small floating-point formats, tested exhaustively if the format is small enough.
#include "types/float_formats.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>

namespace tesela {
namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct NamedFormat {
  std::string_view name;
  FloatFormat format;
};
void PrintTo(const NamedFormat& named, std::ostream* out) {
  *out << named.name;
}

std::vector<NamedFormat> all_formats() {
  std::vector<NamedFormat> formats;
  for (const DataTypeTraits& row : all_data_types())
    if (const auto format = find_float_format(row.type)) formats.push_back({row.onnx_name, *format});
  return formats;
}

class EveryFormat : public testing::TestWithParam<NamedFormat> {
 protected:
  const FloatFormat& format() const { return GetParam().format; }
  uint32_t codes() const { return 1u << (1 + format().exponent_bits + format().mantissa_bits); }
  uint32_t sign() const { return codes() / 2; }
};

TEST_P(EveryFormat, DecodedCodesRoundTrip) {
  for (uint32_t code = 0; code < codes(); ++code) {
    const double value = decode(format(), code);
    if (std::isnan(value)) continue;
    EXPECT_EQ(encode(format(), value), code) << value;
  }
}

TEST_P(EveryFormat, MagnitudesGrowWithTheCode) {
  double last = -1;
  for (uint32_t code = 0; code < sign(); ++code) {
    const double value = decode(format(), code);
    if (std::isnan(value)) continue;
    EXPECT_GT(value, last) << code;
    last = value;
  }
}

// For neighbours a and b, numbers up to the middle give a, beyond it b, and the middle itself the one with the even
// code.
TEST_P(EveryFormat, RoundsToNearestWithTiesToEven) {
  for (uint32_t code = 0; code + 1 < sign(); ++code) {
    const double low = decode(format(), code);
    const double high = decode(format(), code + 1);
    if (!std::isfinite(low) || !std::isfinite(high)) continue;
    const double middle = low + (high - low) / 2;  // exact: both have few bits
    EXPECT_EQ(encode(format(), middle), (code & 1) ? code + 1 : code) << middle;
    EXPECT_EQ(encode(format(), std::nextafter(middle, 0)), code) << middle;
    EXPECT_EQ(encode(format(), std::nextafter(middle, kInf)), code + 1) << middle;
  }
}

TEST_P(EveryFormat, NegativeNumbersMirrorPositiveOnes) {
  for (uint32_t code = 1; code < sign(); ++code) {
    const double value = decode(format(), code);
    if (!std::isfinite(value)) continue;
    EXPECT_EQ(encode(format(), -value), code | sign()) << value;
  }
}

TEST_P(EveryFormat, TinyNumbersRoundToSignedZero) {
  const bool has_negative_zero = format().specials != FloatFormat::Specials::kNegativeZero;
  EXPECT_EQ(encode(format(), 1e-300), 0u);
  EXPECT_EQ(encode(format(), std::numeric_limits<double>::denorm_min()), 0u);
  EXPECT_EQ(encode(format(), -1e-300), has_negative_zero ? sign() : 0u);
  EXPECT_EQ(encode(format(), -0.0), has_negative_zero ? sign() : 0u);
}

INSTANTIATE_TEST_SUITE_P(FloatFormats, EveryFormat, testing::ValuesIn(all_formats()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(FloatFormats, CodesOfOneAndAHalfMatchOnnxHelper) {
  // onnx.proto, onnx.helper.make_tensor
  EXPECT_EQ(encode(kFloat16Format, 1.5), 15872u);
  EXPECT_EQ(encode(kBfloat16Format, 1.5), 16320u);
  EXPECT_EQ(encode(kFloat8e4m3fnFormat, 1.5), 60u);
  EXPECT_EQ(encode(kFloat8e4m3fnuzFormat, 1.5), 68u);
  EXPECT_EQ(encode(kFloat8e5m2Format, 1.5), 62u);
  EXPECT_EQ(encode(kFloat8e5m2fnuzFormat, 1.5), 66u);
  EXPECT_EQ(encode(kFloat4e2m1Format, 1.5), 3u);
  EXPECT_EQ(encode_e8m0(2.0), 128u);
}

TEST(FloatFormats, LargestNumbersMatchTheirStandards) {
  EXPECT_EQ(decode(kFloat16Format, 0x7bff), 65504);       // IEEE 754 binary16
  EXPECT_EQ(decode(kFloat8e4m3fnFormat, 0x7e), 448);      // OCP FP8
  EXPECT_EQ(decode(kFloat8e5m2Format, 0x7b), 57344);      // OCP FP8
  EXPECT_EQ(decode(kFloat8e4m3fnuzFormat, 0x7f), 240);    // onnx float8 documentation
  EXPECT_EQ(decode(kFloat8e5m2fnuzFormat, 0x7f), 57344);  // onnx float8 documentation
  EXPECT_EQ(decode(kFloat4e2m1Format, 7), 6);             // OCP MX
}

TEST(FloatFormats, OverflowFollowsTheFormat) {
  EXPECT_EQ(encode(kFloat16Format, 65520), 0x7c00u);  // halfway to 2^16
  EXPECT_EQ(encode(kFloat16Format, std::nextafter(65520.0, 0)), 0x7bffu);
  EXPECT_EQ(encode(kFloat16Format, -kInf), 0xfc00u);
  EXPECT_EQ(encode(kBfloat16Format, 1e39), 0x7f80u);
  EXPECT_EQ(encode(kFloat8e5m2Format, 61440), 0x7cu);
  EXPECT_EQ(encode(kFloat8e4m3fnFormat, 1e9), 0x7fu);  // NaN: there is no infinity
  EXPECT_EQ(encode(kFloat8e4m3fnFormat, 464), 0x7eu);  // a tie between 448 and the code of NaN goes to even
  EXPECT_EQ(encode(kFloat8e4m3fnuzFormat, kInf), 0x80u);
  EXPECT_EQ(encode(kFloat4e2m1Format, 100), 7u);
  EXPECT_EQ(encode(kFloat4e2m1Format, -kInf), 15u);
}

TEST_P(EveryFormat, NanIsKeptIfTheFormatHasIt) {
  EXPECT_EQ(std::isnan(decode(format(), encode(format(), kNan))), format().specials != FloatFormat::Specials::kNone);
}

TEST(FloatFormats, Float4e2m1NanIsZeroOfOppositeSign) {  // as ml_dtypes, float4_e2m1fn
  EXPECT_EQ(encode(kFloat4e2m1Format, std::copysign(kNan, 1.0)), 8u);
  EXPECT_EQ(encode(kFloat4e2m1Format, std::copysign(kNan, -1.0)), 0u);
}

// The compiler's type, whose conversions round to nearest even. g++ 12 has _Float16 in C++ on x86 alone.
#if defined(__ARM_FP16_FORMAT_IEEE)
using CompilersFloat16 = __fp16;
#define TESELA_HAS_FLOAT16
#elif defined(__FLT16_MAX__)
using CompilersFloat16 = _Float16;
#define TESELA_HAS_FLOAT16
#endif

#if defined(TESELA_HAS_FLOAT16)
TEST(FloatFormats, Float16MatchesTheCompiler) {
  std::mt19937 random(7);
  for (int i = 0; i < 200000; ++i) {
    const auto value = std::bit_cast<float>(static_cast<uint32_t>(random()));
    if (std::isnan(value)) continue;
    EXPECT_EQ(to_small_float<Float16>(static_cast<double>(value)).bits,
              std::bit_cast<uint16_t>(static_cast<CompilersFloat16>(value)))
        << value;
  }
}
#endif

TEST(FloatFormats, DoublesAreRoundedOnce) {
  // 1 + 2^-11 is halfway between two float16; the bit below float's last makes it more than half.
  EXPECT_EQ(to_small_float<Float16>(1 + 0x1p-11 + 0x1p-40).bits, 0x3c01);
  EXPECT_EQ(to_small_float<Float16>(1 + 0x1p-11).bits, 0x3c00);
  EXPECT_EQ(to_small_float<Bfloat16>(1 + 0x1p-8 + 0x1p-40).bits, 0x3f81);
}

TEST(FloatFormats, Float8e8m0IsPowersOfTwo) {
  for (int code = 0; code < 255; ++code) EXPECT_EQ(decode_e8m0(static_cast<uint8_t>(code)), std::ldexp(1, code - 127));
  for (int code = 0; code < 255; ++code) EXPECT_EQ(encode_e8m0(std::ldexp(1, code - 127)), code);
  EXPECT_TRUE(std::isnan(decode_e8m0(255)));
}

TEST(FloatFormats, Float8e8m0RoundsTiesUpwards) {  // ml_dtypes 0.5.4, float8_e8m0fnu
  EXPECT_EQ(encode_e8m0(1.5), 128);                // codes 127 and 128
  EXPECT_EQ(encode_e8m0(3), 129);                  // codes 128 and 129
  EXPECT_EQ(encode_e8m0(std::nextafter(1.5, 0)), 127);
  EXPECT_EQ(encode_e8m0(std::nextafter(3.0, 0)), 128);
  EXPECT_EQ(encode_e8m0(1.5 * 0x1p127), 255);  // beyond the largest
}

TEST(FloatFormats, Float8e8m0RoundsUpBetweenItsTwoSmallestNumbers) {
  // As ml_dtypes, where binary32 is denormal
  EXPECT_EQ(encode_e8m0(0x1p-127), 0);
  EXPECT_EQ(encode_e8m0(std::nextafter(0x1p-127, 1)), 1);
  EXPECT_EQ(encode_e8m0(0x1p-126), 1);
}

TEST(FloatFormats, Float8e8m0HasNoZeroNoSignAndNoInfinity) {
  for (const double value : {0.0, -0.0, -1.0, kInf, -kInf, kNan, 0x1p128}) EXPECT_EQ(encode_e8m0(value), 255) << value;
  EXPECT_EQ(encode_e8m0(1e-300), 0);
}

}  // namespace
}  // namespace tesela
