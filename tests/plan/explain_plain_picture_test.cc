// SPDX-License-Identifier: Apache-2.0
// The picture in an explanation as text: which inputs and outputs fit, and where their marks and numbers stand.
#include <gtest/gtest.h>

#include <limits>

#include "drawn_axes.h"

namespace tesela {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// The lines of cells, marks and numbers; empty without a picture.
std::string picture(const ExplainedAxis& axis, int64_t width) {
  const std::string text = text_of(explanation_of(axis), width);
  const size_t begin = text.find("  |");
  return begin == std::string::npos ? "" : text.substr(begin, text.find("  Inputs above", begin) - begin);
}

// Outputs n.. at x, x + step, ...
std::vector<ExplainedOutput> row_of(int64_t n, int64_t count, double x, double step) {
  std::vector<ExplainedOutput> rows;
  for (int64_t k = 0; k < count; ++k) rows.push_back(placed(n + k, x + step * static_cast<double>(k)));
  return rows;
}

TEST(ExplainPlainPicture, CellsShareTheWidth) {
  const ExplainedAxis axis = moved(4, row_of(0, 4, 0, 1));
  const std::string_view in19 = R"(  |        0         |        1         |        2         |        3         |
            ^                  ^                  ^                  ^
            0                  1                  2                  3
)";
  EXPECT_EQ(picture(axis, 79), in19);
  EXPECT_EQ(picture(axis, 81), in19);
  // A cell has at most 24 columns.
  EXPECT_EQ(picture(moved(1, row_of(0, 1, 0, 1)), 200), R"(  |           0           |
              ^
              0
)");
}

// As of a crop that is flipped.
TEST(ExplainPlainPicture, PositionsThatDescendHaveTheirNumbers) {
  EXPECT_EQ(picture(moved(3, {placed(0, 2), placed(1, 1), placed(2, 0)}), 27), R"(  |   0   |   1   |   2   |
      ^       ^       ^
      2       1       0
)");
  EXPECT_EQ(picture(moved(2, {placed(8, 1), placed(9, 0.75), placed(10, 0.5), placed(11, 0)}), 20),
            R"(  |   0   |   1   |
      ^   ^ ^ ^
      11    9 8
)");
}

// Each cell has room for its input's number, and four columns at least.
TEST(ExplainPlainPicture, ThePictureHasTheInputsThatFit) {
  EXPECT_EQ(picture(moved(200, row_of(0, 8, 0, 1)), 20), R"(  | 0 | 1 | 2 | 3 |
    ^   ^   ^   ^
    0   1   2   3
)");
  EXPECT_EQ(picture(moved(200, row_of(7, 4, 98, 1)), 20), R"(  | 98 | 99 |100 |
     ^    ^    ^
     7    8    9
)");
  EXPECT_EQ(picture(moved(200, row_of(0, 5, 0, 0.5)), 20), R"(  | 0  | 1  | 2  |
     ^ ^  ^ ^  ^
     0 1  2 3  4
)");
  // Not one output fits if its two inputs don't.
  EXPECT_EQ(picture(moved(1 << 20, {placed(0, 123456.5)}), 20), R"(  |123456 |123457 |
          ^
          0
)");
  const ExplainedAxis far = moved(1 << 30, {placed(0, 12345678.5)});
  EXPECT_EQ(picture(far, 20), "");
  EXPECT_EQ(text_of(explanation_of(far), 20), R"(resize: float
  1073741824 -> 1

axis 0: 1073741824
  -> 1
  x = i
  out  x
      input
    0  12345678.5  0
)");
}

TEST(ExplainPlainPicture, PositionsMayDescend) {
  EXPECT_EQ(picture(moved(9, row_of(0, 3, 4.5, -1)), 40).substr(0, 71), R"(  |   2    |   3    |   4    |   5    |
           ^        ^        ^
)");
}

TEST(ExplainPlainPicture, ThePictureHasTheFirstRange) {
  ExplainedAxis axis = moved(90, {placed(20, 20), placed(21, 21), placed(22, 21.5), placed(23, 22)});
  axis.ranges = {{20, 3}, {23, 1}};
  EXPECT_EQ(picture(axis, 40), R"(  |    20     |    21     |    22     |
        ^           ^     ^
        20          21    22
)");
  axis.ranges.clear();
  EXPECT_EQ(picture(axis, 40), R"(  |    20     |    21     |    22     |
        ^           ^     ^     ^
        20          21    22    23
)");
}

// Positions outside the input are drawn at the edges; what isn't a number at the first.
TEST(ExplainPlainPicture, PositionsOutside) {
  EXPECT_EQ(picture(moved(2, {placed(9, 1), outside(10, 9)}), 60), R"(  |           1           |
              ^           x
              9           10
)");
  EXPECT_EQ(picture(moved(5, {outside(0, 7.5)}), 60), R"(  |           4           |
                          x
                          0
)");
  EXPECT_EQ(picture(moved(5, {outside(0, kNan), placed(1, 0, 0, Border::kClamped)}), 40), R"(  |           0           |
  x           !
  0           1
)");
  EXPECT_EQ(picture(moved(5, {outside(0, -9), outside(1, kNan)}), 40).substr(28), "  #\n  0\n");
  ExplainedAxis centre = moved(5, {outside(0, kNan), placed(1, 0)});
  centre.outputs[1].is_tie = true;
  const std::string text = text_of(explanation_of(centre), 80);
  EXPECT_NE(text.find("\n  Inputs above, outputs below: = at a tie, x extrapolated.\n"), std::string::npos);
}

// A number is left out if it doesn't fit behind the one before, or the line.
TEST(ExplainPlainPicture, NumbersThatDoNotFit) {
  EXPECT_EQ(picture(moved(2, {placed(999, 1), outside(1000, 9)}), 60), R"(  |           1           |
              ^           x
             999
)");
  EXPECT_EQ(picture(moved(4, {placed(9, 3), outside(10, 9)}), 20), R"(  |       3        |
           ^       x
           9
)");
  EXPECT_EQ(picture(moved(3, row_of(0, 16, -0.5, 0.1875)), 20), R"(  | 0  | 1  | 2  |
  ^^^^^^^^#^^^^^^
  0 2 4 6 8 11 14
)");
  EXPECT_EQ("\n" + picture(moved(400, row_of(1098, 22, 137.25, 0.125)), 60), R"(
  |     137     |     138     |     139     |     140     |
             ^^ ^ ^ ^^ ^ ^ ^^ ^ ^ ^^ ^ ^ ^^ ^ ^ ^^
            1098 1101 1104 1107  1110 1113 1116 1119
)");
}

TEST(ExplainPlainPicture, TheLegendHasTheMarksThatAreUsed) {
  ExplainedAxis axis = moved(2, {placed(0, 0)});
  EXPECT_NE(text_of(explanation_of(axis), 43).find("\n  Inputs above, outputs below: ^ an output.\n"),
            std::string::npos);
  EXPECT_NE(text_of(explanation_of(axis), 42).find("\n  Inputs above, outputs below: ^ an\n  output.\n"),
            std::string::npos);
  axis.outputs = {placed(0, 0), placed(1, 0), placed(2, 1, 1, Border::kClamped)};
  const std::string text = text_of(explanation_of(axis), 80);
  EXPECT_NE(text.find("\n  Inputs above, outputs below: ^ an output, ! at a border, # several.\n"), std::string::npos);
}

}  // namespace
}  // namespace tesela
