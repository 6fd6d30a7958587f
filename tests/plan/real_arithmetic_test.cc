// SPDX-License-Identifier: Apache-2.0
// Positions of modes that a formula has no case of its own for.
#include "plan/real_arithmetic.h"

#include <gtest/gtest.h>

namespace tesela {
namespace {

TEST(RealArithmetic, CropsHaveAFormulaOfTheirOwn) {
  EXPECT_EQ(real::position(CoordinateMode::kTfCropAndResize, 5, 4, 0.8, 4, 3), 0);
  EXPECT_EQ(real::crop_position(5, 4, 4, 0, 1, 3), 4);
  EXPECT_EQ(real::crop_position(5, 1, 1, 0.25, 1, 0), 2.5);
}

// Of 7 inputs and 4 outputs: 1.75 * (3 + 0.5) - 0.5.
TEST(RealArithmetic, RatiosOfModesWithCentresAtHalves) {
  for (const CoordinateMode mode : {CoordinateMode::kHalfPixel, CoordinateMode::kPytorchHalfPixel,
                                    CoordinateMode::kHalfPixelSymmetric, CoordinateMode::kTfCropAndResize}) {
    EXPECT_EQ(real::ratio_position(mode, 4, 1.75, 3.0), 5.625);
    EXPECT_EQ(real::ratio_position(mode, 4, 1.75F, 3.0F), 5.625);
  }
}

}  // namespace
}  // namespace tesela
