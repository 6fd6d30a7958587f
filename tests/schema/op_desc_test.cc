// SPDX-License-Identifier: Apache-2.0
// Checks an operator's attributes and inputs against its row.
#include "schema/op_desc.h"

#include <gtest/gtest.h>

#include <limits>

#include "schema/described.h"

namespace tesela {
namespace {

using Types = std::vector<std::optional<DataType>>;

Attribute tensor(std::string name, DataType type, Extents extents) {
  return {std::move(name), AttributeKind::kTensor, *Tensor::allocate(type, std::move(extents))};
}

// The code of the only fault; TESELA_OK if there is none.
tesela_status only_fault(const OpDesc& op) {
  const std::vector<Status> faults = validate_attributes(op);
  EXPECT_LE(faults.size(), 1u);
  return faults.empty() ? TESELA_OK : faults.front().code();
}

TEST(OpDescTest, MessagesBeginWithOperatorVersionAndNode) {
  EXPECT_EQ(make_op("Resize", 18, {}, "up1").where(), "Resize-18 node 'up1': ");
  EXPECT_EQ(make_op("Tile", 20).where(), "Tile-13: ");
  const OpDesc op = make_op("Resize", 18, {text("mode", "area")}, "up1");
  EXPECT_EQ(validate_attributes(op).at(0).message(),
            "Resize-18 node 'up1': attribute 'mode' is 'area'; expected one of nearest, linear, cubic");
}

TEST(OpDescTest, ValuesFallBackToTheDefaultsOfTheRow) {
  const OpDesc op = make_op("Resize", 19);
  EXPECT_EQ(op.string_value("mode"), "nearest");
  EXPECT_EQ(op.float_value("cubic_coeff_a"), -0.75f);
  EXPECT_EQ(op.int_value("antialias"), 0);
  EXPECT_FALSE(op.ints_value("axes").has_value());
  EXPECT_FALSE(op.floats_value("scales").has_value());
  EXPECT_EQ(make_op("ConstantOfShape", 9).tensor_value("value"), nullptr);
  EXPECT_EQ(make_op("Resize", 11).int_value("antialias"), 0);  // not in the row
}

TEST(OpDescTest, GivenValuesWin) {
  const OpDesc op = make_op("Resize", 19,
                            {text("mode", "cubic"),
                             number("cubic_coeff_a", -0.5f),
                             integer("antialias", 1),
                             {"axes", AttributeKind::kInts, std::vector<int64_t>{2, -1}}});
  EXPECT_EQ(only_fault(op), TESELA_OK);
  EXPECT_EQ(op.string_value("mode"), "cubic");
  EXPECT_EQ(op.float_value("cubic_coeff_a"), -0.5f);
  EXPECT_EQ(op.int_value("antialias"), 1);
  EXPECT_EQ((*op.ints_value("axes"))[1], -1);
}

TEST(ValidateAttributes, UnknownInThisVersion) {
  EXPECT_EQ(only_fault(make_op("Resize", 13, {integer("antialias", 0)})), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(only_fault(make_op("Resize", 10, {text("nearest_mode", "floor")})), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(only_fault(make_op("Tile", 13, {integer("axis", 0)})), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(only_fault(make_op("Upsample", 9, {{"scales", AttributeKind::kFloats, std::vector<float>{1}}})),
            TESELA_ERROR_ATTRIBUTE);
}

TEST(ValidateAttributes, EnumerationsAreCaseSensitiveAndOfTheVersion) {
  EXPECT_EQ(only_fault(make_op("Resize", 11, {text("mode", "bilinear")})), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(only_fault(make_op("Resize", 11, {text("mode", "Linear")})), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(only_fault(make_op("Resize", 10, {text("mode", "cubic")})), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(only_fault(make_op("Resize", 13, {text("coordinate_transformation_mode", "tf_half_pixel_for_nn")})),
            TESELA_OK);
  EXPECT_EQ(only_fault(make_op("Resize", 11, {text("coordinate_transformation_mode", "tf_half_pixel_for_nn")})),
            TESELA_OK);
  EXPECT_EQ(only_fault(make_op("Resize", 18, {text("coordinate_transformation_mode", "half_pixel_symmetric")})),
            TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(only_fault(make_op("Resize", 19, {text("keep_aspect_ratio_policy", "fit")})), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(only_fault(make_op("Upsample", 9, {text("mode", "bilinear")})), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(only_fault(make_op("Resize", 13, {text("mode", std::string("linear\0", 7))})), TESELA_ERROR_ATTRIBUTE);
}

TEST(ValidateAttributes, EnumerationsWithoutEffectAreChecked) {
  EXPECT_EQ(only_fault(make_op("Resize", 13, {text("mode", "linear"), text("nearest_mode", "simple")})),
            TESELA_ERROR_ATTRIBUTE);
}

TEST(ValidateAttributes, KindsMustMatchTheRow) {
  EXPECT_EQ(only_fault(make_op("Resize", 13, {integer("mode", 1)})), TESELA_ERROR_TYPE);
  EXPECT_EQ(only_fault(make_op("Resize", 13, {number("exclude_outside", 1)})), TESELA_ERROR_TYPE);
  EXPECT_EQ(only_fault(make_op("Resize", 18, {integer("axes", 1)})), TESELA_ERROR_TYPE);
  // A file can declare one kind and hold another, or a kind that no supported operator has.
  EXPECT_EQ(only_fault(make_op("Resize", 13, {{"mode", AttributeKind::kString, int64_t{1}}})), TESELA_ERROR_TYPE);
  EXPECT_EQ(only_fault(make_op("Resize", 13, {{"mode", AttributeKind::kString, std::monostate()}})), TESELA_ERROR_TYPE);
  EXPECT_EQ(only_fault(make_op("Resize", 13, {{"mode", AttributeKind::kGraph, std::monostate()}})), TESELA_ERROR_TYPE);
}

TEST(ValidateAttributes, FlagsMustBeZeroOrOne) {
  for (const int64_t value : {int64_t{-1}, int64_t{2}, INT64_MIN})
    EXPECT_EQ(only_fault(make_op("Resize", 18, {text("mode", "linear"), integer("antialias", value)})),
              TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(only_fault(make_op("Resize", 11, {integer("exclude_outside", 2)})), TESELA_ERROR_ATTRIBUTE);
}

TEST(ValidateAttributes, AntialiasWithNearestIsRefused) {  // docs/semantics.md, Resize: positions
  EXPECT_EQ(only_fault(make_op("Resize", 18, {integer("antialias", 1)})), TESELA_ERROR_ATTRIBUTE);
  EXPECT_EQ(only_fault(make_op("Resize", 18, {integer("antialias", 0)})), TESELA_OK);
}

TEST(ValidateAttributes, CubicCoefficientMustBeFiniteInCubicMode) {
  // docs/semantics.md, Resize: output size
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(only_fault(make_op("Resize", 13, {text("mode", "cubic"), number("cubic_coeff_a", nan)})),
            TESELA_ERROR_VALUE);
  EXPECT_EQ(only_fault(make_op("Resize", 13, {text("mode", "linear"), number("cubic_coeff_a", nan)})), TESELA_OK);
  EXPECT_EQ(only_fault(make_op("Resize", 13, {number("extrapolation_value", nan)})), TESELA_OK);
  EXPECT_EQ(only_fault(make_op("Resize", 13, {number("cubic_coeff_a", nan)})), TESELA_OK);  // the default is nearest
  EXPECT_EQ(only_fault(make_op("Resize", 13, {integer("mode", 1), number("cubic_coeff_a", nan)})), TESELA_ERROR_TYPE);
  const auto coefficient = [&](std::string mode) {
    return OpDesc{*find_schema(kOpenvinoDomain, "Interpolate", 11),
                  "",
                  {text("mode", std::move(mode)), text("shape_calculation_mode", "sizes"), number("cube_coeff", nan)}};
  };
  for (const char* mode : {"cubic", "bicubic_pillow"})
    EXPECT_EQ(validate_attributes(coefficient(mode)).at(0).message(),
              "Interpolate-11: attribute 'cube_coeff' is nan; expected a finite number");
  EXPECT_EQ(only_fault(coefficient("bilinear_pillow")), TESELA_OK);
}

TEST(ValidateAttributes, RejectsDuplicates) {
  EXPECT_EQ(only_fault(make_op("Resize", 13, {text("mode", "linear"), text("mode", "linear")})),
            TESELA_ERROR_ATTRIBUTE);
}

TEST(ValidateAttributes, MissingRequiredAttributesAreNamed) {
  const auto faults = validate_attributes(make_op("Upsample", 1));
  ASSERT_EQ(faults.size(), 2u);
  EXPECT_NE(faults[0].message().find("'height_scale'"), std::string::npos);
  EXPECT_NE(faults[1].message().find("'width_scale'"), std::string::npos);
  EXPECT_EQ(only_fault(make_op("Upsample", 7)), TESELA_ERROR_ATTRIBUTE);
}

TEST(ValidateAttributes, EveryFaultIsReported) {
  const auto faults = validate_attributes(make_op(
      "Resize", 18, {text("mode", "area"), integer("antialias", 7), text("colour", "red"), text("mode", "linear")}));
  EXPECT_EQ(faults.size(), 4u);
}

TEST(ValidateAttributes, ValueOfConstantOfShapeHasOneElementOfAnyRank) {
  // docs/semantics.md, ConstantOfShape
  for (const Extents& extents : {Extents{}, Extents{1}, Extents{1, 1}})
    EXPECT_EQ(only_fault(make_op("ConstantOfShape", 9, {tensor("value", DataType::kFloat, extents)})), TESELA_OK);
  for (const Extents& extents : {Extents{0}, Extents{2}, Extents{1, 2}})
    EXPECT_EQ(only_fault(make_op("ConstantOfShape", 9, {tensor("value", DataType::kFloat, extents)})),
              TESELA_ERROR_ATTRIBUTE);
}

TEST(ValidateAttributes, ValueOfConstantOfShapeHasATypeOfTheVersion) {  // ONNX's operator pages
  const auto fault = [](int64_t opset, DataType type) {
    return only_fault(make_op("ConstantOfShape", opset, {tensor("value", type, {1})}));
  };
  EXPECT_EQ(fault(9, DataType::kBfloat16), TESELA_ERROR_TYPE);
  EXPECT_EQ(fault(20, DataType::kBfloat16), TESELA_OK);
  EXPECT_EQ(fault(24, DataType::kInt2), TESELA_ERROR_TYPE);
  EXPECT_EQ(fault(25, DataType::kInt2), TESELA_OK);
  EXPECT_EQ(fault(25, DataType::kString), TESELA_ERROR_TYPE);
  EXPECT_EQ(fault(25, DataType::kComplex64), TESELA_ERROR_TYPE);
  const OpDesc op = make_op("ConstantOfShape", 9, {tensor("value", DataType::kBfloat16, {1})});
  EXPECT_EQ(
      validate_attributes(op).at(0).message(),
      "ConstantOfShape-9: attribute 'value' has type bfloat16; expected one of float, uint8, int8, uint16, int16, "
      "int32, int64, bool, float16, double, uint32, uint64");
}

tesela_status only_input_fault(const OpDesc& op, const Types& inputs) {
  const std::vector<Status> faults = validate_inputs(op, inputs);
  EXPECT_LE(faults.size(), 1u);
  return faults.empty() ? TESELA_OK : faults.front().code();
}

constexpr auto kF = DataType::kFloat;
constexpr auto kL = DataType::kInt64;

TEST(ValidateInputs, CountsAndOmissions) {
  EXPECT_EQ(only_input_fault(make_op("Tile", 13), {kF, kL}), TESELA_OK);
  EXPECT_EQ(only_input_fault(make_op("Tile", 13), {kF}), TESELA_ERROR_COUNT);
  EXPECT_EQ(only_input_fault(make_op("Tile", 13), {kF, std::nullopt}), TESELA_ERROR_COUNT);
  EXPECT_EQ(only_input_fault(make_op("Tile", 13), {kF, kL, kL}), TESELA_ERROR_COUNT);
  EXPECT_EQ(validate_inputs(make_op("Tile", 13), Types{}).size(), 2u);
  EXPECT_EQ(only_input_fault(make_op("Resize", 13), {kF}),
            TESELA_OK);  // which of scales and sizes: checked elsewhere
  EXPECT_EQ(only_input_fault(make_op("Resize", 13, {text("mode", "linear")}), {}), TESELA_ERROR_COUNT);
  EXPECT_EQ(only_input_fault(make_op("Resize", 11), {kF, kF}), TESELA_ERROR_COUNT);
  EXPECT_EQ(only_input_fault(make_op("Resize", 10), {kF, kF, kF}), TESELA_ERROR_COUNT);
}

TEST(ValidateInputs, TypesOfEachPort) {  // docs/semantics.md: scales of double is a type error
  EXPECT_EQ(only_input_fault(make_op("Resize", 13), {kF, std::nullopt, DataType::kDouble}), TESELA_ERROR_TYPE);
  EXPECT_EQ(only_input_fault(make_op("Resize", 13), {kF, std::nullopt, std::nullopt, DataType::kInt32}),
            TESELA_ERROR_TYPE);
  EXPECT_EQ(only_input_fault(make_op("Resize", 13), {kF, DataType::kDouble, kF}), TESELA_OK);  // roi may be
  EXPECT_EQ(only_input_fault(make_op("Resize", 13), {kF, DataType::kBfloat16, kF}), TESELA_ERROR_TYPE);
  EXPECT_EQ(only_input_fault(make_op("Resize", 11), {DataType::kBfloat16, kF, kF}), TESELA_ERROR_TYPE);
  EXPECT_EQ(only_input_fault(make_op("Resize", 19), {DataType::kInt4}), TESELA_ERROR_TYPE);
  EXPECT_EQ(only_input_fault(make_op("Tile", 13), {kF, DataType::kInt32}), TESELA_ERROR_TYPE);
  EXPECT_EQ(only_input_fault(make_op("Tile", 1), {kF, kF, kL}), TESELA_OK);
  EXPECT_EQ(only_input_fault(make_op("Tile", 1), {DataType::kInt8, kF, kF}), TESELA_ERROR_TYPE);
  EXPECT_EQ(only_input_fault(make_op("ConstantOfShape", 9), {DataType::kInt32}), TESELA_ERROR_TYPE);
}

TEST(ValidateInputs, UnknownTypesPass) {
  EXPECT_EQ(only_input_fault(make_op("Tile", 13), {DataType::kUndefined, DataType::kUndefined}), TESELA_OK);
}

TEST(ValidateInputs, StringsNeedNearestMode) {
  const Types strings = {DataType::kString, kF, kF};
  EXPECT_EQ(only_input_fault(make_op("Resize", 11), strings), TESELA_OK);
  EXPECT_EQ(only_input_fault(make_op("Resize", 11, {text("mode", "nearest")}), strings), TESELA_OK);
  EXPECT_EQ(only_input_fault(make_op("Resize", 11, {text("mode", "linear")}), strings), TESELA_ERROR_TYPE);
  EXPECT_EQ(only_input_fault(make_op("Resize", 11, {text("mode", "cubic")}), strings), TESELA_ERROR_TYPE);
}

TEST(AttributeKinds, HaveTheirNamesOfOnnx) {
  constexpr std::string_view kNames[] = {
      "UNDEFINED", "FLOAT",   "INT",    "STRING",        "TENSOR",         "GRAPH",      "FLOATS",     "INTS",
      "STRINGS",   "TENSORS", "GRAPHS", "SPARSE_TENSOR", "SPARSE_TENSORS", "TYPE_PROTO", "TYPE_PROTOS"};
  for (int k = 0; k < 15; ++k) EXPECT_EQ(name(static_cast<AttributeKind>(k)), kNames[k]);
  EXPECT_EQ(name(static_cast<AttributeKind>(99)), "UNKNOWN");
}

}  // namespace
}  // namespace tesela
