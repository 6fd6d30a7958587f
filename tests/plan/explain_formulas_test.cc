// SPDX-License-Identifier: Apache-2.0
// Formulas of positions with their numbers, of every coordinate mode in each arithmetic.
#include <gtest/gtest.h>

#include "plan/explain_calls.h"

namespace tesela {
namespace {

using enum CoordinateMode;

std::string formula(const AxisRequest& axis, CoordinateMode mode,
                    PositionArithmetic arithmetic = PositionArithmetic::kContract) {
  return explained(plan_of(axis, {.coordinates = mode, .arithmetic = arithmetic})).axes.at(0).formula;
}

TEST(ExplainFormulas, OfSizesAreExact) {
  EXPECT_EQ(formula(by_sizes(7, 4), kHalfPixel), "x = (i + 0.5) * 7/4 - 0.5");
  EXPECT_EQ(formula(by_sizes(7, 4), kPytorchHalfPixel), "x = (i + 0.5) * 7/4 - 0.5");
  EXPECT_EQ(formula(by_sizes(7, 4), kAlignCorners), "x = i * 2");  // 6 / 3
  EXPECT_EQ(formula(by_sizes(7, 4), kAsymmetric), "x = i * 7/4");
  EXPECT_EQ(formula(by_sizes(7, 4), kTfHalfPixelForNn), "x = (i + 0.5) * 7/4");
  EXPECT_EQ(formula(by_sizes(7, 4), kHalfPixelSymmetric), "x = 0 + (i + 0.5) * 7/4 - 0.5");
  // Of one output, or of one input, a mode with corners has no distance.
  EXPECT_EQ(formula(by_sizes(7, 1), kPytorchHalfPixel), "x = 0");
  EXPECT_EQ(formula(by_sizes(7, 1), kAlignCorners), "x = 0");
  EXPECT_EQ(formula(by_sizes(1, 3), kAlignCorners), "x = 0");
  EXPECT_EQ(formula(by_sizes(7, 1), kHalfPixel), "x = (i + 0.5) * 7 - 0.5");
}

// 5 / 2 * (1 - 3 / (5 * 1/2)) is -1/2, and 5 / 2 * (1 - 1 / (5 * 3/10)) is 5/6.
TEST(ExplainFormulas, SymmetricPositionsOfPolicies) {
  EXPECT_EQ(formula({0, 5, 3, true, 1, 2}, kHalfPixelSymmetric), "x = -1/2 + (i + 0.5) * 2 - 0.5");
  EXPECT_EQ(formula({0, 5, 1, true, 3, 10}, kHalfPixelSymmetric), "x = 5/6 + (i + 0.5) * 10/3 - 0.5");
}

TEST(ExplainFormulas, OfScalesAreInDoubles) {
  const AxisRequest axis = by_scale(5, 0.7);  // 3 outputs, and a length of 3.5
  EXPECT_EQ(formula(axis, kHalfPixel), "x = (i + 0.5) / 0.7 - 0.5");
  EXPECT_EQ(formula(axis, kPytorchHalfPixel), "x = (i + 0.5) / 0.7 - 0.5");
  EXPECT_EQ(formula(axis, kAlignCorners), "x = i * (5 - 1) / (3.5 - 1)");
  EXPECT_EQ(formula(axis, kAsymmetric), "x = i / 0.7");
  EXPECT_EQ(formula(axis, kTfHalfPixelForNn), "x = (i + 0.5) / 0.7");
  EXPECT_EQ(formula(axis, kHalfPixelSymmetric), "x = 5 / 2 * (1 - 3 / 3.5) + (i + 0.5) / 0.7 - 0.5");
  EXPECT_EQ(formula(by_scale(2, 0.7), kPytorchHalfPixel), "x = 0");  // 1 output
  EXPECT_EQ(formula(by_scale(2, 0.7), kAlignCorners), "x = 0");
  EXPECT_EQ(formula(by_scale(2, 0.7), kHalfPixel), "x = (i + 0.5) / 0.7 - 0.5");
  EXPECT_EQ(formula(by_scale(2, 1.25), kPytorchHalfPixel), "x = (i + 0.5) / 1.25 - 0.5");  // 2 outputs
  EXPECT_EQ(formula(by_scale(2, 1.25), kAlignCorners), "x = i * (2 - 1) / (2.5 - 1)");
}

TEST(ExplainFormulas, OfCrops) {
  EXPECT_EQ(formula(with_roi(by_sizes(5, 4), 0.25, 0.75), kTfCropAndResize),
            "x = 0.25 * (5 - 1) + i * (0.75 - 0.25) * (5 - 1) / (4 - 1)");
  EXPECT_EQ(formula(with_roi(by_scale(5, 0.7), -0.25, -0.0), kTfCropAndResize),
            "x = (-0.25) * (5 - 1) + i * ((-0) - (-0.25)) * (5 - 1) / (3.5 - 1)");
  EXPECT_EQ(formula(with_roi(by_sizes(5, 1), -0.25, 0.75), kTfCropAndResize), "x = 0.5 * ((-0.25) + 0.75) * (5 - 1)");
  EXPECT_EQ(formula(with_roi(by_sizes(5, 2), 0, 0.5), kTfCropAndResize),
            "x = 0 * (5 - 1) + i * (0.5 - 0) * (5 - 1) / (2 - 1)");
}

// Those take the scale in float and the output's extent as the length.
TEST(ExplainFormulas, OfOnnxRuntime) {
  const auto formula_at = [](const AxisRequest& axis, CoordinateMode mode) {
    return formula(axis, mode, PositionArithmetic::kOnnxRuntime);
  };
  const AxisRequest axis = by_scale(5, 0.7);
  EXPECT_EQ(formula_at(axis, kHalfPixel), "x = (i + 0.5) / 0.699999988079071 - 0.5");
  EXPECT_EQ(formula_at(axis, kAlignCorners), "x = i * (5 - 1) / (3 - 1)");
  EXPECT_EQ(formula_at(axis, kHalfPixelSymmetric),
            "x = 5 / 2 * (1 - 3 / (0.699999988079071 * 5)) + (i + 0.5) / 0.699999988079071 - 0.5");
  EXPECT_EQ(formula_at(with_roi(axis, 0.25, 0.75), kTfCropAndResize),
            "x = 0.25 * (5 - 1) + i * (0.75 - 0.25) * (5 - 1) / (3 - 1)");
}

TEST(ExplainFormulas, OfRoundedRatios) {
  constexpr auto kFloat32 = PositionArithmetic::kFloat32;
  EXPECT_EQ(formula(by_sizes(7, 4), kHalfPixel, kFloat32), "x = 1.75 * (i + 0.5) - 0.5");
  EXPECT_EQ(formula(by_sizes(7, 4), kPytorchHalfPixel, kFloat32), "x = 1.75 * (i + 0.5) - 0.5");
  EXPECT_EQ(formula(by_sizes(7, 4), kAlignCorners, kFloat32), "x = i * 2");
  EXPECT_EQ(formula(by_sizes(7, 4), kAsymmetric, kFloat32), "x = i * 1.75");
  EXPECT_EQ(formula(by_sizes(7, 4), kTfHalfPixelForNn, kFloat32), "x = (i + 0.5) * 1.75");
  EXPECT_EQ(formula(by_sizes(7, 1), kPytorchHalfPixel, kFloat32), "x = 0");
  EXPECT_EQ(formula(by_sizes(7, 2), kPytorchHalfPixel, kFloat32), "x = 3.5 * (i + 0.5) - 0.5");
  EXPECT_EQ(formula(by_sizes(7, 1), kHalfPixel, kFloat32), "x = 7 * (i + 0.5) - 0.5");
  // 3 / 11, and 1 divided by the rounded 11 / 3.
  EXPECT_EQ(formula(by_sizes(3, 11), kAsymmetric, kFloat32), "x = i * 0.27272728085517883");
  EXPECT_EQ(formula(by_sizes(3, 11), kAsymmetric, PositionArithmetic::kFloat64), "x = i * 0.2727272727272727");
  EXPECT_EQ(formula(by_sizes(3, 11), kAsymmetric, PositionArithmetic::kRounded64), "x = i * 0.2727272727272727");
  EXPECT_EQ(formula(by_sizes(3, 11), kAsymmetric, PositionArithmetic::kReciprocal64), "x = i * 0.27272727272727276");
}

// Whatever the mode, a map's line of positions is what its formula says: at -1/2, and at (14 i + 3) / 8.
TEST(ExplainFormulas, OfLinesMadeByHand) {
  const auto formula_of = [](Int128 num0, Int128 step, Int128 den, CoordinateMode mode) {
    AxisMap map;
    map.positions = AxisMap::Positions::kRational;
    map.in = 7;
    map.out = 4;
    map.num0 = num0;
    map.step = step;
    map.den = den;
    map.sampling.coordinates = mode;
    ExplainedAxis axis;
    explain_rules({}, {0, map}, axis);
    return axis.formula;
  };
  EXPECT_EQ(formula_of(-1, 0, 2, kHalfPixel), "x = (i + 0.5) * 0 - 0.5");
  EXPECT_EQ(formula_of(3, 14, 8, kTfCropAndResize), "x = (i + 0.5) * 7/4 - 0.5");
}

}  // namespace
}  // namespace tesela
