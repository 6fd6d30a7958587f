// SPDX-License-Identifier: Apache-2.0
// The request of a Resize, and the exact arithmetic of keep_aspect_ratio_policy.
#include "schema/resize_request.h"

#include <gtest/gtest.h>

#include <cstring>

namespace tesela {
namespace {

using Given = ResizeRequest::Given;

Ratio scale(AspectPolicy policy, std::vector<int64_t> in, std::vector<int64_t> sizes) {
  return policy_scale(policy, in, sizes);
}

bool equal(Ratio a, Ratio b) {
  return a.num * b.den == b.num * a.den;
}

TEST(PolicyScale, IsSmallestOrLargestRatio) {
  EXPECT_TRUE(equal(scale(AspectPolicy::kNotLarger, {3, 7}, {2, 2}), {2, 7}));  // test_traps.py 40
  EXPECT_TRUE(equal(scale(AspectPolicy::kNotSmaller, {3, 7}, {2, 2}), {2, 3}));
  EXPECT_TRUE(equal(scale(AspectPolicy::kNotLarger, {5}, {10}), {2, 1}));
}

TEST(PolicyScale, IgnoresEmptyAxes) {
  EXPECT_TRUE(equal(scale(AspectPolicy::kNotLarger, {0, 4}, {0, 8}), {2, 1}));
  EXPECT_TRUE(equal(scale(AspectPolicy::kNotSmaller, {0, 0}, {0, 0}), {1, 1}));
  EXPECT_TRUE(equal(scale(AspectPolicy::kNotLarger, {}, {}), {1, 1}));
}

TEST(PolicyScale, IsThatOfTheFirstOfEqualRatios) {  // messages show it
  for (const AspectPolicy policy : {AspectPolicy::kNotLarger, AspectPolicy::kNotSmaller}) {
    const Ratio first = scale(policy, {2, 4, 1}, {6, 12, 3});
    EXPECT_EQ(first.num, 6);
    EXPECT_EQ(first.den, 2);
  }
}

TEST(PolicyScale, ComparesExactlyBeyond64Bits) {
  // Cross products of 2^125: as doubles, the quotients would be equal
  const int64_t big = INT64_MAX;
  const Ratio smaller = scale(AspectPolicy::kNotLarger, {big, big - 1}, {big - 1, big - 2});
  EXPECT_EQ(smaller.den, big - 1);  // (b-2)/(b-1) < (b-1)/b
  EXPECT_EQ(scale(AspectPolicy::kNotSmaller, {big, big - 1}, {big - 1, big - 2}).den, big);
}

Result<ResizeRequest> request(int64_t opset, size_t rank, std::vector<int64_t> axes, const std::vector<float>& scales) {
  OpDesc op = {*find_schema("", "Resize", opset), "", {}};
  if (!axes.empty()) op.attributes.push_back({"axes", AttributeKind::kInts, std::move(axes)});
  Tensor tensor = *Tensor::allocate(DataType::kFloat, {static_cast<int64_t>(scales.size())});
  if (!scales.empty()) std::memcpy(tensor.mutable_data(), scales.data(), 4 * scales.size());
  const TensorInfo x;
  const TensorInfo given = {DataType::kFloat, Dims{{static_cast<int64_t>(scales.size()), ""}}, tensor, {}};
  const TensorInfo* inputs[] = {&x, nullptr, &given};
  return read_resize_request(op, rank, inputs);
}

TEST(ReadResizeRequest, NormalisesAxesAndKeepsTheirOrder) {
  const auto read = request(18, 4, {-1, 2}, {2, 3});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->axes, (AxisList{3, 2}));
  EXPECT_EQ(read->given, Given::kScales);
  EXPECT_EQ(*read->scales, (ScaleList{2, 3}));
}

TEST(ReadResizeRequest, AbsentAxesMeanAllAxes) {
  EXPECT_EQ(request(13, 3, {}, {1, 2, 3})->axes, (AxisList{0, 1, 2}));
}

TEST(ReadResizeRequest, RankZeroNeedsNoScalesOrSizes) {
  const auto read = request(13, 0, {}, {});
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read->given, Given::kNothing);
}

Result<Dims> scaled_dims(int64_t n, float scale, ExtentRule rule) {
  ResizeRequest wish;
  wish.axes = {0};
  wish.given = Given::kScales;
  wish.scales = {scale};
  wish.extents = rule;
  return resized_dims(wish, {{n, ""}});
}

int64_t scaled_extent_of(int64_t n, float scale, ExtentRule rule) {
  return (*scaled_dims(n, scale, rule))[0].value;
}

TEST(ResizedDims, ScalesFollowTheRule) {
  struct Row {
    int64_t n;
    float scale;
    int64_t standard, host, openvino;
  };
  constexpr int64_t kOdd = (1 << 24) + 1;  // not a float
  for (const Row& row : {Row{10, 0.7f, 6, 7, 7},
                         {5, 1.4f, 6, 7, 7},
                         {100, 0.29f, 28, 29, 29},
                         {49, 1.0f / 49, 0, 1, 1},
                         {48, 40.0f / 48, 39, 40, 40},
                         {7, 31.0f / 7, 30, 30, 31},
                         {4, 0.5f, 2, 2, 2},
                         {0, 3.4e38f, 0, 0, 0},
                         {kOdd, 1, kOdd, kOdd - 1, kOdd},
                         {kOdd, 0.7f, 11744051, 11744051, 11744068}}) {
    EXPECT_EQ(scaled_extent_of(row.n, row.scale, ExtentRule::kStandard), row.standard) << row.n << " " << row.scale;
    EXPECT_EQ(scaled_extent_of(row.n, row.scale, ExtentRule::kHost), row.host) << row.n << " " << row.scale;
    EXPECT_EQ(scaled_extent_of(row.n, row.scale, ExtentRule::kOpenvino), row.openvino) << row.n << " " << row.scale;
  }
}

TEST(ResizedDims, HostRulesUsuallyRoundTripFloatRatios) {
  int missed[3] = {};
  constexpr int64_t kMax = 512;
  for (int64_t n = 1; n <= kMax; ++n)
    for (int64_t m = 1; m <= kMax; ++m) {
      const float scale = static_cast<float>(m) / static_cast<float>(n);
      for (const ExtentRule rule : {ExtentRule::kStandard, ExtentRule::kHost, ExtentRule::kOpenvino})
        missed[static_cast<int>(rule)] += scaled_extent_of(n, scale, rule) != m;
    }
  EXPECT_NEAR(missed[0] / double{kMax * kMax}, 0.468, 0.0005);
  EXPECT_NEAR(missed[1] / double{kMax * kMax}, 0.049, 0.0005);
  EXPECT_LT(missed[2] / double{kMax * kMax}, 0.001);
}

TEST(ResizedDims, EveryRuleRejectsOverflow) {
  for (const ExtentRule rule : {ExtentRule::kStandard, ExtentRule::kHost, ExtentRule::kOpenvino})
    for (const float scale : {9.3e17f, 3.4e38f}) {
      EXPECT_EQ(scaled_dims(10, scale, rule).status().code(), TESELA_ERROR_SHAPE);
    }
  EXPECT_EQ(scaled_dims(INT64_MAX, 1, ExtentRule::kHost).status().code(), TESELA_ERROR_SHAPE);
  EXPECT_EQ(scaled_extent_of(INT64_MAX, 1, ExtentRule::kStandard), INT64_MAX);
}

TEST(ResizedDims, ScaleOfOneKeepsSymbolsUnderEveryRule) {
  for (const ExtentRule rule : {ExtentRule::kStandard, ExtentRule::kHost, ExtentRule::kOpenvino}) {
    ResizeRequest wish;
    wish.axes = {0};
    wish.given = Given::kScales;
    wish.scales = {1.0f};
    wish.extents = rule;
    EXPECT_EQ(*resized_dims(wish, {{-1, "N"}}), (Dims{{-1, "N"}}));
  }
}

TEST(ResizedDims, HalvesRoundUp) {  // docs/semantics.md, Resize: output size, test_traps.py 39: 2.5 -> 3
  ResizeRequest wish;
  wish.axes = {0, 1};
  wish.given = Given::kSizes;
  wish.policy = AspectPolicy::kNotLarger;
  wish.sizes = {{5, ""}, {5, ""}};
  const auto out = resized_dims(wish, {{10, ""}, {5, ""}});
  EXPECT_EQ((*out)[0].value, 5);
  EXPECT_EQ((*out)[1].value, 3);
}

TEST(ResizedDims, PolicyMayRoundExtentToZero) {  // docs/semantics.md, Resize: output size
  ResizeRequest wish;
  wish.axes = {0, 1};
  wish.given = Given::kSizes;
  wish.policy = AspectPolicy::kNotLarger;
  wish.sizes = {{1, ""}, {1, ""}};
  EXPECT_EQ((*resized_dims(wish, {{10, ""}, {1, ""}}))[1].value, 0);  // 0.1 rounds to 0
}

}  // namespace
}  // namespace tesela
