// SPDX-License-Identifier: Apache-2.0
// The rules of ONNX Runtime's CPU kernels as numbers; tests/conformance compares them with ONNX Runtime.
#include "plan/onnxruntime_rules.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "plan/axis_map.h"
#include "plan/resolve.h"
#include "plan/sampling/sampling.h"
#include "schema/described.h"
#include "schema/schema.h"

namespace tesela {
namespace {

struct Resize {
  OpDesc op{*find_schema("", "Resize", 19), "", {}};
  ResizeRequest request;
  ResizeParams params;

  Resize(DataType type, Extents in, std::vector<float> scales) {
    params.type = type;
    params.in = std::move(in);
    request.given = ResizeRequest::Given::kScales;
    request.scales = ScaleList(scales);
    for (size_t d = 0; d < params.in.size(); ++d) {
      request.axes.push_back(d);
      params.axes.push_back({d, params.in[d], params.in[d]});
    }
  }
  Status apply() { return apply_onnxruntime_rules(op, request, params); }
  bool applied() const { return params.sampling.arithmetic == PositionArithmetic::kOnnxRuntime; }
};

TEST(OnnxRuntimeRules, ExtentsAreProductsInFloat) {
  Resize resize(DataType::kFloat, {10, 9}, {0.7f, 1.5f});
  ASSERT_TRUE(resize.apply().ok());
  EXPECT_TRUE(resize.applied());
  EXPECT_EQ(resize.params.axes[0].out, 7);  // 6.99999988 in double
  EXPECT_EQ(resize.params.axes[1].out, 13);
}

TEST(OnnxRuntimeRules, UnchangedExtentsLeaveNoAxes) {
  Resize resize(DataType::kFloat, {3, 2}, {1.3f, 1.2f});
  ASSERT_TRUE(resize.apply().ok());
  EXPECT_TRUE(resize.params.axes.empty());
}

// The standard's scale is the negative axis's, so inference accepts the size of the other.
TEST(OnnxRuntimeRules, ExtentsByPolicyStayWithinTheirType) {
  const int64_t most = std::numeric_limits<int64_t>::max();
  OnnxRuntimeAxes axes = {{1, most, static_cast<float>(most), false}, {4, 1, 0.25f, true}};
  apply_onnxruntime_policy(AspectPolicy::kNotLarger, axes);
  EXPECT_EQ(axes[0].out, int64_t{1} << 62);
  EXPECT_EQ(axes[1].out, 4);
  EXPECT_EQ(axes[1].scale, 1);
}

TEST(OnnxRuntimeRules, DoNotApplyToCasesItsKernelsReject) {
  Resize doubles(DataType::kDouble, {10}, {0.7f});
  ASSERT_TRUE(doubles.apply().ok());
  EXPECT_FALSE(doubles.applied());
  Resize rank(DataType::kFloat, {10}, {0.7f});
  rank.params.sampling.filter = Filter::kLinear;
  ASSERT_TRUE(rank.apply().ok());
  EXPECT_FALSE(rank.applied());
  Resize excluded(DataType::kFloat, {10, 10}, {0.7f, 2});
  excluded.params.sampling.filter = Filter::kLinear;
  excluded.params.sampling.exclude_outside = true;
  ASSERT_TRUE(excluded.apply().ok());
  EXPECT_FALSE(excluded.applied());
  EXPECT_FALSE(onnxruntime_takes_scales({}, {}));  // a scalar
}

TEST(OnnxRuntimeRules, ExcludeOutsideIsForCubicAndAntialias) {
  for (const auto& [filter, antialias, taken] : {std::tuple{Filter::kNearest, false, false},
                                                 {Filter::kLinear, false, false},
                                                 {Filter::kLinear, true, true},
                                                 {Filter::kCubic, false, true},
                                                 {Filter::kCubic, true, true}}) {
    Resize resize(DataType::kFloat, {10, 10}, {0.7f, 2});
    resize.params.sampling.filter = filter;
    resize.params.sampling.antialias = antialias;
    resize.params.sampling.exclude_outside = true;
    ASSERT_TRUE(resize.apply().ok());
    EXPECT_EQ(resize.applied(), taken) << static_cast<int>(filter) << antialias;
  }
}

TEST(OnnxRuntimeRules, AntialiasCopiesAxesOfEqualExtents) {
  for (const bool antialias : {false, true}) {
    Resize resize(DataType::kFloat, {2, 4}, {1.2f, 2});
    resize.params.sampling.filter = Filter::kLinear;
    resize.params.sampling.antialias = antialias;
    for (AxisRequest& axis : resize.params.axes) {
      axis.roi_start = 0.1;
      axis.roi_end = 0.7;
    }
    ASSERT_TRUE(resize.apply().ok());
    const auto start = static_cast<double>(0.1f);
    const auto end = static_cast<double>(0.7f);
    const AxisRequest& same = resize.params.axes[0];
    EXPECT_EQ(same.out, 2);
    EXPECT_EQ(same.scale, antialias ? 1 : static_cast<double>(1.2f));
    EXPECT_EQ(same.roi_start, antialias ? 0 : start);
    EXPECT_EQ(same.roi_end, antialias ? 1 : end);
    const AxisRequest& grown = resize.params.axes[1];
    EXPECT_EQ(grown.out, 8);
    EXPECT_EQ(grown.scale, 2);
    EXPECT_EQ(grown.roi_start, start);
    EXPECT_EQ(grown.roi_end, end);
  }
}

// Which scales of all axes a filter takes, and whether it then runs with the antialias kernels.
TEST(OnnxRuntimeRules, FiltersTakeScalesByRank) {
  enum Outcome { kLeft, kTaken, kAntialiased };
  const struct {
    Filter filter;
    std::vector<float> scales;
    Outcome outcome;
  } cases[] = {{Filter::kNearest, {2, 2, 2, 2, 2, 2}, kTaken},
               {Filter::kLinear, {2, 2, 2}, kTaken},
               {Filter::kLinear, {1, 1, 2, 2}, kTaken},
               {Filter::kLinear, {1, 2, 2, 1}, kTaken},
               {Filter::kLinear, {1, 2, 2, 2}, kLeft},
               {Filter::kLinear, {2, 1, 2, 1}, kLeft},
               {Filter::kLinear, {1, 1, 2, 2, 2}, kTaken},
               {Filter::kLinear, {2, 1, 2, 2, 2}, kLeft},
               {Filter::kLinear, {1, 2, 2, 2, 2}, kLeft},
               {Filter::kCubic, {2, 2}, kTaken},
               {Filter::kCubic, {2, 2, 2}, kLeft},
               {Filter::kCubic, {1, 1, 0.5f, 2}, kTaken},
               {Filter::kCubic, {1, 2, 2, 1}, kAntialiased},
               {Filter::kCubic, {1, 1.5f, 1.5f, 1}, kAntialiased},
               {Filter::kCubic, {1, 2, 1, 1}, kAntialiased},
               {Filter::kCubic, {1, 0.5f, 2, 1}, kLeft},
               {Filter::kCubic, {1, 2, 0.5f, 1}, kLeft},
               {Filter::kCubic, {2, 2, 2, 2}, kLeft}};
  for (const auto& each : cases) {
    Resize resize(DataType::kFloat, Extents(each.scales.size(), 4), each.scales);
    resize.params.sampling.filter = each.filter;
    ASSERT_TRUE(resize.apply().ok());
    const size_t row = static_cast<size_t>(&each - cases);
    EXPECT_EQ(resize.applied(), each.outcome != kLeft) << row;
    EXPECT_EQ(resize.params.sampling.antialias, each.outcome == kAntialiased) << row;
  }
}

TEST(OnnxRuntimeRules, NothingToResizeStaysAsItIs) {
  Resize resize(DataType::kFloat, {4}, {2});
  resize.request.given = ResizeRequest::Given::kNothing;
  ASSERT_TRUE(resize.apply().ok());
  EXPECT_FALSE(resize.applied());
  EXPECT_EQ(resize.params.axes.size(), 1u);
}

Resize sized(Extents in, const std::vector<int64_t>& sizes) {
  Resize resize(DataType::kFloat, std::move(in), {});
  resize.request.given = ResizeRequest::Given::kSizes;
  resize.request.scales.reset();
  resize.request.sizes.emplace();
  for (const int64_t size : sizes) resize.request.sizes->push_back({size, ""});
  return resize;
}

TEST(OnnxRuntimeRules, EmptyAxes) {
  Resize input = sized({0, 4}, {0, 8});  // the scale of an empty input is 1
  ASSERT_TRUE(input.apply().ok());
  EXPECT_TRUE(input.applied());
  EXPECT_EQ(input.params.axes[0].scale, 1);
  EXPECT_EQ(input.params.axes[1].scale, 2);
  Resize output = sized({4, 4}, {0, 8});  // a scale of 0
  ASSERT_TRUE(output.apply().ok());
  EXPECT_FALSE(output.applied());
}

TEST(OnnxRuntimeRules, PoliciesLeaveNegativeAxes) {
  const struct {
    std::vector<int64_t> axes;
    AspectPolicy policy;
    int64_t first, second;
    double second_scale;
  } cases[] = {{{0, -1}, AspectPolicy::kNotSmaller, 8, 3, 1},  // 4 to 8 and 3 to 9: scales 2 and 3
               {{0, 1}, AspectPolicy::kNotSmaller, 12, 9, 3},
               {{}, AspectPolicy::kNotSmaller, 12, 9, 3},
               {{-2, 1}, AspectPolicy::kNotLarger, 4, 9, 3}};
  for (const auto& each : cases) {
    Resize resize = sized({4, 3}, {8, 9});
    resize.op.attributes.push_back(list("axes", each.axes));
    resize.request.policy = each.policy;
    ASSERT_TRUE(resize.apply().ok());
    EXPECT_EQ(resize.params.axes[0].out, each.first);
    EXPECT_EQ(resize.params.axes[1].out, each.second);
    EXPECT_EQ(resize.params.axes[1].scale, each.second_scale);
  }
}

TEST(OnnxRuntimeRules, PoliciesTakeTheSmallerOrTheLargerScale) {
  struct Case {
    AspectPolicy policy;
    float scale;
    int64_t first, second;
  };
  for (const Case& c : {Case{AspectPolicy::kNotLarger, 2.0f, 8, 6}, Case{AspectPolicy::kNotSmaller, 3.0f, 12, 9}}) {
    for (const bool swapped : {false, true}) {  // 4 to 8 and 3 to 9: scales 2 and 3
      Resize resize(DataType::kFloat, swapped ? Extents{3, 4} : Extents{4, 3}, {});
      resize.request.given = ResizeRequest::Given::kSizes;
      resize.request.scales.reset();
      resize.request.sizes = swapped ? Dims{{9, ""}, {8, ""}} : Dims{{8, ""}, {9, ""}};
      resize.request.policy = c.policy;
      ASSERT_TRUE(resize.apply().ok());
      ASSERT_EQ(resize.params.axes.size(), 2u);
      EXPECT_EQ(resize.params.axes[swapped].out, c.first);
      EXPECT_EQ(resize.params.axes[!swapped].out, c.second);
      for (const AxisRequest& axis : resize.params.axes) EXPECT_EQ(axis.scale, static_cast<double>(c.scale));
    }
  }
}

TEST(OnnxRuntimeRules, RejectIntegersThatWouldBeTruncated) {
  Resize resize(DataType::kUint8, {4, 4}, {2, 2});
  resize.params.sampling.filter = Filter::kLinear;
  EXPECT_EQ(resize.apply().code(), TESELA_ERROR_TYPE);
  Resize channels(DataType::kUint8, {1, 4, 4, 3}, {1, 2, 2, 1});
  channels.params.sampling.filter = Filter::kCubic;
  EXPECT_EQ(channels.apply().code(), TESELA_ERROR_UNSUPPORTED);
  Resize crop(DataType::kFloat, {1, 4, 4, 3}, {1, 2, 2, 1});
  crop.params.sampling.filter = Filter::kCubic;
  crop.params.sampling.coordinates = CoordinateMode::kTfCropAndResize;
  EXPECT_EQ(crop.apply().code(), TESELA_ERROR_UNSUPPORTED);
}

TEST(OnnxRuntimeRules, CubicIntegersWithoutAntialiasStayAsTheyAre) {
  const auto cubic = [](std::vector<float> scales, bool antialias) {
    Resize resize(DataType::kUint8, {4, 4}, std::move(scales));
    resize.params.sampling.filter = Filter::kCubic;
    resize.params.sampling.antialias = antialias;
    const Status status = resize.apply();
    EXPECT_FALSE(resize.applied());
    return status.code();
  };
  EXPECT_EQ(cubic({2, 2}, false), TESELA_OK);
  EXPECT_EQ(cubic({2, 2}, true), TESELA_ERROR_TYPE);
  EXPECT_EQ(cubic({2, 0.2f}, false), TESELA_ERROR_TYPE);  // an empty output
}

TEST(OnnxRuntimeRules, ExtrapolationValuesWrap) {
  for (const auto& [type, value, expected] : {std::tuple{DataType::kUint8, 300.7f, 44.0f},
                                              {DataType::kUint8, -3.5f, 253.0f},
                                              {DataType::kInt8, 200.0f, -56.0f},
                                              {DataType::kInt32, 1e20f, -0x1p31f},
                                              {DataType::kInt32, -1e20f, -0x1p31f},
                                              {DataType::kInt32, 0x1p31f, -0x1p31f},
                                              {DataType::kInt32, -0x1p31f, -0x1p31f},
                                              {DataType::kInt32, 0x1.fffffep30f, 0x1.fffffep30f},
                                              {DataType::kInt32, std::nanf(""), -0x1p31f},
                                              {DataType::kInt32, -7.9f, -7.0f}}) {
    Resize resize(type, {4}, {2});
    resize.params.sampling.extrapolation_value = value;
    ASSERT_TRUE(resize.apply().ok());
    EXPECT_EQ(resize.params.sampling.extrapolation_value, expected);
  }
}

TEST(OnnxRuntimeRules, CropsOfOneOutputAreAtTheMiddle) {
  SamplingParams sampling;
  sampling.arithmetic = PositionArithmetic::kOnnxRuntime;
  sampling.coordinates = CoordinateMode::kTfCropAndResize;
  AxisRequest request{0, 5, 1};
  request.scale = 0.25;
  request.roi_start = 0.25;
  request.roi_end = 0.5;
  EXPECT_EQ(position(*make_axis_map(request, sampling), 0), 1.5);  // (0.25 + 0.5) / 2 * 4
  request.out = 3;
  request.scale = 0.6;
  const AxisMap map = *make_axis_map(request, sampling);
  for (int64_t i = 0; i < 3; ++i) EXPECT_EQ(position(map, i), 1 + static_cast<double>(i) / 2);
}

TEST(OnnxRuntimeRules, PositionsNearHalvesRoundAsHalves) {
  // (19 + 1/2) / 1.3f - 1/2 is 14.500001 in float.
  SamplingParams sampling;
  sampling.arithmetic = PositionArithmetic::kOnnxRuntime;
  AxisRequest request{0, 188, 244};
  request.scale = static_cast<double>(1.3f);
  const AxisMap rule = *make_axis_map(request, sampling);
  EXPECT_GT(position(rule, 19), 14.5);
  EXPECT_EQ(nearest_index(rule, 19), 14);
}

// Cubic of channels last runs with the antialias kernels, whose polynomial differs only in its roundings from Keys'.
TEST(OnnxRuntimeRules, WeightsOfAntialiasedCubicAreTheirPolynomials) {
  AxisMap map;
  map.positions = AxisMap::Positions::kReal;
  map.sampling.filter = Filter::kCubic;
  map.sampling.cubic_a = -0.75;
  map.sampling.arithmetic = PositionArithmetic::kOnnxRuntime;
  map.antialias = true;
  for (const double shrink : {1.0, 0.5}) {
    map.shrink = shrink;
    for (const int64_t j : {2, 3, 4, 5, 6, 7, 8}) {
      const double t = std::abs(static_cast<double>(j) - 5.25) * shrink;
      const double near = ((-0.75 + 2) * t - (-0.75 + 3)) * t * t + 1;
      const double far = -0.75 * (((t - 5) * t + 8) * t - 4);
      const double wanted = t < 1 ? near : t < 2 ? far : 0;
      EXPECT_NEAR(sampling::onnxruntime_weight(map, 5.25, j), wanted, 1e-6) << shrink << " " << j;
    }
  }
}

TEST(OnnxRuntimeRules, PytorchHalfPixelTakesTheFirstInputForOneOutput) {
  AxisMap map;
  map.sampling.coordinates = CoordinateMode::kPytorchHalfPixel;
  map.in = 8;
  map.out = 1;
  map.scale = 0.125;
  EXPECT_EQ(sampling::onnxruntime_position(map, 0), 0);
  map.out = 2;
  map.scale = 0.25;
  EXPECT_EQ(sampling::onnxruntime_position(map, 0), 1.5f);
  EXPECT_EQ(sampling::onnxruntime_position(map, 1), 5.5f);
}

}  // namespace
}  // namespace tesela
