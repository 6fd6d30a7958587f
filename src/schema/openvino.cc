// SPDX-License-Identifier: Apache-2.0
// OpenVINO's operators, one row for each (operator, opset that introduced the version).
#include "schema/openvino.h"

#include "schema/attribute_specs.h"

namespace tesela {
namespace {

// "Any supported type": all types with an OpenVINO name.
TypeSet every_type() {
  TypeSet types;
  for (const DataTypeTraits& row : all_data_types())
    if (!row.openvino_name.empty()) types = types | TypeSet{row.type};
  return types;
}

TypeSet every_integer() {
  return kIntegers | TypeSet{DataType::kUint2, DataType::kUint4, DataType::kInt4};
}

// Before opset 4 padding is one number for all axes; lists may have any length.
void add_common(std::vector<AttributeSpec>& attributes) {
  attributes.push_back(int_attribute("antialias", 0));
  attributes.push_back({"pads_begin", AttributeKind::kInts});
  attributes.push_back({"pads_end", AttributeKind::kInts});
}

std::vector<AttributeSpec> attributes_of_first() {
  std::vector<AttributeSpec> attributes = {int_attribute("align_corners", 1),
                                           {"axes", AttributeKind::kInts, true},
                                           choice<InterpolateMode>("mode", {"nearest", "linear", "cubic", "area"})};
  add_common(attributes);
  return attributes;
}

std::vector<AttributeSpec> attributes_since_4(const Names<InterpolateMode>& modes) {
  std::vector<AttributeSpec> attributes = {
      choice_or<CoordinateMode>(
          "coordinate_transformation_mode", "half_pixel",
          {"half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners"}),
      float_attribute("cube_coeff", -0.75f),
      choice<InterpolateMode>("mode", modes),
      choice_or<NearestMode>("nearest_mode", "round_prefer_floor",
                             {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"}),
      choice<ShapeCalculation>("shape_calculation_mode", {"sizes", "scales"}),
  };
  add_common(attributes);
  return attributes;
}

}  // namespace

std::vector<OpSchema> openvino_schemas() {
  const TypeSet numbers = kIeeeFloats | kBfloat16Only | kIntegers;
  const TypeSet floats = kIeeeFloats | kBfloat16Only;
  const TypeSet integers = every_integer();
  const auto interpolate = [&](int64_t since, std::vector<Port> inputs, std::vector<AttributeSpec> attributes) {
    return OpSchema{kOpenvinoDomain,        "Interpolate",     since,
                    Operator::kInterpolate, std::move(inputs), {{"output", "T", numbers}},
                    std::move(attributes)};
  };
  std::vector<OpSchema> rows;
  rows.push_back(
      interpolate(1, {{"data", "T", numbers}, {"target_spatial_shape", "T_INT", integers}}, attributes_of_first()));
  rows.push_back(interpolate(4,
                             {{"data", "T", numbers},
                              {"sizes", "T_SIZES", integers},
                              {"scales", "T_SCALES", floats},
                              {"axes", "T_AXES", integers, Presence::kOptional}},
                             attributes_since_4({"nearest", "linear", "linear_onnx", "cubic"})));
  rows.push_back(interpolate(
      11,
      {{"image", "T", numbers},
       {"scales_or_sizes", "T_SCALES or T_SIZES", floats | integers},
       {"axes", "T_AXES", integers, Presence::kOptional}},
      attributes_since_4({"nearest", "linear", "linear_onnx", "cubic", "bilinear_pillow", "bicubic_pillow"})));
  rows.push_back({kOpenvinoDomain,
                  "Tile",
                  1,
                  Operator::kTile,
                  {{"data", "T1", every_type()}, {"repeats", "T2", integers}},
                  {{"output", "T1", every_type()}},
                  {}});
  return rows;
}

}  // namespace tesela
