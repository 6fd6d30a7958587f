// SPDX-License-Identifier: Apache-2.0
// Errors, results, and quoted names in messages.
#include "types/status.h"

#include <gtest/gtest.h>

#include <set>

namespace tesela {
namespace {

TEST(StatusTest, DefaultIsOkWithoutMessage) {
  EXPECT_TRUE(Status().ok());
  EXPECT_EQ(Status().code(), TESELA_OK);
  EXPECT_EQ(Status().message(), "");
}

TEST(StatusTest, MakersSetCodeAndMessage) {
  const Status status = shape_error("axis {}: extent {}", 2, -1);
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), TESELA_ERROR_SHAPE);
  EXPECT_EQ(status.message(), "axis 2: extent -1");
}

TEST(StatusTest, CodesAreDistinctAndNotZero) {
  std::set<int> codes;
#define TESELA_STATUS(lower, upper, code, exit_code, python)  \
  EXPECT_TRUE(codes.insert(TESELA_##upper).second) << #lower; \
  EXPECT_GT(exit_code, 0) << #lower;
  TESELA_STATUS_TABLE(TESELA_STATUS)
#undef TESELA_STATUS
  EXPECT_EQ(codes.size(), 16u);
  EXPECT_FALSE(codes.contains(0));
}

TEST(StatusTest, PrefixKeepsCodeAndIgnoresSuccess) {
  const Status status = rank_error("has rank 2").with_prefix("Tile-13: ");
  EXPECT_EQ(status.code(), TESELA_ERROR_RANK);
  EXPECT_EQ(status.message(), "Tile-13: has rank 2");
  EXPECT_TRUE(Status().with_prefix("Tile-13: ").ok());
}

Result<int> half(int value) {
  if (value % 2 != 0) return value_error("{} is odd", value);
  return value / 2;
}
Result<int> quarter(int value) {
  TESELA_ASSIGN_OR_RETURN(const int once, half(value));
  TESELA_ASSIGN_OR_RETURN(const int twice, half(once));
  return twice;
}

TEST(ResultTest, ErrorsReturnFromTheCallingFunction) {
  EXPECT_EQ(*quarter(12), 3);
  EXPECT_EQ(quarter(6).status().message(), "3 is odd");
  EXPECT_EQ(quarter(5).status().code(), TESELA_ERROR_VALUE);
}

TEST(Quoted, PrintableNamesStayAsTheyAre) {
  EXPECT_EQ(tesela::in_quotes("up1"), "'up1'");
  EXPECT_EQ(tesela::in_quotes(""), "''");
  EXPECT_EQ(tesela::in_quotes("größe 大きさ"), "'größe 大きさ'");
}

TEST(Quoted, ControlCharactersAreEscaped) {
  EXPECT_EQ(tesela::in_quotes("a\nb"), "'a\\x0ab'");
  EXPECT_EQ(tesela::in_quotes(std::string_view("\0\x1b[31m\x7f", 7)), "'\\x00\\x1b[31m\\x7f'");
}

TEST(Quoted, EscapesInvisibleCharacters) {
  EXPECT_EQ(tesela::in_quotes("\xc2\x9b"
                              "31m"),
            "'\\u009b31m'");                                            // C1: begins a control sequence
  EXPECT_EQ(tesela::in_quotes("a\xe2\x80\xae.png"), "'a\\u202e.png'");  // reverses the following text
  EXPECT_EQ(tesela::in_quotes("\xe2\x81\xa6\xe2\x80\xa8"), "'\\u2066\\u2028'");
  EXPECT_EQ(tesela::in_quotes("\xef\xbb\xbfx\xe2\x80\x8b"), "'\\ufeffx\\u200b'");
  EXPECT_EQ(tesela::in_quotes("\xf0\x9f\x99\x82\xc2\xa0"), "'\xf0\x9f\x99\x82\xc2\xa0'");  // others are kept
}

TEST(Quoted, EscapesInvalidUtf8) {  // messages are always UTF-8
  EXPECT_EQ(tesela::in_quotes("a\xff"
                              "b"),
            "'a\\xffb'");
  EXPECT_EQ(tesela::in_quotes("\xc3"), "'\\xc3'");                             // truncated
  EXPECT_EQ(tesela::in_quotes("\x80\xc3("), "'\\x80\\xc3('");                  // no lead byte, no continuation byte
  EXPECT_EQ(tesela::in_quotes("\xc0\xaf"), "'\\xc0\\xaf'");                    // overlong
  EXPECT_EQ(tesela::in_quotes("\xed\xa0\x80"), "'\\xed\\xa0\\x80'");           // a surrogate
  EXPECT_EQ(tesela::in_quotes("\xf4\x90\x80\x80"), "'\\xf4\\x90\\x80\\x80'");  // beyond Unicode
  EXPECT_EQ(tesela::in_quotes("\xf0\x9f\x98\x80"), "'\xf0\x9f\x98\x80'");
}

TEST(Quoted, LongNamesAreCutAtSixtyBytes) {
  EXPECT_EQ(tesela::in_quotes(std::string(60, 'x')), "'" + std::string(60, 'x') + "'");
  const std::string cut = tesela::in_quotes(std::string(1000, 'x'));
  EXPECT_TRUE(cut.starts_with("'xxx") && cut.ends_with("x...'")) << cut;
  EXPECT_LE(cut.size(), 65u);
}

TEST(Quoted, CutsBetweenCharacters) {
  for (int lead = 0; lead < 4; ++lead) {
    std::string name(static_cast<size_t>(lead), 'x');
    for (int i = 0; i < 40; ++i) name += "€";  // 3 bytes in UTF-8
    const std::string text = tesela::in_quotes(name);
    const std::string inside = text.substr(1 + static_cast<size_t>(lead), text.size() - 5 - static_cast<size_t>(lead));
    ASSERT_EQ(inside.size() % 3, 0u) << text;
    for (size_t i = 0; i < inside.size(); i += 3) EXPECT_EQ(inside.substr(i, 3), "€");
  }
}

}  // namespace
}  // namespace tesela
