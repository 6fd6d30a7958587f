// SPDX-License-Identifier: Apache-2.0
// The table of operators as text.
#include "schema/ops_text.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "schema/schema.h"

namespace tesela {
namespace {

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

TEST(OpsText, JsonHasEveryRowAndParses) {
  const auto json = nlohmann::json::parse(ops_json());
  EXPECT_EQ(json["newest_opset"], kNewestOpset);
  ASSERT_EQ(json["operators"].size(), all_schemas().size());
  for (size_t i = 0; i < all_schemas().size(); ++i) {
    const OpSchema& row = all_schemas()[i];
    const auto& one = json["operators"][i];
    EXPECT_EQ(one["operator"], row.type);
    EXPECT_EQ(one["since_version"], row.since_version);
    EXPECT_EQ(one["inputs"].size(), row.inputs.size());
    EXPECT_EQ(one["attributes"].size(), row.attributes.size());
    EXPECT_EQ(one["outputs"][0]["types"].size(), static_cast<size_t>(row.outputs[0].types.size()));
    EXPECT_EQ(one.contains("deprecated_for"), !row.deprecated.empty());
  }
}

TEST(OpsText, PlainAndMarkdownNameEveryVersion) {
  const std::string plain = ops_plain();
  const std::string markdown = ops_markdown();
  for (const OpSchema& row : all_schemas()) {
    EXPECT_TRUE(contains(plain, fmt::format("{}-{}", row.type, row.since_version)));
    EXPECT_TRUE(contains(markdown, fmt::format("{} | {} |", row.type, row.since_version)));
  }
  EXPECT_TRUE(contains(plain, "openvino Interpolate-11\n"));
  EXPECT_TRUE(contains(
      plain,
      "  output output: float, uint8, int8, uint16, int16, int32, int64, bool, float16, double, uint32, uint64\n"));
  EXPECT_TRUE(contains(plain, "Upsample-10: deprecated, use Resize"));
}

TEST(OpsText, PlainShowsDefaultsAndAllowedValues) {
  const std::string plain = ops_plain();
  EXPECT_TRUE(contains(plain, "= -0.75"));
  EXPECT_TRUE(contains(plain, "round_prefer_floor, round_prefer_ceil, floor, ceil"));
  EXPECT_TRUE(contains(plain, "(required)"));
}

}  // namespace
}  // namespace tesela
