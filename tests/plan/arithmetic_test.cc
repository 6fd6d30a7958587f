// SPDX-License-Identifier: Apache-2.0
// Which plans compute in float, double and fixed point, and the bits of fixed point.
#include "plan/arithmetic.h"

#include <gtest/gtest.h>

#include "plan/axis_table.h"
#include "plan/describe.h"
#include "plan/plan.h"

namespace tesela {
namespace {

ResizeParams resized(const Extents& in, const Extents& out, WeightGrid grid) {
  ResizeParams params{DataType::kUint8, in, {}, {}};
  params.sampling.filter = Filter::kLinear;
  params.sampling.grid = grid;
  for (size_t d = 0; d < in.size(); ++d)
    if (in[d] != out[d]) params.axes.push_back({d, in[d], out[d], true, out[d], in[d]});
  return params;
}

Plan planned(const ResizeParams& params) {
  const Result<Plan> plan = make_resize_plan(params, Limits::none());
  EXPECT_TRUE(plan.ok()) << plan.status().message();
  return *plan;
}

const ResizePlan& work_of(const Plan& plan) {
  return std::get<ResizePlan>(plan.work);
}

TEST(PlanArithmetic, BytesAreSummedInFloatAndLongWindowsInDouble) {
  EXPECT_EQ(work_of(planned(resized({150}, {337}, WeightGrid::kFree))).compute, ComputeType::kFloat);
  for (const auto& [in, compute] : {std::pair<int64_t, ComputeType>{512, ComputeType::kFloat},  // 1024 taps
                                    {513, ComputeType::kDouble},
                                    {1025, ComputeType::kDouble}}) {
    ResizeParams params = resized({in}, {1}, WeightGrid::kFree);
    params.sampling.antialias = true;
    const Plan plan = planned(params);
    EXPECT_EQ(work_of(plan).passes[0].window, 2 * in);
    EXPECT_EQ(work_of(plan).compute, compute) << in;
    EXPECT_FALSE(work_of(plan).fixed_point);
  }
}

TEST(PlanArithmetic, OnlyTheLastPassRoundsUnlessAllDo) {
  ResizeParams params = resized({150, 200}, {337, 451}, WeightGrid::kFixed8);
  const Plan once = planned(params);
  EXPECT_TRUE(work_of(once).fixed_point);
  EXPECT_EQ(
      describe_plain(once),
      "resize linear uint8 150x200 -> 337x451, computed in fixed point\n"
      "  axis 1: 200 -> 451, x(i) = (-251 + 400 i) / 902, window 2, weights of 8 bits, exact sums\n"
      "  axis 0: 150 -> 337, x(i) = (-187 + 300 i) / 674, window 2, weights of 8 bits, rounded half up to elements\n");
  params.rounds_passes = true;
  const Plan each = planned(params);
  for (const Pass& pass : work_of(each).passes) EXPECT_TRUE(pass.rounds_sums);
}

// The finest weights of int16 put the largest weight between a half and all of 2^15.
TEST(PlanArithmetic, WeightsOfInt16AreTheFinestThatFit) {
  for (const auto& [in, out] : {std::pair<int64_t, int64_t>{150, 337}, {400, 133}, {500, 50}}) {
    ResizeParams params = resized({in}, {out}, WeightGrid::kInt16);
    params.sampling.antialias = true;
    const Plan plan = planned(params);
    const Pass& pass = work_of(plan).passes[0];
    AxisMap map = pass.map;
    map.weight_bits = -1;
    const double largest = std::ldexp(weigh(map, {0, out}, ComputeType::kDouble).largest, pass.map.weight_bits);
    EXPECT_LT(std::floor(largest + 0.5), 0x1p15) << in;
    EXPECT_GE(std::floor(2 * largest + 0.5), 0x1p15) << in;
  }
}

TEST(PlanArithmetic, LargeWeightsOfInt16AreWholeNumbers) {
  ResizeParams params = resized({8}, {4}, WeightGrid::kInt16);
  params.sampling.filter = Filter::kCubic;
  params.sampling.cubic_a = -160000;
  const Plan plan = planned(params);
  const AxisMap& map = work_of(plan).passes[0].map;
  EXPECT_EQ(map.weight_bits, 0);
  // Output 1 is at 2.5: a / 8, 1/2 - a / 8 twice, a / 8.
  const AxisTable table = make_axis_table(map, {1, 1}, ComputeType::kDouble);
  ASSERT_EQ(table.count[0], 4);
  EXPECT_EQ(std::vector<double>(table.row(0), table.row(0) + 4), (std::vector<double>{-20000, 20001, 20001, -20000}));
}

TEST(PlanArithmetic, WeightsOfInt16AreNotMeasuredOnLongAxes) {
  const Result<Plan> plan = make_resize_plan(resized({7}, {(1 << 20) + 1}, WeightGrid::kInt16), Limits::none());
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.status().code(), TESELA_ERROR_LIMIT);
}

}  // namespace
}  // namespace tesela
