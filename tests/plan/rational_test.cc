// SPDX-License-Identifier: Apache-2.0
// Exact arithmetic for positions.
#include "plan/rational.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace tesela {
namespace {

using exact::absolute;
using exact::ceil_div;
using exact::floor_div;

TEST(Rational, FloorAndCeilingOfNegativeAndPositiveRatios) {
  for (int a = -30; a <= 30; ++a)
    for (int b = 1; b <= 7; ++b) {
      EXPECT_EQ(static_cast<int>(floor_div<Int128>(a, b)), static_cast<int>(std::floor(a / static_cast<double>(b))))
          << a << "/" << b;
      EXPECT_EQ(static_cast<int>(ceil_div<Int128>(a, b)), static_cast<int>(std::ceil(a / static_cast<double>(b))))
          << a << "/" << b;
    }
}

TEST(Rational, FloorAndCeilingOfHugeOperands) {
  const Int128 big = Int128{1} << 126;
  EXPECT_TRUE(floor_div<Int128>(big, 3) * 3 <= big && big - floor_div<Int128>(big, 3) * 3 < 3);
  EXPECT_TRUE(ceil_div<Int128>(-big, 3) == -floor_div<Int128>(big, 3));
  EXPECT_TRUE(floor_div<Int128>(-1, big) == -1);
  EXPECT_TRUE(ceil_div<Int128>(1, big) == 1);
  EXPECT_TRUE(floor_div<Int128>(-big, big) == -1 && ceil_div<Int128>(-big, big) == -1);
}

TEST(Rational, GreatestCommonDivisor) {
  EXPECT_TRUE(gcd(0, 0) == 0);
  EXPECT_TRUE(gcd(0, 6) == 6 && gcd(6, 0) == 6);
  EXPECT_TRUE(gcd(12, 18) == 6);
  const Int128 prime = (Int128{1} << 61) - 1;
  EXPECT_TRUE(gcd(prime * (Int128{1} << 60), prime * 3) == prime);
}

TEST(NearestDouble, SmallOperandsAreOneDivision) {
  for (int a = -20; a <= 20; ++a)
    for (int b = 1; b <= 20; ++b) EXPECT_EQ(nearest_double(a, b), a / static_cast<double>(b));
}

// By definition: no other double is nearer to num / den, and of two equally near the even one is taken. Computed in
// integers.
void expect_nearest(Int128 num, Int128 den) {
  const double result = nearest_double(num, den);
  int exponent = 0;
  const double fraction = std::frexp(result, &exponent);
  const auto mantissa = static_cast<int64_t>(std::ldexp(fraction, 53));  // result = mantissa * 2^(exponent - 53)
  const int shift = 53 - exponent;
  ASSERT_TRUE(shift >= 0 && shift < 64) << result;
  const Int128 difference = absolute<Int128>((num << shift) - mantissa * den);
  EXPECT_TRUE(2 * difference < den || (2 * difference == den && mantissa % 2 == 0)) << result;
}

TEST(NearestDouble, RandomRatiosAreRoundedToNearest) {
  std::mt19937_64 random(42);
  const auto draw = [&random] {  // between 2^52 and 2^60
    return Int128{static_cast<int64_t>(((random() >> 4) | (uint64_t{1} << 59)) >> (random() % 8))};
  };
  for (int i = 0; i < 20000; ++i) expect_nearest(draw(), draw());
}

TEST(NearestDouble, TiesGoToTheEvenNeighbour) {
  for (int64_t mantissa = int64_t{1} << 52; mantissa < (int64_t{1} << 52) + 8; ++mantissa)
    for (const int64_t factor : {int64_t{1}, int64_t{3}, int64_t{1} << 20, (int64_t{1} << 40) + 1}) {
      const Int128 num = (Int128{2} * mantissa + 1) * factor;
      const int64_t even = mantissa % 2 == 0 ? mantissa : mantissa + 1;
      EXPECT_EQ(nearest_double(num, Int128{2} * factor), static_cast<double>(even));
      // The smallest change decides the rounding.
      EXPECT_EQ(nearest_double((num << 20) + 1, Int128{2} * factor << 20), static_cast<double>(mantissa + 1));
      EXPECT_EQ(nearest_double((num << 20) - 1, Int128{2} * factor << 20), static_cast<double>(mantissa));
    }
}

TEST(NearestDouble, HugeOperands) {
  const Int128 big = Int128{1} << 126;
  EXPECT_EQ(nearest_double(big, 1), 0x1p126);
  EXPECT_EQ(nearest_double(1, big), 0x1p-126);
  EXPECT_EQ(nearest_double(big - 1, big), 1.0);
  EXPECT_EQ(nearest_double(-big, 3),
            -0x1p126 / 3);  // a division by 3 rounds the same with any exponent
  EXPECT_EQ(nearest_double(big / 3 * 2, big), 2.0 / 3);
  EXPECT_EQ(nearest_double(0, big), 0.0);
  EXPECT_EQ(nearest_double((Int128{1} << 64) + 1, 1), 0x1p64);
  EXPECT_EQ(nearest_double((Int128{1} << 64) + 4097, 1), 0x1p64 + 4096);
}

TEST(NearestDouble, BitsBelowAWideQuotientDecideTies) {
  EXPECT_EQ(nearest_double((Int128{1} << 64) + 2048, 1), 0x1p64);  // halfway between 2^64 and the next double
  EXPECT_EQ(nearest_double((Int128{1} << 64) + 6144, 1), 0x1p64 + 8192);
  for (const int64_t bit : {1, 2, 4, 8, 16, 32}) {
    EXPECT_EQ(nearest_double((Int128{1} << 64) + 2048 + bit, 1), 0x1p64 + 4096) << bit;
    EXPECT_EQ(nearest_double((Int128{1} << 68) + 32768 + bit, 1), 0x1p68 + 65536) << bit;
    EXPECT_EQ(nearest_double((Int128{1} << 68) + 32768 - bit, 1), 0x1p68) << bit;
  }
}

TEST(NearestDouble, ZeroIsPositive) {
  for (const Int128 den : {Int128{1}, Int128{1} << 60, Int128{1} << 126})
    EXPECT_FALSE(std::signbit(nearest_double(0, den)));
}

TEST(NearestDouble, MatchesLongDoubleDivision) {  // 64 bits of mantissa: at most one unit apart
  std::mt19937_64 random(1);
  for (int i = 0; i < 20000; ++i) {
    const auto num = static_cast<int64_t>(random() >> 1);
    const auto den = static_cast<int64_t>(random() >> (1 + random() % 40)) + 1;
    const auto wide = static_cast<double>(static_cast<long double>(num) / static_cast<long double>(den));
    const double ours = nearest_double(num, den);
    EXPECT_LE(std::abs(ours - wide), std::abs(std::nextafter(wide, INFINITY) - wide)) << num << "/" << den;
    EXPECT_EQ(nearest_double(-Int128{num}, den), -ours);
  }
}

TEST(RationalText, Digits) {
  EXPECT_EQ(digits(0), "0");
  EXPECT_EQ(digits(1), "1");
  EXPECT_EQ(digits(-1), "-1");
  EXPECT_EQ(digits(-1020), "-1020");
  EXPECT_EQ(digits(Int128{1} << 126), "85070591730234615865843651857942052864");
}

TEST(RationalText, FractionsAreInLowestTerms) {
  EXPECT_EQ(fraction_text(-14, 8), "-7/4");
  EXPECT_EQ(fraction_text(3, 3), "1");
  EXPECT_EQ(fraction_text(1, 3), "1/3");
  EXPECT_EQ(fraction_text(0, 5), "0");
}

}  // namespace
}  // namespace tesela
