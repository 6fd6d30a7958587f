// SPDX-License-Identifier: Apache-2.0
// The strips of a drawing: where cells, outputs and their numbers stand, and how many there are.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "drawn_axes.h"
#include "explain_calls.h"

namespace tesela {
namespace {

using Kind = ExplainedAxis::Kind;
using Texts = std::vector<std::string>;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTop = 130;  // of the cells of explanation_of's axis

double number_at(const std::string& line, const std::string& key) {
  const size_t at = line.find(" " + key + "=\"");
  return at == std::string::npos ? kNan : std::stod(line.substr(at + key.size() + 3));
}

// Of each element that begins with `start`, the number `key`.
std::vector<double> numbers(const std::string& svg, const std::string& start, const std::string& key) {
  std::vector<double> found;
  for (size_t at = svg.find(start); at != std::string::npos; at = svg.find(start, at + 1))
    found.push_back(number_at(svg.substr(at, svg.find('>', at) - at), key));
  return found;
}

struct DrawnStrip {
  double top = 0;
  Texts inputs;                // the numbers of cells
  std::vector<double> levels;  // of those numbers, from the top of the cells
  int64_t cells = 0;
  Texts outputs;
};

std::vector<DrawnStrip> strips_of(const std::string& svg) {
  std::vector<DrawnStrip> strips;
  for (const std::string& line : lines_of(svg)) {
    if (line.starts_with("<rect class=\"cell\"")) {
      const double top = number_at(line, "y");
      if (strips.empty() || strips.back().top != top) strips.emplace_back().top = top;
      strips.back().cells += 1;
    } else if (line.starts_with("<text class=\"number\"")) {
      const size_t begin = line.find('>') + 1;
      strips.back().inputs.push_back(line.substr(begin, line.find('<', begin) - begin));
      strips.back().levels.push_back(number_at(line, "y") - strips.back().top);
    } else if (line.starts_with("<g><title>output ")) {
      strips.back().outputs.push_back(line.substr(17, line.find_first_of(":;", 17) - 17));
    }
  }
  return strips;
}

// ---- Strips ---------------------------------------------------------------------------------------------------------

// A strip has 32 inputs and 32 outputs at most; the next one stands below it.
TEST(ExplainSvgStrips, HaveAtMost32InputsAndOutputs) {
  std::vector<ExplainedOutput> rows;
  for (int64_t k = 0; k < 33; ++k) rows.push_back(placed(k, 40, 40 + k % 2));
  const std::string many = svg_of(moved(90, rows));
  std::vector<DrawnStrip> strips = strips_of(many);
  ASSERT_EQ(strips.size(), 2u);
  EXPECT_EQ(strips[0].outputs.size(), 32u);
  EXPECT_EQ(strips[0].inputs, (Texts{"40", "41"}));
  EXPECT_EQ(strips[1].outputs, Texts{"32"});
  EXPECT_EQ(many.find("more outputs"), std::string::npos);
  const std::string first = many.substr(0, many.find("<rect class=\"cell\"", many.find(">output 31:")));
  const std::vector<double> y = numbers(first, "<text class=\"number\"", "y");
  EXPECT_LT(*std::ranges::max_element(y), strips[1].top);

  strips = strips_of(svg_of(moved(90, {placed(0, 0, 0), placed(1, 31, 31), placed(2, 32, 32)})));
  ASSERT_EQ(strips.size(), 2u);
  EXPECT_EQ(strips[0].cells, 32);
  EXPECT_EQ(strips[0].outputs, (Texts{"0", "1"}));
  EXPECT_EQ(strips[1].inputs, Texts{"32"});
}

TEST(ExplainSvgStrips, HaveTheInputsThatAreUsed) {
  const auto inputs = [](std::vector<ExplainedOutput> rows) { return strips_of(svg_of(moved(5, rows))).at(0).inputs; };
  EXPECT_EQ(inputs({placed(0, 3.6, 4), placed(1, 2, 2)}), (Texts{"2", "3", "4"}));
  EXPECT_EQ(inputs({placed(0, 0.6, 1)}), Texts{"1"});
  EXPECT_EQ(inputs({outside(0, 7.5)}), Texts{"4"});
  EXPECT_EQ(inputs({outside(0, -7.5)}), Texts{"0"});
  EXPECT_EQ(inputs({weighed(0, 1.5, 1, {0.5, 0.5, 0})}), (Texts{"1", "2", "3"}));
}

// Outputs that are not shown are counted above the next strip, in a line of its own.
TEST(ExplainSvgStrips, BeginAfterAGap) {
  const std::string svg = svg_of(moved(9, {placed(3, 0, 0), placed(4, 0, 0), placed(8, 1, 1)}));
  const std::vector<DrawnStrip> strips = strips_of(svg);
  ASSERT_EQ(strips.size(), 2u);
  EXPECT_EQ(strips[0].outputs, (Texts{"3", "4"}));
  EXPECT_EQ(strips[1].outputs, Texts{"8"});
  const size_t text = svg.find("\">… 3 more outputs</text>");
  ASSERT_NE(text, std::string::npos);
  EXPECT_EQ(svg.find("more outputs"), svg.rfind("more outputs"));
  EXPECT_EQ(number_at(svg.substr(svg.rfind('\n', text) + 1), "y"), strips[1].top - 28);
}

// ---- Cells ----------------------------------------------------------------------------------------------------------

TEST(ExplainSvgStrips, CellsShareTheWidth) {
  for (const int64_t n : {1, 5, 6, 28, 32}) {
    const auto count = static_cast<size_t>(n);
    const std::string svg =
        svg_of(axis_with(Kind::kWeighted, 900, {weighed(0, 500, 500, std::vector<double>(count, 0.5))}));
    const std::vector<double> x = numbers(svg, "<rect class=\"cell\"", "x");
    ASSERT_EQ(x.size(), count);
    const double width = n == 1 ? 160 : std::min(160.0, 840.0 / static_cast<double>(n));
    const std::vector<double> ends = numbers(svg, "<line class=\"tap\"", "x2");
    ASSERT_EQ(ends.size(), count);
    for (size_t k = 0; k < count; ++k) {
      EXPECT_NEAR(x[k], 60 + width * static_cast<double>(k), 1e-2);
      EXPECT_NEAR(ends[k], x[k] + width / 2, 1e-2);
    }
    for (const double each : numbers(svg, "<rect class=\"cell\"", "width")) EXPECT_NEAR(each, width, 1e-2);
  }
}

// Inputs' numbers stand in the cells if each fits, or else above them.
TEST(ExplainSvgStrips, NumbersOfInputs) {
  const auto strip = [](int64_t first, size_t count) {
    const ExplainedAxis axis =
        axis_with(Kind::kWeighted, 2000, {weighed(0, 101, first, std::vector<double>(count, 1))});
    return strips_of(svg_of(axis)).at(0);
  };
  const DrawnStrip fits = strip(100, 28);  // a cell and the room for three digits are 30 wide
  EXPECT_EQ(fits.inputs.size(), 28u);
  EXPECT_EQ(fits.levels, std::vector<double>(28, 18));
  const DrawnStrip wide = strip(101, 29);
  EXPECT_EQ(wide.levels, std::vector<double>(15, -4));
  EXPECT_EQ(wide.inputs.front(), "101");
  EXPECT_EQ(wide.inputs[1], "103");
  EXPECT_EQ(wide.inputs.back(), "129");
  EXPECT_EQ(strip(8, 2).levels, std::vector<double>(2, 18));
  EXPECT_EQ(strip(1001, 70).inputs, (Texts{"1001", "1005", "1009", "1013", "1017", "1021", "1025", "1029", "1033",
                                           "1037", "1041", "1045", "1049", "1053", "1057", "1061", "1065", "1069"}));
}

// ---- Outputs --------------------------------------------------------------------------------------------------------

TEST(ExplainSvgStrips, MarksOfOutputs) {
  std::vector<ExplainedOutput> rows = {placed(0, 0),
                                       placed(1, 0),
                                       placed(2, 0, 0, Border::kClamped),
                                       placed(3, 0, 0, Border::kFolded),
                                       placed(4, 0, 0, Border::kDropped),
                                       outside(5, -1)};
  for (ExplainedOutput& row : rows) row.is_tie = row.output > 0;
  const std::string svg = svg_of(moved(1, rows));
  Texts marks;
  for (const std::string& line : lines_of(svg))
    if (line.ends_with("</g>")) marks.push_back(line.substr(0, line.find("/>")));
  const std::string circle = R"( cx="140" cy="234" r="4.5")";
  const std::string square = R"(<rect class="border" x="135.5" y="229.5" width="9" height="9")";
  EXPECT_EQ(marks, (Texts{"<circle class=\"output\"" + circle, "<circle class=\"tie\"" + circle, square, square, square,
                          R"(<path class="outside" d="M20 230L28 238M20 238L28 230")"}));
}

// Outputs outside the drawing stand at its edges; those whose position isn't a number at the first input.
TEST(ExplainSvgStrips, PositionsOutside) {
  const std::string svg = svg_of(moved(3, {placed(0, -9, 1), placed(1, 9, 1), placed(2, kNan, 1)}));
  EXPECT_EQ(numbers(svg, "<line class=\"tap\"", "x1"), (std::vector<double>{24, 936, 140}));
  EXPECT_EQ(numbers(svg, "<line class=\"tap\"", "x2"), (std::vector<double>{140, 140, 140}));
  EXPECT_EQ(strips_of(svg).at(0).inputs, Texts{"1"});
  const std::string none = svg_of(moved(3, {outside(0, kNan)}));
  EXPECT_EQ(strips_of(none).at(0).inputs, Texts{"0"});
  EXPECT_NE(none.find("d=\"M136 230L"), std::string::npos);
}

// Copies stand side by side below their inputs, 28 apart or more if there is room.
TEST(ExplainSvgStrips, TilesStandSideBySide) {
  const auto places = [](int64_t in, int64_t begin, int64_t count) {
    std::vector<ExplainedOutput> rows;
    for (int64_t k = begin; k < begin + count; ++k) rows.push_back(placed(k, static_cast<double>(k % in), k % in));
    const std::string svg = svg_of(axis_with(Kind::kTiled, in, rows));
    EXPECT_NE(svg.find(fmt::format("<g><title>output {}; input {}</title>", begin, begin % in)), std::string::npos);
    return numbers(svg, "<line class=\"tap\"", "x1");
  };
  EXPECT_EQ(places(2, 0, 4), (std::vector<double>{100, 180, 260, 340}));
  EXPECT_EQ(places(1, 10, 8), (std::vector<double>{74, 102, 130, 158, 186, 214, 242, 270}));
  const std::vector<double> many = places(1, 0, 32);  // not behind the margin
  EXPECT_NEAR(many.front(), 60 + 876 / 64.0, 1e-2);
  EXPECT_NEAR(many.back(), 936 - 876 / 64.0, 1e-2);
  const std::vector<double> wide = places(6, 6, 12);
  EXPECT_NEAR(wide.front(), 95, 1e-2);
  EXPECT_NEAR(wide.back(), 865, 1e-2);
}

// Numbers of outputs are below them, on up to three lines; one that fits none of these, or the drawing, is left out.
TEST(ExplainSvgStrips, NumbersOfOutputs) {
  const auto shown = [](const std::vector<ExplainedOutput>& rows) {
    const std::string svg = svg_of(moved(1, rows));
    std::vector<double> below;
    for (const double y : numbers(svg, "<text class=\"number\"", "y")) below.push_back(y - 234);
    below.erase(below.begin());  // the input's
    EXPECT_EQ(height_of(svg), kTop + 104 + 24 + (below.empty() ? 0 : *std::ranges::max_element(below) - 5));
    return below;
  };
  using Below = std::vector<double>;
  // Ten apart, while a digit has twelve: three numbers of which the third fits behind the first.
  EXPECT_EQ(shown({placed(0, 0), placed(1, 0.0625), placed(2, 0.125)}), (Below{20, 35, 20}));
  EXPECT_EQ(shown({placed(0, 0), placed(1, 0.09375)}), (Below{20, 20}));
  EXPECT_EQ(shown({placed(0, 0), placed(1, 0), placed(2, 0), placed(3, 0)}), (Below{20, 35, 50}));
  // Positions of a flipped crop descend.
  EXPECT_EQ(shown({placed(0, 0.125), placed(1, 0.0625), placed(2, 0)}), (Below{20, 35, 20}));
  EXPECT_EQ(shown({placed(0, 0.3), placed(1, 0.2), placed(2, 0.1), placed(3, 0)}), (Below{20, 20, 20, 20}));
  // Numbers of two digits that end where the next begins.
  EXPECT_EQ(shown({placed(10, 0), placed(11, 0.125)}), (Below{20, 20}));
  EXPECT_EQ(shown({placed(10, 0.125), placed(11, 0)}), (Below{20, 20}));
  // Numbers of seven digits that begin at the very edge.
  const int64_t n = 1000000;
  EXPECT_EQ(shown({placed(n, -0.6875), placed(n + 1, -0.6875), placed(n + 2, -0.6875), placed(n + 3, -0.6875)}),
            (Below{20, 35, 50}));
  EXPECT_EQ(shown({placed(n, -5)}), Below{});
}

// Nothing is outside the page, and it ends below the last line.
TEST(ExplainSvgStrips, ThePageHasEverything) {
  const Plan plans[] = {plan_of(12, 5, {.filter = Filter::kCubic, .antialias = true}),
                        plan_of(9, 24, {.filter = Filter::kLinear}), plan_of(300, 40, {.filter = Filter::kNearest}),
                        plan_of(7, 700, {.filter = Filter::kCubic})};
  for (const Plan& plan : plans) {
    const std::string svg = svg_of(explained(plan), "a title");
    double lowest = 0;
    for (const char* key : {"y", "y1", "y2", "cy"})
      for (const double y : numbers(svg.substr(svg.find("<text ")), "<", key)) {
        if (std::isnan(y)) continue;
        EXPECT_GT(y, 0);
        lowest = std::max(lowest, y);
      }
    EXPECT_GE(height_of(svg), lowest + 12);
    EXPECT_LE(height_of(svg), lowest + 24);
    for (const char* key : {"x", "x1", "x2", "cx"})
      for (const double x : numbers(svg.substr(svg.find("<text ")), "<", key)) EXPECT_FALSE(x < 0 || x > 960) << x;
  }
}

}  // namespace
}  // namespace tesela
