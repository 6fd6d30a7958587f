// SPDX-License-Identifier: Apache-2.0
// Explanations as drawings: whole ones, and the lines of their text.
#include <gtest/gtest.h>

#include <algorithm>

#include "drawn_axes.h"
#include "explain_calls.h"

namespace tesela {
namespace {

using Kind = ExplainedAxis::Kind;

// What is drawn, without the head and the page.
std::string elements(const std::string& svg) {
  const std::string page = "<rect class=\"page\"";
  return svg.substr(svg.find('\n', svg.find(page)) + 1);
}

// ---- Whole drawings -------------------------------------------------------------------------------------------------

TEST(ExplainSvg, NearestTwiceAsLarge) {
  const std::string svg = svg_of(explained(plan_of(2, 4, {.filter = Filter::kNearest})));
  const std::string head = R"(<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 345" role="img" )"
                           R"(aria-labelledby="title desc">
<title id="title">resize nearest: float 2 → 4</title>
)";
  EXPECT_EQ(svg.substr(0, head.size()), head);
  EXPECT_NE(svg.find("</style>\n<rect class=\"page\" width=\"960\" height=\"345\"/>\n"), std::string::npos);
  EXPECT_EQ(elements(svg), R"(<text class="head" x="24" y="26">resize nearest: float 2 → 4</text>
<text class="rule" x="24" y="44">values: elements are copied</text>
<circle class="output" cx="30" cy="61.5" r="4.5"/><text class="rule" x="41" y="66">output</text>
<circle class="tie" cx="102" cy="61.5" r="4.5"/><text class="rule" x="113" y="66">between two inputs (tie)</text>
<rect class="border" x="295.5" y="57" width="9" height="9"/><text class="rule" x="311" y="66">at a border</text>
<path class="outside" d="M403 57.5L411 65.5M403 65.5L411 57.5"/><text class="rule" x="418" y="66">extrapolated</text>
<text class="rule" x="521" y="66">thicker lines weigh more; dashed ones are negative</text>
<text class="head" x="24" y="102">Axis 0: 2 → 4, scale 2, half_pixel</text>
<text class="" x="24" y="120">x = (i + 0.5) * 1/2 - 0.5</text>
<text class="rule" x="24" y="138">positions: exact fractions</text>
<text class="rule" x="24" y="156">filter: nearest, round_prefer_floor</text>
<text class="rule" x="24" y="174">borders: an input outside is clamped to the border</text>
<rect class="cell" x="60" y="202" width="160" height="26"/>
<text class="number" x="140" y="220">0</text>
<rect class="cell" x="220" y="202" width="160" height="26"/>
<text class="number" x="300" y="220">1</text>
<g><title>output 0: x = -1/4 = -0.25; input 0; nearest</title>
<line class="tap" x1="100" y1="306" x2="140" y2="228" stroke-width="3" stroke-opacity="1"/>
<circle class="output" cx="100" cy="306" r="4.5"/><text class="number" x="100" y="326">0</text></g>
<g><title>output 1: x = 1/4 = 0.25; input 0; nearest</title>
<line class="tap" x1="180" y1="306" x2="140" y2="228" stroke-width="3" stroke-opacity="1"/>
<circle class="output" cx="180" cy="306" r="4.5"/><text class="number" x="180" y="326">1</text></g>
<g><title>output 2: x = 3/4 = 0.75; input 1; nearest</title>
<line class="tap" x1="260" y1="306" x2="300" y2="228" stroke-width="3" stroke-opacity="1"/>
<circle class="output" cx="260" cy="306" r="4.5"/><text class="number" x="260" y="326">2</text></g>
<g><title>output 3: x = 5/4 = 1.25; input 1; nearest</title>
<line class="tap" x1="340" y1="306" x2="300" y2="228" stroke-width="3" stroke-opacity="1"/>
<circle class="output" cx="340" cy="306" r="4.5"/><text class="number" x="340" y="326">3</text></g>
</svg>
)");
}

// Weights are thickness and opacity, in proportion to the output's largest; an input that weighs nothing has no line.
TEST(ExplainSvg, LinesShowWeights) {
  ExplainedOutput row = weighed(3, 2.25, 1, {0.5, -0.25, 0, 0.125});
  row.rule = "tie";
  row.is_tie = true;
  const std::string svg = svg_of(axis_with(Kind::kWeighted, 6, {row}));
  EXPECT_EQ(svg.substr(svg.find("<g>")),
            R"(<g><title>output 3: x = 2.25; input 1: 0.5, 2: -0.25, 3: 0, 4: 0.125; tie</title>
<line class="tap" x1="340" y1="234" x2="140" y2="156" stroke-width="3" stroke-opacity="1"/>
<line class="tap negative" x1="340" y1="234" x2="300" y2="156" stroke-width="1.8" stroke-opacity="0.625"/>
<line class="tap" x1="340" y1="234" x2="620" y2="156" stroke-width="1.2" stroke-opacity="0.438"/>
<circle class="tie" cx="340" cy="234" r="4.5"/><text class="number" x="340" y="254">3</text></g>
</svg>
)");
}

TEST(ExplainSvg, WhatIsSaidOfAWholePlan) {
  Explanation explanation = explanation_without_axes();
  const std::string svg = svg_of(explanation);
  EXPECT_EQ(height_of(svg), 122);
  EXPECT_EQ(elements(svg), R"(<text class="head" x="24" y="26">resize cubic: uint8 4x1x7x0 → 8x1x7x0</text>
<text class="rule" x="24" y="44">passes: axis 0</text>
<text class="rule" x="24" y="62">fields: weights=fixed8, order=last</text>
<text class="rule" x="24" y="80">Axes 1, 2: unchanged, output i is input i</text>
<text class="rule" x="24" y="98">Axis 3: no outputs</text>
</svg>
)");
  explanation.rules.clear();
  explanation.fields.clear();
  explanation.unchanged.clear();
  explanation.empty.clear();
  explanation.has_input = false;
  EXPECT_EQ(elements(svg_of(explanation, "a title")), R"(<text class="head" x="24" y="26">a title</text>
<text class="" x="24" y="44">resize cubic: uint8 8x1x7x0</text>
</svg>
)");
}

TEST(ExplainSvg, TheHeadOfAnAxis) {
  const auto head = [](const ExplainedAxis& axis) { return lines_of(elements(svg_of(axis))).at(6); };
  ExplainedAxis axis = moved(2, {placed(0, 0)});
  axis.axis = 3;
  EXPECT_EQ(head(axis), "<text class=\"head\" x=\"24\" y=\"84\">Axis 3: 2 → 1</text>");
  axis.scale = 0.5;
  axis.coordinate_mode = "asymmetric";
  EXPECT_EQ(head(axis), "<text class=\"head\" x=\"24\" y=\"84\">Axis 3: 2 → 1, scale 0.5, asymmetric</text>");
  axis.exact_scale = "1/2";
  EXPECT_EQ(head(axis), "<text class=\"head\" x=\"24\" y=\"84\">Axis 3: 2 → 1, scale 1/2, asymmetric</text>");
  const std::string none = svg_of(moved(5, {}));
  EXPECT_EQ(height_of(none), 126);
  EXPECT_TRUE(
      none.ends_with("y=\"84\">Axis 0: 5 → 0</text>\n<text class=\"\" x=\"24\" y=\"102\">x = i</text>\n</svg>\n"));
}

// ---- Text -----------------------------------------------------------------------------------------------------------

TEST(ExplainSvg, ParagraphsHaveLinesOf118Characters) {
  const auto title = [](const std::string& words) {
    std::vector<std::string> lines;
    for (const std::string& line : lines_of(svg_of(explanation_without_axes(), words))) {
      if (line.starts_with("<text class=\"\"")) break;
      const size_t begin = line.find('>') + 1;
      if (line.starts_with("<text class=\"head\"")) lines.push_back(line.substr(begin, line.rfind("</") - begin));
    }
    return lines;
  };
  const auto letters = [](size_t n) { return std::string(n, 'a'); };
  using Lines = std::vector<std::string>;
  EXPECT_EQ(title(letters(58) + " " + letters(59)), Lines{letters(58) + " " + letters(59)});
  EXPECT_EQ(title(letters(58) + " " + letters(60)), (Lines{letters(58), letters(60)}));
  EXPECT_EQ(title(letters(58) + " " + letters(59) + " c"), (Lines{letters(58) + " " + letters(59), "c"}));
  EXPECT_EQ(title(letters(58) + " " + letters(60) + " c d"), (Lines{letters(58), letters(60) + " c d"}));
  // A word longer than a line is not cut.
  EXPECT_EQ(title(letters(130) + " b c"), (Lines{letters(130), "b c"}));
  EXPECT_EQ(title(letters(130)), Lines{letters(130)});
  EXPECT_EQ(title(" " + letters(130) + " b"), (Lines{" " + letters(130), "b"}));
}

TEST(ExplainSvg, TextIsOfXml) {
  const std::string svg =
      svg_of(explanation_without_axes(), "a&&b <c> <d> \xEF\xBF\xBE\xEF\xBF\xBE \xEF\xBF\xBF\xEF\xBF\xBF \xEF\xBF\xBD");
  EXPECT_NE(svg.find(">a&amp;&amp;b &lt;c&gt; &lt;d&gt; ?? ?? \xEF\xBF\xBD</text>"), std::string::npos) << svg;
}

}  // namespace
}  // namespace tesela
