// SPDX-License-Identifier: Apache-2.0
// Shortened and printable texts.
#include "types/text.h"

#include <gtest/gtest.h>

namespace tesela {
namespace {

// The length of the whole sequences at the beginning; text.size() if there is no other byte.
size_t whole_sequences(std::string_view text) {
  size_t length = 0;
  while (length < text.size()) {
    const size_t next = utf8_length(text.substr(length));
    if (next == 0) return length;
    length += next;
  }
  return length;
}

TEST(Shortened, CutsBetweenSequences) {
  // Sequences of 1 to 4 bytes: a, U+00E9, U+20AC, U+1F600.
  const std::string sequences[] = {"a", "\u00e9", "\u20ac", "\U0001f600"};
  for (const std::string& sequence : sequences) {
    std::string text;
    for (int i = 0; i < 8; ++i) text += sequence;
    for (size_t longest = 3; longest < text.size(); ++longest) {
      const std::string cut = shortened(text, longest);
      ASSERT_TRUE(cut.ends_with("..."));
      const std::string_view kept = std::string_view(cut).substr(0, cut.size() - 3);
      EXPECT_EQ(whole_sequences(kept), kept.size()) << sequence << " " << longest;
      EXPECT_EQ(kept.size(), (longest - 3) / sequence.size() * sequence.size()) << sequence << " " << longest;
      EXPECT_TRUE(text.starts_with(kept));
    }
    EXPECT_EQ(shortened(text, text.size()), text);
  }
}

TEST(Shortened, CutsInvalidBytesSomewhere) {
  EXPECT_EQ(shortened(std::string(10, '\x80'), 5), "...");
}

TEST(Utf8Length, AcceptsTheFirstAndLastOfEachLength) {  // Unicode, table 3-7
  const std::pair<std::string_view, size_t> valid[] = {{std::string_view("\0", 1), 1},
                                                       {"\x7f", 1},
                                                       {"\xc2\x80", 2},
                                                       {"\xdf\xbf", 2},
                                                       {"\xe0\xa0\x80", 3},
                                                       {"\xed\x9f\xbf", 3},
                                                       {"\xee\x80\x80", 3},
                                                       {"\xef\xbf\xbf", 3},
                                                       {"\xf0\x90\x80\x80", 4},
                                                       {"\xe1\x80\x80", 3},
                                                       {"\xf4\x8f\xbf\xbf", 4},
                                                       {"\xf3\xbf\xbf\xbf", 4}};
  for (const auto& [text, length] : valid) EXPECT_EQ(utf8_length(text), length) << text;
}

TEST(Utf8Length, RejectsOverlongFormsSurrogatesAndTheRest) {
  for (const std::string_view text :
       {"\x80", "\xbf", "\xc1\xbf", "\xc2", "\xc2\x7f", "\xc2\xc0", "\xe0\x9f\xbf", "\xed\xa0\x80", "\xe1\x80",
        "\xe1\x80\x7f", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80", "\xf1\x80\x80", "\xff"})
    EXPECT_EQ(utf8_length(text), 0u) << text;
}

TEST(Printable, EscapesWhatATerminalObeys) {
  EXPECT_EQ(printable("a\x1b[0m\x7f"), "a\\x1b[0m\\x7f");
  EXPECT_EQ(printable("\n", true), "\n");
  EXPECT_EQ(printable("\n"), "\\x0a");
  EXPECT_EQ(printable(" ~\x1f"), " ~\\x1f");
  EXPECT_EQ(printable("\xff\x80"), "\\xff\\x80");
  // The first and last of each range, and their neighbours.
  EXPECT_EQ(printable("\u0080\u009f\u00a0"), "\\u0080\\u009f\u00a0");
  EXPECT_EQ(printable("\u061b\u061c\u061d"), "\u061b\\u061c\u061d");
  EXPECT_EQ(printable("\u200a\u200b\u200f\u2010"), "\u200a\\u200b\\u200f\u2010");
  EXPECT_EQ(printable("\u2027\u2028\u202e\u202f"), "\u2027\\u2028\\u202e\u202f");
  EXPECT_EQ(printable("\u205f\u2060\u206f\u2070"), "\u205f\\u2060\\u206f\u2070");
  EXPECT_EQ(printable("\ufefe\ufeff\U0001f600"), "\ufefe\\ufeff\U0001f600");
}

TEST(AppendPrintable, TakesAWholeSequenceOrNothing) {
  std::string out;
  EXPECT_EQ(append_printable(out, "\u20ac!", 2), 0u);
  EXPECT_EQ(out, "");
  EXPECT_EQ(append_printable(out, "\u20ac!", 3), 3u);
  EXPECT_EQ(out, "\u20ac");
}

}  // namespace
}  // namespace tesela
