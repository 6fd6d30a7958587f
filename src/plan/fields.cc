// Plan fields: names and values, and which of them go together.
#include "plan/fields.h"

#include <string>

namespace tesela {
namespace {

struct FieldValue {
  std::string_view field;
  std::string_view value;
  void (*set)(PlanFields& fields);
};

// The values of a field stand in rows behind each other.
constexpr FieldValue kValues[] = {
    {"coordinates", "float32", [](PlanFields& f) { f.arithmetic = PositionArithmetic::kFloat32; }},
    {"coordinates", "float64", [](PlanFields& f) { f.arithmetic = PositionArithmetic::kFloat64; }},
    {"coordinates", "reciprocal64", [](PlanFields& f) { f.arithmetic = PositionArithmetic::kReciprocal64; }},
    {"weights", "fixed8", [](PlanFields& f) { f.grid = WeightGrid::kFixed8; }},
    {"weights", "fixed22", [](PlanFields& f) { f.grid = WeightGrid::kFixed22; }},
    {"weights", "int16", [](PlanFields& f) { f.grid = WeightGrid::kInt16; }},
    {"intermediate", "uint8", [](PlanFields& f) { f.rounds_passes = true; }},
    {"order", "first_axis_first", [](PlanFields& f) { f.order = PassOrder::kFirstAxisFirst; }},
    {"order", "last_axis_first", [](PlanFields& f) { f.order = PassOrder::kLastAxisFirst; }},
    {"precision", "exact", [](PlanFields& f) { f.fast = false; }},
    {"precision", "fast", [](PlanFields& f) { f.fast = true; }},
    {"rules", "onnxruntime", [](PlanFields& f) { f.onnxruntime = true; }},
};

std::string list_fields() {
  std::string text;
  for (const FieldValue& row : kValues)
    if (!text.ends_with(row.field)) text += (text.empty() ? "" : ", ") + std::string(row.field);
  return text;
}

std::string list_values(std::string_view field) {
  std::string text;
  for (const FieldValue& row : kValues)
    if (row.field == field) text += (text.empty() ? "" : ", ") + std::string(row.value);
  return text;
}

}  // namespace

Status set_field(PlanFields& fields, std::string_view name, std::string_view value) {
  for (const FieldValue& row : kValues)
    if (row.field == name && row.value == value) return row.set(fields), Status();
  const std::string values = list_values(name);
  if (values.empty()) return attribute_error("plan field '{}' is unknown; expected one of {}", name, list_fields());
  return attribute_error("plan field '{}' is '{}'; expected one of {}", name, value, values);
}

Status apply_fields(const PlanFields& fields, ResizeParams& params) {
  if (fields.onnxruntime) {
    if (fields.any_but_rules())
      return attribute_error("plan field 'rules' is given together with others; expected it alone");
    return {};  // applied where the request is known
  }
  const CoordinateMode mode = params.sampling.coordinates;
  if (fields.arithmetic != PositionArithmetic::kContract &&
      (mode == CoordinateMode::kTfCropAndResize || mode == CoordinateMode::kHalfPixelSymmetric))
    return attribute_error(
        "plan field 'coordinates' is given in coordinate_transformation_mode {}; expected another mode",
        mode == CoordinateMode::kTfCropAndResize ? "tf_crop_and_resize" : "half_pixel_symmetric");
  const bool fixed = fields.grid != WeightGrid::kFree;
  if (fields.rounds_passes && !fixed)
    return attribute_error("plan field 'intermediate' is given without 'weights', whose sums it rounds");
  if (fixed && params.type != DataType::kUint8)
    return type_error("plan field 'weights' is for uint8; input 'X' has type {}", name(params.type));
  params.sampling.arithmetic = fields.arithmetic;
  params.sampling.grid = fields.grid;
  params.rounds_passes = fields.rounds_passes;
  params.order = fields.order;
  params.fast = fields.fast;
  return {};
}

}  // namespace tesela
