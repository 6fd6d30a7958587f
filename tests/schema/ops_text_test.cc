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

TEST(OpsText, JsonDescribesInputsAndAttributes) {
  const auto json = nlohmann::json::parse(ops_json());
  const auto find = [](const nlohmann::json& list, const char* key, const nlohmann::json& value) {
    for (const auto& one : list)
      if (one.contains(key) && one.at(key) == value) return one;
    return nlohmann::json();
  };
  nlohmann::json resize;
  for (const auto& one : json["operators"])
    if (one["operator"] == "Resize" && one["since_version"] == 18) resize = one;
  EXPECT_EQ(find(resize["inputs"], "name", "X")["optional"], false);
  EXPECT_EQ(find(resize["inputs"], "name", "roi"),
            nlohmann::json::parse(
                R"({"name": "roi", "type": "T2", "optional": true, "types": ["float", "float16", "double"]})"));
  const nlohmann::json& attributes = resize["attributes"];
  for (const char* text : {R"({"name": "antialias", "type": "INT", "required": false, "default": 0})",
                           R"({"name": "cubic_coeff_a", "type": "FLOAT", "required": false, "default": -0.75})",
                           R"({"name": "axes", "type": "INTS", "required": false})",
                           R"({"name": "mode", "type": "STRING", "required": false, "default": "nearest",
            "allowed": ["nearest", "linear", "cubic"]})"}) {
    const auto expected = nlohmann::json::parse(text);
    EXPECT_EQ(find(attributes, "name", expected["name"]), expected);
  }
  EXPECT_EQ(find(attributes, "name", "coordinate_transformation_mode")["withdrawn"],
            nlohmann::json({"tf_half_pixel_for_nn"}));
  EXPECT_EQ(find(json["operators"], "operator", "Upsample")["attributes"][0],
            nlohmann::json::parse(R"({"name": "height_scale", "type": "FLOAT", "required": true})"));
  EXPECT_EQ(find(json["operators"], "deprecated_for", "Resize")["since_version"], 10);
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
  EXPECT_TRUE(contains(plain, "\nUpsample-10: deprecated, use Resize\n\nopenvino Interpolate-1\n"));
  EXPECT_TRUE(contains(markdown, "\n| Tile | 1 | float, float16, double |  |\n"));
  EXPECT_TRUE(contains(markdown,
                       "\n| Upsample | 1 | float, int32, int64, bool, float16, double | height_scale, mode, "
                       "width_scale |\n"));
  EXPECT_TRUE(contains(markdown, "\n| Upsample | 10 | deprecated: use Resize | |\n"));
}

TEST(OpsText, PlainShowsDefaultsAndAllowedValues) {
  const std::string plain = ops_plain();
  EXPECT_TRUE(contains(plain, R"(
Upsample-1
  input X: float, int32, int64, bool, float16, double
  output Y: float, int32, int64, bool, float16, double
  height_scale                   FLOAT (required)
  mode                           STRING = nearest; nearest, bilinear
  width_scale                    FLOAT (required)

)"));
  EXPECT_TRUE(contains(plain, "\n  input roi (optional): float, float16, double\n"));
  EXPECT_TRUE(contains(plain, "\n  antialias                      INT = 0\n"));
  EXPECT_TRUE(contains(plain, "\n  axes                           INTS\n"));
  EXPECT_TRUE(contains(plain, "\n  mode                           STRING (required); nearest, linear, cubic, area\n"));
  EXPECT_TRUE(contains(plain, "= -0.75"));
  EXPECT_TRUE(contains(plain, "round_prefer_floor, round_prefer_ceil, floor, ceil"));
  EXPECT_TRUE(contains(plain, "(required)"));
}

}  // namespace
}  // namespace tesela
