// SPDX-License-Identifier: Apache-2.0
// Explanations of plans: rows equal the tables, borders and ties are marked, texts fit their width.
#include "plan/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "plan/axis_table.h"
#include "plan/explain_calls.h"

namespace tesela {
namespace {

TEST(Explain, RowsEqualTheTable) {
  for (const auto arithmetic :
       {PositionArithmetic::kContract, PositionArithmetic::kFloat32, PositionArithmetic::kOnnxRuntime})
    for (const Filter filter : {Filter::kLinear, Filter::kCubic})
      for (const bool antialias : {false, true})
        for (const int64_t out : {3, 7, 40}) {
          const Plan plan = plan_of(13, out, {.filter = filter, .antialias = antialias, .arithmetic = arithmetic});
          const auto& work = std::get<ResizePlan>(plan.work);
          const AxisTable table = make_axis_table(work.passes[0].map, {0, out}, work.compute);
          const Explanation explanation = explained(plan, {0, out});
          for (size_t i = 0; i < static_cast<size_t>(out); ++i) {
            const ExplainedOutput& row = output(explanation, i);
            EXPECT_EQ(row.first, table.first[i]);
            EXPECT_EQ(row.count, table.count[i]);
            EXPECT_TRUE(std::equal(row.weights.begin(), row.weights.end(), table.row(static_cast<int64_t>(i)),
                                   table.row(static_cast<int64_t>(i)) + table.count[i]));
          }
        }
}

TEST(Explain, OnnxRuntimesRules) {
  const Explanation explanation =
      explained(plan_of(13, 5, {.filter = Filter::kLinear, .arithmetic = PositionArithmetic::kOnnxRuntime}));
  EXPECT_EQ(explanation.fields, std::vector<std::string>{"rules=onnxruntime_positions"});
  EXPECT_EQ(explanation.axes[0].rules[0].second, "floats, each operation rounded, as in ONNX Runtime's CPU kernels");
}

TEST(Explain, Borders) {
  const Explanation folded = explained(plan_of(4, 8, {.filter = Filter::kLinear}));
  EXPECT_EQ(output(folded, 0).border, Border::kFolded);
  EXPECT_EQ(output(folded, 0).below.lo, -1);
  EXPECT_EQ(output(folded, 1).border, Border::kNone);
  EXPECT_EQ(output(folded, 7).above.hi, 4);
  const Explanation dropped = explained(plan_of(4, 8, {.filter = Filter::kCubic, .exclude_outside = true}));
  EXPECT_EQ(output(dropped, 0).border, Border::kDropped);
  EXPECT_EQ(output(dropped, 0).rule, "-2 to -1 dropped");
  const Explanation clamped = explained(plan_of(2, 9, {.filter = Filter::kNearest, .nearest = NearestMode::kFloor}));
  EXPECT_EQ(output(clamped, 0).border, Border::kClamped);
  EXPECT_EQ(output(clamped, 0).first, 0);
}

// The second tap of a position at an input has no weight, so nothing is folded.
TEST(Explain, NothingIsFoldedWithoutAWeight) {
  for (const Filter filter : {Filter::kLinear, Filter::kCubic}) {
    const Explanation corners =
        explained(plan_of(5, 9, {.filter = filter, .coordinates = CoordinateMode::kAlignCorners}));
    EXPECT_EQ(output(corners, 0).border, Border::kNone);
    EXPECT_EQ(output(corners, 8).border, Border::kNone);
  }
}

TEST(Explain, Ties) {
  const Explanation halves = explained(plan_of(8, 4, {.filter = Filter::kNearest}));
  for (const ExplainedOutput& row : halves.axes[0].outputs) EXPECT_TRUE(row.is_tie);
  EXPECT_EQ(output(halves, 1).exact, "5/2");
  EXPECT_EQ(output(halves, 1).rule, "tie, rounded down");
  const Explanation up =
      explained(plan_of(8, 4, {.filter = Filter::kNearest, .nearest = NearestMode::kRoundPreferCeil}));
  EXPECT_EQ(output(up, 1).first, 3);
  const Explanation thirds = explained(plan_of(3, 9, {.filter = Filter::kNearest}));
  EXPECT_FALSE(output(thirds, 3).is_tie);
}

// ---- Nearest -------------------------------------------------------------------------------------------------------

// "first: rule" of each output.
std::vector<std::string> copies(const AxisRequest& axis, NearestMode nearest,
                                CoordinateMode coordinates = CoordinateMode::kHalfPixel) {
  std::vector<std::string> texts;
  const Explanation explanation = explained(plan_of(axis, {.coordinates = coordinates, .nearest = nearest}));
  for (const ExplainedOutput& row : explanation.axes[0].outputs) {
    EXPECT_EQ(row.count, 1);
    EXPECT_EQ(row.border == Border::kClamped, row.rule.find("clamped") != std::string::npos);
    texts.push_back(fmt::format("{}: {}", row.first, row.rule));
  }
  return texts;
}
using Texts = std::vector<std::string>;

TEST(Explain, NearestModesOfAShrinkingAxis) {  // at 3/8, 17/8, 31/8 and 45/8
  for (const AxisRequest& axis : {by_sizes(7, 4), by_scale(7, 4, 4.0 / 7)}) {
    EXPECT_EQ(copies(axis, NearestMode::kRoundPreferFloor),
              (Texts{"0: nearest", "2: nearest", "4: nearest", "6: nearest"}));
    EXPECT_EQ(copies(axis, NearestMode::kRoundPreferCeil),
              (Texts{"0: nearest", "2: nearest", "4: nearest", "6: nearest"}));
    EXPECT_EQ(copies(axis, NearestMode::kFloor),
              (Texts{"0: rounded down", "2: rounded down", "3: rounded down", "5: rounded down"}));
    for (const NearestMode nearest : {NearestMode::kCeil, NearestMode::kSimple})
      EXPECT_EQ(copies(axis, nearest), (Texts{"1: rounded up", "3: rounded up", "4: rounded up", "6: rounded up"}));
  }
}

TEST(Explain, NearestModesOfAGrowingAxis) {  // at -1/6, 1/2 and 7/6
  for (const AxisRequest& axis : {by_sizes(2, 3), by_scale(2, 3, 1.5)}) {
    EXPECT_EQ(copies(axis, NearestMode::kRoundPreferFloor),
              (Texts{"0: nearest", "0: tie, rounded down", "1: nearest"}));
    EXPECT_EQ(copies(axis, NearestMode::kRoundPreferCeil), (Texts{"0: nearest", "1: tie, rounded up", "1: nearest"}));
    for (const NearestMode nearest : {NearestMode::kFloor, NearestMode::kSimple})
      EXPECT_EQ(copies(axis, nearest),
                (Texts{"0: rounded down, -1 clamped to 0", "0: rounded down", "1: rounded down"}));
    EXPECT_EQ(copies(axis, NearestMode::kCeil),
              (Texts{"0: rounded up", "1: rounded up", "1: rounded up, 2 clamped to 1"}));
  }
}

TEST(Explain, PositionsAtAnInputAreNotRounded) {
  for (const AxisRequest& axis : {by_sizes(2, 4), by_scale(2, 2)})
    for (const auto& [nearest, between] : {std::pair{NearestMode::kCeil, "1: rounded up"},
                                           std::pair{NearestMode::kRoundPreferCeil, "1: tie, rounded up"}})
      EXPECT_EQ(copies(axis, nearest, CoordinateMode::kAsymmetric),
                (Texts{"0: at an input", between, "1: at an input", fmt::format("{}, 2 clamped to 1", between)}));
}

// In doubles it is at an input, as a fraction 1 / (2^40 - 3) behind it.
TEST(Explain, PositionsNextToAnInputAreRounded) {
  constexpr int64_t kOut = (int64_t{1} << 40) - 3;
  const auto row = [](NearestMode nearest) {
    const Plan plan =
        plan_of(int64_t{1} << 40, kOut,
                {.filter = Filter::kNearest, .coordinates = CoordinateMode::kAsymmetric, .nearest = nearest});
    return output(explained(plan, {733007751849, 1}), 0);
  };
  const ExplainedOutput floor = row(NearestMode::kFloor);
  EXPECT_EQ(floor.x, 733007751851.0);
  EXPECT_EQ(floor.exact, digits(Int128{733007751851} * kOut + 1) + "/1099511627773");
  EXPECT_EQ(floor.rule, "rounded down");
  EXPECT_EQ(floor.first, 733007751851);
  EXPECT_EQ(row(NearestMode::kCeil).rule, "rounded up");
  EXPECT_EQ(row(NearestMode::kCeil).first, 733007751852);
}

// (4 + 1/2) / (6 / 20) - 1/2 is 14.5 - 2^-20 in float, and ONNX Runtime takes it for a half.
TEST(Explain, TiesWithinATolerance) {
  const AxisRequest axis = by_scale(20, 6, static_cast<double>(0.3F));
  const auto row = [&](PositionArithmetic arithmetic, NearestMode nearest) {
    return output(explained(plan_of(axis, {.nearest = nearest, .arithmetic = arithmetic})), 4);
  };
  const ExplainedOutput down = row(PositionArithmetic::kOnnxRuntime, NearestMode::kRoundPreferFloor);
  EXPECT_EQ(down.x, 14.5 - 0x1p-20);
  EXPECT_TRUE(down.is_tie);
  EXPECT_EQ(down.exact, "");
  EXPECT_EQ(down.rule, "tie, rounded down");
  EXPECT_EQ(row(PositionArithmetic::kOnnxRuntime, NearestMode::kRoundPreferCeil).rule, "tie, rounded up");
  const ExplainedOutput near = row(PositionArithmetic::kContract, NearestMode::kRoundPreferCeil);
  EXPECT_FALSE(near.is_tie);
  EXPECT_EQ(near.rule, "nearest");
  EXPECT_EQ(near.first, 14);
}

// From -1/8 to 1 of 5 inputs: at -1/2, 1, 5/2 and 4.
TEST(Explain, PositionsOutsideACropAreNoTies) {
  for (const Filter filter : {Filter::kNearest, Filter::kLinear}) {
    const Plan plan = plan_of(with_roi(by_sizes(5, 4), -0.125, 1),
                              {.filter = filter, .coordinates = CoordinateMode::kTfCropAndResize});
    const Explanation explanation = explained(plan);
    EXPECT_EQ(output(explanation, 0).x, -0.5);
    EXPECT_EQ(output(explanation, 0).border, Border::kExtrapolated);
    EXPECT_EQ(output(explanation, 0).rule, "outside, extrapolated");
    EXPECT_EQ(output(explanation, 0).count, 0);
    EXPECT_FALSE(output(explanation, 0).is_tie);
    EXPECT_EQ(output(explanation, 1).border, Border::kNone);
    EXPECT_EQ(output(explanation, 1).first, 1);
    EXPECT_TRUE(output(explanation, 2).is_tie);
    EXPECT_EQ(output(explanation, 2).rule, filter == Filter::kNearest ? "tie, rounded down" : "tie");
    EXPECT_EQ(output(explanation, 3).first, 4);
  }
}

TEST(Explain, LimitsOutputsAndTaps) {
  const Plan plan = plan_of(int64_t{1} << 39, int64_t{1} << 40, {});
  EXPECT_EQ(explained(plan).axes[0].outputs.size(), 16u);
  ExplainRequest request;
  request.outputs = IndexRange{0, int64_t{1} << 40};
  EXPECT_EQ(explain(plan, request).status().code(), TESELA_ERROR_LIMIT);
  request.outputs = IndexRange{int64_t{1} << 40, 1};
  EXPECT_EQ(explain(plan, request).status().code(), TESELA_ERROR_VALUE);
  request.outputs = IndexRange{1, INT64_MAX};
  EXPECT_EQ(explain(plan, request).status().code(), TESELA_ERROR_VALUE);
  const Plan wide = plan_of(int64_t{1} << 20, 2, {.filter = Filter::kLinear, .antialias = true});
  EXPECT_EQ(explain(wide, {}).status().code(), TESELA_ERROR_LIMIT);
}

TEST(Explain, TextFitsEveryWidth) {
  const Explanation explanation = explained(plan_of(12, 5, {.filter = Filter::kCubic, .antialias = true}));
  for (int64_t width = 20; width <= 300; ++width) {
    std::istringstream lines(explanation_plain(explanation, {"a title with \xC3\xA4\xC3\xB6\xC3\xBC", width}));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), static_cast<size_t>(width)) << line;
  }
}

TEST(Explain, TitlesAreEscaped) {
  const Explanation explanation = explained(plan_of(4, 8, {.filter = Filter::kLinear}));
  const std::string svg = explanation_svg(explanation, {"<a href=\"x\">&\x1b\xEF\xBF\xBF", 80});
  EXPECT_NE(svg.find("&lt;a href=\"x\"&gt;&amp;\\x1b?"), std::string::npos);
}

}  // namespace
}  // namespace tesela
