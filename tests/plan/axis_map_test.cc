// SPDX-License-Identifier: Apache-2.0
// Positions of every coordinate mode, the rounding of nearest, and the widest window of an axis.
#include "plan/axis_map.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "plan/axis_requests.h"
#include "plan/axis_table.h"
#include "schema/values_of.h"

namespace tesela {
namespace {

using enum CoordinateMode;
using enum NearestMode;

constexpr auto kModes = values_of<CoordinateMode>();
constexpr auto kRoundings = values_of<NearestMode>();

SamplingParams sampling(CoordinateMode mode, NearestMode rounding = kRoundPreferFloor,
                        Filter filter = Filter::kNearest) {
  SamplingParams params;
  params.filter = filter;
  params.coordinates = mode;
  params.nearest = rounding;
  return params;
}

AxisRequest by_policy(int64_t in, int64_t num, int64_t den) {  // m = floor(q n + 1/2)
  return {0, in, (2 * num * in + den) / (2 * den), true, num, den};
}
AxisMap rule_of(const AxisRequest& request, const SamplingParams& params) {
  Result<AxisMap> map = make_axis_map(request, params);
  EXPECT_TRUE(map.ok()) << map.status().message();
  return *map;
}

std::vector<int64_t> indices(const AxisRequest& request, const SamplingParams& params) {
  return make_index_table(rule_of(request, params), {0, request.out});
}

int64_t index_at(const AxisRequest& request, CoordinateMode mode, NearestMode rounding, int64_t i) {
  return nearest_index(rule_of(request, sampling(mode, rounding)), i);
}

void expect_positions(const AxisMap& map, const std::vector<double>& expected) {
  ASSERT_EQ(map.out, static_cast<int64_t>(expected.size()));
  for (int64_t i = 0; i < map.out; ++i) EXPECT_NEAR(position(map, i), expected[static_cast<size_t>(i)], 1e-6) << i;
}

// ---- Positions --------------------------------------------------------------------------------------------

// The specified formula, in long doubles.
long double formula(CoordinateMode mode, long double n, long double m, long double s, long double length,
                    long double i) {
  switch (mode) {
    case kPytorchHalfPixel:
      if (m <= 1) return 0;
      [[fallthrough]];
    case kHalfPixel: return (i + 0.5L) / s - 0.5L;
    case kAlignCorners: return m <= 1 ? 0 : i * (n - 1) / (length - 1);
    case kAsymmetric: return i / s;
    case kTfHalfPixelForNn: return (i + 0.5L) / s;
    case kHalfPixelSymmetric: return n / 2 * (1 - m / length) + (i + 0.5L) / s - 0.5L;
    case kTfCropAndResize: return m <= 1 ? 0.5L * (n - 1) : i * (n - 1) / (length - 1);
  }
  return 0;
}

void expect_formula(const AxisRequest& request, CoordinateMode mode, long double s, long double length) {
  const AxisMap map = rule_of(request, sampling(mode));
  if (map.positions == AxisMap::Positions::kIdentity) return;
  for (int64_t i = 0; i < request.out; ++i) {
    const long double x = formula(mode, static_cast<long double>(request.in), static_cast<long double>(request.out), s,
                                  length, static_cast<long double>(i));
    EXPECT_NEAR(position(map, i), static_cast<double>(x), 1e-13 * (1 + std::abs(static_cast<double>(x))))
        << request.in << "->" << request.out << " mode " << static_cast<int>(mode) << " i " << i;
  }
}

TEST(AxisPositions, MatchFormulaUnderSizes) {
  for (const CoordinateMode mode : kModes)
    for (int64_t in = 1; in <= 20; ++in)
      for (int64_t out = 1; out <= 20; ++out)
        expect_formula(by_sizes(in, out), mode, static_cast<long double>(out) / static_cast<long double>(in),
                       static_cast<long double>(out));
}

TEST(AxisPositions, MatchFormulaUnderAPolicy) {  // s = q, L = n q
  for (const CoordinateMode mode : kModes)
    for (int64_t in = 1; in <= 12; ++in)
      for (int64_t num = 1; num <= 7; ++num)
        for (int64_t den = 1; den <= 7; ++den) {
          const long double q = static_cast<long double>(num) / static_cast<long double>(den);
          expect_formula(by_policy(in, num, den), mode, q, static_cast<long double>(in) * q);
        }
}

TEST(AxisPositions, MatchFormulaUnderScales) {  // s as given, L = n s
  for (const CoordinateMode mode : kModes)
    for (int64_t in = 1; in <= 20; ++in)
      for (const float scale : {0.3f, 0.6f, 0.75f, 1.3f, 2.f, 2.5f, 3.1f}) {
        const auto s = static_cast<long double>(scale);
        expect_formula(by_scale(in, scale), mode, s, static_cast<long double>(in) * s);
      }
}

TEST(AxisPositions, GivenScaleIsNeverRecomputed) {  // test_traps.py 14: n=4, s=.6, m=2: x(1) = 2.0, not 2.5
  expect_positions(rule_of(by_scale(4, 0.6f), sampling(kHalfPixel)), {1 / 3.0, 2});
  expect_positions(rule_of(by_scale(3, 1.3f), sampling(kHalfPixel)),
                   {-0.5 + 0.5 / 1.3, -0.5 + 1.5 / 1.3, -0.5 + 2.5 / 1.3});
}

TEST(AxisPositions, AlignCornersUnderScalesHasAFractionalLength) {  // test_traps.py 15
  expect_positions(rule_of(by_scale(4, 0.6f), sampling(kAlignCorners)), {0, 2.142857});
}

TEST(AxisPositions, OneOutput) {
  EXPECT_EQ(position(rule_of(by_sizes(5, 1), sampling(kAlignCorners)), 0), 0);  // test_traps.py 16
  EXPECT_EQ(position(rule_of(by_scale(4, 0.3f), sampling(kAlignCorners)), 0), 0);
  EXPECT_EQ(position(rule_of(by_sizes(4, 1), sampling(kPytorchHalfPixel)), 0), 0);  // test_traps.py 17
  EXPECT_EQ(position(rule_of(by_scale(4, 0.3f), sampling(kPytorchHalfPixel)), 0), 0);
  EXPECT_EQ(position(rule_of(by_sizes(4, 1), sampling(kHalfPixel)), 0), 1.5);
  EXPECT_EQ(position(rule_of(by_sizes(4, 1), sampling(kTfCropAndResize)), 0), 1.5);
  EXPECT_NEAR(position(rule_of(with_roi(by_sizes(4, 1), 0.2, 0.4), sampling(kTfCropAndResize)), 0), 0.9,
              1e-15);  // test_traps.py 29
  EXPECT_NEAR(position(rule_of(with_roi(by_scale(3, 1 / 3.f), 0.2, 0.8), sampling(kTfCropAndResize)), 0), 1.0, 1e-15);
}

TEST(AxisPositions, HalfPixelSymmetricKeepsTheCentre) {  // [100, 200], s 1.3 -> [111.538, 188.462]
  expect_positions(rule_of(by_scale(2, 1.3f), sampling(kHalfPixelSymmetric)), {0.11538462, 0.88461538});
  expect_positions(rule_of(by_scale(4, 0.6f), sampling(kHalfPixelSymmetric)), {0.6666667, 2.3333333});
}

TEST(AxisPositions, HalfPixelSymmetricUnderSizesIsHalfPixel) {
  for (int64_t in = 1; in < 20; ++in)
    for (int64_t out = 1; out < 20; ++out) {
      const AxisMap a = rule_of(by_sizes(in, out), sampling(kHalfPixel));
      const AxisMap b = rule_of(by_sizes(in, out), sampling(kHalfPixelSymmetric));
      EXPECT_TRUE(a.num0 == b.num0 && a.step == b.step && a.den == b.den) << in << "->" << out;
    }
}

// ---- tf_crop_and_resize -----------------------------------------------------------------------------------

TEST(AxisCrop, SamplesItsRegion) {
  expect_positions(rule_of(with_roi(by_sizes(4, 4), 0.25, 0.75), sampling(kTfCropAndResize)),
                   {0.75, 1.25, 1.75, 2.25});                                                           // test_traps 28
  expect_positions(rule_of(with_roi(by_sizes(4, 4), 1, 0), sampling(kTfCropAndResize)), {3, 2, 1, 0});  // test_traps 33
}

TEST(AxisCrop, WholeRoiEndsAtTheLastInputExactly) {  // test_traps.py 31, and 27 such pairs below 40 x 60
  for (int64_t in = 1; in <= 64; ++in)
    for (int64_t out = 2; out <= 128; ++out) {
      if (in == out) continue;
      const AxisMap map = rule_of(by_sizes(in, out), sampling(kTfCropAndResize));
      EXPECT_EQ(position(map, 0), 0);
      EXPECT_EQ(position(map, out - 1), static_cast<double>(in - 1)) << in << "->" << out;
      for (int64_t i = 0; i < out; ++i) EXPECT_FALSE(is_extrapolated(map, i));
    }
}

TEST(AxisCrop, ReversedWholeRoiIsInside) {
  for (int64_t in = 2; in <= 40; ++in)
    for (int64_t out = 2; out <= 60; ++out) {
      const AxisMap map = rule_of(with_roi(by_sizes(in, out), 1, 0), sampling(kTfCropAndResize));
      EXPECT_FALSE(is_extrapolated(map, 0));
      EXPECT_FALSE(is_extrapolated(map, out - 1)) << in << "->" << out;
    }
}

TEST(AxisCrop, ExtrapolationTestsPositionNotPixel) {  // test_traps.py 30: [ev, 1, 2, 4, ev]
  EXPECT_EQ(indices(with_roi(by_sizes(4, 5), -0.5, 1.5), sampling(kTfCropAndResize)),
            (std::vector<int64_t>{-1, 0, 1, 3, -1}));
}

TEST(AxisCrop, PositionsWithinFourRoundingsSnapToTheBound) {  // docs/semantics.md, Resize: values
  const double eps = 0x1p-52;
  const auto at = [&](double offset) {  // out 1: the centre of [c, c] is c * (n - 1)
    const AxisMap map = rule_of(with_roi(by_sizes(5, 1), offset / 4, offset / 4), sampling(kTfCropAndResize));
    return std::pair(position(map, 0), is_extrapolated(map, 0));
  };
  EXPECT_EQ(at(-4 * 5 * eps), std::pair(0.0, false));
  EXPECT_EQ(at(4 * 5 * eps), std::pair(0.0, false));
  EXPECT_TRUE(at(-4 * 5 * eps * 1.01).second);
  EXPECT_EQ(at(4 + 16 * eps), std::pair(4.0, false));
  EXPECT_EQ(at(4 - 16 * eps), std::pair(4.0, false));
  EXPECT_TRUE(at(4 + 24 * eps).second);
}

TEST(AxisCrop, FarAwayAndOverflowingRegionsAreOutside) {
  const double huge = std::numeric_limits<double>::max();
  for (const auto& [start, end] :
       {std::pair(10.0, 20.0), {-20.0, -10.0}, {1e300, 2e300}, {-huge, huge}, {huge, -huge}, {huge, huge}}) {
    const AxisMap map = rule_of(with_roi(by_sizes(4, 5), start, end), sampling(kTfCropAndResize));
    for (int64_t i = 0; i < 5; ++i) {
      EXPECT_TRUE(is_extrapolated(map, i)) << start << " " << end << " " << i;
      EXPECT_GE(nearest_index(map, i), 0);
      EXPECT_LT(nearest_index(map, i), 4);
    }
    const IndexRange range = input_range(map, {0, 5});
    EXPECT_TRUE(range.lo >= 0 && range.n >= 1 && range.lo + range.n <= 4);
  }
}

// ---- Rounding of nearest ----------------------------------------------------------------------------------

TEST(AxisNearest, TiesFollowTheMode) {  // test_traps.py 18: 20 -> 6, i = 1: x = 4.5
  EXPECT_EQ(index_at(by_sizes(20, 6), kHalfPixel, kRoundPreferFloor, 1), 4);
  EXPECT_EQ(index_at(by_sizes(20, 6), kHalfPixel, kRoundPreferCeil, 1), 5);
  EXPECT_EQ(index_at(by_sizes(20, 6), kHalfPixel, kRoundPreferCeil, 4), 15);  // x = 14.5
}

TEST(AxisNearest, SizesAreExactWhereFloatingPointIsNot) {
  // docs/semantics.md, Resize: positions, test_traps.py 21 to 23
  EXPECT_EQ(index_at(by_sizes(14, 18), kAsymmetric, kFloor, 9), 7);
  EXPECT_EQ(index_at(by_sizes(14, 2), kAsymmetric, kFloor, 1), 7);
  EXPECT_EQ(index_at(by_sizes(7, 9), kHalfPixel, kFloor, 4), 3);
  EXPECT_EQ(index_at(by_sizes(7, 29), kAlignCorners, kFloor, 14), 3);
  EXPECT_EQ(index_at(by_sizes(7, 17), kHalfPixel, kFloor, 8), 3);
  EXPECT_EQ(index_at(by_sizes(2, 98), kAsymmetric, kFloor, 49), 1);
}

TEST(AxisNearest, ScalesAreEvaluatedInDoubles) {  // docs/semantics.md, Resize: positions: f32(1/3) on 3
  EXPECT_EQ(index_at(by_scale(3, 1 / 3.f), kHalfPixel, kFloor, 0), 0);  // x = 0.99999995
  EXPECT_EQ(index_at(by_sizes(3, 1), kHalfPixel, kFloor, 0), 1);        // x = 1
}

TEST(AxisNearest, EveryModeMatchesRoundedFraction) {
  for (const CoordinateMode mode : {kHalfPixel, kAlignCorners, kAsymmetric, kTfHalfPixelForNn})
    for (int64_t in = 1; in <= 24; ++in)
      for (int64_t out = 1; out <= 24; ++out)
        for (const NearestMode rounding : kRoundings) {
          const AxisMap map = rule_of(by_sizes(in, out), sampling(mode, rounding));
          if (map.positions == AxisMap::Positions::kIdentity) continue;
          for (int64_t i = 0; i < out; ++i) {
            // Numerator and denominator are written out, not read from the map.
            int64_t num = 0, den = 1;
            if (mode == kHalfPixel) num = (2 * i + 1) * in - out, den = 2 * out;
            if (mode == kTfHalfPixelForNn) num = (2 * i + 1) * in, den = 2 * out;
            if (mode == kAsymmetric) num = i * in, den = out;
            if (mode == kAlignCorners && out > 1) num = i * (in - 1), den = out - 1;
            const int64_t floor = num >= 0 ? num / den : -((-num + den - 1) / den);
            const int64_t rest = num - floor * den;  // r = rest / den
            int64_t index = floor;
            if (rounding == kRoundPreferFloor) index += 2 * rest > den;
            if (rounding == kRoundPreferCeil) index += 2 * rest >= den;
            if (rounding == kCeil) index += rest > 0;
            if (rounding == NearestMode::kSimple) index += rest > 0 && out < in;
            EXPECT_EQ(nearest_index(map, i), std::min(std::max(index, int64_t{0}), in - 1))
                << in << "->" << out << " mode " << static_cast<int>(mode) << " rounding "
                << static_cast<int>(rounding);
          }
        }
}

TEST(AxisNearest, SimpleRoundsUpOnlyWhereTheAxisShrinks) {  // docs/semantics.md, Resize: positions, test_traps.py 24
  const auto simple = [](float scale) { return indices(by_scale(4, scale), sampling(kAsymmetric, kSimple)); };
  EXPECT_EQ(simple(0.6f), (std::vector<int64_t>{0, 2}));
  EXPECT_EQ(simple(0.75f), (std::vector<int64_t>{0, 2, 3}));
  EXPECT_EQ(simple(1.5f), (std::vector<int64_t>{0, 0, 1, 2, 2, 3}));
  // A crop without a change of scale, at 0.75, 1.25, 1.75 and 2.25
  for (const AxisRequest& request : {by_scale(4, 1), by_sizes(4, 4)})
    EXPECT_EQ(indices(with_roi(request, 0.25, 0.75), sampling(kTfCropAndResize, kSimple)),
              (std::vector<int64_t>{0, 1, 1, 2}));
}

TEST(AxisNearest, TfHalfPixelForNnKeepsUnchangedAxes) {  // x = i + 0.5 would shift by one
  EXPECT_EQ(indices(by_sizes(4, 4), sampling(kTfHalfPixelForNn, kCeil)), (std::vector<int64_t>{0, 1, 2, 3}));
}

TEST(AxisNearest, HasNoFilterToStretch) {
  SamplingParams params = sampling(kAsymmetric);
  params.antialias = true;
  const AxisMap map = rule_of(by_sizes(8, 2), params);
  EXPECT_FALSE(map.antialias);
  EXPECT_EQ(input_range(map, {0, 2}).n, 5);  // 0 and 4
}

// ---- Identity and limits ----------------------------------------------------------------------------------

TEST(AxisIdentity, NeedsScaleOneAndEqualExtents) {  // docs/semantics.md, Resize: positions
  const auto is_identity = [](const AxisRequest& request, CoordinateMode mode) {
    return rule_of(request, sampling(mode)).positions == AxisMap::Positions::kIdentity;
  };
  EXPECT_TRUE(is_identity(by_sizes(5, 5), kHalfPixel));
  EXPECT_TRUE(is_identity(by_scale(5, 1), kAlignCorners));
  EXPECT_FALSE(is_identity(by_scale(3, 1.3f), kHalfPixel));      // test_traps.py 27: 3 -> 3
  EXPECT_FALSE(is_identity(by_policy(3, 7, 6), kHalfPixel));     // 3.5 rounds to 4
  EXPECT_FALSE(is_identity({0, 3, 3, true, 8, 7}, kHalfPixel));  // a policy's scale, rounded to the same extent
  EXPECT_TRUE(is_identity(by_sizes(4, 4), kTfCropAndResize));
  EXPECT_FALSE(is_identity(with_roi(by_sizes(4, 4), 0.25, 1), kTfCropAndResize));
  EXPECT_FALSE(is_identity(with_roi(by_sizes(4, 4), 0, 0.75), kTfCropAndResize));
  EXPECT_TRUE(is_identity(with_roi(by_sizes(4, 4), 0.25, 0.75), kHalfPixel));  // roi is used by one mode only
}

TEST(AxisIdentity, OutputsAreAtTheirInputs) {
  const AxisMap map = rule_of(by_sizes(5, 5), sampling(kTfHalfPixelForNn));
  for (int64_t i = 0; i < 5; ++i) EXPECT_EQ(position(map, i), static_cast<double>(i));
}

TEST(AxisIdentity, EmptyAxesSampleNothing) {
  for (const CoordinateMode mode : kModes)
    for (const AxisRequest& request : {by_sizes(0, 0), by_sizes(5, 0), by_scale(0, 2), by_scale(1, 0.5f)}) {
      SamplingParams params = sampling(mode, kRoundPreferFloor, Filter::kLinear);
      params.antialias = true;
      EXPECT_TRUE(make_axis_map(request, params).ok());
    }
}

TEST(AxisLimits, ExtentsAboveTwoToTheFortieth) {
  const int64_t most = int64_t{1} << 40;
  EXPECT_TRUE(make_axis_map(by_sizes(most, 1), sampling(kHalfPixel)).ok());
  EXPECT_TRUE(make_axis_map(by_sizes(1, most), sampling(kHalfPixel)).ok());
  EXPECT_EQ(make_axis_map(by_sizes(most + 1, 1), sampling(kHalfPixel)).status().code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(make_axis_map(by_sizes(1, most + 1), sampling(kHalfPixel)).status().code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(make_axis_map(by_sizes(1, INT64_MAX), sampling(kHalfPixel)).status().code(), TESELA_ERROR_LIMIT);
}

TEST(AxisLimits, LargestAxesAreExactInEveryMode) {
  const int64_t most = int64_t{1} << 40;
  for (const CoordinateMode mode : {kHalfPixel, kPytorchHalfPixel, kAlignCorners, kAsymmetric, kHalfPixelSymmetric})
    for (const auto& [in, out] :
         {std::pair(most, most - 1), {most - 1, most}, {most, int64_t{3}}, {int64_t{3}, most}}) {
      const AxisMap map = rule_of(by_sizes(in, out), sampling(mode));
      const double last = position(map, out - 1);
      EXPECT_GE(last, -1) << static_cast<int>(mode);
      EXPECT_LE(last, static_cast<double>(in));
      EXPECT_GE(nearest_index(map, out - 1), 0);
      EXPECT_LT(nearest_index(map, out - 1), in);
    }
}

TEST(AxisLimits, RejectIntegersBeyond126Bits) {
  SamplingParams params = sampling(kAlignCorners, kRoundPreferFloor, Filter::kCubic);
  const int64_t most = int64_t{1} << 40;
  // A policy's scale may have terms of 63 bits: (n - 1) * den * out and den * in go up to 2^143.
  for (int bits = 41; bits <= 62; ++bits) {
    const int64_t den = (int64_t{1} << bits) - 1;
    const int64_t num = int64_t{1} << (bits - 1);
    const AxisRequest request = {0, most, most / 2, true, num, den};
    for (const bool antialias : {false, true}) {
      params.antialias = antialias;
      const Result<AxisMap> map = make_axis_map(request, params);
      if (!map.ok()) {
        EXPECT_EQ(map.status().code(), TESELA_ERROR_LIMIT);
        continue;
      }
      const TapWindow window = tap_window(*map, request.out - 1);
      EXPECT_LE(window.lo, window.hi) << bits;
      EXPECT_LE(window.hi, most + 16) << bits;
    }
  }
}

// ---- Properties, compared with whole tables ---------------------------------------------------------------

struct Case {
  AxisRequest request;
  SamplingParams params;
};

void for_each_filter(const AxisRequest& request, CoordinateMode mode, const std::function<void(const Case&)>& f) {
  for (const NearestMode rounding : kRoundings) f({request, sampling(mode, rounding)});
  for (const Filter filter : {Filter::kLinear, Filter::kCubic})
    for (const bool antialias : {false, true})
      for (const bool exclude : {false, true}) {
        SamplingParams params = sampling(mode, kRoundPreferFloor, filter);
        params.antialias = antialias;
        params.exclude_outside = exclude;
        f({request, params});
      }
}

std::string describe(const Case& c) {
  return fmt::format("{}->{} exact {} scale {}/{} {} mode {} filter {} rounding {} antialias {} exclude {}",
                     c.request.in, c.request.out, c.request.exact, c.request.scale_num, c.request.scale_den,
                     c.request.scale, static_cast<int>(c.params.coordinates), static_cast<int>(c.params.filter),
                     static_cast<int>(c.params.nearest), c.params.antialias, c.params.exclude_outside);
}

void check_rows(const AxisMap& map, const AxisTable& table, std::string& fault) {
  const int64_t widest = window_of(map);
  for (int64_t i = 0; i < map.out; ++i) {
    const auto at = static_cast<size_t>(i);
    const int64_t first = table.first[at];
    const int32_t count = table.count[at];
    if (is_extrapolated(map, i)) {
      if (count != 0) fault = "an extrapolated output has taps";
      continue;
    }
    const TapWindow window = tap_window(map, i);
    if (count < 1 || count > widest || window.hi - window.lo + 1 > widest) fault = "window";
    if (first < 0 || first + count > map.in) fault = "a tap outside the input";
    if (table.row(i)[0] == 0 || table.row(i)[count - 1] == 0) fault = "zero at an end";
    const bool holes = map.sampling.filter == Filter::kCubic;  // a weight between others can be zero
    if (!holes && std::count(table.row(i), table.row(i) + count, 0.0) > 0) fault = "a weight of zero";
  }
}

void check_windows(const Case& c) {
  const AxisMap map = rule_of(c.request, c.params);
  if (map.positions == AxisMap::Positions::kIdentity) return;
  std::string fault;
  if (c.params.filter == Filter::kNearest)
    fault = window_of(map) == 1 ? "" : "window";
  else
    check_rows(map, make_axis_table(map, {0, map.out}, ComputeType::kDouble), fault);
  EXPECT_EQ(fault, "") << describe(c);
}

TEST(Windows, HoldForAllSmallAxesUnderSizes) {
  for (const CoordinateMode mode : kModes)
    for (int64_t in = 1; in <= 40; ++in)
      for (int64_t out = 1; out <= 40; ++out) for_each_filter(by_sizes(in, out), mode, check_windows);
}

TEST(Windows, HoldForSmallAxesUnderPolicies) {
  for (const CoordinateMode mode : kModes)
    for (int64_t in = 1; in <= 24; ++in)
      for (int64_t num = 1; num <= 9; ++num)
        for (int64_t den = 1; den <= 9; ++den) {
          const AxisRequest request = by_policy(in, num, den);
          if (request.out > 0) for_each_filter(request, mode, check_windows);
        }
}

TEST(Windows, HoldForSmallAxesUnderScales) {
  for (const CoordinateMode mode : kModes)
    for (int64_t in = 1; in <= 40; ++in)
      for (const float scale : {0.1f, 0.2f, 0.25f, 0.3f, 1 / 3.f, 0.5f, 0.6f, 2 / 3.f, 0.7f, 0.75f, 0.9f, 0.99f, 1.01f,
                                1.3f, 1.5f, 2.f, 2.94f, 3.f}) {
        const AxisRequest request = by_scale(in, scale);
        if (request.out > 0) for_each_filter(request, mode, check_windows);
      }
}

TEST(Windows, HoldForCropsThatReachOutside) {
  for (int64_t in = 1; in <= 12; ++in)
    for (int64_t out = 1; out <= 12; ++out)
      for (const auto& [start, end] : {std::pair(-0.3, 1.2), {0.2, 0.7}, {0.9, 0.1}, {1.5, -0.5}, {0.5, 0.5}})
        for_each_filter(with_roi(by_sizes(in, out), start, end), kTfCropAndResize, check_windows);
}

TEST(Windows, MatchTheStandard) {
  // docs/semantics.md, Resize: values: 2 ceil(1/k) and 2 ceil(2/k)
  SamplingParams params = sampling(kHalfPixel, kRoundPreferFloor, Filter::kLinear);
  EXPECT_EQ(window_of(rule_of(by_sizes(8, 2), params)), 2);
  params.antialias = true;
  EXPECT_EQ(window_of(rule_of(by_sizes(8, 2), params)), 8);
  EXPECT_EQ(window_of(rule_of(by_sizes(4, 3), params)), 4);
  EXPECT_EQ(window_of(rule_of(by_scale(10, 0.3f), params)), 8);  // 1/f32(0.3) is a little below 10/3
  EXPECT_EQ(window_of(rule_of(by_sizes(3, 8), params)), 2);
  params.filter = Filter::kCubic;
  EXPECT_EQ(window_of(rule_of(by_sizes(4, 3), params)), 6);
  EXPECT_EQ(window_of(rule_of(by_sizes(3, 4), params)), 4);
}

TEST(Windows, HandleHugeAxes) {
  const int64_t most = int64_t{1} << 40;
  SamplingParams params = sampling(kHalfPixel, kRoundPreferFloor, Filter::kLinear);
  EXPECT_EQ(window_of(rule_of(by_sizes(most / 2, most), params)), 2);
  params.antialias = true;
  EXPECT_EQ(make_axis_map(by_sizes(most, 1), params).status().code(), TESELA_ERROR_LIMIT);  // 2^41 taps
}

// ---- input_range ------------------------------------------------------------------------------------------

void check_ranges(const Case& c) {
  const AxisMap map = rule_of(c.request, c.params);
  std::vector<std::pair<int64_t, int64_t>> taken;  // of each output, [first, end); empty if extrapolated
  const bool moves = c.params.filter == Filter::kNearest || map.positions == AxisMap::Positions::kIdentity;
  const IndexRange all = {0, map.out};
  const AxisTable table = moves ? AxisTable() : make_axis_table(map, all, ComputeType::kFloat);
  const std::vector<int64_t> index = moves ? make_index_table(map, all) : std::vector<int64_t>();
  for (size_t i = 0; i < static_cast<size_t>(map.out); ++i) {
    if (moves)
      taken.emplace_back(std::max<int64_t>(index[i], 0), index[i] + 1);
    else
      taken.emplace_back(table.first[i], table.first[i] + table.count[i]);
  }
  for (int64_t lo = 0; lo < map.out; ++lo) {
    int64_t first = map.in, end = 0;
    for (int64_t n = 1; lo + n <= map.out; ++n) {
      const auto& [a, b] = taken[static_cast<size_t>(lo + n - 1)];
      if (b > a) first = std::min(first, a), end = std::max(end, b);
      const IndexRange range = input_range(map, {lo, n});
      ASSERT_TRUE(range.lo >= 0 && range.n >= 1 && range.lo + range.n <= map.in)
          << describe(c) << " at " << lo << "+" << n;
      if (end > first) {
        ASSERT_TRUE(range.lo <= first && range.lo + range.n >= end) << describe(c) << " at " << lo << "+" << n;
      }
    }
  }
}

TEST(InputRange, CoversEveryPartOfSmallAxes) {
  for (const CoordinateMode mode : kModes)
    for (int64_t in = 1; in <= 11; ++in) {
      for (int64_t out = 1; out <= 11; ++out) for_each_filter(by_sizes(in, out), mode, check_ranges);
      for (const float scale : {0.3f, 0.6f, 0.75f, 1.3f, 2.5f}) {
        const AxisRequest request = by_scale(in, scale);
        if (request.out > 0) for_each_filter(request, mode, check_ranges);
      }
      for (const auto& [num, den] : {std::pair(2, 7), {5, 6}, {8, 7}, {7, 3}}) {
        const AxisRequest request = by_policy(in, num, den);
        if (request.out > 0) for_each_filter(request, mode, check_ranges);
      }
    }
}

TEST(InputRange, CoversCropsInEveryDirection) {
  for (int64_t in = 1; in <= 9; ++in)
    for (int64_t out = 1; out <= 9; ++out)
      for (const auto& [start, end] :
           {std::pair(-0.3, 1.2), {0.2, 0.7}, {0.9, 0.1}, {1.5, -0.5}, {0.5, 0.5}, {3.0, 4.0}, {-0.01, 0.02}}) {
        for_each_filter(with_roi(by_sizes(in, out), start, end), kTfCropAndResize, check_ranges);
        for (const float scale : {0.6f, 1.3f}) {
          const AxisRequest request = with_roi(by_scale(in, scale), start, end);
          if (request.out > 0) for_each_filter(request, kTfCropAndResize, check_ranges);
        }
      }
}

TEST(InputRange, IsNotWiderThanTheWindowsOfItsEnds) {
  const AxisMap map = rule_of(by_sizes(1000, 2000), sampling(kHalfPixel, kRoundPreferFloor, Filter::kLinear));
  const IndexRange range = input_range(map, {1000, 10});
  EXPECT_LE(range.n, 10 / 2 + 2);
}

}  // namespace
}  // namespace tesela
