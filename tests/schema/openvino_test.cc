// SPDX-License-Identifier: Apache-2.0
// The rows of OpenVINO's operators, compared with its specification of operators.
#include "schema/openvino.h"

#include <gtest/gtest.h>

#include <map>

namespace tesela {
namespace {

using Versions = std::vector<int64_t>;

const OpSchema& row(std::string_view type, int64_t opset) {
  return **find_schema(kOpenvinoDomain, type, opset);
}

TEST(OpenvinoRows, VersionsOfEachOperator) {  // the opsets of docs.openvino.ai's operator pages
  std::map<std::string_view, Versions> versions;
  for (const OpSchema& one : openvino_schemas()) versions[one.type].push_back(one.since_version);
  EXPECT_EQ(versions, (std::map<std::string_view, Versions>{{"Interpolate", {1, 4, 11}}, {"Tile", {1}}}));
}

TEST(OpenvinoRows, TileTakesEveryTypeWithAnOpenvinoName) {
  using enum DataType;
  const OpSchema& tile = row("Tile", 1);
  for (const DataType type : {kFloat, kBfloat16, kBool, kString, kUint64, kFloat8e5m2, kFloat4e2m1, kInt4, kUint2}) {
    EXPECT_TRUE(tile.inputs[0].types.contains(type)) << name(type);
    EXPECT_TRUE(tile.outputs[0].types.contains(type)) << name(type);
  }
  for (const DataType type : {kComplex64, kComplex128, kFloat8e4m3fnuz, kFloat8e5m2fnuz}) {
    EXPECT_FALSE(tile.inputs[0].types.contains(type)) << name(type);
    EXPECT_FALSE(tile.outputs[0].types.contains(type)) << name(type);
  }
}

TEST(OpenvinoRows, DefaultsMatchTheSpecification) {
  EXPECT_EQ(find_attribute(row("Interpolate", 1), "align_corners")->default_int, 1);
  for (const int64_t opset : {1, 4, 11}) {
    const AttributeSpec& antialias = *find_attribute(row("Interpolate", opset), "antialias");
    EXPECT_TRUE(antialias.has_default);
    EXPECT_EQ(antialias.default_int, 0);
  }
  for (const int64_t opset : {4, 11}) {
    const OpSchema& interpolate = row("Interpolate", opset);
    EXPECT_EQ(find_attribute(interpolate, "coordinate_transformation_mode")->default_string, "half_pixel");
    EXPECT_EQ(find_attribute(interpolate, "nearest_mode")->default_string, "round_prefer_floor");
    EXPECT_EQ(find_attribute(interpolate, "cube_coeff")->default_float, -0.75f);
  }
}

}  // namespace
}  // namespace tesela
