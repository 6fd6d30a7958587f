// SPDX-License-Identifier: Apache-2.0
// Weights of every filter, compared with the numbers of the specification.
#include "plan/axis_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "plan/axis_requests.h"

namespace tesela {
namespace {

struct Options {
  CoordinateMode coordinates = CoordinateMode::kHalfPixel;
  bool antialias = false;
  bool exclude_outside = false;
  double cubic_a = -0.75;
};
SamplingParams sampling(Filter filter, const Options& options) {
  SamplingParams params;
  params.filter = filter;
  params.coordinates = options.coordinates;
  params.antialias = options.antialias;
  params.exclude_outside = options.exclude_outside;
  params.cubic_a = options.cubic_a;
  return params;
}
AxisMap rule_of(const AxisRequest& request, Filter filter, const Options& options) {
  return *make_axis_map(request, sampling(filter, options));
}

// The weights of one output as a row over all inputs.
std::vector<double> spread(const AxisMap& map, int64_t i, ComputeType compute = ComputeType::kDouble) {
  const AxisTable table = make_axis_table(map, {i, 1}, compute);
  std::vector<double> row(static_cast<size_t>(map.in));
  for (int32_t k = 0; k < table.count[0]; ++k) row[static_cast<size_t>(table.first[0] + k)] = table.row(0)[k];
  return row;
}

std::vector<double> resampled(const std::vector<double>& x, const AxisRequest& request, Filter filter,
                              const Options& options) {
  const AxisMap map = rule_of(request, filter, options);
  std::vector<double> y;
  for (int64_t i = 0; i < map.out; ++i) {
    const std::vector<double> row = spread(map, i);
    double sum = 0;
    for (size_t j = 0; j < x.size(); ++j) sum += row[j] * x[j];
    y.push_back(sum);
  }
  return y;
}

void expect_near(const std::vector<double>& actual, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(actual.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(actual[i], expected[i], tolerance) << i;
}

const std::vector<double> kTens = {10, 20, 30, 40};

// ---- Linear -----------------------------------------------------------------------------------------------

TEST(LinearTable, NumbersOfTheSpecification) {
  const auto linear = [](const AxisRequest& request, CoordinateMode mode) {
    return resampled(kTens, request, Filter::kLinear, {.coordinates = mode});
  };
  using enum CoordinateMode;
  expect_near(linear(by_scale(4, 2), kHalfPixel), {10, 12.5, 17.5, 22.5, 27.5, 32.5, 37.5, 40}, 1e-12);
  expect_near(linear(by_scale(4, 0.6f), kHalfPixel), {13.3333, 30}, 1e-4);
  expect_near(linear(by_scale(4, 0.6f), kHalfPixelSymmetric), {16.6667, 33.3333}, 1e-4);
  expect_near(linear(by_scale(4, 0.6f), kAlignCorners), {10, 31.42857}, 1e-5);
  expect_near(linear(by_scale(4, 0.6f), kAsymmetric), {10, 26.6667}, 1e-4);
  expect_near(linear(by_sizes(4, 7), kHalfPixel), {10, 13.5714, 19.2857, 25, 30.7143, 36.4286, 40}, 1e-4);
  expect_near(linear(by_sizes(4, 7), kAlignCorners), {10, 15, 20, 25, 30, 35, 40}, 1e-12);
}

TEST(LinearTable, EqualExtentsWithAnotherScaleResample) {  // test_traps.py 27
  expect_near(resampled({0, 1, 2}, by_scale(3, 1.3f), Filter::kLinear, {}), {0, 0.6538, 1.4231}, 1e-4);
}

TEST(LinearTable, BorderWeightUnderSizesIsExactlyOne) {  // the arithmetic contract
  for (int64_t in = 1; in < 30; ++in)
    for (int64_t out = in + 1; out < 60; ++out) {
      const AxisTable table =
          make_axis_table(rule_of(by_sizes(in, out), Filter::kLinear, {}), {0, out}, ComputeType::kDouble);
      EXPECT_EQ(table.count[0], 1);
      EXPECT_EQ(table.row(0)[0], 1.0);
      EXPECT_EQ(table.row(out - 1)[0], 1.0);
    }
}

TEST(LinearTable, ExactHitTakesOneTap) {  // taps of weight 0 are skipped, so Inf in them has no effect
  const AxisTable table = make_axis_table(rule_of(by_sizes(7, 17), Filter::kLinear, {}), {8, 1}, ComputeType::kFloat);
  EXPECT_EQ(table.first[0], 3);  // test_traps.py 22: x is exactly 3
  EXPECT_EQ(table.count[0], 1);
  EXPECT_EQ(table.row(0)[0], 1.0);
}

TEST(LinearTable, WeightsAreTheNearestDoublesRoundedToTheComputeType) {  // 4 -> 7, i = 1: x = 5/14
  const AxisMap map = rule_of(by_sizes(4, 7), Filter::kLinear, {});
  EXPECT_EQ(spread(map, 1)[0], 9.0 / 14);
  EXPECT_EQ(spread(map, 1)[1], 5.0 / 14);
  EXPECT_EQ(spread(map, 1, ComputeType::kFloat)[1], static_cast<double>(static_cast<float>(5.0 / 14)));
}

TEST(LinearTable, ExcludeOutsideChangesNothingWhileOneTapIsInside) {  // docs/semantics.md, Resize: values
  for (int64_t in = 1; in < 12; ++in)
    for (int64_t out = 1; out < 24; ++out) {
      if (in == out) continue;
      for (int64_t i = 0; i < out; ++i)
        EXPECT_EQ(spread(rule_of(by_sizes(in, out), Filter::kLinear, {}), i),
                  spread(rule_of(by_sizes(in, out), Filter::kLinear, {.exclude_outside = true}), i));
    }
}

// Where taps outside are excluded, weights are generated one by one; others come from a loop.
TEST(LinearTable, WeightsOfScalesAreThoseWithExcludeOutside) {
  for (const float scale : {0.1f, 0.37f, 0.5f, 1.3f, 2.0f, 2.7f, 3.0f})
    for (const CoordinateMode mode : {CoordinateMode::kHalfPixel, CoordinateMode::kAsymmetric,
                                      CoordinateMode::kAlignCorners, CoordinateMode::kHalfPixelSymmetric})
      for (int64_t in = 1; in < 20; ++in) {
        const AxisMap map = rule_of(by_scale(in, scale), Filter::kLinear, {.coordinates = mode});
        const AxisMap excluded =
            rule_of(by_scale(in, scale), Filter::kLinear, {.coordinates = mode, .exclude_outside = true});
        for (int64_t i = 0; i < map.out; ++i) EXPECT_EQ(spread(map, i), spread(excluded, i));
      }
}

TEST(LinearTable, RangesHaveTheRowsOfTheWholeAxis) {  // also those that begin with an output of two taps
  for (const AxisRequest& request : {by_scale(8, 2), by_scale(9, 0.7f), by_sizes(8, 16), by_sizes(5, 17)}) {
    const AxisMap map = rule_of(request, Filter::kLinear, {});
    const AxisTable whole = make_axis_table(map, {0, map.out}, ComputeType::kFloat);
    for (int64_t lo = 0; lo < map.out; ++lo) {
      const AxisTable part = make_axis_table(map, {lo, map.out - lo}, ComputeType::kFloat);
      for (int64_t i = lo; i < map.out; ++i) {
        const auto at = static_cast<size_t>(i);
        const auto k = static_cast<size_t>(i - lo);
        ASSERT_EQ(part.first[k], whole.first[at]);
        ASSERT_EQ(part.count[k], whole.count[at]);
        EXPECT_TRUE(std::equal(part.row(i - lo), part.row(i - lo) + part.count[k], whole.row(i)));
      }
    }
  }
}

// ---- Cubic ------------------------------------------------------------------------------------------------

TEST(CubicTable, KeysWeightsOfTheSpecification) {
  // 8 -> 16, output 5 is at 2.25
  const auto quarter = [](double a) { return spread(rule_of(by_sizes(8, 16), Filter::kCubic, {.cubic_a = a}), 5); };
  EXPECT_EQ(quarter(-0.75), (std::vector<double>{0, -0.10546875, 0.87890625, 0.26171875, -0.03515625, 0, 0, 0}));
  EXPECT_EQ(quarter(-0.5), (std::vector<double>{0, -0.0703125, 0.8671875, 0.2265625, -0.0234375, 0, 0, 0}));
  // 8 -> 4, output 1 is at 2.5
  EXPECT_EQ(spread(rule_of(by_sizes(8, 4), Filter::kCubic, {}), 1),
            (std::vector<double>{0, -0.09375, 0.59375, 0.59375, -0.09375, 0, 0, 0}));
  // The same position as a double
  EXPECT_EQ(spread(rule_of(by_scale(8, 2), Filter::kCubic, {}), 5), quarter(-0.75));
}

TEST(CubicTable, ExactHitTakesOneTap) {
  EXPECT_EQ(make_axis_table(rule_of(by_sizes(7, 17), Filter::kCubic, {}), {8, 1}, ComputeType::kDouble).count[0], 1);
}

TEST(CubicTable, NumbersOfTheSpecification) {
  expect_near(resampled(kTens, by_scale(4, 2), Filter::kCubic, {}),
              {8.945312, 11.914062, 16.679688, 22.96875, 27.03125, 33.320312, 38.085938, 41.054688}, 1e-6);
}

TEST(CubicTable, ExcludeOutsideRenormalises) {  // test_traps.py 34
  const std::vector<double> y = resampled(kTens, by_scale(4, 2), Filter::kCubic, {.exclude_outside = true});
  expect_near({y[0], y[1], y[2], y[3]}, {8.636364, 11.731449, 16.45283, 22.96875}, 1e-6);
  expect_near(resampled({5}, by_scale(1, 4), Filter::kCubic, {.exclude_outside = true}), {5, 5, 5, 5}, 1e-15);
}

TEST(CubicTable, OneOutputOfPytorchHalfPixelIsTheFirstInput) {  // test_traps.py 17
  expect_near(
      resampled({1, 2, 3, 4}, by_sizes(4, 1), Filter::kCubic, {.coordinates = CoordinateMode::kPytorchHalfPixel}), {1},
      0);
}

// ---- Antialias --------------------------------------------------------------------------------------------

TEST(AntialiasTable, WindowsOfTheSpecification) {
  // s = .75, x = 1/6: positions -1 to 2 weigh .090909 .636364 .272727 0; the first falls on the border
  expect_near(spread(rule_of(by_sizes(4, 3), Filter::kLinear, {.antialias = true}), 0), {0.727273, 0.272727, 0, 0},
              1e-6);
  // s = .5, r = .5: .125 .375 .375 .125
  EXPECT_EQ(spread(rule_of(by_sizes(8, 4), Filter::kLinear, {.antialias = true}), 1),
            (std::vector<double>{0, 0.125, 0.375, 0.375, 0.125, 0, 0, 0}));
  // cubic, s = .75, x = 1/6: positions -2 to 3 weigh -.04946867 .08611213 .72590693 .3198974 -.08244778 0
  expect_near(spread(rule_of(by_sizes(4, 3), Filter::kCubic, {.antialias = true}), 0),
              {-0.04946867 + 0.08611213 + 0.72590693, 0.3198974, -0.08244778, 0}, 1e-7);
}

TEST(AntialiasTable, NumbersOfTheSpecification) {
  const AxisRequest three = by_sizes(4, 3);
  expect_near(resampled(kTens, three, Filter::kLinear, {.antialias = true}), {12.727273, 25, 37.272727}, 1e-6);
  expect_near(resampled(kTens, three, Filter::kLinear, {.antialias = true, .exclude_outside = true}), {13, 25, 37},
              1e-12);
  expect_near(resampled(kTens, three, Filter::kCubic, {.antialias = true}), {11.550018, 25, 38.449982}, 1e-6);
  expect_near(resampled(kTens, three, Filter::kCubic, {.antialias = true, .exclude_outside = true}),
              {11.608977, 25, 38.391023}, 1e-6);
}

TEST(AntialiasTable, IntegerPositions) {  // test_traps.py 37
  expect_near(resampled({1, 2, 3, 4, 5}, by_sizes(5, 3), Filter::kLinear,
                        {.coordinates = CoordinateMode::kAlignCorners, .antialias = true}),
              {1.2222, 3, 4.7778}, 1e-4);
}

TEST(AntialiasTable, GrowingAxesEqualPlainFilter) {  // test_traps.py 36
  for (const Filter filter : {Filter::kLinear, Filter::kCubic})
    for (int64_t out = 5; out < 20; ++out)
      for (int64_t i = 0; i < out; ++i)
        EXPECT_EQ(spread(rule_of(by_sizes(4, out), filter, {.antialias = true}), i),
                  spread(rule_of(by_sizes(4, out), filter, {}), i));
}

TEST(AntialiasTable, UsesGivenScaleNotRatioOfExtents) {  // test_traps.py 38: .6 on four columns
  expect_near(resampled({1, 2, 3, 4}, by_scale(4, 0.6f), Filter::kLinear, {.antialias = true}), {1.375, 3}, 1e-6);
}

TEST(AntialiasTable, RowsSumToOne) {
  for (const Filter filter : {Filter::kLinear, Filter::kCubic})
    for (const bool exclude : {false, true})
      for (int64_t in = 1; in <= 40; ++in)
        for (int64_t out = 1; out < in; ++out) {
          const AxisTable table =
              make_axis_table(rule_of(by_sizes(in, out), filter, {.antialias = true, .exclude_outside = exclude}),
                              {0, out}, ComputeType::kDouble);
          for (int64_t i = 0; i < out; ++i) {
            double sum = 0;
            for (int32_t k = 0; k < table.count[static_cast<size_t>(i)]; ++k) sum += table.row(i)[k];
            EXPECT_NEAR(sum, 1, 1e-13) << in << "->" << out << " at " << i;
          }
        }
}

// ---- No tap left ------------------------------------------------------------------------------------------

TEST(AxisTable, UsesNearestBorderWhenAllTapsAreOutside) {  // the arithmetic contract
  const AxisMap map = rule_of({0, 2, 2, true, 3, 5}, Filter::kLinear,
                              {.coordinates = CoordinateMode::kTfHalfPixelForNn, .exclude_outside = true});
  EXPECT_EQ(position(map, 1), 2.5);  // 1.5 * 5/3: taps 2 and 3 are both beyond two inputs
  EXPECT_EQ(spread(map, 1), (std::vector<double>{0, 1}));
  AxisMap whole = map;
  EXPECT_EQ(spread(whole, 1), (std::vector<double>{0, 1}));
  AxisRequest request{0, 4, 2};
  request.scale = 0.125;
  const AxisMap real =
      rule_of(request, Filter::kLinear, {.coordinates = CoordinateMode::kTfHalfPixelForNn, .exclude_outside = true});
  EXPECT_EQ(position(real, 1), 12);
  EXPECT_EQ(spread(real, 1), (std::vector<double>{0, 0, 0, 1}));
}

TEST(AxisTable, IntegerPositionBeyondTheEndTakesTheLastInput) {
  const AxisMap map = rule_of({0, 2, 2, true, 3, 4}, Filter::kLinear,
                              {.coordinates = CoordinateMode::kTfHalfPixelForNn, .exclude_outside = true});
  EXPECT_EQ(position(map, 1), 2);
  EXPECT_EQ(spread(map, 1), (std::vector<double>{0, 1}));
}

TEST(AxisTable, ExtrapolatedOutputsHaveNoTaps) {
  AxisRequest request = by_sizes(4, 5);
  request.roi_start = -0.5;
  request.roi_end = 1.5;
  const AxisTable table =
      make_axis_table(rule_of(request, Filter::kLinear, {.coordinates = CoordinateMode::kTfCropAndResize}), {0, 5},
                      ComputeType::kFloat);
  EXPECT_EQ(table.count[0], 0);
  EXPECT_EQ(table.count[2], 2);
  EXPECT_EQ(table.count[4], 0);
}

// ---- Regions ----------------------------------------------------------------------------------------------

TEST(AxisTable, RangesEqualTheWholeTable) {  // the arithmetic contract: regions never change an entry
  for (const Filter filter : {Filter::kLinear, Filter::kCubic})
    for (const AxisRequest& request : {by_sizes(17, 7), by_sizes(7, 17), by_scale(17, 0.6f), by_scale(7, 2.3f)}) {
      const AxisMap map = rule_of(request, filter, {.antialias = true});
      const AxisTable whole = make_axis_table(map, {0, map.out}, ComputeType::kFloat);
      for (int64_t lo = 0; lo < map.out; ++lo)
        for (int64_t n = 0; lo + n <= map.out; ++n) {
          const AxisTable part = make_axis_table(map, {lo, n}, ComputeType::kFloat);
          EXPECT_EQ(part.lo, lo);
          ASSERT_EQ(part.first.size(), static_cast<size_t>(n));
          for (int64_t i = 0; i < n; ++i) {
            const auto at = static_cast<size_t>(lo + i);
            EXPECT_EQ(part.first[static_cast<size_t>(i)], whole.first[at]);
            ASSERT_EQ(part.count[static_cast<size_t>(i)], whole.count[at]);
            EXPECT_TRUE(std::equal(part.row(i), part.row(i) + whole.count[at], whole.row(lo + i)));
          }
        }
    }
}

TEST(IndexTable, MarksExtrapolatedOutputs) {
  AxisRequest request = by_sizes(4, 5);
  request.roi_start = -0.5;
  request.roi_end = 1.5;
  const AxisMap map = rule_of(request, Filter::kNearest, {.coordinates = CoordinateMode::kTfCropAndResize});
  EXPECT_EQ(make_index_table(map, {0, 5}), (std::vector<int64_t>{-1, 0, 1, 3, -1}));
  EXPECT_EQ(make_index_table(map, {1, 2}), (std::vector<int64_t>{0, 1}));
  EXPECT_EQ(make_index_table(rule_of(by_sizes(9, 9), Filter::kNearest, {}), {3, 3}), (std::vector<int64_t>{3, 4, 5}));
}

TEST(AxisTableBytes, SaturateWhereTheyWouldOverflow) {
  EXPECT_EQ(axis_table_bytes(4, 10), 4 * 2 * 8 * 10);
  EXPECT_EQ(axis_table_bytes(int64_t{1} << 40, int64_t{1} << 40), INT64_MAX);
  EXPECT_EQ(axis_table_bytes(int64_t{1} << 60, 1), INT64_MAX);
}

// Every way of making a table: whole, one output at a time, and in 128-bit integers.
TEST(AxisTable, RepeatedWeightsEqualComputedOnes) {
  const std::pair<int64_t, int64_t> sizes[] = {{8, 16},    {16, 8}, {7, 35}, {50, 12},   {12, 50},
                                               {100, 101}, {31, 7}, {1, 9},  {301, 797}, {797, 301}};
  const CoordinateMode modes[] = {CoordinateMode::kHalfPixel, CoordinateMode::kAlignCorners,
                                  CoordinateMode::kAsymmetric, CoordinateMode::kHalfPixelSymmetric};
  for (const auto& [in, out] : sizes)
    for (const CoordinateMode mode : modes)
      for (const Filter filter : {Filter::kLinear, Filter::kCubic})
        for (const bool antialias : {false, true})
          for (const bool exclude : {false, true}) {
            const AxisMap map = rule_of(by_sizes(in, out), filter, {mode, antialias, exclude});
            ASSERT_TRUE(map.narrow);
            AxisMap wide = map;
            wide.narrow = false;
            const AxisTable table = make_axis_table(map, {0, out}, ComputeType::kFloat);
            const AxisTable exact = make_axis_table(wide, {0, out}, ComputeType::kFloat);
            EXPECT_EQ(table.first, exact.first);
            EXPECT_EQ(table.count, exact.count);
            ASSERT_EQ(table.weights, exact.weights);
            for (int64_t i = 0; i < out; ++i) {
              const AxisTable one = make_axis_table(map, {i, 1}, ComputeType::kFloat);
              const auto at = static_cast<size_t>(i);
              ASSERT_EQ(one.first[0], table.first[at]);
              ASSERT_EQ(one.count[0], table.count[at]);
              for (int32_t k = 0; k < one.count[0]; ++k) ASSERT_EQ(one.row(0)[k], table.row(i)[k]) << in << " " << out;
              for (int64_t k = one.count[0]; k < table.pitch; ++k) ASSERT_EQ(table.row(i)[k], 0);
            }
          }
}

TEST(AxisTable, NarrowIntegersAreUsedOnlyIfProductsFit) {
  EXPECT_TRUE(rule_of(by_sizes(4096, 2160), Filter::kCubic, {.antialias = true}).narrow);
  // Numerators of 2^30 * (2^30 - 1) and more.
  EXPECT_FALSE(rule_of(by_sizes(int64_t{1} << 30, (int64_t{1} << 30) - 1), Filter::kLinear, {}).narrow);
}

TEST(AxisTable, CubicOfOnnxRuntimeHasItsFourWeights) {
  SamplingParams params = sampling(Filter::kCubic, {.coordinates = CoordinateMode::kAsymmetric});
  params.arithmetic = PositionArithmetic::kOnnxRuntime;
  AxisRequest request = by_scale(8, 4);
  request.exact = false;
  const AxisMap map = *make_axis_map(request, params);
  expect_near(spread(map, 17), {0, 0, 0, -0.10546875, 0.87890625, 0.26171875, -0.03515625, 0}, 0);  // x = 4.25
}

}  // namespace
}  // namespace tesela
