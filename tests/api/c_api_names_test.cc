// SPDX-License-Identifier: Apache-2.0
// The C interface: valid names, and the version of a node by its inputs and attributes.
#include <gtest/gtest.h>

#include <algorithm>

#include "heap.h"
#include "tesela/tesela.hpp"

namespace tesela {
namespace {

using Strings = std::vector<std::string>;

TEST(CApiNames, ListsAllowedAttributeValues) {
  EXPECT_EQ(Op("Resize", 10).allowed("mode"), (Strings{"nearest", "linear"}));
  EXPECT_EQ(Op("Resize", 19).allowed("mode"), (Strings{"nearest", "linear", "cubic"}));
  EXPECT_EQ(Op("Resize", 19).allowed("antialias"), Strings());
  EXPECT_EQ(Op("Resize", 19).allowed("no such"), Strings());
}

TEST(CApiNames, OperatorsAcceptEveryFieldName) {
  const Strings names = field_names();
  EXPECT_NE(std::ranges::find(names, "tesela.weights"), names.end());
  EXPECT_EQ(std::ranges::count(names, "tesela.coordinates"), 1);
  for (const std::string& name : names) try {
      Op("Resize", 19).set(name, "no such value");
      ADD_FAILURE() << name;
    } catch (const Error& error) {
      EXPECT_EQ(std::string(error.what()).find("is unknown"), std::string::npos) << error.what();
    }
}

TEST(CApiNames, OperatorsAcceptEveryAllowedFieldValue) {
  const Op resize("Resize", 19);
  EXPECT_EQ(resize.allowed("tesela.weights"), (Strings{"fixed8", "fixed22", "int16"}));
  EXPECT_EQ(resize.allowed("tesela.position_scales"), Strings());
  EXPECT_EQ(resize.allowed("tesela.no such"), Strings());
  for (const std::string& field : field_names())
    for (const std::string& value : resize.allowed(field)) EXPECT_NO_THROW(Op("Resize", 19).set(field, value)) << field;
}

// A null pointer ends a list, so a list that needs memory could end too soon.
TEST(CApiNames, ListsTakeNoMemory) {
  const Op resize("Resize", 19);
  const auto count_all = [&] {
    size_t count = 0;
    const auto add = [&](auto&& name) {
      for (size_t i = 0; name(i) != nullptr; ++i) ++count;
    };
    add([](size_t i) { return tesela_operator_attribute_name("", "Resize", i); });
    add([](size_t i) { return tesela_field_name(i); });
    add([&](size_t i) { return tesela_op_attribute_allowed(resize.get(), "mode", i); });
    add([&](size_t i) { return tesela_op_attribute_allowed(resize.get(), "tesela.rules", i); });
    add([&](size_t i) { return tesela_op_attribute_name(resize.get(), i); });
    add([&](size_t i) { return tesela_op_input_name(resize.get(), i); });
    return count;
  };
  const size_t expected = count_all();
  const int64_t before = testing::allocations();
  EXPECT_EQ(count_all(), expected);
  EXPECT_EQ(testing::allocations(), before);
  EXPECT_GT(expected, 30u);
}

TEST(CApiNames, AttributesOfAnyVersion) {
  EXPECT_EQ(operator_attributes("Upsample"), (Strings{"height_scale", "mode", "width_scale", "scales"}));
  EXPECT_EQ(operator_attributes("Tile"), Strings());
  EXPECT_EQ(operator_attributes("Conv"), Strings());
  EXPECT_EQ(operator_attributes("Interpolate", "openvino").size(), 10u);
}

TEST(CApiNames, VersionsByInputsAndAttributes) {
  const auto newest = [](const std::string& type) { return Op(type, 0).since_version(); };
  EXPECT_EQ(operator_version("Tile", 3), 1);
  EXPECT_EQ(operator_version("Tile", 2), newest("Tile"));
  EXPECT_EQ(operator_version("Upsample", 2), 9);
  EXPECT_EQ(operator_version("Upsample", 1), 7);
  EXPECT_EQ(operator_version("Upsample", 1, Strings{"mode", "scales"}), 7);
  EXPECT_EQ(operator_version("Upsample", 1, Strings{"width_scale", "height_scale"}), 1);
  EXPECT_EQ(operator_version("Resize", 2), 10);
  EXPECT_EQ(operator_version("Resize", 3), newest("Resize"));
  EXPECT_EQ(operator_version("Resize", 4, Strings{"antialias"}), newest("Resize"));
  EXPECT_EQ(operator_version("ConstantOfShape", 1), newest("ConstantOfShape"));
  EXPECT_EQ(operator_version("Interpolate", 3, {}, "openvino"), 11);
}

TEST(CApiNames, RejectsNodesThatMatchNoVersion) {
  const auto message_of = [](const std::string& type, size_t inputs, const std::optional<Strings>& attributes) {
    try {
      operator_version(type, inputs, attributes);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), TESELA_ERROR_UNSUPPORTED);
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(message_of("Resize", 5, {}), "Resize: no version has nodes of 5 inputs");
  EXPECT_EQ(message_of("Resize", 2, Strings{"axes"}),
            "Resize: no version has nodes of 2 inputs and the attributes 'axes'");
  EXPECT_NE(message_of("Conv", 2, {}).find("'Conv'"), std::string::npos);
}

TEST(CApiNames, NearestName) {
  const Strings verbs = {"run", "inspect", "check"};
  EXPECT_EQ(nearest_name("chek", verbs), "check");
  EXPECT_EQ(nearest_name("Insp", verbs), "inspect");
  EXPECT_EQ(nearest_name("lint", verbs), "");
  EXPECT_EQ(tesela_nearest_name("run", 0, nullptr), nullptr);
}

}  // namespace
}  // namespace tesela
