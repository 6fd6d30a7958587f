// SPDX-License-Identifier: Apache-2.0
// OpenVINO's Interpolate as numbers, and errors for unsupported combinations.
#include "plan/resolve_interpolate.h"

#include <gtest/gtest.h>

#include "plan/axis_table.h"
#include "plan/resolve.h"
#include "schema/described.h"

namespace tesela {
namespace {

struct Wish {
  int64_t opset = 4;
  Extents in = {1, 1, 4, 4};
  std::vector<Attribute> attributes = {};
  std::vector<int64_t> sizes = {};
  std::vector<float> scales = {};
  std::vector<int64_t> axes = {2, 3};
};

Result<Plan> planned(const Wish& wish) {
  const OpDesc op = {*find_schema("openvino", "Interpolate", wish.opset), "up", wish.attributes};
  const TensorInfo data = shaped(wish.in);
  const TensorInfo sizes = constant(DataType::kInt64, wish.sizes);
  const TensorInfo scales = constant(DataType::kFloat, wish.scales);
  const TensorInfo axes = constant(DataType::kInt64, wish.axes);
  std::vector<const TensorInfo*> inputs = {&data, &sizes};
  if (wish.opset == 4) inputs = {&data, &sizes, &scales, &axes};
  if (wish.opset == 11) inputs = {&data, wish.sizes.empty() ? &scales : &sizes, &axes};
  return make_plan(op, inputs, Limits::none());
}

std::vector<Attribute> by_sizes(const char* mode, std::vector<Attribute> others = {}) {
  others.push_back(text("mode", mode));
  others.push_back(text("shape_calculation_mode", "sizes"));
  return others;
}

std::vector<Attribute> by_scales(const char* mode, std::vector<Attribute> others = {}) {
  others.push_back(text("mode", mode));
  others.push_back(text("shape_calculation_mode", "scales"));
  return others;
}

::testing::AssertionResult refused(const Wish& wish, tesela_status code, std::string_view words) {
  const Status status = planned(wish).status();
  if (status.code() == code && status.message().find(words) != std::string::npos) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << status.code() << ": " << status.message();
}

const ResizePlan& work(const Plan& plan) {
  return std::get<ResizePlan>(plan.work);
}

TEST(ResolveInterpolate, ExtentsAreTheFloorOfAFloatProduct) {  // 10 * float(0.7) is 7 in float, less in double
  const Result<Plan> plan = planned({4, {1, 1, 10, 10}, by_scales("nearest"), {0, 0}, {0.7f, 0.7f}});
  ASSERT_TRUE(plan.ok()) << plan.status().message();
  EXPECT_EQ(plan->out, (Extents{1, 1, 7, 7}));
}

TEST(ResolveInterpolate, UnchangedAxisNeedsNoPass) {  // with any scale
  const Result<Plan> plan = planned({4, {1, 1, 4, 4}, by_scales("cubic"), {0, 0}, {1.2f, 2.0f}});
  ASSERT_TRUE(plan.ok());
  ASSERT_EQ(work(*plan).passes.size(), 1u);
  EXPECT_EQ(work(*plan).passes[0].axis, 3u);
}

TEST(ResolveInterpolate, AlignCornersCountsWithTheWholeLength) {
  const Result<Plan> plan =
      planned({4,
               {1, 1, 4, 4},
               by_scales("linear_onnx", {text("coordinate_transformation_mode", "align_corners")}),
               {0, 0},
               {1.0f, 0.6f}});
  ASSERT_TRUE(plan.ok());
  const AxisMap& map = work(*plan).passes[0].map;
  EXPECT_EQ(position(map, 0), 0);
  EXPECT_EQ(position(map, 1), 3);  // the last of 4; 22/7 in ONNX
}

TEST(ResolveInterpolate, SimpleRoundsUpWhereTheAxisShrinks) {
  const Result<Plan> down =
      planned({1, {1, 1, 1, 7}, {text("mode", "nearest"), integer("align_corners", 0), list("axes", {3})}, {3}});
  ASSERT_TRUE(down.ok());
  EXPECT_EQ(make_index_table(work(*down).passes[0].map, {0, 3}), (std::vector<int64_t>{0, 3, 5}));  // 0, 2.33, 4.67
  const Result<Plan> up =
      planned({1, {1, 1, 1, 2}, {text("mode", "nearest"), integer("align_corners", 0), list("axes", {3})}, {3}});
  EXPECT_EQ(make_index_table(work(*up).passes[0].map, {0, 3}), (std::vector<int64_t>{0, 0, 1}));
}

TEST(ResolveInterpolate, MapsModesToResize) {
  const auto sampling = [](const Wish& wish) {
    const Result<Plan> plan = planned(wish);
    EXPECT_TRUE(plan.ok()) << plan.status().message();
    return work(*plan).passes.at(0).map.sampling;
  };
  const SamplingParams linear = sampling({4, {1, 1, 4, 4}, by_sizes("linear", {integer("antialias", 1)}), {2, 2}});
  EXPECT_TRUE(linear.antialias && linear.exclude_outside && linear.filter == Filter::kLinear);
  const SamplingParams plain = sampling({4, {1, 1, 4, 4}, by_sizes("linear_onnx", {integer("antialias", 1)}), {2, 2}});
  EXPECT_FALSE(plain.antialias || plain.exclude_outside);
  const SamplingParams pillow = sampling(
      {11, {1, 1, 4, 4}, by_sizes("bicubic_pillow", {text("coordinate_transformation_mode", "asymmetric")}), {2, 8}});
  EXPECT_TRUE(pillow.antialias && pillow.exclude_outside && pillow.filter == Filter::kCubic);
  EXPECT_EQ(pillow.coordinates, CoordinateMode::kHalfPixel);
}

TEST(ResolveInterpolate, MapsSamplingOfVersionOne) {
  const auto sampling = [](Extents in, std::vector<int64_t> axes, int64_t align) {
    const std::vector<int64_t> sizes(axes.size(), 2);
    const Result<Plan> plan = planned(
        {1, std::move(in), {text("mode", "linear"), integer("align_corners", align), list("axes", axes)}, sizes});
    EXPECT_TRUE(plan.ok()) << plan.status().message();
    return work(*plan).passes.at(0).map.sampling;
  };
  EXPECT_EQ(sampling({1, 1, 4, 4}, {2, 3}, 1).coordinates, CoordinateMode::kAlignCorners);
  EXPECT_EQ(sampling({1, 1, 4, 4}, {2, 3}, 0).coordinates, CoordinateMode::kAsymmetric);
  EXPECT_EQ(sampling({1, 4, 4}, {1, 2}, 0).coordinates, CoordinateMode::kHalfPixel);
  // A picture has rank 4, and its axes are 2 and 3 in any order.
  EXPECT_EQ(sampling({1, 1, 4, 4}, {3, 2}, 0).coordinates, CoordinateMode::kAsymmetric);
  EXPECT_EQ(sampling({1, 4, 4, 1}, {1, 2}, 0).coordinates, CoordinateMode::kHalfPixel);
  EXPECT_EQ(sampling({1, 1, 4, 4, 4}, {2, 3}, 0).coordinates, CoordinateMode::kHalfPixel);
  EXPECT_TRUE(sampling({1, 1, 4, 4, 4}, {2, 3, 4}, 1).exclude_outside);
  EXPECT_FALSE(sampling({1, 1, 4, 4}, {2, 3}, 1).exclude_outside);
}

TEST(ResolveInterpolate, MapsModesOfVersionOne) {
  const auto filter = [](const char* mode) {
    const Result<Plan> plan = planned({1, {1, 1, 4, 4}, {text("mode", mode), list("axes", {2, 3})}, {2, 2}});
    EXPECT_TRUE(plan.ok()) << plan.status().message();
    return work(*plan).filter;
  };
  EXPECT_EQ(filter("nearest"), Filter::kNearest);
  EXPECT_EQ(filter("linear"), Filter::kLinear);
  EXPECT_EQ(filter("cubic"), Filter::kCubic);
}

TEST(ResolveInterpolate, VersionOneAntialiasesVolumesOnly) {
  const auto antialias = [](Extents in, std::vector<Attribute> others) {
    others.push_back(text("mode", "linear"));
    others.push_back(list("axes", {2, 3}));
    const Result<Plan> plan = planned({1, std::move(in), std::move(others), {2, 2}});
    EXPECT_TRUE(plan.ok()) << plan.status().message();
    return work(*plan).passes.at(0).map.sampling.antialias;
  };
  EXPECT_TRUE(antialias({1, 1, 4, 4, 4}, {integer("antialias", 1)}));
  EXPECT_FALSE(antialias({1, 1, 4, 4, 4}, {integer("antialias", 0)}));
  EXPECT_FALSE(antialias({1, 1, 4, 4, 4}, {}));
  EXPECT_FALSE(antialias({1, 1, 4, 4}, {integer("antialias", 1)}));
}

TEST(ResolveInterpolate, OnlyAntialiasRefusesAnAxisThatGrowsBesideOneThatShrinks) {
  const auto accepted = [](const char* mode, int64_t antialias, std::vector<int64_t> sizes) {
    return planned({4, {1, 1, 4, 4}, by_sizes(mode, {integer("antialias", antialias)}), std::move(sizes)}).ok();
  };
  EXPECT_TRUE(accepted("linear", 0, {2, 8}));
  EXPECT_TRUE(accepted("cubic", 1, {2, 8}));  // antialias is for linear
  EXPECT_FALSE(accepted("linear", 1, {2, 8}));
  // An unchanged axis neither grows nor shrinks.
  EXPECT_TRUE(accepted("linear", 1, {4, 2}));
  EXPECT_TRUE(accepted("linear", 1, {4, 8}));
}

TEST(ResolveInterpolate, RejectsUnsupportedAttributes) {
  const Extents in = {1, 1, 4, 4};
  EXPECT_TRUE(refused({1, in, {text("mode", "area"), list("axes", {2, 3})}, {2, 2}}, TESELA_ERROR_UNSUPPORTED,
                      "'mode' is 'area'"));
  EXPECT_TRUE(refused({4, in, by_sizes("cubic", {list("pads_begin", {0, 0, 1, 0})}), {2, 2}}, TESELA_ERROR_UNSUPPORTED,
                      "Interpolate-4 node 'up': attribute 'pads_begin' has the entry 1; padding is not supported"));
  EXPECT_TRUE(refused({4, in, by_sizes("linear", {integer("antialias", 1)}), {2, 8}}, TESELA_ERROR_UNSUPPORTED,
                      "axis 3 grows and axis 2 shrinks"));
  EXPECT_TRUE(refused({11, in, by_sizes("bilinear_pillow"), {2}, {}, {3}}, TESELA_ERROR_UNSUPPORTED,
                      "mode bilinear_pillow with 1 axes; expected 2"));
  EXPECT_TRUE(refused({1, {1, 1, 1, 1, 4, 4}, {text("mode", "linear"), list("axes", {4, 5})}, {2, 2}},
                      TESELA_ERROR_UNSUPPORTED, "mode linear on rank 6"));
}

TEST(ResolveInterpolate, RejectsInvalidInputs) {
  const Extents in = {1, 1, 4, 4};
  EXPECT_TRUE(refused({4, in, by_sizes("cubic"), {2}}, TESELA_ERROR_COUNT, "input 'sizes' has length 1; expected 2"));
  EXPECT_TRUE(refused({4, in, by_sizes("cubic"), {2, -1}}, TESELA_ERROR_VALUE, "input 'sizes': entry 1 is -1"));
  EXPECT_TRUE(
      refused({4, in, by_scales("cubic"), {0, 0}, {1, -2}}, TESELA_ERROR_VALUE, "input 'scales': entry 1 is -2"));
  EXPECT_TRUE(refused({4, in, by_sizes("cubic"), {2, 2}, {}, {2, 4}}, TESELA_ERROR_VALUE,
                      "'axes': entry 1 is 4; expected 0 to 3"));
  EXPECT_TRUE(refused({4, in, by_sizes("cubic"), {2, 2}, {}, {-1, 2}}, TESELA_ERROR_VALUE, "'axes': entry 0 is -1"));
  EXPECT_TRUE(refused({4, in, by_sizes("cubic"), {2, 2}, {}, {2, 2}}, TESELA_ERROR_VALUE,
                      "'axes': entry 1 is 2, which was given before"));
  EXPECT_TRUE(refused({11, in, by_sizes("cubic"), {}, {1, 2}}, TESELA_ERROR_TYPE,
                      "has type float under shape_calculation_mode sizes"));
  EXPECT_TRUE(refused({11, in, by_scales("cubic"), {2, 2}}, TESELA_ERROR_TYPE,
                      "has type int64 under shape_calculation_mode scales"));
  EXPECT_TRUE(refused({4, in, by_sizes("area"), {2, 2}}, TESELA_ERROR_ATTRIBUTE, "'mode' is 'area'; expected one of"));
}

}  // namespace
}  // namespace tesela
