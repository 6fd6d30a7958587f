// Plans as text.
#include "plan/describe.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace tesela {
namespace {

Plan resize(Filter filter, int64_t in, int64_t out) {
  ResizeParams params;
  params.type = DataType::kUint8;
  params.in = {3, in};
  params.sampling.filter = filter;
  params.sampling.antialias = true;
  params.axes = {{1, in, out, true, out, in}};
  return *make_resize_plan(params, Limits::none());
}

TEST(Describe, PlainNamesShapesAndPasses) {
  EXPECT_EQ(describe_plain(resize(Filter::kLinear, 8, 2)),
            "resize linear uint8 3x8 -> 3x2, computed in float\n"
            "  axis 1: 8 -> 2, x(i) = (3 + 8 i) / 2, window 8, antialias\n");
  EXPECT_EQ(describe_plain(resize(Filter::kNearest, 2, 4)).substr(0, 52),
            "resize nearest uint8 3x2 -> 3x4, elements are moved\n");
  EXPECT_EQ(describe_plain(*make_fill_plan({DataType::kInt4, {2, 2}, {}}, Limits())), "fill int4 2x2\n");
  EXPECT_EQ(describe_plain(*make_tile_plan({DataType::kBool, {2}, {6}}, Limits())), "tile bool 2 -> 6\n");
}

TEST(Describe, JsonHasTheFacts) {
  const auto json = nlohmann::json::parse(describe_json(resize(Filter::kLinear, 4, 8)));
  EXPECT_EQ(json["work"], "resize");
  EXPECT_EQ(json["input"], (std::vector<int64_t>{3, 4}));
  EXPECT_EQ(json["output"], (std::vector<int64_t>{3, 8}));
  const auto& pass = json["passes"][0];
  EXPECT_EQ(pass["axis"], 1);
  EXPECT_EQ(pass["positions"], "rational");
  EXPECT_EQ(pass["rule"], "x(i) = (-1 + 2 i) / 4");
  EXPECT_EQ(pass["window"], 2);
  EXPECT_EQ(nlohmann::json::parse(describe_json(*make_fill_plan({DataType::kInt4, {}, {}}, Limits())))["work"], "fill");
  EXPECT_EQ(nlohmann::json::parse(describe_json(*make_tile_plan({DataType::kInt4, {1}, {2}}, Limits())))["work"],
            "tile");
}

TEST(Describe, EqualPlansHaveEqualTexts) {
  EXPECT_EQ(describe_json(resize(Filter::kCubic, 9, 5)), describe_json(resize(Filter::kCubic, 9, 5)));
  EXPECT_NE(describe_json(resize(Filter::kCubic, 9, 5)), describe_json(resize(Filter::kCubic, 9, 6)));
}

}  // namespace
}  // namespace tesela
