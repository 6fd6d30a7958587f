// SPDX-License-Identifier: Apache-2.0
// Suggestions for unknown names.
#include "types/suggestion.h"

#include <gtest/gtest.h>

namespace tesela {
namespace {

constexpr std::string_view kModes[] = {"nearest", "linear", "cubic"};
constexpr std::string_view kOptions[] = {"-q", "--quiet", "--repeats", "--coordinate-transformation-mode"};

TEST(NearestName, KnowsNamesOfOtherLibraries) {
  EXPECT_EQ(nearest_name("bilinear", kModes), "linear");
  EXPECT_EQ(nearest_name("INTER_CUBIC", kModes), "cubic");
  EXPECT_EQ(nearest_name("lanczos", kModes), "");
}

TEST(NearestName, CorrectsTypos) {
  EXPECT_EQ(nearest_name("linaer", kModes), "linear");
  EXPECT_EQ(nearest_name("Nearst", kModes), "nearest");
  EXPECT_EQ(nearest_name("--repeat", kOptions), "--repeats");
  EXPECT_EQ(nearest_name("quite", kOptions), "--quiet");
  EXPECT_EQ(nearest_name("-z", kOptions), "");
  EXPECT_EQ(nearest_name("", kOptions), "");
}

TEST(NearestName, IgnoresCase) {
  // Capitals would be as many wrong letters.
  constexpr std::string_view kNames[] = {"az", "zaaz"};
  EXPECT_EQ(nearest_name("AZ", kNames), "az");
  EXPECT_EQ(nearest_name("ZAAZ", kNames), "zaaz");
}

TEST(NearestName, CompletesPrefixes) {
  EXPECT_EQ(nearest_name("--coordinate", kOptions), "--coordinate-transformation-mode");
  EXPECT_EQ(nearest_name("n", kModes), "");
  EXPECT_EQ(nearest_name(std::string(1000, 'a'), kModes), "");
}

TEST(Suggestion, FormatsMessageSuffix) {
  EXPECT_EQ(suggestion("bilinear", kModes), "; did you mean 'linear'?");
  EXPECT_EQ(suggestion("lanczos", kModes), "");
}

}  // namespace
}  // namespace tesela
