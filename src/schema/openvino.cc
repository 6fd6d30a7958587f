// OpenVINO's operators, one row for each (operator, opset that brought the version).
#include "schema/openvino.h"

namespace tesela {
namespace {

using Names = std::vector<std::string_view>;

AttributeSpec choice(std::string_view name, Names allowed) {
  AttributeSpec spec{name, AttributeKind::kString};
  spec.required = true;
  spec.allowed = std::move(allowed);
  return spec;
}

AttributeSpec choice_or_first(std::string_view name, Names allowed) {
  AttributeSpec spec = choice(name, std::move(allowed));
  spec.required = false;
  spec.has_default = true;
  spec.default_string = spec.allowed.front();
  return spec;
}

AttributeSpec flag(std::string_view name, bool default_value) {
  AttributeSpec spec{name, AttributeKind::kInt};
  spec.has_default = true;
  spec.default_int = default_value ? 1 : 0;
  return spec;
}

// "Any supported type": every one that has a name there.
TypeSet every_type() {
  TypeSet types;
  for (const DataTypeTraits& row : all_data_types())
    if (!row.openvino_name.empty()) types = types | TypeSet{row.type};
  return types;
}

TypeSet every_integer() {
  return kIntegers | TypeSet{DataType::kUint2, DataType::kUint4, DataType::kInt4};
}

// Before opset 4 padding was one number for all axes, and lists may be of any length.
void add_common(std::vector<AttributeSpec>& attributes) {
  attributes.push_back(flag("antialias", false));
  attributes.push_back({"pads_begin", AttributeKind::kInts});
  attributes.push_back({"pads_end", AttributeKind::kInts});
}

std::vector<AttributeSpec> attributes_of_first() {
  std::vector<AttributeSpec> attributes = {flag("align_corners", true),
                                           {"axes", AttributeKind::kInts, true},
                                           choice("mode", {"nearest", "linear", "cubic", "area"})};
  add_common(attributes);
  return attributes;
}

std::vector<AttributeSpec> attributes_since_4(Names modes) {
  AttributeSpec cube{"cube_coeff", AttributeKind::kFloat};
  cube.has_default = true;
  cube.default_float = -0.75f;
  std::vector<AttributeSpec> attributes = {
      choice_or_first("coordinate_transformation_mode",
                      {"half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners"}),
      cube,
      choice("mode", std::move(modes)),
      choice_or_first("nearest_mode", {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"}),
      choice("shape_calculation_mode", {"sizes", "scales"}),
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
