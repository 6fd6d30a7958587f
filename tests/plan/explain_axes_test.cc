// SPDX-License-Identifier: Apache-2.0
// Which axes and outputs an explanation has, what it says of borders, its limits and its errors.
#include <gtest/gtest.h>

#include "plan/explain_calls.h"

namespace tesela {
namespace {

using Texts = std::vector<std::string>;
using Axes = std::vector<size_t>;

ExplainRequest of_axes(std::vector<int64_t> axes) {
  ExplainRequest request;
  request.axes = std::move(axes);
  return request;
}
ExplainRequest of_outputs(int64_t lo, int64_t n) {
  ExplainRequest request;
  request.outputs = IndexRange{lo, n};
  return request;
}
ExplainRequest at_most(int64_t outputs, ExplainRequest request = {}) {
  request.most_outputs = outputs;
  return request;
}
ExplainRequest at_most_taps(int64_t taps, ExplainRequest request = {}) {
  request.most_taps = taps;
  return request;
}

// ---- Inputs outside ------------------------------------------------------------------------------------------------

Texts rules_of(const AxisRequest& axis, const SamplingParams& sampling) {
  Texts texts;
  const Explanation explanation = explained(plan_of(axis, sampling));
  for (const ExplainedOutput& row : explanation.axes[0].outputs) texts.push_back(row.rule);
  return texts;
}

// The windows outside of an output: "-2..-1 and 4..4".
std::string outside(const AxisRequest& axis, const SamplingParams& sampling, size_t i) {
  const Explanation explanation = explained(plan_of(axis, sampling));
  const ExplainedOutput& row = output(explanation, i);
  return fmt::format("{}..{} and {}..{}", row.below.lo, row.below.hi, row.above.lo, row.above.hi);
}

// At -1/4, 1/4, 3/4 and so on.
TEST(ExplainBorders, InputsOutsideWithWeights) {
  for (const AxisRequest& axis : {by_sizes(4, 8), by_scale(4, 2)}) {
    EXPECT_EQ(rules_of(axis, {.filter = Filter::kLinear}), (Texts{"-1 onto 0", "", "", "", "", "", "", "4 onto 3"}));
    EXPECT_EQ(rules_of(axis, {.filter = Filter::kCubic}),
              (Texts{"-2 to -1 onto 0", "-1 onto 0", "-1 onto 0", "", "", "4 onto 3", "4 onto 3", "4 to 5 onto 3"}));
    EXPECT_EQ(
        rules_of(axis, {.filter = Filter::kCubic, .exclude_outside = true}),
        (Texts{"-2 to -1 dropped", "-1 dropped", "-1 dropped", "", "", "4 dropped", "4 dropped", "4 to 5 dropped"}));
    // Without a coefficient the kernel ends one input earlier.
    EXPECT_EQ(rules_of(axis, {.filter = Filter::kCubic, .cubic_a = 0}),
              (Texts{"-1 onto 0", "", "", "", "", "", "", "4 onto 3"}));
  }
  EXPECT_EQ(outside(by_sizes(4, 8), {.filter = Filter::kCubic}, 0), "-2..-1 and 4..1");
  EXPECT_EQ(outside(by_sizes(4, 8), {.filter = Filter::kCubic}, 7), "2..-1 and 4..5");
}

TEST(ExplainBorders, BothSidesOfAShortAxis) {  // at -1/4, 1/4, 3/4 and 5/4
  for (const AxisRequest& axis : {by_sizes(2, 4), by_scale(2, 2)}) {
    EXPECT_EQ(rules_of(axis, {.filter = Filter::kCubic}),
              (Texts{"-2 to -1 onto 0", "-1 onto 0, 2 onto 1", "-1 onto 0, 2 onto 1", "2 to 3 onto 1"}));
    EXPECT_EQ(rules_of(axis, {.filter = Filter::kCubic, .exclude_outside = true})[1], "-1 dropped, 2 dropped");
    EXPECT_EQ(outside(axis, {.filter = Filter::kCubic}, 1), "-1..-1 and 2..2");
  }
}

TEST(ExplainBorders, TiesAreNamedBeforeInputsOutside) {  // at 0, 1/2, 1 and 3/2
  for (const AxisRequest& axis : {by_sizes(2, 4), by_scale(2, 2)})
    EXPECT_EQ(rules_of(axis, {.filter = Filter::kLinear, .coordinates = CoordinateMode::kAsymmetric}),
              (Texts{"", "tie", "", "tie, 2 onto 1"}));
}

// A filter of twice the width: inputs at a distance of 2 have no weight, with a cubic kernel those up to 4 have.
TEST(ExplainBorders, StretchedFilters) {
  for (const AxisRequest& axis : {by_sizes(8, 4), by_scale(8, 0.5)}) {
    const auto rules = [&](Filter filter, CoordinateMode mode, double a = -0.75) {
      return rules_of(axis, {.filter = filter, .coordinates = mode, .cubic_a = a, .antialias = true});
    };
    // At 0, 2, 4 and 6.
    EXPECT_EQ(rules(Filter::kLinear, CoordinateMode::kAsymmetric), (Texts{"-1 onto 0", "", "", ""}));
    EXPECT_EQ(rules(Filter::kCubic, CoordinateMode::kAsymmetric),
              (Texts{"-3 to -1 onto 0", "-1 onto 0", "", "9 onto 7"}));
    EXPECT_EQ(rules(Filter::kCubic, CoordinateMode::kAsymmetric, 0), (Texts{"-1 onto 0", "", "", ""}));
    // At 1, 3, 5 and 7.
    EXPECT_EQ(rules(Filter::kLinear, CoordinateMode::kTfHalfPixelForNn), (Texts{"", "", "", "8 onto 7"}));
    EXPECT_EQ(rules(Filter::kCubic, CoordinateMode::kTfHalfPixelForNn),
              (Texts{"-2 onto 0", "", "8 onto 7", "8 to 10 onto 7"}));
  }
}

TEST(ExplainBorders, FiltersThatAreNotStretched) {  // at 1, 3, 5 and 7, where inputs at whole distances have no weight
  for (const AxisRequest& axis : {by_sizes(8, 4), by_scale(8, 0.5)})
    for (const Filter filter : {Filter::kLinear, Filter::kCubic})
      EXPECT_EQ(rules_of(axis, {.filter = filter, .coordinates = CoordinateMode::kTfHalfPixelForNn}), Texts(4));
}

// ---- Axes ----------------------------------------------------------------------------------------------------------

TEST(ExplainAxes, KindsOfAResize) {
  ResizeParams params{DataType::kFloat, {}, {.filter = Filter::kLinear}, {}};
  const Explanation linear = explained(plan_of_sizes({3, 4, 5, 8}, {3, 8, 0, 4}, params));
  EXPECT_EQ(linear.type, DataType::kFloat);
  EXPECT_EQ(linear.in, Extents({3, 4, 5, 8}));
  EXPECT_EQ(linear.out, Extents({3, 8, 0, 4}));
  EXPECT_TRUE(linear.has_input);
  EXPECT_EQ(linear.unchanged, Axes{0});
  EXPECT_EQ(linear.empty, Axes{2});
  ASSERT_EQ(linear.axes.size(), 2U);
  const ExplainedAxis& grows = linear.axes[0];
  EXPECT_EQ(grows.kind, ExplainedAxis::Kind::kWeighted);
  EXPECT_EQ(std::vector<int64_t>({static_cast<int64_t>(grows.axis), grows.in, grows.out, grows.pass, grows.window}),
            std::vector<int64_t>({1, 4, 8, 2, 2}));
  EXPECT_EQ(linear.axes[1].axis, 3U);
  EXPECT_EQ(linear.axes[1].pass, 1);
  params.sampling.filter = Filter::kNearest;
  const Explanation nearest = explained(plan_of_sizes({4, 4}, {8, 4}, params));
  EXPECT_EQ(nearest.axes.at(0).kind, ExplainedAxis::Kind::kMoved);
  EXPECT_EQ(nearest.axes[0].window, 1);
  EXPECT_EQ(nearest.axes[0].outputs[0].weights, std::vector<double>());
}

TEST(ExplainAxes, TilesRepeatTheirInputs) {
  const Explanation tile = explained(*make_tile_plan({DataType::kFloat, {2, 3, 4}, {2, 7 * 3, 0}}, Limits::none()));
  EXPECT_EQ(tile.unchanged, Axes{0});
  EXPECT_EQ(tile.empty, Axes{2});
  ASSERT_EQ(tile.axes.size(), 1U);
  const ExplainedAxis& axis = tile.axes[0];
  EXPECT_EQ(axis.kind, ExplainedAxis::Kind::kTiled);
  EXPECT_EQ(axis.axis, 1U);
  EXPECT_EQ(axis.pass, 0);
  EXPECT_EQ(axis.formula, "output i is input i mod 3");
  EXPECT_FALSE(axis.scale.has_value());
  ASSERT_EQ(axis.outputs.size(), 21U);
  const ExplainedOutput& row = axis.outputs[20];
  EXPECT_EQ(row.output, 20);
  EXPECT_EQ(row.first, 2);
  EXPECT_EQ(row.count, 1);
  EXPECT_EQ(row.x, 2);
  EXPECT_EQ(row.exact, "2");
  EXPECT_EQ(row.rule, "");
  EXPECT_EQ(row.border, Border::kNone);
}

TEST(ExplainAxes, OutputsOfATileBeginAnywhere) {
  const Plan plan = *make_tile_plan({DataType::kFloat, {3}, {9}}, Limits::none());
  const Explanation tile = explained(plan, {4, 3});
  ASSERT_EQ(tile.axes[0].outputs.size(), 3U);
  EXPECT_EQ(output(tile, 0).output, 4);
  EXPECT_EQ(output(tile, 0).first, 1);
  EXPECT_EQ(output(tile, 2).first, 0);
}

TEST(ExplainAxes, FillsHaveNone) {
  const Plan plan = *make_fill_plan({DataType::kUint8, {2, 3}}, Limits::none());
  const Explanation fill = *explain(plan, of_axes({1}));
  EXPECT_FALSE(fill.has_input);
  EXPECT_EQ(fill.out, Extents({2, 3}));
  EXPECT_TRUE(fill.axes.empty() && fill.unchanged.empty() && fill.empty.empty());
}

TEST(ExplainAxes, OnlyThoseThatAreListed) {
  const Plan plan = plan_of_sizes({3, 4, 5}, {3, 8, 10}, {DataType::kFloat, {}, {.filter = Filter::kLinear}, {}});
  const Explanation last = *explain(plan, of_axes({2}));
  EXPECT_EQ(last.unchanged, Axes());
  ASSERT_EQ(last.axes.size(), 1U);
  EXPECT_EQ(last.axes[0].axis, 2U);
  const Explanation two = *explain(plan, of_axes({2, 0}));
  EXPECT_EQ(two.unchanged, Axes{0});
  EXPECT_EQ(two.axes.size(), 1U);
}

TEST(ExplainAxes, ThoseThatAreNotThereAreErrors) {
  const auto error = [](const Plan& plan, std::vector<int64_t> axes) {
    const Status status = explain(plan, of_axes(std::move(axes))).status();
    EXPECT_EQ(status.code(), TESELA_ERROR_VALUE);
    return status.message();
  };
  const Plan plan = plan_of_sizes({3, 4}, {3, 8}, {DataType::kFloat, {}, {}, {}});
  EXPECT_EQ(error(plan, {2}), "axis 2; expected 0 to 1");
  EXPECT_EQ(error(plan, {0, -1}), "axis -1; expected 0 to 1");
  EXPECT_EQ(error(plan, {1, 0, 1}), "axis 1 is given twice");
  EXPECT_EQ(error(plan, {0, 0}), "axis 0 is given twice");
  const Plan scalar = *make_tile_plan({DataType::kFloat, {}, {}}, Limits::none());
  EXPECT_EQ(error(scalar, {0}), "axis 0; expected none, since the output has no axes");
}

TEST(ExplainAxes, EmulationsAreNotExplained) {
  EmulatedPlan work;
  work.rules = Rules::kPytorch;
  const Status status = explain({DataType::kFloat, {2}, {4}, work}, {}).status();
  EXPECT_EQ(status.code(), TESELA_ERROR_UNSUPPORTED);
  EXPECT_EQ(status.message(), "the plan follows the rules of pytorch; expected a plan without the plan field 'rules'");
}

// ---- Ranges of outputs ---------------------------------------------------------------------------------------------

// "0+8 17+8" for each axis.
Texts ranges(const Plan& plan, const ExplainRequest& request) {
  Texts texts;
  const Explanation explanation = *explain(plan, request);
  for (const ExplainedAxis& axis : explanation.axes) {
    std::string& text = texts.emplace_back();
    std::vector<int64_t> expected, listed;
    for (const IndexRange& range : axis.ranges) {
      text += fmt::format("{}{}+{}", text.empty() ? "" : " ", range.lo, range.n);
      for (int64_t i = range.lo; i < range.lo + range.n; ++i) expected.push_back(i);
    }
    for (const ExplainedOutput& row : axis.outputs) listed.push_back(row.output);
    EXPECT_EQ(listed, expected);
  }
  return texts;
}

Plan nearest_plan(const Extents& in, const Extents& out) {
  return plan_of_sizes(in, out, {DataType::kFloat, {}, {}, {}});
}
Plan linear_plan(const Extents& in, const Extents& out) {  // of two taps
  return plan_of_sizes(in, out, {DataType::kFloat, {}, {.filter = Filter::kLinear}, {}});
}

TEST(ExplainRanges, LongAxesShowTheirEnds) {
  EXPECT_EQ(ranges(nearest_plan({3}, {24}), {}), Texts{"0+24"});
  EXPECT_EQ(ranges(nearest_plan({3}, {25}), {}), Texts{"0+8 17+8"});
  EXPECT_EQ(ranges(nearest_plan({3}, {25}), of_outputs(9, 16)), Texts{"9+16"});
}

TEST(ExplainRanges, AxesShareTheOutputs) {
  EXPECT_EQ(ranges(nearest_plan({3}, {24}), at_most(24)), Texts{"0+24"});
  EXPECT_EQ(ranges(nearest_plan({3}, {24}), at_most(23)), Texts{"0+8 16+8"});
  EXPECT_EQ(ranges(nearest_plan({3}, {11}), at_most(10)), Texts{"0+5 6+5"});
  EXPECT_EQ(ranges(nearest_plan({4}, {3}), at_most(2)), Texts{"0+1 2+1"});
  EXPECT_EQ(ranges(nearest_plan({4}, {1}), at_most(1)), Texts{"0+1"});
  const Plan two = nearest_plan({3, 3}, {10, 10});
  EXPECT_EQ(ranges(two, at_most(20)), (Texts{"0+10", "0+10"}));
  EXPECT_EQ(ranges(two, at_most(19)), (Texts{"0+4 6+4", "0+10"}));  // the first has 9, the second 11
  EXPECT_EQ(ranges(two, at_most(10, of_axes({0}))), Texts{"0+10"});
}

TEST(ExplainRanges, AxesShareTheTaps) {
  EXPECT_EQ(ranges(linear_plan({3}, {10}), at_most_taps(20)), Texts{"0+10"});
  EXPECT_EQ(ranges(linear_plan({3}, {10}), at_most_taps(19)), Texts{"0+4 6+4"});
  EXPECT_EQ(ranges(nearest_plan({3}, {10}), at_most_taps(10)), Texts{"0+10"});
  const Plan two = linear_plan({3, 3}, {10, 10});
  EXPECT_EQ(ranges(two, at_most_taps(40)), (Texts{"0+10", "0+10"}));
  EXPECT_EQ(ranges(two, at_most_taps(39)), (Texts{"0+4 6+4", "0+10"}));
}

TEST(ExplainRanges, TooManyOutputsOrTapsAreErrors) {
  const auto error = [](const Plan& plan, const ExplainRequest& request) {
    const Status status = explain(plan, request).status();
    EXPECT_EQ(status.code(), TESELA_ERROR_LIMIT);
    return status.message();
  };
  const Plan two = nearest_plan({3, 3}, {10, 10});
  EXPECT_EQ(ranges(two, at_most(10, of_outputs(1, 5))), (Texts{"1+5", "1+5"}));
  EXPECT_EQ(error(two, at_most(9, of_outputs(1, 5))),
            "axis 1: 5 outputs of up to 1 taps are asked for; an explanation has at most 9 outputs and 262144 taps");
  EXPECT_EQ(error(two, at_most(1)),
            "axis 0: 2 outputs of up to 1 taps are asked for; an explanation has at most 1 outputs and 262144 taps");
  const Plan linear = linear_plan({3}, {10});
  EXPECT_EQ(ranges(linear, at_most_taps(10, of_outputs(0, 5))), Texts{"0+5"});
  EXPECT_EQ(error(linear, at_most_taps(11, of_outputs(0, 6))),
            "axis 0: 6 outputs of up to 2 taps are asked for; an explanation has at most 65536 outputs and 11 taps");
}

TEST(ExplainRanges, ThoseOutsideTheAxisAreErrors) {
  const auto error = [](IndexRange outputs) {
    const Status status = explain(nearest_plan({3}, {8}), of_outputs(outputs.lo, outputs.n)).status();
    EXPECT_EQ(status.code(), TESELA_ERROR_VALUE);
    return status.message();
  };
  EXPECT_EQ(error({-1, 2}), "axis 0: the range begins at output -1 and has 2 outputs; expected a part of 0 to 7");
  EXPECT_EQ(error({0, 0}), "axis 0: the range begins at output 0 and has 0 outputs; expected a part of 0 to 7");
  EXPECT_EQ(error({8, 1}), "axis 0: the range begins at output 8 and has 1 outputs; expected a part of 0 to 7");
  EXPECT_EQ(error({3, 6}), "axis 0: the range begins at output 3 and has 6 outputs; expected a part of 0 to 7");
  EXPECT_EQ(ranges(nearest_plan({3}, {8}), of_outputs(7, 1)), Texts{"7+1"});
  EXPECT_EQ(ranges(nearest_plan({3}, {8}), of_outputs(0, 8)), Texts{"0+8"});
}

// ---- Texts ---------------------------------------------------------------------------------------------------------

TEST(ExplainTexts, RangesPositionsAndBorders) {
  EXPECT_EQ(range_text(3, 3), "3");
  EXPECT_EQ(range_text(-2, 7), "-2 to 7");
  const auto position = [](double x, const std::string& exact) {
    ExplainedOutput row;
    row.x = x;
    row.exact = exact;
    return position_text(row);
  };
  EXPECT_EQ(position(-0.25, "-1/4"), "-1/4 = -0.25");
  EXPECT_EQ(position(2, "2"), "2");
  EXPECT_EQ(position(2.5, ""), "2.5");
  EXPECT_EQ(position(static_cast<double>(0.3F), ""), "0.30000001192092896");
  EXPECT_EQ(name_of(Border::kNone), "none");
  EXPECT_EQ(name_of(Border::kClamped), "clamped");
  EXPECT_EQ(name_of(Border::kFolded), "folded");
  EXPECT_EQ(name_of(Border::kDropped), "dropped");
  EXPECT_EQ(name_of(Border::kExtrapolated), "extrapolated");
}

}  // namespace
}  // namespace tesela
