// SPDX-License-Identifier: Apache-2.0
// The C interface: the inputs and attributes of an operator's version by name, and plans with named inputs.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "api/code_of.h"

namespace tesela {
namespace {

using Strings = std::vector<std::string>;
using NamedViews = std::vector<std::pair<std::string, View>>;

struct Sample {
  std::vector<float> x = {1, 2, 3, 4};
  std::vector<float> scales = {2};
  std::vector<int64_t> sizes = {8};
  View data() { return View(x, {4}); }
  View by_scales() { return View(scales, {1}); }
  View by_sizes() { return View(sizes, {1}); }
};

Shape extents(const Op& op, const View& x, const NamedViews& inputs) {
  return Shape(op.plan_named(x, inputs).output_extents());
}

tesela_status status_of(const Op& op, const View& x, const NamedViews& inputs, std::string* message = nullptr) {
  return testing::code_of([&] { op.plan_named(x, inputs); }, message);
}

TEST(CApiRows, InputsOfEachVersion) {
  EXPECT_EQ(Op("Resize", 10).inputs(), (Strings{"X", "scales"}));
  EXPECT_EQ(Op("Resize", 19).inputs(), (Strings{"X", "roi", "scales", "sizes"}));
  EXPECT_EQ(Op("Tile", 1).inputs(), (Strings{"input", "tiles", "axis"}));
  EXPECT_EQ(Op("Tile", 13).inputs(), (Strings{"input", "repeats"}));
  EXPECT_EQ(tesela_op_input_name(Op("Tile", 13).get(), 2), nullptr);
}

TEST(CApiRows, AttributesAndTheirKinds) {
  EXPECT_EQ(Op("Resize", 10).attributes(), Strings{"mode"});
  const Op op("Resize", 19);
  EXPECT_EQ(op.attributes().size(), 9u);
  EXPECT_EQ(op.attribute_kind("mode"), TESELA_ATTRIBUTE_STRING);
  EXPECT_EQ(op.attribute_kind("cubic_coeff_a"), TESELA_ATTRIBUTE_FLOAT);
  EXPECT_EQ(op.attribute_kind("antialias"), TESELA_ATTRIBUTE_INT);
  EXPECT_EQ(op.attribute_kind("axes"), TESELA_ATTRIBUTE_INTS);
  EXPECT_EQ(op.attribute_kind("Antialias"), TESELA_ATTRIBUTE_NONE);
  EXPECT_EQ(Op("Upsample", 7).attribute_kind("scales"), TESELA_ATTRIBUTE_FLOATS);
  EXPECT_EQ(Op("ConstantOfShape", 9).attribute_kind("value"), TESELA_ATTRIBUTE_TENSOR);
  EXPECT_EQ(tesela_op_attribute_kind(op.get(), nullptr), TESELA_ATTRIBUTE_NONE);
  EXPECT_EQ(tesela_op_attribute_name(op.get(), 9), nullptr);
}

TEST(CApiRows, PlansOfNamedInputsInEveryVersion) {
  Sample sample;
  for (const int64_t opset : {10, 11, 13, 18, 19})
    EXPECT_EQ(extents(Op("Resize", opset), sample.data(), {{"scales", sample.by_scales()}}), Shape{8}) << opset;
  for (const int64_t opset : {11, 13, 18, 19})
    EXPECT_EQ(extents(Op("Resize", opset), sample.data(), {{"sizes", sample.by_sizes()}}), Shape{8}) << opset;
  EXPECT_EQ(extents(Op("Upsample", 9), sample.data(), {{"scales", sample.by_scales()}}), Shape{8});
}

TEST(CApiRows, UnknownInputsAreNamed) {
  Sample sample;
  std::string message;
  EXPECT_EQ(status_of(Op("Resize", 10), sample.data(), {{"sizes", sample.by_sizes()}}, &message), TESELA_ERROR_COUNT);
  EXPECT_EQ(message, "Resize-10: there is no input 'sizes'; Resize has it since version 11");
  EXPECT_EQ(status_of(Op("Resize", 19), sample.data(), {{"size", sample.by_sizes()}}, &message), TESELA_ERROR_COUNT);
  EXPECT_EQ(message, "Resize-19: there is no input 'size'; expected X, roi, scales, sizes");
  EXPECT_EQ(status_of(Op("Resize", 19), sample.data(), {{"X", sample.data()}}, &message), TESELA_ERROR_COUNT);
  EXPECT_EQ(message, "Resize-19: input 'X' is given twice");
}

TEST(CApiRows, MissingRequiredInputsAreNamed) {
  Sample sample;
  std::string message;
  EXPECT_EQ(status_of(Op("Tile", 13), sample.data(), {}, &message), TESELA_ERROR_COUNT);
  EXPECT_EQ(message, "Tile-13: input 'repeats' is missing; it is required");
  EXPECT_EQ(status_of(Op("Resize", 10), sample.data(), {}, &message), TESELA_ERROR_COUNT);
  EXPECT_EQ(message, "Resize-10: input 'scales' is missing; it is required");
  EXPECT_EQ(status_of(Op("Upsample", 9), sample.data(), {}, &message), TESELA_ERROR_COUNT);
  EXPECT_EQ(message, "Upsample-9: input 'scales' is missing; it is required");
  EXPECT_EQ(status_of(Op("Resize", 11), sample.data(), {}, &message), TESELA_ERROR_COUNT);
  EXPECT_EQ(message, "Resize-11: has neither 'scales' nor 'sizes'; expected exactly one of them");
}

TEST(CApiRows, MissingArgumentsAreUsageErrors) {
  const Op op("Resize", 19);
  tesela_plan* plan = nullptr;
  EXPECT_EQ(tesela_plan_create_named(nullptr, 0, nullptr, nullptr, nullptr, &plan, nullptr), TESELA_ERROR_USAGE);
  EXPECT_EQ(tesela_plan_create_named(op.get(), 1, nullptr, nullptr, nullptr, &plan, nullptr), TESELA_ERROR_USAGE);
  EXPECT_EQ(tesela_plan_create_named(op.get(), 0, nullptr, nullptr, nullptr, nullptr, nullptr), TESELA_ERROR_USAGE);
  EXPECT_EQ(plan, nullptr);
}

}  // namespace
}  // namespace tesela
