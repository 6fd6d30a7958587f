// SPDX-License-Identifier: Apache-2.0
// Plan fields: names, values and valid combinations.
#include "plan/fields.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "types/read_double.h"

namespace tesela {
namespace {

struct FieldValue {
  std::string_view full_name;  // with kFieldPrefix
  std::string_view value;
  void (*set)(PlanFields& fields);

  constexpr std::string_view field() const { return full_name.substr(kFieldPrefix.size()); }
};

// The rules of a library include those of its extents.
void set_rules(PlanFields& fields, Rules rules, ExtentRule extents) {
  fields.rules = rules;
  fields.extents = extents;
}

// Rows with the same field are adjacent.
constexpr FieldValue kValues[] = {
    {"tesela.coordinates", "float32", [](PlanFields& f) { f.arithmetic = PositionArithmetic::kFloat32; }},
    {"tesela.coordinates", "float64", [](PlanFields& f) { f.arithmetic = PositionArithmetic::kFloat64; }},
    {"tesela.coordinates", "reciprocal64", [](PlanFields& f) { f.arithmetic = PositionArithmetic::kReciprocal64; }},
    {"tesela.coordinates", "rounded64", [](PlanFields& f) { f.arithmetic = PositionArithmetic::kRounded64; }},
    {"tesela.weights", "fixed8", [](PlanFields& f) { f.grid = WeightGrid::kFixed8; }},
    {"tesela.weights", "fixed22", [](PlanFields& f) { f.grid = WeightGrid::kFixed22; }},
    {"tesela.weights", "int16", [](PlanFields& f) { f.grid = WeightGrid::kInt16; }},
    {"tesela.intermediate", "uint8", [](PlanFields& f) { f.rounds_passes = true; }},
    {"tesela.order", "first_axis_first", [](PlanFields& f) { f.order = PassOrder::kFirstAxisFirst; }},
    {"tesela.order", "last_axis_first", [](PlanFields& f) { f.order = PassOrder::kLastAxisFirst; }},
    {"tesela.extents", "standard", [](PlanFields& f) { f.extents = ExtentRule::kStandard; }},
    {"tesela.extents", "host", [](PlanFields& f) { f.extents = ExtentRule::kHost; }},
    {"tesela.extents", "openvino", [](PlanFields& f) { f.extents = ExtentRule::kOpenvino; }},
    {"tesela.rules", "onnxruntime", [](PlanFields& f) { set_rules(f, Rules::kOnnxRuntime, ExtentRule::kHost); }},
    {"tesela.rules", "onnxruntime_positions",
     [](PlanFields& f) { set_rules(f, Rules::kOnnxRuntimePositions, ExtentRule::kHost); }},
    {"tesela.rules", "onnx_reference",
     [](PlanFields& f) { set_rules(f, Rules::kOnnxReference, ExtentRule::kStandard); }},
    {"tesela.rules", "openvino", [](PlanFields& f) { set_rules(f, Rules::kOpenvino, ExtentRule::kOpenvino); }},
    {"tesela.rules", "pytorch", [](PlanFields& f) { set_rules(f, Rules::kPytorch, ExtentRule::kStandard); }},
};

constexpr std::string_view kFullPositionScales = "tesela.position_scales";
constexpr std::string_view kPositionScales = kFullPositionScales.substr(kFieldPrefix.size());

Status set_position_scales(PlanFields& fields, std::string_view text) {
  fields.position_scales.clear();
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    double scale = 0;
    const char* const rest = read_double(at, end, scale);
    if (rest == nullptr || !std::isfinite(scale) || scale <= 0 || (rest != end && *rest != ','))
      return attribute_error(
          "plan field 'position_scales' is '{}'; expected finite numbers above 0, separated by commas",
          text.substr(0, 100));
    fields.position_scales.push_back(scale);
    if (rest == end) return {};
    at = rest + 1;
  }
}

// The modes of libraries that round positions; sampling/rounded.cc has their formulas.
constexpr CoordinateMode kRoundedModes[] = {CoordinateMode::kHalfPixel, CoordinateMode::kPytorchHalfPixel,
                                            CoordinateMode::kAlignCorners, CoordinateMode::kAsymmetric,
                                            CoordinateMode::kTfHalfPixelForNn};

Status check_mode(std::string_view field, CoordinateMode mode) {
  if (std::find(std::begin(kRoundedModes), std::end(kRoundedModes), mode) != std::end(kRoundedModes)) return {};
  return attribute_error("plan field '{}' is given in coordinate_transformation_mode {}; expected another mode", field,
                         name_of(mode));
}

// This also keeps positions near the input: the last is at about out / scale.
Status apply_position_scales(const std::vector<double>& scales, ResizeParams& params) {
  TESELA_RETURN_IF_ERROR(check_mode("position_scales", params.sampling.coordinates));
  if (scales.size() != params.axes.size())
    return attribute_error("plan field 'position_scales' has length {}; expected {} (one for each size)", scales.size(),
                           params.axes.size());
  for (size_t k = 0; k < scales.size(); ++k) {
    AxisRequest& axis = params.axes[k];
    if (!axis.exact)
      return attribute_error("plan field 'position_scales' is given without 'sizes', which set the extents");
    const double extent = static_cast<double>(axis.in) * scales[k];
    const auto out = static_cast<double>(axis.out);
    if (extent < out - 0.5 || extent >= out + 1)
      return attribute_error(
          "plan field 'position_scales': entry {} is {}, which scales extent {} to {}; the size is {}", k, scales[k],
          axis.in, extent, axis.out);
    axis.exact = false;
    axis.scale = scales[k];
    axis.rounds_scale = true;
  }
  return {};
}

}  // namespace

const char* full_field_name(size_t index) {
  std::string_view last;
  for (const FieldValue& row : kValues) {
    if (row.full_name == last) continue;
    if (index-- == 0) return row.full_name.data();
    last = row.full_name;
  }
  return index == 0 ? kFullPositionScales.data() : nullptr;
}

const char* field_value(std::string_view name, size_t index) {
  for (const FieldValue& row : kValues)
    if (row.field() == name && index-- == 0) return row.value.data();
  return nullptr;
}

std::vector<std::string_view> field_names() {
  std::vector<std::string_view> names;
  while (const char* name = full_field_name(names.size())) names.emplace_back(name + kFieldPrefix.size());
  return names;
}

std::vector<std::string_view> field_values(std::string_view name) {
  std::vector<std::string_view> values;
  while (const char* value = field_value(name, values.size())) values.emplace_back(value);
  return values;
}

Status set_field(PlanFields& fields, std::string_view name, std::string_view value) {
  if (name == kPositionScales) return set_position_scales(fields, value);
  for (const FieldValue& row : kValues)
    if (row.field() == name && row.value == value) return row.set(fields), Status();
  const std::vector<std::string_view> values = field_values(name);
  if (values.empty())
    return attribute_error("plan field '{}' is unknown; expected one of {}", name, fmt::join(field_names(), ", "));
  return attribute_error("plan field '{}' is {}; expected one of {}", name, in_quotes(value), fmt::join(values, ", "));
}

Status apply_fields(const PlanFields& fields, ResizeParams& params) {
  if (fields.rules != Rules::kStandard) {
    if (fields.any_arithmetic())
      return attribute_error("plan field 'rules' cannot be combined with fields other than 'extents'");
    return {};  // applied when the request is known
  }
  if (fields.arithmetic != PositionArithmetic::kContract)
    TESELA_RETURN_IF_ERROR(check_mode("coordinates", params.sampling.coordinates));
  const bool fixed = fields.grid != WeightGrid::kFree;
  if (fields.rounds_passes && !fixed)
    return attribute_error("plan field 'intermediate' is given without 'weights', whose sums it rounds");
  if (fixed && params.type != DataType::kUint8)
    return type_error("plan field 'weights' is for uint8; input 'X' has type {}", name(params.type));
  params.sampling.arithmetic = fields.arithmetic;
  params.sampling.grid = fields.grid;
  params.rounds_passes = fields.rounds_passes;
  params.order = fields.order;
  return fields.position_scales.empty() ? Status() : apply_position_scales(fields.position_scales, params);
}

}  // namespace tesela
