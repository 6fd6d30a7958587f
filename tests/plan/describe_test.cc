// SPDX-License-Identifier: Apache-2.0
// Plans as text.
#include "plan/describe.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tesela {
namespace {

Plan resize(Filter filter, int64_t in, int64_t out) {
  ResizeParams params;
  params.type = DataType::kUint8;
  params.in = {3, in};
  params.sampling.filter = filter;
  params.sampling.antialias = true;
  params.axes = {{1, in, out, true, out, in}};
  return *make_resize_plan(params, Limits::none());
}

TEST(Describe, PlainNamesShapesAndPasses) {
  EXPECT_EQ(describe_plain(resize(Filter::kLinear, 8, 2)),
            "resize linear uint8 3x8 -> 3x2, computed in float\n"
            "  axis 1: 8 -> 2, x(i) = (3 + 8 i) / 2, window 8, antialias\n");
  EXPECT_EQ(describe_plain(resize(Filter::kNearest, 2, 4)).substr(0, 52),
            "resize nearest uint8 3x2 -> 3x4, elements are moved\n");
  EXPECT_EQ(describe_plain(*make_fill_plan({DataType::kInt4, {2, 2}, {}}, Limits())), "fill int4 2x2\n");
  EXPECT_EQ(describe_plain(*make_tile_plan({DataType::kBool, {2}, {6}}, Limits())), "tile bool 2 -> 6\n");
}

TEST(Describe, JsonHasTheFacts) {
  const auto json = nlohmann::json::parse(describe_json(resize(Filter::kLinear, 4, 8)));
  EXPECT_EQ(json["work"], "resize");
  EXPECT_EQ(json["input"], (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(json["output"], (std::vector<int64_t>{3, 8}));
  const auto& pass = json["passes"][0];
  EXPECT_EQ(pass["axis"], 1);
  EXPECT_EQ(pass["positions"], "rational");
  EXPECT_EQ(pass["rule"], "x(i) = (-1 + 2 i) / 4");
  EXPECT_EQ(pass["window"], 2);
  EXPECT_EQ(nlohmann::json::parse(describe_json(*make_fill_plan({DataType::kInt4, {}, {}}, Limits())))["work"], "fill");
  EXPECT_EQ(nlohmann::json::parse(describe_json(*make_tile_plan({DataType::kInt4, {1}, {2}}, Limits())))["work"],
            "tile");
}

TEST(Describe, JsonNamesTheArithmetic) {
  const auto described = [](Filter filter, DataType type, WeightGrid grid) {
    ResizeParams params{type, {4}, {}, {{0, 4, 7, true, 7, 4}}};
    params.sampling.filter = filter;
    params.sampling.grid = grid;
    return nlohmann::json::parse(describe_json(*make_resize_plan(params, Limits::none())));
  };
  const struct {
    Filter filter;
    DataType type;
    WeightGrid grid;
    std::string_view compute, rounding;
  } cases[] = {{Filter::kNearest, DataType::kUint8, WeightGrid::kFree, "none", "half even"},
               {Filter::kLinear, DataType::kUint8, WeightGrid::kFree, "float", "half even"},
               {Filter::kLinear, DataType::kInt32, WeightGrid::kFree, "double", "half even"},
               {Filter::kLinear, DataType::kUint8, WeightGrid::kFixed8, "fixed point", "half up"}};
  for (const auto& each : cases) {
    const auto json = described(each.filter, each.type, each.grid);
    EXPECT_EQ(json["compute"], each.compute);
    EXPECT_EQ(json["rounding"], each.rounding);
  }
}

TEST(Describe, JsonNamesTheArithmeticOfPositions) {
  const auto pass = [](CoordinateMode mode, PositionArithmetic arithmetic, bool exact) {
    ResizeParams params{DataType::kFloat, {4}, {}, {{0, 4, 8, exact, 2, 1, 2}}};
    params.sampling.filter = Filter::kLinear;
    params.sampling.coordinates = mode;
    params.sampling.arithmetic = arithmetic;
    return nlohmann::json::parse(describe_json(*make_resize_plan(params, Limits::none())))["passes"][0];
  };
  const auto half = CoordinateMode::kHalfPixel;
  EXPECT_EQ(pass(half, PositionArithmetic::kOnnxRuntime, false)["rule"], "x(i) in floats as in ONNX Runtime, scale 2");
  EXPECT_EQ(pass(half, PositionArithmetic::kFloat32, true)["rule"], "x(i) in floats, ratio 0.5");
  EXPECT_EQ(pass(half, PositionArithmetic::kFloat64, true)["rule"], "x(i) in doubles, ratio 0.5");
  EXPECT_EQ(pass(half, PositionArithmetic::kContract, false)["rule"], "x(i) in doubles, scale 2, length 8");
  EXPECT_EQ(pass(half, PositionArithmetic::kFloat32, true)["positions"], "real");
  EXPECT_EQ(pass(half, PositionArithmetic::kContract, true)["first_centre"], -0.25);
  // Positions from the corner are (i + 1/2) / 2; the centre of the first input is at 1/2.
  const auto corner = pass(CoordinateMode::kTfHalfPixelForNn, PositionArithmetic::kContract, true);
  EXPECT_EQ(corner["first_centre"], -0.25);
  EXPECT_EQ(corner["last_centre"], 3.25);
}

TEST(Describe, OneOutputIsTheFirstAndTheLast) {  // 4 -> 1, at the middle
  const auto pass = nlohmann::json::parse(describe_json(resize(Filter::kLinear, 4, 1)))["passes"][0];
  EXPECT_EQ(pass["first_centre"], 1.5);
  EXPECT_EQ(pass["last_centre"], 1.5);
}

TEST(Describe, JsonHasTheBitsOfFixedPoint) {
  const auto passes = [](WeightGrid grid) {
    ResizeParams params{DataType::kUint8, {4, 5}, {}, {{0, 4, 7, true, 7, 4}, {1, 5, 9, true, 9, 5}}};
    params.sampling.filter = Filter::kLinear;
    params.sampling.grid = grid;
    return nlohmann::json::parse(describe_json(*make_resize_plan(params, Limits::none())))["passes"];
  };
  const auto fixed = passes(WeightGrid::kFixed8);
  ASSERT_EQ(fixed.size(), 2u);
  EXPECT_EQ(fixed[0]["weight_bits"], 8);
  EXPECT_EQ(fixed[0]["fraction_bits"], -1);  // only the last pass rounds
  EXPECT_EQ(fixed[1]["weight_bits"], 8);
  EXPECT_EQ(fixed[1]["fraction_bits"], 0);
  for (const auto& pass : passes(WeightGrid::kFree)) {
    EXPECT_EQ(pass["weight_bits"], -1);
    EXPECT_EQ(pass["fraction_bits"], -1);
  }
}

TEST(Describe, JsonHasEveryStepOfAnEmulation) {
  EmulatedPlan emulated;
  emulated.rules = Rules::kPytorch;
  for (const size_t axis : {size_t{1}, size_t{0}}) {
    EmulatedAxis made{axis, 2, 1, 0.5, 0.5, {}, {}, {}, {}, {}};
    add_output(made, {{0, 0.5}, {1, 0.5}});
    emulated.steps.push_back({{made}});
  }
  const auto json = nlohmann::json::parse(describe_json({DataType::kFloat, {2, 2}, {1, 1}, emulated}));
  EXPECT_EQ(json["work"], "emulation");
  EXPECT_EQ(json["rules"], "pytorch");
  ASSERT_EQ(json["passes"].size(), 2u);
  for (size_t k = 0; k < 2; ++k) {
    const auto& pass = json["passes"][k];
    EXPECT_EQ(pass["step"], k);
    EXPECT_EQ(pass["axis"], 1 - k);
    EXPECT_EQ(pass["in"], 2);
    EXPECT_EQ(pass["out"], 1);
    EXPECT_EQ(pass["first_centre"], 0.5);
    EXPECT_EQ(pass["window"], 2);
  }
}

TEST(Describe, EqualPlansHaveEqualTexts) {
  EXPECT_EQ(describe_json(resize(Filter::kCubic, 9, 5)), describe_json(resize(Filter::kCubic, 9, 5)));
  EXPECT_NE(describe_json(resize(Filter::kCubic, 9, 5)), describe_json(resize(Filter::kCubic, 9, 6)));
}

}  // namespace
}  // namespace tesela
