// SPDX-License-Identifier: Apache-2.0
// Plan fields: their effects, compared with numbers computed by hand or by the formulas of the libraries.
#include "plan/fields.h"

#include <gtest/gtest.h>

#include <cmath>

#include "plan/axis_table.h"
#include "plan/plan.h"

namespace tesela {
namespace {

ResizeParams params_of(DataType type, int64_t in, int64_t out, SamplingParams sampling) {
  ResizeParams params{type, {in}, sampling, {}};
  params.axes.push_back({0, in, out, true, out, in});
  return params;
}

ResizePlan planned(const ResizeParams& params) {
  const Result<Plan> plan = make_resize_plan(params, Limits::none());
  EXPECT_TRUE(plan.ok());
  return std::get<ResizePlan>(plan->work);
}

SamplingParams nearest(CoordinateMode coordinates, NearestMode mode, PositionArithmetic arithmetic) {
  SamplingParams sampling;
  sampling.coordinates = coordinates;
  sampling.nearest = mode;
  sampling.arithmetic = arithmetic;
  return sampling;
}

TEST(Fields, Float32PositionsFollowTheRoundedRatio) {
  // nearest: floor(i * (in / out)), every number a float.
  int differences = 0;
  for (int64_t in = 1; in < 60; ++in)
    for (int64_t out = 1; out < 200; ++out) {
      if (in == out) continue;
      const ResizePlan work =
          planned(params_of(DataType::kFloat, in, out,
                            nearest(CoordinateMode::kAsymmetric, NearestMode::kFloor, PositionArithmetic::kFloat32)));
      const volatile float ratio = static_cast<float>(in) / static_cast<float>(out);
      for (int64_t i = 0; i < out; ++i) {
        const volatile float x = static_cast<float>(i) * ratio;
        const int64_t expected = std::min(static_cast<int64_t>(std::floor(x)), in - 1);
        ASSERT_EQ(nearest_index(work.passes[0].map, i), expected) << in << " " << out << " " << i;
        differences += expected != i * in / out;
      }
    }
  EXPECT_GT(differences, 0);  // the field has an effect
}

// sampling/rounded.cc: ratio * (i + 1/2) - 1/2, or ratio * i where the first input is at the first output, with the
// ratio in / out, (in - 1) / (out - 1) or, under position_scales, 1 / scale.
TEST(Fields, RoundedPositionsOfEveryMode) {
  using enum CoordinateMode;
  using enum PositionArithmetic;
  const float third = 1.0F / 3;
  const auto half_float = static_cast<double>(1.0F / 1.5F);
  const struct {
    PositionArithmetic arithmetic;
    CoordinateMode mode;
    int64_t in, out;
    double scale;  // 0: from the extents
    std::vector<double> expected;
  } cases[] = {{kFloat64, kHalfPixel, 4, 2, 0, {0.5, 2.5}},
               {kFloat64, kHalfPixel, 4, 1, 0, {1.5}},
               {kFloat64, kPytorchHalfPixel, 4, 2, 0, {0.5, 2.5}},
               {kFloat64, kPytorchHalfPixel, 4, 1, 0, {0}},
               {kFloat32, kPytorchHalfPixel, 4, 1, 0, {0}},
               {kFloat64, kTfHalfPixelForNn, 4, 2, 0, {1, 3}},
               {kFloat64, kAlignCorners, 5, 3, 0, {0, 2, 4}},
               {kFloat32, kAlignCorners, 5, 3, 0, {0, 2, 4}},
               {kReciprocal64, kAlignCorners, 5, 3, 0, {0, 2, 4}},
               {kFloat64, kAlignCorners, 5, 1, 0, {0}},
               {kFloat32, kAlignCorners, 5, 1, 0, {0}},
               {kFloat64, kAlignCorners, 5, 3, 0.55, {0, 2, 4}},  // from the extents still
               {kFloat32, kAsymmetric, 1, 3, 0, {0, static_cast<double>(third), static_cast<double>(2 * third)}},
               {kFloat64, kAsymmetric, 1, 3, 0, {0, 1.0 / 3, 2.0 / 3}},
               {kRounded64, kAsymmetric, 1, 3, 0, {0, static_cast<double>(third), static_cast<double>(2 * third)}},
               {kFloat64, kHalfPixel, 5, 2, 0.4, {0.75, 3.25}},
               {kFloat64, kAsymmetric, 2, 3, 1.5, {0, 1 / 1.5, 2 / 1.5}},
               {kFloat32, kAsymmetric, 2, 3, 1.5, {0, half_float, 2 * half_float}}};
  for (const auto& each : cases) {
    SamplingParams sampling = nearest(each.mode, NearestMode::kFloor, each.arithmetic);
    sampling.filter = Filter::kLinear;
    AxisRequest request{0, each.in, each.out, each.scale == 0, each.out, each.in};
    if (each.scale != 0) request.scale = each.scale;
    request.rounds_scale = each.scale != 0;
    const AxisMap map = *make_axis_map(request, sampling);
    for (int64_t i = 0; i < each.out; ++i)
      EXPECT_EQ(position(map, i), each.expected[static_cast<size_t>(i)])
          << name_of(each.mode) << " " << each.in << " to " << each.out << ", output " << i;
  }
}

// Only nearest takes positions without halves: linear samples around (i + 1/2) * ratio - 1/2.
TEST(Fields, RoundPreferCeilLeavesLinearPositions) {
  SamplingParams sampling =
      nearest(CoordinateMode::kHalfPixel, NearestMode::kRoundPreferCeil, PositionArithmetic::kFloat32);
  EXPECT_EQ(position(*make_axis_map({0, 4, 2, true, 2, 4}, sampling), 0), 1);
  sampling.filter = Filter::kLinear;
  EXPECT_EQ(position(*make_axis_map({0, 4, 2, true, 2, 4}, sampling), 0), 0.5);
}

TEST(Fields, NearestExactSkipsCancellingHalves) {
  // nearest-exact: floor((i + 0.5) * (in / out)) in floats. 0.49999997 - 0.5 + 0.5 would be 0.5.
  for (const auto& [in, out] : {std::pair<int64_t, int64_t>{3, 7}, {26, 17}, {1000, 333}, {7, 1000}}) {
    const ResizePlan work = planned(
        params_of(DataType::kFloat, in, out,
                  nearest(CoordinateMode::kHalfPixel, NearestMode::kRoundPreferCeil, PositionArithmetic::kFloat32)));
    const volatile float ratio = static_cast<float>(in) / static_cast<float>(out);
    for (int64_t i = 0; i < out; ++i) {
      const volatile float x = (static_cast<float>(i) + 0.5F) * ratio;
      EXPECT_EQ(nearest_index(work.passes[0].map, i), std::min(static_cast<int64_t>(std::floor(x)), in - 1));
    }
  }
}

TEST(Fields, DoublePositionsUseRatioOrReciprocal) {
  for (const PositionArithmetic arithmetic : {PositionArithmetic::kFloat64, PositionArithmetic::kReciprocal64}) {
    const ResizePlan work = planned(params_of(DataType::kFloat, 49, 98 * 3 + 1,
                                              nearest(CoordinateMode::kAsymmetric, NearestMode::kFloor, arithmetic)));
    const volatile double ratio = 49.0 / 295.0;
    const volatile double inverse = 295.0 / 49.0;
    const volatile double reciprocal = 1 / inverse;
    for (int64_t i = 0; i < 295; ++i) {
      const volatile double x =
          static_cast<double>(i) * (arithmetic == PositionArithmetic::kFloat64 ? ratio : reciprocal);
      EXPECT_EQ(nearest_index(work.passes[0].map, i), static_cast<int64_t>(std::floor(x)));
    }
  }
}

TEST(Fields, Fixed8WeightsAreMultiplesOf1Over256) {
  SamplingParams sampling;
  sampling.filter = Filter::kLinear;
  sampling.grid = WeightGrid::kFixed8;
  const ResizePlan work = planned(params_of(DataType::kUint8, 3, 7, sampling));
  EXPECT_EQ(work.compute, ComputeType::kDouble);
  EXPECT_TRUE(work.fixed_point);
  EXPECT_TRUE(work.passes[0].rounds_sums);
  const AxisTable table = make_axis_table(work.passes[0].map, {0, 7}, work.compute);
  // x(1) = 1.5 * 3 / 7 - 0.5 = 1/7: 6/7 and 1/7 of 256 are 219.43 and 36.57.
  ASSERT_EQ(table.count[1], 2);
  EXPECT_EQ(table.row(1)[0], 219.0 / 256);
  EXPECT_EQ(table.row(1)[1], 37.0 / 256);
}

TEST(Fields, Fixed22WeightsAreMultiplesOf2ToTheMinus22) {
  SamplingParams sampling;
  sampling.filter = Filter::kLinear;
  sampling.grid = WeightGrid::kFixed22;
  const ResizePlan work = planned(params_of(DataType::kUint8, 3, 7, sampling));
  EXPECT_EQ(work.passes[0].map.weight_bits, 22);
  const AxisTable table = make_axis_table(work.passes[0].map, {1, 1}, work.compute);
  ASSERT_EQ(table.count[0], 2);  // 6/7 and 1/7 of 2^22 are 3595117.71 and 599186.29
  EXPECT_EQ(table.row(0)[0], 3595118 / 0x1p22);
  EXPECT_EQ(table.row(0)[1], 599186 / 0x1p22);
}

TEST(Fields, Int16UsesFinestGridThatFitsTheAxis) {
  SamplingParams sampling;
  sampling.filter = Filter::kLinear;
  sampling.grid = WeightGrid::kInt16;
  // The largest weight of 3 -> 7 is 1: 2^14 is the last power below 2^15.
  EXPECT_EQ(planned(params_of(DataType::kUint8, 3, 7, sampling)).passes[0].map.weight_bits, 14);
  // 640 -> 10 with antialias: the largest weight is 1/56, at the ends, where an eighth of the window is outside.
  // 2^20 / 56 fits.
  sampling.antialias = sampling.exclude_outside = true;
  const int8_t bits = planned(params_of(DataType::kUint8, 640, 10, sampling)).passes[0].map.weight_bits;
  EXPECT_EQ(bits, 20);
  // Never finer than 2^-22.
  EXPECT_EQ(planned(params_of(DataType::kUint8, 100000, 2, sampling)).passes[0].map.weight_bits, 22);
}

TEST(Fields, Int16WeightsHaveALimitOfOutputs) {
  SamplingParams sampling;
  sampling.filter = Filter::kLinear;
  sampling.grid = WeightGrid::kInt16;
  const Status status =
      make_resize_plan(params_of(DataType::kUint8, 3, (1 << 20) + 1, sampling), Limits::none()).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
  EXPECT_EQ(status.message(), "axis 0: extent 1048577 is above the limit of 2^20 for weights of int16");
  EXPECT_EQ(planned(params_of(DataType::kUint8, 3, 1 << 20, sampling)).passes[0].map.weight_bits, 14);
}

TEST(Fields, OrderChoosesFirstPass) {
  for (const auto& [order, first] : {std::pair{PassOrder::kShrinkingFirst, size_t{0}},
                                     {PassOrder::kFirstAxisFirst, size_t{0}},
                                     {PassOrder::kLastAxisFirst, size_t{2}}}) {
    ResizeParams params{DataType::kUint8, {8, 8, 8}, {}, {}};
    params.sampling.filter = Filter::kLinear;
    params.order = order;
    for (size_t d = 0; d < 3; ++d) params.axes.push_back({d, 8, 4, true, 4, 8});
    EXPECT_EQ(planned(params).passes[0].axis, first);
  }
}

TEST(Fields, UnknownFieldErrorListsAllowedOnes) {
  PlanFields fields;
  const Status name = set_field(fields, "weight", "int16");
  EXPECT_EQ(name.code(), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(name.message(),
            "plan field 'weight' is unknown; expected one of coordinates, weights, intermediate, order, extents, "
            "rules, position_scales");
  const Status value = set_field(fields, "weights", "int8");
  EXPECT_EQ(value.code(), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(value.message(), "plan field 'weights' is 'int8'; expected one of fixed8, fixed22, int16");
  EXPECT_FALSE(fields.any());
}

TEST(Fields, PositionScalesAreFiniteNumbersAboveZero) {
  for (const char* text : {"", "x", "nan", "inf", "1e999", "0", "-1", "1;2", "1,", ",1"}) {
    PlanFields fields;
    const Status status = set_field(fields, "position_scales", text);
    EXPECT_EQ(status.code(), TESELA_ERROR_ATTRIBUTE) << text;
    EXPECT_EQ(status.message(), "plan field 'position_scales' is '" + std::string(text) +
                                    "'; expected finite numbers above 0, separated by commas");
  }
  PlanFields fields;
  EXPECT_EQ(set_field(fields, "position_scales", std::string(150, 'x')).message(),  // the beginning of a long text
            "plan field 'position_scales' is '" + std::string(100, 'x') +
                "'; expected finite numbers above 0, separated by commas");
  ASSERT_TRUE(set_field(fields, "position_scales", "0.5,2e1").ok());
  EXPECT_EQ(fields.position_scales, (std::vector<double>{0.5, 20}));
}

TEST(Fields, PositionScalesMatchTheSizes) {
  const auto applied = [](std::vector<double> scales, bool exact = true) {
    PlanFields fields;
    fields.position_scales = std::move(scales);
    ResizeParams params = params_of(DataType::kFloat, 8, 4, {});
    params.axes[0].exact = exact;
    const Status status = apply_fields(fields, params);
    EXPECT_EQ(params.axes[0].rounds_scale, status.ok());
    if (!status.ok()) return std::string(status.message());
    EXPECT_EQ(params.axes[0].scale, fields.position_scales[0]);
    return std::string();
  };
  EXPECT_EQ(applied({0.4375}), "");  // 3.5
  EXPECT_EQ(applied({0.62}), "");    // 4.96
  EXPECT_EQ(applied({0.4}),
            "plan field 'position_scales': entry 0 is 0.4, which scales extent 8 to 3.2; the size is 4");
  EXPECT_EQ(applied({0.625}),
            "plan field 'position_scales': entry 0 is 0.625, which scales extent 8 to 5; the size is 4");
  EXPECT_EQ(applied({0.5, 0.5}), "plan field 'position_scales' has length 2; expected 1 (one for each size)");
  EXPECT_EQ(applied({0.5}, false), "plan field 'position_scales' is given without 'sizes', which set the extents");
}

TEST(Fields, AllButExtentsAndRulesAreArithmetic) {
  for (const std::string_view field : field_names()) {
    const std::vector<std::string_view> values = field_values(field);
    PlanFields fields;
    ASSERT_TRUE(set_field(fields, field, values.empty() ? "1" : values.back()).ok()) << field;
    EXPECT_TRUE(fields.any()) << field;
    EXPECT_EQ(fields.any_arithmetic(), field != "extents" && field != "rules") << field;
  }
}

TEST(Fields, OnnxRuntimeRulesExcludeOtherFields) {
  PlanFields fields;
  ASSERT_TRUE(set_field(fields, "rules", "onnxruntime").ok());
  EXPECT_TRUE(fields.any());
  EXPECT_FALSE(fields.any_arithmetic());
  EXPECT_EQ(fields.extents, ExtentRule::kHost);
  ResizeParams params;
  EXPECT_TRUE(apply_fields(fields, params).ok());
  ASSERT_TRUE(set_field(fields, "coordinates", "float32").ok());
  EXPECT_EQ(apply_fields(fields, params).message(),
            "plan field 'rules' cannot be combined with fields other than 'extents'");
}

TEST(Fields, RejectsIncompatibleFields) {
  PlanFields rounded;
  ASSERT_TRUE(set_field(rounded, "intermediate", "uint8").ok());
  ResizeParams params;
  params.type = DataType::kUint8;
  EXPECT_EQ(apply_fields(rounded, params).code(), TESELA_ERROR_ATTRIBUTE);
  ASSERT_TRUE(set_field(rounded, "weights", "fixed22").ok());
  EXPECT_TRUE(apply_fields(rounded, params).ok());
  params.type = DataType::kFloat;
  EXPECT_EQ(apply_fields(rounded, params).code(), TESELA_ERROR_TYPE);
  PlanFields floats;
  ASSERT_TRUE(set_field(floats, "coordinates", "float32").ok());
  ResizeParams crop;
  crop.sampling.coordinates = CoordinateMode::kTfCropAndResize;
  EXPECT_EQ(apply_fields(floats, crop).code(), TESELA_ERROR_ATTRIBUTE);
  PlanFields scales;
  ASSERT_TRUE(set_field(scales, "position_scales", "0.5").ok());
  ResizeParams symmetric = params_of(DataType::kFloat, 8, 4, {.coordinates = CoordinateMode::kHalfPixelSymmetric});
  const Status status = apply_fields(scales, symmetric);
  EXPECT_EQ(status.code(), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(status.message(),
            "plan field 'position_scales' is given in coordinate_transformation_mode half_pixel_symmetric; expected "
            "another mode");
  EXPECT_TRUE(symmetric.axes[0].exact);
}

}  // namespace
}  // namespace tesela
