// SPDX-License-Identifier: Apache-2.0
#include "peers/effect.h"

#include <gtest/gtest.h>

namespace tesela::peers {
namespace {

// Axis 0 of a tensor, by sizes.
Plan resized(int64_t in, int64_t out, const SamplingParams& sampling) {
  ResizeParams params;
  params.type = DataType::kFloat;
  params.in = {in};
  params.sampling = sampling;
  AxisRequest& axis = params.axes.emplace_back();
  axis.in = in;
  axis.out = out;
  axis.exact = true;
  axis.scale_num = out;
  axis.scale_den = in;
  return *make_resize_plan(params, Limits::none());
}

SamplingParams linear() {
  SamplingParams sampling;
  sampling.filter = Filter::kLinear;
  return sampling;
}

TEST(Effects, EqualPlansHaveNone) {
  EXPECT_EQ(effect_text(resized(4, 8, linear()), resized(4, 8, linear())), "");
  EXPECT_EQ(effect_text(resized(4, 4, linear()), resized(4, 4, linear())), "");
}

TEST(Effects, NameTheExtents) {
  EXPECT_EQ(effect_text(resized(4, 8, {}), resized(4, 9, {})).substr(0, 35), "axis 0: extent 8 here, 9 there; axi");
}

TEST(Effects, CountCopiesOfOtherInputs) {
  SamplingParams floor;
  floor.nearest = NearestMode::kFloor;
  SamplingParams ceil;
  ceil.nearest = NearestMode::kCeil;
  // Positions -1/4, 1/4, 3/4 ... 13/4, clamped: all differ but the first and the last.
  EXPECT_EQ(effect_text(resized(4, 8, floor), resized(4, 8, ceil)), "axis 0: 6 of 8 outputs copy another input");
}

TEST(Effects, GiveShiftsAndWeights) {
  SamplingParams corners = linear();
  corners.coordinates = CoordinateMode::kAsymmetric;
  // Positions differ by a quarter; the first output is at the border in both.
  EXPECT_EQ(effect_text(resized(4, 8, linear()), resized(4, 8, corners)),
            "axis 0: positions shift by up to 0.25, outputs of inputs from 0 to 1 differ by up to 0.25");
}

TEST(Effects, CompareAnAxisThatOnlyOneResamples) {
  ResizeParams params;
  params.type = DataType::kFloat;
  params.in = {4};
  params.sampling = linear();
  AxisRequest& axis = params.axes.emplace_back();
  axis.in = 4;
  axis.out = 4;
  axis.scale = 1.2;  // positions (i + 0.5) / 1.2 - 0.5
  const Plan resampled = *make_resize_plan(params, Limits::none());
  EXPECT_EQ(effect_text(resampled, resized(4, 4, linear())),
            "axis 0: positions shift by up to 0.583, outputs of inputs from 0 to 1 differ by up to 0.58");
}

TEST(Effects, LongAxesAreComparedAtTheirEnds) {
  const int64_t in = int64_t{1} << 39;
  SamplingParams ceil;
  ceil.nearest = NearestMode::kCeil;
  SamplingParams floor;
  floor.nearest = NearestMode::kFloor;
  EXPECT_EQ(effect_text(resized(in, 2 * in, floor), resized(in, 2 * in, ceil)),
            "axis 0: 8190 of 8192 outputs copy another input");
}

}  // namespace
}  // namespace tesela::peers
