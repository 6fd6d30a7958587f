// SPDX-License-Identifier: Apache-2.0
// The newest version that has nodes with these inputs and attributes.
#include "schema/node_form.h"

#include <gtest/gtest.h>

namespace tesela {
namespace {

Result<const OpSchema*> found(std::string_view type, size_t inputs, const std::vector<std::string_view>& attributes) {
  return find_schema_of_form("", type, inputs, attributes);
}

TEST(NodeForm, NewestVersionWithInputsAndAttributes) {
  EXPECT_EQ((*found("Upsample", 1, {"height_scale", "width_scale"}))->since_version, 1);
  EXPECT_EQ((*found("Upsample", 1, {"scales", "mode"}))->since_version, 7);
  EXPECT_EQ((*found("Upsample", 2, {"mode"}))->since_version, 9);
  EXPECT_EQ((*find_schema_of_form("", "Upsample", 1, std::nullopt))->since_version, 7);
}

TEST(NodeForm, RequiredAttributesMustBeGiven) {
  const auto message = [](const std::vector<std::string_view>& attributes) {
    const auto row = found("Upsample", 1, attributes);
    EXPECT_EQ(row.status().code(), TESELA_ERROR_UNSUPPORTED);
    return row.status().message();
  };
  EXPECT_EQ(message({}), "Upsample: no version has nodes of 1 inputs");
  EXPECT_EQ(message({"mode"}), "Upsample: no version has nodes of 1 inputs and the attributes 'mode'");
  EXPECT_EQ(message({"mode", "height_scale"}),
            "Upsample: no version has nodes of 1 inputs and the attributes 'mode', 'height_scale'");
}

TEST(NodeForm, EveryNodeHasAnInput) {
  for (const char* type : {"ConstantOfShape", "Tile", "Resize", "Upsample"})
    EXPECT_EQ(find_schema_of_form("", type, 0, std::nullopt).status().message(),
              std::string(type) + ": no version has nodes of 0 inputs");
}

}  // namespace
}  // namespace tesela
