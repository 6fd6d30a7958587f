// SPDX-License-Identifier: Apache-2.0
// Explanations of plans: rows equal the tables, borders and ties are marked, texts fit their width.
#include "plan/explain.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "plan/axis_table.h"

namespace tesela {
namespace {

struct Call {
  Filter filter = Filter::kLinear;
  CoordinateMode coordinates = CoordinateMode::kHalfPixel;
  NearestMode nearest = NearestMode::kRoundPreferFloor;
  bool antialias = false;
  bool exclude_outside = false;
  PositionArithmetic arithmetic = PositionArithmetic::kContract;
};

Plan plan_of(int64_t in, int64_t out, const Call& call) {
  ResizeParams params{DataType::kFloat, {in}, {}, {}};
  params.sampling.filter = call.filter;
  params.sampling.coordinates = call.coordinates;
  params.sampling.nearest = call.nearest;
  params.sampling.antialias = call.antialias;
  params.sampling.exclude_outside = call.exclude_outside;
  params.sampling.arithmetic = call.arithmetic;
  AxisRequest& axis = params.axes.emplace_back();
  axis.in = in;
  axis.out = out;
  axis.exact = call.arithmetic != PositionArithmetic::kOnnxRuntime;  // as its rules have it
  axis.scale_num = out;
  axis.scale_den = in;
  axis.scale = static_cast<double>(out) / static_cast<double>(in);
  return *make_resize_plan(params, Limits::none());
}

Explanation explained(const Plan& plan, IndexRange outputs = {}) {
  ExplainRequest request;
  if (outputs.n > 0) request.outputs = outputs;
  return *explain(plan, request);
}

const ExplainedOutput& output(const Explanation& explanation, size_t i) {
  return explanation.axes.front().outputs.at(i);
}

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
  const Explanation explanation = explained(plan_of(13, 5, {.arithmetic = PositionArithmetic::kOnnxRuntime}));
  EXPECT_EQ(explanation.fields, std::vector<std::string>{"rules=onnxruntime_positions"});
  EXPECT_EQ(explanation.axes[0].rules[0].second, "floats, each operation rounded, as in ONNX Runtime's CPU kernels");
}

TEST(Explain, Borders) {
  const Explanation folded = explained(plan_of(4, 8, {}));
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
  const Plan wide = plan_of(int64_t{1} << 20, 2, {.antialias = true});
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
  const Explanation explanation = explained(plan_of(4, 8, {}));
  const std::string svg = explanation_svg(explanation, {"<a href=\"x\">&\x1b\xEF\xBF\xBF", 80});
  EXPECT_NE(svg.find("&lt;a href=\"x\"&gt;&amp;\\x1b?"), std::string::npos);
}

}  // namespace
}  // namespace tesela
