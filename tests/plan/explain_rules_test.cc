// SPDX-License-Identifier: Apache-2.0
// The rules of plans and axes in words: arithmetics of positions, filters, borders, weights, sums, scales, fields, values.
#include <gtest/gtest.h>

#include <cstring>

#include "plan/explain_calls.h"

namespace tesela {
namespace {

using enum CoordinateMode;
using Lines = std::vector<std::pair<std::string, std::string>>;
using Texts = std::vector<std::string>;

ExplainedAxis axis_of(const AxisRequest& axis, const SamplingParams& sampling, DataType type = DataType::kFloat) {
  return explained(plan_of(axis, sampling, type)).axes.at(0);
}

std::string rule(const Lines& rules, std::string_view what) {
  for (const auto& [name, text] : rules)
    if (name == what) return text;
  return "no such rule";
}

std::string rule(std::string_view what, const AxisRequest& axis, const SamplingParams& sampling,
                 DataType type = DataType::kFloat) {
  return rule(axis_of(axis, sampling, type).rules, what);
}

// ---- Rules of an axis ----------------------------------------------------------------------------------------------

TEST(ExplainRules, CoordinateModesAreNamed) {
  EXPECT_EQ(axis_of(by_sizes(7, 4), {.coordinates = kHalfPixelSymmetric}).coordinate_mode, "half_pixel_symmetric");
  EXPECT_EQ(axis_of(by_sizes(7, 4), {.coordinates = kTfCropAndResize}).coordinate_mode, "tf_crop_and_resize");
}

TEST(ExplainRules, ArithmeticsOfPositions) {
  const auto positions = [](const AxisRequest& axis, PositionArithmetic arithmetic, CoordinateMode mode = kHalfPixel) {
    return rule("positions", axis, {.coordinates = mode, .arithmetic = arithmetic});
  };
  using enum PositionArithmetic;
  EXPECT_EQ(positions(by_sizes(7, 4), kContract), "exact fractions");
  EXPECT_EQ(positions(by_scale(5, 0.7), kContract), "doubles, from left to right as written");
  // 4 * 5 * 2^-52, and for one input 4 * 2^-52.
  EXPECT_EQ(positions(by_sizes(5, 4), kContract, kTfCropAndResize),
            "doubles, from left to right as written; within 4.440892098500626e-15 of 0 or 4 they are that number");
  EXPECT_EQ(positions(by_sizes(1, 4), kContract, kTfCropAndResize),
            "doubles, from left to right as written; within 8.881784197001252e-16 of 0 or 0 they are that number");
  EXPECT_EQ(positions(by_sizes(7, 4), kFloat32), "floats, each operation rounded, from the rounded in / out");
  EXPECT_EQ(positions(by_sizes(7, 4), kFloat64), "doubles, each operation rounded, from the rounded in / out");
  EXPECT_EQ(positions(by_sizes(7, 4), kReciprocal64), "doubles, from 1 divided by the rounded out / in");
  EXPECT_EQ(positions(by_sizes(7, 4), kRounded64), "doubles, from the rounded in / out, then rounded to float");
  EXPECT_EQ(positions(by_scale(5, 0.7), kOnnxRuntime),
            "floats, each operation rounded, as in ONNX Runtime's CPU kernels");
}

TEST(ExplainRules, NearestModesAreNamed) {
  const auto filter = [](const AxisRequest& axis, NearestMode nearest) {
    return rule("filter", axis, {.nearest = nearest});
  };
  EXPECT_EQ(filter(by_sizes(7, 4), NearestMode::kRoundPreferFloor), "nearest, round_prefer_floor");
  EXPECT_EQ(filter(by_sizes(7, 4), NearestMode::kRoundPreferCeil), "nearest, round_prefer_ceil");
  EXPECT_EQ(filter(by_sizes(7, 4), NearestMode::kFloor), "nearest, floor");
  EXPECT_EQ(filter(by_sizes(7, 4), NearestMode::kCeil), "nearest, ceil");
  for (const AxisRequest& axis : {by_sizes(7, 4), by_scale(5, 0.7)})
    EXPECT_EQ(filter(axis, NearestMode::kSimple), "nearest, simple (up, because the axis shrinks)");
  for (const AxisRequest& axis : {by_sizes(4, 7), by_scale(5, 1.7)})
    EXPECT_EQ(filter(axis, NearestMode::kSimple), "nearest, simple (down, because the axis does not shrink)");
}

TEST(ExplainRules, FiltersHaveTheirSupport) {
  const auto filter = [](const AxisRequest& axis, const SamplingParams& sampling) {
    return rule("filter", axis, sampling);
  };
  EXPECT_EQ(filter(by_sizes(7, 4), {.filter = Filter::kLinear}), "linear, support 1 on each side");
  EXPECT_EQ(filter(by_sizes(7, 4), {.filter = Filter::kCubic, .cubic_a = -0.5}),
            "cubic (Keys, a = -0.5), support 2 on each side");
  EXPECT_EQ(filter(by_sizes(7, 4), {.filter = Filter::kLinear, .antialias = true}),
            "linear, support 1 on each side, stretched by 7/4 (antialias)");
  EXPECT_EQ(filter(by_scale(5, 0.7), {.filter = Filter::kCubic, .antialias = true}),
            "cubic (Keys, a = -0.75), support 2 on each side, stretched by 1 / 0.7 (antialias)");
  EXPECT_EQ(filter(by_sizes(4, 7), {.filter = Filter::kLinear, .antialias = true}),
            "linear, support 1 on each side; antialias does not stretch it, because the axis does not shrink");
}

TEST(ExplainRules, BordersOfFiltersAndCrops) {
  EXPECT_EQ(rule("borders", by_sizes(7, 4), {}), "an input outside is clamped to the border");
  EXPECT_EQ(rule("borders", by_sizes(7, 4), {.filter = Filter::kLinear}),
            "inputs outside are the border's: their weights are added to its weight");
  EXPECT_EQ(rule("borders", by_sizes(7, 4), {.filter = Filter::kCubic, .exclude_outside = true}),
            "inputs outside are dropped, and the other weights divided by their sum (exclude_outside)");
  EXPECT_EQ(rule("borders", by_sizes(7, 4), {.coordinates = kTfCropAndResize, .extrapolation_value = 2.5F}),
            "an input outside is clamped to the border; a position outside 0 to 6 gives the extrapolation value 2.5");
}

TEST(ExplainRules, WeightsAndSumsOfAType) {
  const AxisRequest axis = by_sizes(7, 4);
  const SamplingParams linear = {.filter = Filter::kLinear};
  const SamplingParams antialias = {.filter = Filter::kLinear, .antialias = true};
  const SamplingParams excluded = {.filter = Filter::kCubic, .exclude_outside = true};
  EXPECT_EQ(rule("weights", axis, linear), "rounded to float");
  EXPECT_EQ(rule("sums", axis, linear), "in ascending order, each product and sum rounded to float");
  EXPECT_EQ(rule("weights", axis, linear, DataType::kDouble), "doubles");
  EXPECT_EQ(rule("sums", axis, linear, DataType::kDouble),
            "in ascending order, each product and sum rounded to double");
  EXPECT_EQ(rule("weights", axis, antialias), "divided by their sum, rounded to float");
  EXPECT_EQ(rule("weights", axis, excluded, DataType::kDouble), "divided by their sum, doubles");
  // Elements that are copied have neither.
  EXPECT_EQ(axis_of(axis, {}).rules, (Lines{{"positions", "exact fractions"},
                                            {"filter", "nearest, round_prefer_floor"},
                                            {"borders", "an input outside is clamped to the border"}}));
}

TEST(ExplainRules, WeightsOfAGrid) {
  const auto weights = [](WeightGrid grid, bool antialias) {
    const SamplingParams sampling = {.filter = Filter::kLinear, .antialias = antialias, .grid = grid};
    return rule("weights", by_sizes(6, 4), sampling, DataType::kUint8);
  };
  EXPECT_EQ(weights(WeightGrid::kFixed8, false), "rounded to multiples of 1/256");
  EXPECT_EQ(weights(WeightGrid::kFixed22, true), "divided by their sum, rounded to multiples of 1/4194304");
  // The largest weight, 3/4, is 3 * 2^13 of 2^15, and would be 3 * 2^14.
  EXPECT_EQ(weights(WeightGrid::kInt16, false), "rounded to multiples of 1/32768");
  // Weights above 2^14.
  const SamplingParams steep = {.filter = Filter::kCubic, .cubic_a = -1e6, .grid = WeightGrid::kInt16};
  EXPECT_EQ(rule("weights", by_sizes(6, 4), steep, DataType::kUint8), "rounded to multiples of 1/1");
}

// ---- Scales --------------------------------------------------------------------------------------------------------

TEST(ExplainRules, ScalesOfSizesAreFractions) {
  const auto scale = [](int64_t out, CoordinateMode mode, bool antialias = false) {
    const ExplainedAxis axis =
        axis_of(by_sizes(7, out), {.filter = Filter::kLinear, .coordinates = mode, .antialias = antialias});
    return std::pair{axis.scale, axis.exact_scale};
  };
  using Scale = std::pair<std::optional<double>, std::string>;
  EXPECT_EQ(scale(4, kHalfPixel), (Scale{4.0 / 7, "4/7"}));
  EXPECT_EQ(scale(4, kAlignCorners), (Scale{4.0 / 7, "4/7"}));
  EXPECT_EQ(scale(3, kAlignCorners), (Scale{3.0 / 7, "3/7"}));
  EXPECT_EQ(scale(4, kHalfPixel, true), (Scale{4.0 / 7, "4/7"}));
  EXPECT_EQ(scale(14, kAsymmetric), (Scale{2, "2"}));
  // At one output nothing depends on it but the width of a filter.
  EXPECT_EQ(scale(1, kAlignCorners), (Scale{std::nullopt, ""}));
  EXPECT_EQ(scale(1, kPytorchHalfPixel), (Scale{std::nullopt, ""}));
  EXPECT_EQ(scale(1, kAlignCorners, true), (Scale{1.0 / 7, "1/7"}));
}

TEST(ExplainRules, ScalesOfScalesAreDoubles) {
  const ExplainedAxis axis = axis_of(by_scale(5, 0.7), {});
  EXPECT_EQ(axis.scale, 0.7);
  EXPECT_EQ(axis.exact_scale, "");
}

// From the distance of outputs under align_corners, (n - 1) / (n * scale - 1), scales have twice its digits.
TEST(ExplainRules, ScalesBeyond126BitsAreNotShown) {
  const auto scale = [](Int128 step, Int128 den) {
    AxisMap map;
    map.positions = AxisMap::Positions::kRational;
    map.in = map.out = 2;
    map.step = step;
    map.den = den;
    map.sampling.coordinates = kAlignCorners;
    ExplainedAxis axis;
    explain_rules({}, {0, map}, axis);
    EXPECT_EQ(axis.scale.has_value(), !axis.exact_scale.empty());
    return axis.exact_scale;
  };
  constexpr Int128 kHalf = exact::kMaxInteger / 2;
  EXPECT_EQ(scale(3, 5), "4/3");                               // (5 + 3) / (2 * 3)
  EXPECT_EQ(scale(1, exact::kMaxInteger - 1), digits(kHalf));  // 2^126 / 2
  EXPECT_EQ(scale(3, exact::kMaxInteger - 1), "");             // above it is 2^126 + 2
  EXPECT_EQ(scale(kHalf, kHalf), "1");                         // 2^126 / 2^126
  EXPECT_EQ(scale(kHalf + 1, kHalf - 1), "");                  // below it is 2^126 + 2
  const AxisRequest policy = {0, int64_t{1} << 40, 4, true, 1 << 24, (int64_t{1} << 62) + 1};
  EXPECT_EQ(axis_of(policy, {.coordinates = kAlignCorners}).scale, std::nullopt);
  EXPECT_NE(axis_of(policy, {}).scale, std::nullopt);
}

// ---- Rules of a plan -----------------------------------------------------------------------------------------------

TEST(ExplainRules, FieldsOfArithmetics) {
  const auto fields = [](PositionArithmetic arithmetic, WeightGrid grid = WeightGrid::kFree) {
    const SamplingParams sampling = {.filter = Filter::kLinear, .arithmetic = arithmetic, .grid = grid};
    return explained(plan_of(by_sizes(6, 4), sampling, DataType::kUint8)).fields;
  };
  using enum PositionArithmetic;
  EXPECT_EQ(fields(kContract), Texts());
  EXPECT_EQ(fields(kFloat32), Texts{"coordinates=float32"});
  EXPECT_EQ(fields(kFloat64), Texts{"coordinates=float64"});
  EXPECT_EQ(fields(kReciprocal64), Texts{"coordinates=reciprocal64"});
  EXPECT_EQ(fields(kRounded64), Texts{"coordinates=rounded64"});
  EXPECT_EQ(fields(kOnnxRuntime), Texts{"rules=onnxruntime_positions"});
  EXPECT_EQ(fields(kContract, WeightGrid::kFixed8), Texts{"weights=fixed8"});
  EXPECT_EQ(fields(kContract, WeightGrid::kFixed22), Texts{"weights=fixed22"});
  EXPECT_EQ(fields(kFloat32, WeightGrid::kInt16), (Texts{"coordinates=float32", "weights=int16"}));
  // A plan that changes nothing computes nothing.
  EXPECT_EQ(explained(plan_of(by_sizes(4, 4), {.arithmetic = kFloat32})).fields, Texts());
}

TEST(ExplainRules, PassesInFixedPoint) {
  ResizeParams params{DataType::kUint8, {}, {.filter = Filter::kLinear, .grid = WeightGrid::kFixed8}, {}};
  const Explanation exact = explained(plan_of_sizes({6, 6}, {12, 4}, params));
  EXPECT_EQ(exact.work, "resize linear");
  EXPECT_EQ(exact.rules,
            (Lines{{"passes", "axis 1, then axis 0"}, {"values", "fixed point, rounded half up to uint8"}}));
  EXPECT_EQ(exact.fields, Texts{"weights=fixed8"});
  ASSERT_EQ(exact.axes.size(), 2U);
  EXPECT_EQ(rule(exact.axes[1].rules, "sums"), "exact, not rounded after this pass");
  EXPECT_EQ(rule(exact.axes[0].rules, "sums"), "exact, then rounded half up to the element");
  params.rounds_passes = true;
  const Explanation rounded = explained(plan_of_sizes({6, 6}, {12, 4}, params));
  EXPECT_EQ(rounded.fields, (Texts{"weights=fixed8", "intermediate=uint8"}));
  EXPECT_EQ(rule(rounded.axes[1].rules, "sums"), "exact, then rounded half up to the element");
  // A single pass rounds to elements in any case.
  EXPECT_EQ(explained(plan_of_sizes({6, 6}, {6, 4}, params)).fields, Texts{"weights=fixed8"});
}

TEST(ExplainRules, ValuesOfPlans) {
  const auto rules = [](int64_t in, const SamplingParams& sampling, DataType type) {
    return explained(plan_of(by_sizes(in, 2), sampling, type)).rules;
  };
  const SamplingParams antialias = {.filter = Filter::kLinear, .antialias = true};
  EXPECT_EQ(rules(3, antialias, DataType::kUint8),
            (Lines{{"passes", "axis 0"}, {"values", "float, rounded half to even to uint8 at the end"}}));
  EXPECT_EQ(rules(3, antialias, DataType::kInt32),
            (Lines{{"passes", "axis 0"}, {"values", "double, rounded half to even to int32 at the end"}}));
  // More than 1024 taps.
  EXPECT_EQ(rules(1026, antialias, DataType::kFloat),
            (Lines{{"passes", "axis 0"}, {"values", "double, rounded half to even to float at the end"}}));
  EXPECT_EQ(rules(3, {}, DataType::kUint8), (Lines{{"values", "elements are copied"}}));
  const Explanation tile = explained(*make_tile_plan({DataType::kFloat, {2}, {4}}, Limits::none()));
  EXPECT_EQ(tile.work, "tile");
  EXPECT_EQ(tile.rules, (Lines{{"values", "elements are copied"}}));
  EXPECT_EQ(tile.fields, Texts());
}

template <class... T>
std::string fill(DataType type, T... parts) {
  FillParams params{type, {2}};
  size_t at = 0;
  ((std::memcpy(params.value.data() + at, &parts, sizeof parts), at += sizeof parts), ...);
  const Explanation explanation = explained(*make_fill_plan(params, Limits::none()));
  EXPECT_EQ(explanation.work, "fill");
  EXPECT_EQ(explanation.rules.size(), 1U);
  return rule(explanation.rules, "value");
}

TEST(ExplainRules, ValuesOfFills) {
  EXPECT_EQ(fill(DataType::kInt64, INT64_MIN), "every output is -9223372036854775808");
  EXPECT_EQ(fill(DataType::kUint64, UINT64_MAX), "every output is 18446744073709551615");
  EXPECT_EQ(fill(DataType::kFloat, 0.1F), "every output is 0.1");
  EXPECT_EQ(fill(DataType::kDouble, 0.1), "every output is 0.1");
  EXPECT_EQ(fill(DataType::kInt8, int8_t{-3}), "every output is -3");
  EXPECT_EQ(fill(DataType::kFloat16, uint16_t{0x3E00}), "every output is 1.5");
  EXPECT_EQ(fill(DataType::kComplex64, 1.5F, -2.0F), "every output is 1.5 + (-2)i");
  EXPECT_EQ(fill(DataType::kComplex128, 0.1, 2.5), "every output is 0.1 + 2.5i");
}

}  // namespace
}  // namespace tesela
