// SPDX-License-Identifier: Apache-2.0
// ONNX's operators, one row for each (operator, since_version). A newer row states only what changed.
#include "schema/onnx.h"

#include "schema/attribute_specs.h"

namespace tesela {
namespace {

using enum DataType;

constexpr std::string_view kOnnx = "";

AttributeSpec plain_attribute(std::string_view name, AttributeKind kind, bool required) {
  return {name, kind, required};
}

// ---- Tile ----------------------------------------------------------------------------------------------------------

void add_tile(std::vector<OpSchema>& rows) {
  // Version 1 declares tiles and axis with type T, and an unused T1 = int64; both are accepted.
  const TypeSet float_or_int64 = kIeeeFloats | kInt64Only;
  rows.push_back({kOnnx,
                  "Tile",
                  1,
                  Operator::kTile,
                  {{"input", "T", kIeeeFloats}, {"tiles", "T", float_or_int64}, {"axis", "T", float_or_int64}},
                  {{"output", "T", kIeeeFloats}},
                  {}});
  const auto row = [](int64_t since, TypeSet types) {
    return OpSchema{kOnnx,
                    "Tile",
                    since,
                    Operator::kTile,
                    {{"input", "T", types}, {"repeats", "T1", kInt64Only}},
                    {{"output", "T", types}},
                    {}};
  };
  rows.push_back(row(6, kAllTensorTypes));
  rows.push_back(row(13, kAllTensorTypes | kBfloat16Only));
}

// ---- ConstantOfShape -----------------------------------------------------------------------------------------------

void add_constant_of_shape(std::vector<OpSchema>& rows) {
  TypeSet types = kIeeeFloats | kIntegers | TypeSet{kBool};
  const auto add = [&](int64_t since, TypeSet added) {
    types = types | added;
    rows.push_back({kOnnx,
                    "ConstantOfShape",
                    since,
                    Operator::kConstantOfShape,
                    {{"input", "T1", kInt64Only}},
                    {{"output", "T2", types}},
                    {plain_attribute("value", AttributeKind::kTensor, false)}});
  };
  add(9, {});
  add(20, kBfloat16Only | kFloat8s);
  add(21, {kInt4, kUint4});
  add(23, {kFloat4e2m1});
  add(24, {kFloat8e8m0});
  add(25, {kInt2, kUint2});
}

// ---- Resize --------------------------------------------------------------------------------------------------------

std::vector<AttributeSpec> resize_attributes(int64_t since) {
  constexpr NameOf<CoordinateMode> kForNn = "tf_half_pixel_for_nn";
  if (since == 10) return {choice_or<Filter>("mode", "nearest", {"nearest", "linear"})};
  Names<CoordinateMode> coordinates = {"half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric",
                                       "tf_crop_and_resize"};
  if (since == 11) coordinates.push_back(kForNn);
  if (since >= 19) coordinates.push_back("half_pixel_symmetric");
  AttributeSpec positions = choice_or<CoordinateMode>("coordinate_transformation_mode", "half_pixel", coordinates);
  if (since > 11) positions.withdrawn = {{kForNn, 11}};  // tf2onnx writes it at every opset
  std::vector<AttributeSpec> attributes = {
      std::move(positions),
      float_attribute("cubic_coeff_a", -0.75f),
      int_attribute("exclude_outside", 0),
      float_attribute("extrapolation_value", 0.0f),
      choice_or<Filter>("mode", "nearest", {"nearest", "linear", "cubic"}),
      choice_or<NearestMode>("nearest_mode", "round_prefer_floor",
                             {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}),
  };
  if (since >= 18) {
    attributes.push_back(int_attribute("antialias", 0));
    attributes.push_back(plain_attribute("axes", AttributeKind::kInts, false));
    attributes.push_back(
        choice_or<AspectPolicy>("keep_aspect_ratio_policy", "stretch", {"stretch", "not_larger", "not_smaller"}));
  }
  return attributes;
}

std::vector<Port> resize_inputs(int64_t since, TypeSet types) {
  using enum Presence;
  if (since == 10) return {{"X", "T", types}, {"scales", "tensor(float)", kFloatOnly}};
  // Version 11 requires roi and scales, which may be empty tensors; later versions allow omitting both.
  const bool is_first = since == 11;
  const Presence presence = is_first ? kRequired : kOptional;
  return {{"X", "T1", types},
          {"roi", "T2", kIeeeFloats, presence, is_first},
          {"scales", "tensor(float)", kFloatOnly, presence, is_first},
          {"sizes", "tensor(int64)", kInt64Only, kOptional}};
}

void add_resize(std::vector<OpSchema>& rows) {
  for (const int64_t since : {10, 11, 13, 18, 19}) {
    const TypeSet types = since >= 13 ? kAllTensorTypes | kBfloat16Only : kAllTensorTypes;
    rows.push_back({kOnnx,
                    "Resize",
                    since,
                    Operator::kResize,
                    resize_inputs(since, types),
                    {{"Y", since == 10 ? "T" : "T1", types}},
                    resize_attributes(since)});
  }
}

// ---- Upsample ------------------------------------------------------------------------------------------------------

void add_upsample(std::vector<OpSchema>& rows) {
  const TypeSet first_types = {kBool, kInt32, kInt64, kFloat16, kFloat, kDouble};
  rows.push_back({kOnnx,
                  "Upsample",
                  1,
                  Operator::kUpsample,
                  {{"X", "T", first_types}},
                  {{"Y", "T", first_types}},
                  {plain_attribute("height_scale", AttributeKind::kFloat, true),
                   choice_or<Filter>("mode", "nearest", {"nearest", "bilinear"}),
                   plain_attribute("width_scale", AttributeKind::kFloat, true)}});
  const AttributeSpec mode = choice_or<Filter>("mode", "nearest", {"nearest", "linear"});
  rows.push_back({kOnnx,
                  "Upsample",
                  7,
                  Operator::kUpsample,
                  {{"X", "T", kAllTensorTypes}},
                  {{"Y", "T", kAllTensorTypes}},
                  {mode, plain_attribute("scales", AttributeKind::kFloats, true)}});
  const std::vector<Port> inputs = {{"X", "T", kAllTensorTypes}, {"scales", "tensor(float)", kFloatOnly}};
  rows.push_back({kOnnx, "Upsample", 9, Operator::kUpsample, inputs, {{"Y", "T", kAllTensorTypes}}, {mode}});
  rows.push_back({kOnnx, "Upsample", 10, Operator::kUpsample, inputs, {{"Y", "T", kAllTensorTypes}}, {mode}, "Resize"});
}

}  // namespace

std::vector<OpSchema> onnx_schemas() {
  std::vector<OpSchema> rows;
  add_constant_of_shape(rows);
  add_resize(rows);
  add_tile(rows);
  add_upsample(rows);
  return rows;
}

}  // namespace tesela
