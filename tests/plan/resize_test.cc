// SPDX-License-Identifier: Apache-2.0
// Which axes are passes, their order and compute type.
#include <gtest/gtest.h>

#include "plan/plan.h"

namespace tesela {
namespace {

AxisRequest sized(size_t axis, int64_t in, int64_t out) {
  return {axis, in, out, true, out, in};
}

ResizeParams params_of(const std::vector<std::pair<int64_t, int64_t>>& axes, Filter filter = Filter::kLinear,
                       DataType type = DataType::kFloat) {
  ResizeParams params;
  params.type = type;
  params.sampling.filter = filter;
  for (size_t d = 0; d < axes.size(); ++d) {
    params.in.push_back(axes[d].first);
    params.axes.push_back(sized(d, axes[d].first, axes[d].second));
  }
  return params;
}

ResizePlan work_of(const ResizeParams& params) {
  Result<Plan> plan = make_resize_plan(params, Limits::none());
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return std::get<ResizePlan>(plan->work);
}

std::vector<size_t> order(const std::vector<std::pair<int64_t, int64_t>>& axes) {
  std::vector<size_t> list;
  for (const Pass& pass : work_of(params_of(axes)).passes) list.push_back(pass.axis);
  return list;
}

using Order = std::vector<size_t>;

TEST(ResizePasses, ShrinkingAxesComeFirstOutermostFirst) {       // the arithmetic contract
  EXPECT_EQ(order({{8, 4}, {8, 4}}), (Order{0, 1}));             // 2-D down is H, W
  EXPECT_EQ(order({{4, 8}, {4, 8}}), (Order{1, 0}));             // 2-D up is W, H
  EXPECT_EQ(order({{4, 8}, {4, 8}, {4, 8}}), (Order{0, 2, 1}));  // 3-D up is D, W, H
  EXPECT_EQ(order({{4, 8}, {8, 4}}), (Order{1, 0}));
  EXPECT_EQ(order({{8, 4}, {4, 8}}), (Order{0, 1}));
  EXPECT_EQ(order({{4, 8}, {8, 4}, {4, 8}, {8, 4}}), (Order{1, 3, 2, 0}));
  EXPECT_EQ(order({{4, 8}}), (Order{0}));
}

TEST(ResizePasses, OrderDoesNotDependOnTheOrderOfTheRequests) {
  ResizeParams params = params_of({{8, 4}, {4, 8}, {4, 8}});
  std::swap(params.axes[0], params.axes[2]);
  const ResizePlan work = work_of(params);
  EXPECT_EQ(work.passes[0].axis, 0u);
  EXPECT_EQ(work.passes[1].axis, 2u);
  EXPECT_EQ(work.passes[2].axis, 1u);
}

TEST(ResizePasses, IdentityAxesNeedNoPass) {
  EXPECT_EQ(order({{5, 5}, {4, 8}, {7, 7}}), (Order{1}));
  EXPECT_TRUE(order({{5, 5}, {7, 7}}).empty());
}

TEST(ResizePasses, EqualExtentsWithAnotherScaleCountAsGrowing) {  // m >= n, not identity
  ResizeParams params = params_of({{3, 3}, {8, 4}});
  params.axes[0] = {0, 3, 3, false, 1, 1, 1.3};
  const ResizePlan work = work_of(params);
  ASSERT_EQ(work.passes.size(), 2u);
  EXPECT_EQ(work.passes[0].axis, 1u);
}

TEST(ResizeCompute, FollowsTheTypeAndTheFilter) {  // the arithmetic contract
  EXPECT_EQ(work_of(params_of({{4, 8}})).compute, ComputeType::kFloat);
  EXPECT_EQ(work_of(params_of({{4, 8}}, Filter::kCubic, DataType::kInt32)).compute, ComputeType::kDouble);
  EXPECT_EQ(work_of(params_of({{4, 8}}, Filter::kNearest)).compute, ComputeType::kNone);
}

TEST(ResizeCompute, NoPassNeedsNoComputeTypeInAnyMode) {  // the arithmetic contract
  EXPECT_EQ(work_of(params_of({{4, 4}}, Filter::kCubic)).compute, ComputeType::kNone);
}

TEST(ResizeCompute, WindowsAbove1024TapsComputeInDoubles) {
  const auto compute = [](int64_t in) {
    ResizeParams params = params_of({{in, 2}}, Filter::kLinear, DataType::kUint8);
    params.sampling.antialias = true;
    return work_of(params).compute;
  };
  EXPECT_EQ(compute(1024), ComputeType::kFloat);   // 2 * 512 taps
  EXPECT_EQ(compute(1025), ComputeType::kDouble);  // 2 * 513
}

TEST(ResizeLimits, OutputAndTables) {
  Limits limits;
  limits.max_output_bytes = 100;
  EXPECT_TRUE(make_resize_plan(params_of({{4, 25}}), limits).ok());
  EXPECT_EQ(make_resize_plan(params_of({{4, 26}}), limits).status().code(), TESELA_ERROR_LIMIT);
  limits = Limits();
  limits.max_working_bytes = 1 << 20;
  ResizeParams wide = params_of({{1 << 20, 1}});
  wide.sampling.antialias = true;
  EXPECT_EQ(make_resize_plan(wide, limits).status().code(), TESELA_ERROR_LIMIT);
  limits = Limits();
  limits.max_rank = 1;
  EXPECT_EQ(make_resize_plan(params_of({{4, 4}, {4, 4}}), limits).status().code(), TESELA_ERROR_LIMIT);
}

TEST(ResizeLimits, TablesOfOneOutputAtTheLimit) {  // 2 taps of 16 bytes
  Limits limits;
  limits.max_working_bytes = 32;
  EXPECT_TRUE(make_resize_plan(params_of({{4, 8}}), limits).ok());
  limits.max_working_bytes = 31;
  const Status status = make_resize_plan(params_of({{4, 8}}), limits).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(status.message(), "axis 0: the 2 taps of one output take 32 bytes of tables; the limit is 31");
}

TEST(ResizeLimits, ExtentOfAResizedAxis) {
  constexpr int64_t kMost = int64_t{1} << 40;
  EXPECT_TRUE(make_resize_plan(params_of({{3, 3}, {kMost, 4}}), Limits::none()).ok());
  const Status status = make_resize_plan(params_of({{3, 3}, {kMost + 1, 4}}), Limits::none()).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(status.message(), "axis 1: extent 1099511627777 is above the limit of 2^40 for a resized axis");
}

ResizeParams cropped(double start, double end, DataType type, int64_t out = 5) {
  ResizeParams params = params_of({{4, out}}, Filter::kNearest, type);
  params.sampling.coordinates = CoordinateMode::kTfCropAndResize;
  params.axes[0].roi_start = start;
  params.axes[0].roi_end = end;
  return params;
}

TEST(ResizeCrop, PlanKnowsIfItExtrapolates) {
  EXPECT_FALSE(work_of(cropped(0, 1, DataType::kFloat)).extrapolates);
  EXPECT_FALSE(work_of(cropped(0.25, 0.75, DataType::kFloat)).extrapolates);
  EXPECT_TRUE(work_of(cropped(-0.5, 0.75, DataType::kFloat)).extrapolates);
  EXPECT_TRUE(work_of(cropped(0.25, 1.5, DataType::kFloat)).extrapolates);
  EXPECT_TRUE(work_of(cropped(1.5, 0.25, DataType::kFloat)).extrapolates);
  // Only the first or only the last output is outside.
  EXPECT_TRUE(work_of(cropped(-0.1, 0.75, DataType::kFloat)).extrapolates);
  EXPECT_TRUE(work_of(cropped(0.25, 1.1, DataType::kFloat)).extrapolates);
}

TEST(ResizeCrop, RejectsExtrapolatedStringsAtPlanning) {
  // docs/semantics.md, Resize: output size
  EXPECT_TRUE(make_resize_plan(cropped(0.25, 0.75, DataType::kString), Limits::none()).ok());
  EXPECT_EQ(make_resize_plan(cropped(0.25, 1.5, DataType::kString), Limits::none()).status().code(), TESELA_ERROR_TYPE);
  ResizeParams empty = cropped(0.25, 1.5, DataType::kString);
  empty.in.push_back(0);
  EXPECT_TRUE(make_resize_plan(empty, Limits::none()).ok());  // no output, no extrapolation
}

TEST(ResizeEmpty, AxesWithoutOutputNeedNoPass) {
  const ResizePlan work = work_of(params_of({{4, 0}, {4, 8}}));
  ASSERT_EQ(work.passes.size(), 1u);
  EXPECT_EQ(work.passes[0].axis, 1u);
}

}  // namespace
}  // namespace tesela
