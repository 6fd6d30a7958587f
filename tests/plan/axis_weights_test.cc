// SPDX-License-Identifier: Apache-2.0
// Weights in each arithmetic of positions, rounded weights, axes beyond 64-bit integers, and statistics of weights.
#include <gtest/gtest.h>

#include <cmath>

#include "plan/axis_table.h"

#include "plan/axis_requests.h"

namespace tesela {
namespace {

struct Options {
  bool antialias = false;
  bool exclude_outside = false;
  PositionArithmetic arithmetic = PositionArithmetic::kContract;
  double cubic_a = -0.75;
};
AxisMap rule_of(const AxisRequest& request, Filter filter, const Options& options = {}) {
  SamplingParams params;
  params.filter = filter;
  params.antialias = options.antialias;
  params.exclude_outside = options.exclude_outside;
  params.arithmetic = options.arithmetic;
  params.cubic_a = options.cubic_a;
  return *make_axis_map(request, params);
}

// The weights of one output as a row over all inputs.
std::vector<double> spread(const AxisMap& map, int64_t i) {
  const AxisTable table = make_axis_table(map, {i, 1}, ComputeType::kDouble);
  std::vector<double> row(static_cast<size_t>(map.in));
  for (int32_t k = 0; k < table.count[0]; ++k) row[static_cast<size_t>(table.first[0] + k)] = table.row(0)[k];
  return row;
}

void expect_same_weights(const AxisMap& actual, const AxisMap& expected, double tolerance) {
  ASSERT_EQ(actual.out, expected.out);
  for (int64_t i = 0; i < actual.out; ++i) {
    const std::vector<double> a = spread(actual, i);
    const std::vector<double> b = spread(expected, i);
    for (size_t j = 0; j < a.size(); ++j) EXPECT_NEAR(a[j], b[j], tolerance) << "output " << i << ", input " << j;
  }
}

// ---- Weights at positions in doubles ----------------------------------------------------------------------

// The kernel is 0 at distances 1 and 2, but its polynomials, rounded, are not for these coefficients.
TEST(CubicWeights, ExactHitTakesOneTapWithAnyCoefficient) {
  for (const double a : {-0.3, -0.6, -0.7, 0.3, -1 / 3.0, -1.6277660351237015})
    for (const AxisRequest& request : {by_sizes(9, 27), by_scale(9, 3)}) {  // output 13 is at 4
      const AxisTable table =
          make_axis_table(rule_of(request, Filter::kCubic, {.cubic_a = a}), {13, 1}, ComputeType::kDouble);
      EXPECT_EQ(table.first[0], 4) << a;
      EXPECT_EQ(table.count[0], 1) << a;
      EXPECT_EQ(table.row(0)[0], 1.0) << a;
    }
}

TEST(AxisWeights, ScalesHaveTheWeightsOfEqualSizes) {
  for (const auto& [in, scale] : {std::pair(16, 0.625), {8, 0.75}, {8, 1.25}, {8, 1.5}})
    for (const Filter filter : {Filter::kLinear, Filter::kCubic})
      for (const bool antialias : {false, true})
        for (const bool exclude : {false, true}) {
          const AxisRequest request = by_scale(in, scale);
          SCOPED_TRACE(fmt::format("{}->{} filter {} antialias {} exclude {}", in, request.out,
                                   static_cast<int>(filter), antialias, exclude));
          expect_same_weights(rule_of(request, filter, {antialias, exclude}),
                              rule_of(by_sizes(in, request.out), filter, {antialias, exclude}), 1e-14);
        }
}

TEST(AxisWeights, OnnxRuntimeHasThoseOfTheContractInFloat) {
  for (const double scale : {0.25, 0.4, 0.7, 1.7, 3.0})
    for (const Filter filter : {Filter::kLinear, Filter::kCubic})
      for (const bool antialias : {false, true})
        for (const bool exclude : {false, true}) {
          const AxisRequest request = by_scale(11, scale);
          SCOPED_TRACE(fmt::format("scale {} filter {} antialias {} exclude {}", scale, static_cast<int>(filter),
                                   antialias, exclude));
          expect_same_weights(rule_of(request, filter, {antialias, exclude, PositionArithmetic::kOnnxRuntime}),
                              rule_of(request, filter, {antialias, exclude}), 1e-5);
        }
}

TEST(AxisWeights, CubicOfOnnxRuntimeIsComputedInFloat) {
  const AxisMap map = rule_of(by_scale(11, 1.7), Filter::kCubic, {.arithmetic = PositionArithmetic::kOnnxRuntime});
  for (int64_t i = 4; i < 14; ++i)  // away from the borders, where weights are sums
    for (const double weight : spread(map, i))
      EXPECT_EQ(weight, static_cast<double>(static_cast<float>(weight))) << "output " << i;
}

// ---- Rounded weights and large axes -----------------------------------------------------------------------

TEST(AxisWeights, AreMultiplesOfTheirUnit) {
  const auto rounded = [](const AxisRequest& request, int8_t bits, int64_t i) {
    AxisMap map = rule_of(request, Filter::kLinear);
    map.weight_bits = bits;
    return spread(map, i);
  };
  // 4 -> 7, output 1: 9/14 and 5/14
  EXPECT_EQ(rounded(by_sizes(4, 7), 8, 1), (std::vector<double>{165 / 256.0, 91 / 256.0, 0, 0}));
  EXPECT_EQ(rounded(by_sizes(4, 7), 1, 1), (std::vector<double>{0.5, 0.5, 0, 0}));
  EXPECT_EQ(rounded(by_sizes(4, 7), 0, 1), (std::vector<double>{1, 0, 0, 0}));
  EXPECT_EQ(rounded(by_sizes(4, 2), 0, 1), (std::vector<double>{0, 0, 1, 1}));  // halves away from zero
}

TEST(AxisWeights, AreExactWherePositionsNeedMoreThan64Bits) {
  const int64_t in = int64_t{1} << 40;
  const int64_t out = in - 1;
  const AxisMap linear = rule_of(by_sizes(in, out), Filter::kLinear);
  ASSERT_FALSE(linear.narrow);
  const AxisTable last = make_axis_table(linear, {out - 1, 1}, ComputeType::kDouble);  // at in - 1 - 1 / (2 out)
  const double part = 1 / (2 * static_cast<double>(out));
  EXPECT_EQ(last.first[0], in - 2);
  ASSERT_EQ(last.count[0], 2);
  EXPECT_EQ(last.row(0)[0], part);
  EXPECT_EQ(last.row(0)[1], 1 - part);
  const AxisTable middle =
      make_axis_table(rule_of(by_sizes(in, out), Filter::kCubic), {out / 2, 1}, ComputeType::kDouble);
  EXPECT_EQ(middle.first[0], in / 2 - 2);
  ASSERT_EQ(middle.count[0], 4);
  const double expected[] = {-0.09375, 0.59375, 0.59375, -0.09375};
  for (int k = 0; k < 4; ++k) EXPECT_EQ(middle.row(0)[k], expected[k]) << k;
}

// ---- Statistics -------------------------------------------------------------------------------------------

TEST(WeightFacts, OfACubicFilter) {
  // 8 -> 16, outputs 5 and 6 are at 2.25 and 2.75
  const WeightFacts facts = weigh(rule_of(by_sizes(8, 16), Filter::kCubic), {5, 2}, ComputeType::kDouble);
  const double weights[] = {-0.10546875, 0.87890625, 0.26171875, -0.03515625};
  double squares = 0;
  for (const double weight : weights) squares += weight * weight;
  EXPECT_EQ(facts.largest, 0.87890625);
  EXPECT_EQ(facts.gain, 1.28125);
  EXPECT_EQ(facts.taps, 4);
  EXPECT_NEAR(facts.smoothing, squares, 1e-15);
  EXPECT_EQ(weigh(rule_of(by_sizes(8, 16), Filter::kCubic), {5, 1}, ComputeType::kDouble).smoothing, squares);
}

TEST(WeightFacts, AreOfTheOutputWithTheMost) {
  // 4 -> 8 with taps outside left out: output 0 has one tap, output 1 has 3/4 and 1/4
  const AxisMap map = rule_of(by_sizes(4, 8), Filter::kLinear, {.exclude_outside = true});
  const WeightFacts facts = weigh(map, {0, 2}, ComputeType::kDouble);
  EXPECT_EQ(facts.largest, 1);
  EXPECT_EQ(facts.gain, 1);
  EXPECT_EQ(facts.taps, 2);
  EXPECT_EQ(facts.smoothing, (1 + 0.5625 + 0.0625) / 2);
}

TEST(WeightFacts, ExtrapolatedOutputsAddNothing) {
  AxisRequest request = by_sizes(4, 5);
  request.roi_start = -0.5;
  request.roi_end = 1.5;
  SamplingParams params;
  params.filter = Filter::kLinear;
  params.coordinates = CoordinateMode::kTfCropAndResize;
  // At -1.5, 0, 1.5, 3 and 4.5
  const WeightFacts facts = weigh(*make_axis_map(request, params), {0, 5}, ComputeType::kDouble);
  EXPECT_EQ(facts.largest, 1);
  EXPECT_EQ(facts.gain, 1);
  EXPECT_EQ(facts.taps, 2);
  EXPECT_EQ(facts.smoothing, (1 + 0.5 + 1) / 5);
}

TEST(WeightFacts, OfNoOutputsAreZero) {
  const WeightFacts facts = weigh(rule_of(by_sizes(8, 16), Filter::kCubic), {5, 0}, ComputeType::kDouble);
  EXPECT_EQ(facts.largest, 0);
  EXPECT_EQ(facts.gain, 0);
  EXPECT_EQ(facts.taps, 0);
  EXPECT_EQ(facts.smoothing, 0);
}

}  // namespace
}  // namespace tesela
