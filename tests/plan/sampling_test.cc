// SPDX-License-Identifier: Apache-2.0
// The arithmetics of positions at their limits: exact integers, and windows and weights in floats.
#include "plan/sampling/sampling.h"

#include <gtest/gtest.h>

#include "plan/axis_requests.h"
#include "plan/axis_table.h"

namespace tesela {
namespace {

using enum CoordinateMode;

SamplingParams sampling_of(Filter filter, CoordinateMode mode, bool antialias = false) {
  SamplingParams params;
  params.filter = filter;
  params.coordinates = mode;
  params.antialias = antialias;
  return params;
}

// ---- Exact positions ------------------------------------------------------------------------------------------------

void expect_line(const AxisRequest& request, CoordinateMode mode, int64_t num0, int64_t step, int64_t den) {
  const AxisMap map = *make_axis_map(request, sampling_of(Filter::kLinear, mode));
  EXPECT_TRUE(map.num0 == num0 && map.step == step && map.den == den)
      << digits(map.num0) << " " << digits(map.step) << " " << digits(map.den);
}

// Descriptions of plans show these numbers, and smaller ones fit more axes.
TEST(ExactPositions, AreInLowestTerms) {
  expect_line(by_sizes(3, 5), kHalfPixel, -1, 3, 5);    // ((2i + 1) 3 - 5) / 10
  expect_line(by_sizes(5, 3), kAlignCorners, 0, 2, 1);  // 20i / 10
  expect_line(by_sizes(7, 3), kAlignCorners, 0, 3, 1);
  expect_line(by_sizes(4, 2), kAsymmetric, 0, 2, 1);
  expect_line(by_sizes(2, 5), kHalfPixel, -3, 4, 10);
}

// Asymmetric cubic of n to m without common factors: the bound is 4 * (n m + m (n + 6)).
TEST(ExactPositions, AreNarrowBelowTwoToThe53) {
  const SamplingParams params = sampling_of(Filter::kCubic, kAsymmetric);
  const int64_t m = int64_t{1} << 25;
  EXPECT_FALSE(make_axis_map(by_sizes(m - 3, m), params)->narrow);  // 4 m (2 m) = 2^53
  EXPECT_TRUE(make_axis_map(by_sizes(m - 5, m), params)->narrow);   // 2^53 - 2^29
}

// A policy's scale where 4 * (step * out + den * (in + window + 2)), align_corners' bound, is 2^126 for linear.
TEST(ExactPositions, TakeNumbersOf126Bits) {
  AxisRequest request{0, 3221225472, 1073741820, true, 1024819114985372620, 3074457357733645529};
  const Result<AxisMap> map = make_axis_map(request, sampling_of(Filter::kLinear, kAlignCorners));
  ASSERT_TRUE(map.ok()) << map.status().message();
  EXPECT_FALSE(map->narrow);
  // The length in * scale is below `out`, so the last output is 1.39 inputs beyond the last input.
  const TapWindow last = tap_window(*map, request.out - 1);
  EXPECT_EQ(last.lo, request.in);
  EXPECT_EQ(last.hi, request.in + 1);
  const Status cubic = make_axis_map(request, sampling_of(Filter::kCubic, kAlignCorners)).status();
  EXPECT_EQ(cubic.code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(cubic.message(), "axis 0: exact positions from extent 3221225472 to 1073741820 need more than 126 bits");
  ++request.scale_num;
  EXPECT_EQ(make_axis_map(request, sampling_of(Filter::kLinear, kAlignCorners)).status().code(), TESELA_ERROR_LIMIT);
}

// ---- ONNX Runtime's floats ------------------------------------------------------------------------------------------

AxisMap onnxruntime_map(int64_t in, int64_t out, double scale, Filter filter) {
  SamplingParams params = sampling_of(filter, kHalfPixel, true);
  params.arithmetic = PositionArithmetic::kOnnxRuntime;
  AxisRequest request{0, in, out};
  request.scale = scale;
  return *make_axis_map(request, params);
}

// Its kernels antialias growing axes too, without stretching the filter.
TEST(OnnxRuntimeSampling, FiltersAreStretchedOnShrinkingAxesOnly) {
  EXPECT_EQ(window_of(onnxruntime_map(4, 6, 1.5, Filter::kLinear)), 2 + 2);
  EXPECT_EQ(window_of(onnxruntime_map(4, 6, 1.5, Filter::kCubic)), 4 + 2);
  EXPECT_EQ(window_of(onnxruntime_map(8, 4, 0.5, Filter::kLinear)), 4 + 2);
  EXPECT_EQ(window_of(onnxruntime_map(8, 4, 0.5, Filter::kCubic)), 8 + 2);
  // Extents that are the same floats.
  const int64_t out = int64_t{1} << 24;
  EXPECT_EQ(window_of(onnxruntime_map(out + 1, out, 1, Filter::kLinear)), 2 + 2);
}

TEST(OnnxRuntimeSampling, WindowsReachTheFilterOnBothSides) {
  AxisMap map = onnxruntime_map(16, 8, 0.5, Filter::kLinear);
  for (const Filter filter : {Filter::kLinear, Filter::kCubic}) {
    map.sampling.filter = filter;
    const int64_t radius = filter == Filter::kLinear ? 2 : 4;
    const TapWindow between = sampling::onnxruntime_window(map, 6.5);
    EXPECT_EQ(between.lo, 6 - radius);
    EXPECT_EQ(between.hi, 7 + radius);
    const TapWindow at = sampling::onnxruntime_window(map, 6);
    EXPECT_EQ(at.lo, 6 - radius);
    EXPECT_EQ(at.hi, 6 + radius);
  }
}

TEST(OnnxRuntimeSampling, WeightsOfAntialiasedLinearAreTriangles) {
  const AxisMap map = onnxruntime_map(8, 4, 0.5, Filter::kLinear);
  const double expected[] = {0, 0, 0.25, 0.75, 0.75, 0.25, 0, 0};  // 1 - |j - 3.5| / 2
  for (int64_t j = 0; j < 8; ++j) EXPECT_EQ(sampling::onnxruntime_weight(map, 3.5, j), expected[j]) << j;
  const AxisTable table = make_axis_table(map, {1, 1}, ComputeType::kDouble);  // x = 2.5
  EXPECT_EQ(table.first[0], 1);
  ASSERT_EQ(table.count[0], 4);
  for (int64_t k = 0; k < 4; ++k) EXPECT_EQ(table.row(0)[k], k == 0 || k == 3 ? 0.125 : 0.375) << k;
}

// With this coefficient the polynomial of near inputs is not 0 at distance 1 in floats, and the other one is. For an output at an
// input, the inputs beside it have the former and the latter without antialias, and both the latter with it.
TEST(OnnxRuntimeSampling, CubicWeightsAtDistanceOneAreOfItsPolynomials) {
  AxisMap map = onnxruntime_map(8, 16, 2, Filter::kCubic);
  map.sampling.cubic_a = static_cast<double>(-0.4f);
  EXPECT_EQ(sampling::onnxruntime_weight(map, 5, 6), 0);
  EXPECT_EQ(sampling::onnxruntime_weight(map, 5, 4), 0);
  map.antialias = false;
  EXPECT_EQ(sampling::onnxruntime_weight(map, 5, 6), 0x1p-23);
  EXPECT_EQ(sampling::onnxruntime_weight(map, 5, 4), 0);
}

// ---- Rounded ratios -------------------------------------------------------------------------------------------------

AxisMap rounded_map(int64_t in, int64_t out, CoordinateMode mode, PositionArithmetic arithmetic) {
  SamplingParams params = sampling_of(Filter::kLinear, mode);
  params.arithmetic = arithmetic;
  return *make_axis_map(by_sizes(in, out), params);
}

TEST(RoundedSampling, CornersOfOneAndOfTwoOutputs) {
  for (const PositionArithmetic arithmetic : {PositionArithmetic::kFloat32, PositionArithmetic::kFloat64,
                                              PositionArithmetic::kReciprocal64, PositionArithmetic::kRounded64}) {
    const AxisMap two = rounded_map(5, 2, kAlignCorners, arithmetic);
    EXPECT_EQ(position(two, 0), 0);
    EXPECT_EQ(position(two, 1), 4);
    const AxisMap one = rounded_map(5, 1, kAlignCorners, arithmetic);
    EXPECT_EQ(position(one, 0), 0);
    EXPECT_EQ(one.rounded_ratio, 0);  // descriptions of plans show it
  }
}

// 14 / 18 and 1 / (18 / 14) are different doubles: 9 times one of them is 7, 9 times the other is below.
TEST(RoundedSampling, RatiosAreQuotientsOrReciprocals) {
  const volatile double inverse = 18.0 / 14.0;
  const double reciprocal = 1 / inverse;
  ASSERT_NE(reciprocal, 14.0 / 18.0);
  for (const PositionArithmetic arithmetic : {PositionArithmetic::kFloat64, PositionArithmetic::kReciprocal64}) {
    const AxisMap map = rounded_map(14, 18, kAsymmetric, arithmetic);
    EXPECT_EQ(map.rounded_ratio, arithmetic == PositionArithmetic::kFloat64 ? 14.0 / 18.0 : reciprocal);
    EXPECT_EQ(position(map, 9) < 7, arithmetic == PositionArithmetic::kReciprocal64);
  }
}

}  // namespace
}  // namespace tesela
