// SPDX-License-Identifier: Apache-2.0
// The rows of ONNX's operators, compared with the tables of the standard.
#include "schema/onnx.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace tesela {
namespace {

// ONNX's rows; OpenVINO's follow them.
std::span<const OpSchema> onnx_rows() {
  return all_schemas().first(onnx_schemas().size());
}

const OpSchema& row(std::string_view type, int64_t version) {
  for (const OpSchema& one : onnx_rows())
    if (one.type == type && one.since_version == version) return one;
  throw std::logic_error("no such row");
}

TEST(OnnxRows, VersionsOfEachOperator) {  // ONNX's operator pages
  using Versions = std::vector<int64_t>;
  std::map<std::string_view, Versions> versions;
  for (const OpSchema& one : onnx_rows()) versions[one.type].push_back(one.since_version);
  EXPECT_EQ(versions, (std::map<std::string_view, Versions>{{"ConstantOfShape", {9, 20, 21, 23, 24, 25}},
                                                            {"Resize", {10, 11, 13, 18, 19}},
                                                            {"Tile", {1, 6, 13}},
                                                            {"Upsample", {1, 7, 9, 10}}}));
}

TEST(OnnxRows, TypesOfSomeCells) {
  using enum DataType;
  EXPECT_FALSE(row("ConstantOfShape", 9).outputs[0].types.contains(kBfloat16));  // ONNX's operator pages
  EXPECT_TRUE(row("ConstantOfShape", 20).outputs[0].types.contains(kBfloat16));
  for (const OpSchema& one : onnx_rows()) {
    if (one.op == Operator::kConstantOfShape) {
      EXPECT_FALSE(one.outputs[0].types.contains(kString));
      EXPECT_FALSE(one.outputs[0].types.contains(kComplex64));
    } else {
      EXPECT_FALSE(one.outputs[0].types.contains(kFloat8e5m2)) << one.type;
      EXPECT_FALSE(one.outputs[0].types.contains(kInt4)) << one.type;
    }
  }
  EXPECT_FALSE(row("Resize", 11).outputs[0].types.contains(kBfloat16));
  EXPECT_TRUE(row("Resize", 13).outputs[0].types.contains(kBfloat16));
  EXPECT_TRUE(row("Tile", 1).inputs[1].types.contains(kInt64));  // the unused T1 of Tile-1, an extension
}

TEST(OnnxRows, OutputsHaveTheTypesOfTheInput) {
  for (const OpSchema& one : onnx_rows())
    if (one.op != Operator::kConstantOfShape) {
      EXPECT_EQ(one.outputs[0].type_name, one.inputs[0].type_name) << one.type << one.since_version;
      EXPECT_EQ(one.outputs[0].types, one.inputs[0].types) << one.type << one.since_version;
    }
  EXPECT_EQ(row("Resize", 10).outputs[0].type_name, "T");
  EXPECT_EQ(row("Resize", 11).outputs[0].type_name, "T1");
}

TEST(OnnxRows, ResizeAttributesComeWithTheirVersions) {  // ONNX's operator pages
  const auto has = [](int64_t version, std::string_view name) {
    return find_attribute(row("Resize", version), name) != nullptr;
  };
  for (const char* name :
       {"coordinate_transformation_mode", "nearest_mode", "cubic_coeff_a", "exclude_outside", "extrapolation_value"}) {
    EXPECT_FALSE(has(10, name)) << name;
    for (const int64_t version : {11, 13, 18, 19}) EXPECT_TRUE(has(version, name)) << name;
  }
  for (const char* name : {"antialias", "axes", "keep_aspect_ratio_policy"}) {
    for (const int64_t version : {10, 11, 13}) EXPECT_FALSE(has(version, name)) << name;
    for (const int64_t version : {18, 19}) EXPECT_TRUE(has(version, name)) << name;
  }
}

TEST(OnnxRows, CoordinateModesByVersion) {  // ONNX's operator pages
  const auto allows = [](int64_t version, std::string_view value) {
    const auto& allowed = find_attribute(row("Resize", version), "coordinate_transformation_mode")->allowed;
    return std::find(allowed.begin(), allowed.end(), value) != allowed.end();
  };
  EXPECT_TRUE(allows(11, "tf_half_pixel_for_nn"));
  for (const int64_t version : {13, 18, 19}) EXPECT_FALSE(allows(version, "tf_half_pixel_for_nn"));
  for (const int64_t version : {11, 13, 18}) EXPECT_FALSE(allows(version, "half_pixel_symmetric"));
  EXPECT_TRUE(allows(19, "half_pixel_symmetric"));
  for (const int64_t version : {11, 13, 18, 19})
    for (const char* mode : {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"})
      EXPECT_TRUE(allows(version, mode)) << mode;
}

TEST(OnnxRows, TfHalfPixelForNnIsWithdrawnSince13) {
  const auto withdrawn = [](int64_t version) {
    return find_withdrawn(*find_attribute(row("Resize", version), "coordinate_transformation_mode"),
                          "tf_half_pixel_for_nn");
  };
  EXPECT_EQ(withdrawn(11), nullptr);
  for (const int64_t version : {13, 18, 19}) {
    ASSERT_NE(withdrawn(version), nullptr) << version;
    EXPECT_EQ(withdrawn(version)->last_version, 11);
  }
}

TEST(OnnxRows, DefaultsMatchTheStandard) {  // ONNX's operator pages
  const OpSchema& resize = row("Resize", 19);
  EXPECT_EQ(find_attribute(resize, "mode")->default_string, "nearest");
  EXPECT_EQ(find_attribute(resize, "nearest_mode")->default_string, "round_prefer_floor");
  EXPECT_EQ(find_attribute(resize, "coordinate_transformation_mode")->default_string, "half_pixel");
  EXPECT_EQ(find_attribute(resize, "cubic_coeff_a")->default_float, -0.75f);
  EXPECT_EQ(find_attribute(resize, "keep_aspect_ratio_policy")->default_string, "stretch");
  EXPECT_EQ(find_attribute(resize, "antialias")->default_int, 0);
  EXPECT_EQ(find_attribute(resize, "exclude_outside")->default_int, 0);
  EXPECT_EQ(find_attribute(resize, "extrapolation_value")->default_float, 0.0f);
  for (const AttributeSpec& spec : resize.attributes) EXPECT_EQ(spec.has_default, spec.name != "axes") << spec.name;
}

TEST(OnnxRows, EveryDefaultIsAllowed) {
  for (const OpSchema& one : onnx_rows())
    for (const AttributeSpec& spec : one.attributes) {
      if (!spec.has_default || spec.allowed.empty()) continue;
      EXPECT_NE(std::find(spec.allowed.begin(), spec.allowed.end(), spec.default_string), spec.allowed.end());
    }
}

TEST(OnnxRows, RequiredInputsOfResize) {
  // ONNX's operator pages: 11 requires roi and scales, later versions only X
  const auto required = [](int64_t version) {
    int count = 0;
    for (const Port& port : row("Resize", version).inputs) count += port.presence == Presence::kRequired;
    return count;
  };
  EXPECT_EQ(required(10), 2);
  EXPECT_EQ(required(11), 3);
  for (const int64_t version : {13, 18, 19}) EXPECT_EQ(required(version), 1);
}

TEST(OnnxRows, RowsAreInAscendingOrder) {
  std::map<std::string_view, int64_t> last;
  for (const OpSchema& one : onnx_rows()) {
    EXPECT_LT(last[one.type], one.since_version) << one.type;
    last[one.type] = one.since_version;
    EXPECT_EQ(one.outputs.size(), 1u);
  }
}

}  // namespace
}  // namespace tesela
