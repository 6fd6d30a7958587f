// SPDX-License-Identifier: Apache-2.0
// Explanations as text: whole texts, where lines break, and the table.
#include <gtest/gtest.h>

#include <algorithm>

#include "drawn_axes.h"
#include "explain_calls.h"
#include "types/text.h"

namespace tesela {
namespace {

using Kind = ExplainedAxis::Kind;

// The table, with its head.
std::string table(const ExplainedAxis& axis, int64_t width) {
  const std::string text = text_of(explanation_of(axis), width);
  return text.substr(text.rfind('\n', text.find(" out  ")) + 1);
}

// ---- Whole texts ----------------------------------------------------------------------------------------------------

TEST(ExplainPlain, LinearIn80Columns) {
  EXPECT_EQ(text_of(explained(plan_of(4, 8, {.filter = Filter::kLinear})), 80), R"(resize linear: float 4 -> 8
  passes     axis 0
  values     float, rounded half to even to float at the end

axis 0: 4 -> 8, scale 2, half_pixel
  x = (i + 0.5) * 1/2 - 0.5
  positions  exact fractions
  filter     linear, support 1 on each side
  borders    inputs outside are the border's: their weights are added to its
             weight
  weights    rounded to float
  sums       in ascending order, each product and sum rounded to float
  |        0         |        1         |        2         |        3         |
       !        ^         ^        ^         ^        ^         ^        !
       0        1         2        3         4        5         6        7
  Inputs above, outputs below: ^ an output, ! at a border.
  out  x             input: weight
    0  -1/4 = -0.25  0: 1 (-1 onto 0)
    1  1/4 = 0.25    0: 0.75, 1: 0.25
    2  3/4 = 0.75    0: 0.25, 1: 0.75
    3  5/4 = 1.25    1: 0.75, 2: 0.25
    4  7/4 = 1.75    1: 0.25, 2: 0.75
    5  9/4 = 2.25    2: 0.75, 3: 0.25
    6  11/4 = 2.75   2: 0.25, 3: 0.75
    7  13/4 = 3.25   3: 1 (4 onto 3)
)");
}

TEST(ExplainPlain, LinearIn30Columns) {
  const std::string text = text_of(explained(plan_of(4, 8, {.filter = Filter::kLinear})), 30);
  EXPECT_EQ(text.substr(text.find("  |")), R"(  |  0  |  1  |  2  |  3  |
    !  ^  ^  ^  ^  ^  ^  !
    0  1  2  3  4  5  6  7
  Inputs above, outputs below:
  ^ an output, ! at a border.
  out  x             input:
          weight
    0  -1/4 = -0.25  0: 1 (-1
          onto 0)
    1  1/4 = 0.25    0: 0.75,
          1: 0.25
    2  3/4 = 0.75    0: 0.25,
          1: 0.75
    3  5/4 = 1.25    1: 0.75,
          2: 0.25
    4  7/4 = 1.75    1: 0.25,
          2: 0.75
    5  9/4 = 2.25    2: 0.75,
          3: 0.25
    6  11/4 = 2.75   2: 0.25,
          3: 0.75
    7  13/4 = 3.25   3: 1 (4
          onto 3)
)");
}

// A position wider than half of the line has its own line, if the input doesn't fit behind it.
TEST(ExplainPlain, NearestIn20Columns) {
  const Explanation explanation = explained(plan_of(2, 4, {.filter = Filter::kNearest}));
  EXPECT_EQ(text_of(explanation, 20, "a cat, a dog and a cow"), R"(a cat, a dog and a
  cow
resize nearest:
  float 2 -> 4
  values
      elements are
      copied

axis 0: 2 -> 4,
  scale 2,
  half_pixel
  x = (i + 0.5) *
    1/2 - 0.5
  positions  exact
      fractions
  filter
      nearest,
      round_prefer_f
loor
  borders    an
      input outside
      is clamped to
      the border
  |   0   |   1   |
    ^   ^   ^   ^
    0   1   2   3
  Inputs above,
  outputs below: ^
  an output.
  out  x
      input
    0  -1/4 = -0.25
      0 (nearest)
    1  1/4 = 0.25  0
      (nearest)
    2  3/4 = 0.75  1
      (nearest)
    3  5/4 = 1.25  1
      (nearest)
)");
}

TEST(ExplainPlain, TilesHaveNoPositions) {
  ExplainedAxis axis = axis_with(Kind::kTiled, 2, {placed(0, 0, 0), placed(1, 1, 1), placed(2, 0, 0)});
  axis.axis = 1;
  EXPECT_EQ(text_of(explanation_of(axis), 80), R"(resize: float 2 -> 3

axis 1: 2 -> 3
  x = i
  out  input
    0  0
    1  1
    2  0
)");
  axis.outputs[1].rule = "a rule of more than a line";
  EXPECT_EQ(table(axis, 29), "  out  input\n    0  0\n    1  1 (a rule of more than\n       a line)\n    2  0\n");
}

TEST(ExplainPlain, WhatIsSaidOfAWholePlan) {
  Explanation explanation = explanation_without_axes();
  EXPECT_EQ(text_of(explanation, 80), R"(resize cubic: uint8 4x1x7x0 -> 8x1x7x0
  passes     axis 0
  fields     weights=fixed8, order=last
axes 1, 2: unchanged, output i is input i
axis 3: no outputs
)");
  explanation.rules.clear();
  explanation.fields.clear();
  explanation.unchanged.clear();
  explanation.empty = {0, 3};
  explanation.has_input = false;
  EXPECT_EQ(text_of(explanation, 20), "resize cubic: uint8\n  8x1x7x0\naxes 0, 3: no\n  outputs\n");
}

TEST(ExplainPlain, ScalesAreFractionsWhereTheyAre) {
  ExplainedAxis axis = moved(2, {placed(0, 0)});
  axis.scale = 0.5;
  EXPECT_NE(text_of(explanation_of(axis), 80).find("\naxis 0: 2 -> 1, scale 0.5\n"), std::string::npos);
  axis.exact_scale = "1/2";
  EXPECT_NE(text_of(explanation_of(axis), 80).find("\naxis 0: 2 -> 1, scale 1/2\n"), std::string::npos);
}

// ---- Lines ----------------------------------------------------------------------------------------------------------

TEST(ExplainPlain, LinesBreakAtTheWidth) {
  Explanation fill;
  fill.has_input = false;
  fill.type = DataType::kFloat;
  fill.work = "fill";
  const auto title = [&](const std::string& words, int64_t width) {
    const std::string text = text_of(fill, width, words);
    return text.substr(0, text.find("fill:"));
  };
  EXPECT_EQ(title("aaaa bbbb cccc ddddd", 20), "aaaa bbbb cccc ddddd\n");
  EXPECT_EQ(title("aaaa bbbb cccc dddddd", 20), "aaaa bbbb cccc\n  dddddd\n");
  EXPECT_EQ(title("aaaa  bbbb cccc", 20), "aaaa bbbb cccc\n");
  EXPECT_EQ(title("aaaaaaaaaabbbbbbbbbbcc dd", 20), "aaaaaaaaaabbbbbbbbbb\ncc dd\n");
  EXPECT_EQ(title(" ", 20), "\n");
}

// Lines are counted in bytes, and no character is cut unless it is wider than the line.
TEST(ExplainPlain, CharactersAreNotCut) {
  Explanation fill;
  fill.has_input = false;
  fill.work = "fill";
  for (const std::string_view letters : {"\xC3\xA4\xC3\xA5\xC3\xA6", "\xE2\x82\xAC\xE2\x82\xAD", "\xF0\x9F\x98\x80"})
    for (size_t before = 0; before < 4; ++before) {
      std::string title(before, 'a');
      while (title.size() < 70) title += letters;
      const std::string text = text_of(fill, 20, title);
      std::string joined;
      for (size_t at = 0; joined.size() < title.size();) {
        const size_t end = text.find('\n', at);
        const std::string line = text.substr(at, end - at);
        EXPECT_LE(line.size(), 20u);
        EXPECT_GE(line.size(), std::min<size_t>(17, title.size() - joined.size()));
        for (size_t k = 0; k < line.size(); k += std::max<size_t>(utf8_length(line.substr(k)), 1))
          EXPECT_NE(utf8_length(line.substr(k)), 0u) << line;
        joined += line;
        at = end + 1;
      }
      EXPECT_EQ(joined, title);
    }
  EXPECT_EQ(text_of(fill, 2, "a\xC3\xA4").substr(0, 5), "a\n\xC3\xA4\n");
  EXPECT_EQ(text_of(fill, 1, "\xC3\xA4").substr(0, 4), "\xC3\n\xA4\n");
}

TEST(ExplainPlain, AnEmptyFormulaIsAnEmptyLine) {
  ExplainedAxis axis = moved(2, {placed(0, 0)});
  axis.formula.clear();
  EXPECT_NE(text_of(explanation_of(axis), 80).find("\naxis 0: 2 -> 1\n\n  |"), std::string::npos);
}

// ---- The table ------------------------------------------------------------------------------------------------------

TEST(ExplainPlain, LongRowsLeaveOutTaps) {
  const auto row = [](int64_t taps, int64_t first, int64_t begin, int64_t end) {
    const ExplainedAxis axis =
        axis_with(Kind::kWeighted, 90, {weighed(0, 1, first, std::vector<double>(static_cast<size_t>(taps), 0.5))});
    std::string expected = "  out  x  input: weight\n    0  1  ";
    for (int64_t k = 0; k < taps; ++k)
      if (k < begin || k >= end)
        expected += fmt::format("{}{}: 0.5", k == 0 ? "" : ", ", first + k);
      else if (k == begin)
        expected += fmt::format(", ... {} more", end - begin);
    return std::pair(table(axis, 1000), expected + "\n");
  };
  for (const auto& [text, expected] : {row(1, 7, 1, 1), row(48, 7, 48, 48), row(49, 7, 24, 25), row(70, 3, 24, 46)})
    EXPECT_EQ(text, expected);
}

TEST(ExplainPlain, RowsWithoutInputs) {
  ExplainedAxis axis = moved(5, {placed(0, 4, 4), outside(1, 5)});
  axis.outputs[0].rule = "at an input";
  axis.outputs[1].rule = "extrapolated";
  EXPECT_EQ(table(axis, 80), "  out  x  input\n    0  4  4 (at an input)\n    1  5  (extrapolated)\n");
  axis = axis_with(Kind::kWeighted, 5, {outside(0, 5), outside(1, 6)});
  axis.outputs[0].rule = "extrapolated";
  EXPECT_EQ(table(axis, 80), "  out  x  input: weight\n    0  5  (extrapolated)\n    1  6\n");
}

TEST(ExplainPlain, RowsContinueBelowTheirInputs) {
  ExplainedAxis axis = moved(5, {placed(0, 4, 4)});
  axis.outputs[0].rule = "a rule of more than a line";
  EXPECT_EQ(table(axis, 36), "  out  x  input\n    0  4  4 (a rule of more than a\n          line)\n");
}

TEST(ExplainPlain, AnAxisWithoutOutputsHasAHead) {
  EXPECT_EQ(text_of(explanation_of(moved(5, {})), 80), R"(resize: float 5 -> 0

axis 0: 5 -> 0
  x = i
  out  x  input
)");
}

TEST(ExplainPlain, OutputsLeftOutAreCounted) {
  const ExplainedAxis axis = moved(9, {placed(3, 0), placed(4, 1, 1), placed(int64_t{1} << 40, 2, 2)});
  const std::string text = table(axis, 80);
  EXPECT_EQ(text.find("            out  x  input\n              3  0  0\n              4  1  1\n"), 0u) << text;
  EXPECT_NE(text.find("\n  ... 1099511627771 more outputs\n  1099511627776  2  2\n"), std::string::npos) << text;
  EXPECT_NE(table(axis, 20).find("... 1099511627771\n  more outputs\n"), std::string::npos);
}

TEST(ExplainPlain, PositionsWiderThanHalfOfTheLine) {
  ExplainedAxis axis = moved(9, {placed(0, 0.1234567890123456), placed(1, 1, 1)});
  axis.outputs[0].rule = "nearest";
  const std::string text = table(axis, 35);
  EXPECT_EQ(text, R"(  out  x                  input
    0  0.1234567890123456 0
       (nearest)
    1  1                  1
)");
}

}  // namespace
}  // namespace tesela
