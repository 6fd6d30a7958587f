// SPDX-License-Identifier: Apache-2.0
// Tables of emulated plans and their texts.
#include "plan/emulation/emulated_plan.h"

#include <gtest/gtest.h>

namespace tesela {
namespace {

using Inputs = std::pair<int64_t, int64_t>;

EmulatedAxis made(int64_t in, const std::vector<std::vector<EmulatedTap>>& outputs) {
  EmulatedAxis axis;
  axis.in = in;
  axis.out = static_cast<int64_t>(outputs.size());
  for (const std::vector<EmulatedTap>& taps : outputs) add_output(axis, taps);
  return axis;
}

TEST(EmulatedPlan, OutputsWithoutTapsReadNothing) {
  const EmulatedAxis axis = made(9, {{}, {{4, 1}, {7, 1}, {5, 1}}, {{8, 1}}});
  EXPECT_EQ(inputs_of(axis, 0, 1), (Inputs{0, 0}));
  EXPECT_EQ(inputs_of(axis, 0, 2), (Inputs{4, 7}));
  EXPECT_EQ(inputs_of(axis, 0, 3), (Inputs{4, 8}));
}

TEST(EmulatedPlan, MostTapsOfAnyOutput) {
  EXPECT_EQ(most_taps(made(9, {{}})), 0);
  EXPECT_EQ(most_taps(made(9, {{{0, 1}, {1, 1}}, {{2, 1}}, {}})), 2);
  EXPECT_EQ(most_taps(made(9, {{{0, 1}}, {}, {{1, 1}, {2, 1}}})), 2);
}

TEST(EmulatedPlan, TextsOfOrders) {
  EmulatedStep step;
  step.vector_channels = 1;
  step.vector_order = EmulatedOrder::kDescending;
  EXPECT_EQ(text_of(step), "sums in float; of 1 channels at once, descending");
  step.vector_channels = 0;
  step.unfused_taps = 1;
  EXPECT_EQ(text_of(step), "sums in float; not fused for each 1 taps after the first");
}

TEST(EmulatedPlan, TextsOfNumbers) {
  const auto text = [](EmulatedNumbers numbers) {
    EmulatedStep step;
    step.numbers = numbers;
    return text_of(step);
  };
  EXPECT_EQ(text(EmulatedNumbers::kFloat), "sums in float");
  EXPECT_EQ(text(EmulatedNumbers::kFusedFloat), "sums in float, fused");
  EXPECT_EQ(text(EmulatedNumbers::kDouble), "sums in double");
  EXPECT_EQ(text(EmulatedNumbers::kFusedDouble), "sums in double, fused");
  EXPECT_EQ(text(EmulatedNumbers::kInt32), "sums in int32");
}

TEST(EmulatedPlan, TextsOfEachOrder) {
  const auto text = [](EmulatedOrder order) {
    EmulatedStep step;
    step.order = order;
    return text_of(step);
  };
  EXPECT_EQ(text(EmulatedOrder::kAscending), "sums in float");
  EXPECT_EQ(text(EmulatedOrder::kPairwise), "sums in float, pairwise");
  EXPECT_EQ(text(EmulatedOrder::kSecondFirst), "sums in float, the second tap first");
  EXPECT_EQ(text(EmulatedOrder::kDescending), "sums in float, descending");
  EXPECT_EQ(text(EmulatedOrder::kSecondLastFirst), "sums in float, the last tap but one first and then descending");
}

TEST(EmulatedPlan, TextsOfRoundings) {
  const auto text = [](EmulatedRounding rounding) {
    EmulatedStep step;
    step.rounding = rounding;
    step.shift = 15;
    return text_of(step);
  };
  EXPECT_EQ(text(EmulatedRounding::kNone), "sums in float");
  EXPECT_EQ(text(EmulatedRounding::kCut), "sums in float, truncated");
  EXPECT_EQ(text(EmulatedRounding::kHalfAway), "sums in float, rounded half away from zero");
  EXPECT_EQ(text(EmulatedRounding::kShiftClip), "sums in float, shifted by 15 bits and clamped to 0 to 255");
  EXPECT_EQ(text(EmulatedRounding::kShiftCut), "sums in float, divided by 2^15 and truncated");
  EXPECT_EQ(text(EmulatedRounding::kEvenCut), "sums in float, truncated to even numbers or rounded");
}

TEST(EmulatedPlan, RulesAreNamedAsThePlanField) {
  EXPECT_EQ(name_of(Rules::kStandard), "standard");
  EXPECT_EQ(name_of(Rules::kOnnxRuntimePositions), "onnxruntime_positions");
  EXPECT_EQ(name_of(Rules::kOnnxRuntime), "onnxruntime");
  EXPECT_EQ(name_of(Rules::kOnnxReference), "onnx_reference");
  EXPECT_EQ(name_of(Rules::kOpenvino), "openvino");
  EXPECT_EQ(name_of(Rules::kPytorch), "pytorch");
}

TEST(EmulatedPlan, TapsAreInsideTheInput) {
  const EmulatedAxis axis = made(5, {{{-1, 0.25}, {0, 0.75}}, {{4, 0.5}, {5, 0.5}}});
  EXPECT_EQ(axis.first, (std::vector<int64_t>{0, 2, 4}));
  EXPECT_EQ(axis.input, (std::vector<int64_t>{0, 0, 4, 4}));
  EXPECT_EQ(axis.weight, (std::vector<double>{0.25, 0.75, 0.5, 0.5}));
}

TEST(EmulatedPlan, TablesTakeSixteenBytesForEachTap) {
  Limits limits = Limits::none();
  limits.max_working_bytes = 1024;
  EXPECT_TRUE(check_tables(3, 64, 1, limits).ok());
  EXPECT_EQ(check_tables(3, 65, 1, limits).message(),
            "axis 3: 65 outputs of up to 1 taps need tables of more than 1024 bytes");
  EXPECT_TRUE(check_tables(0, int64_t{1} << 23, 2, Limits::none()).ok());
  EXPECT_EQ(check_tables(0, (int64_t{1} << 23) + 1, 2, Limits::none()).message(),
            "axis 0: 8388609 outputs of up to 2 taps need tables of more than 268435456 bytes");
}

}  // namespace
}  // namespace tesela
