// SPDX-License-Identifier: Apache-2.0
// Upgrades: what each later version asks for, in the terms of the earlier one.
#include "fix/upgrade.h"

#include <algorithm>
#include <cmath>

#include "schema/tensor_values.h"

namespace tesela::fix {
namespace {

const TensorInfo* info_of(const CallInput& input, Inputs old) {
  return input.old ? old[*input.old] : nullptr;
}

// The scales of an operator before version 11 as a list; empty if the model computes them.
Result<std::optional<std::vector<float>>> old_scales(const Call& call, Inputs old) {
  const OpDesc& op = call.op;
  if (op.find("height_scale") != nullptr)
    return std::optional(std::vector<float>{1, 1, op.float_value("height_scale"), op.float_value("width_scale")});
  if (const auto given = op.floats_value("scales"))
    return std::optional(std::vector<float>(given->begin(), given->end()));
  const TensorInfo* scales = info_of(call.input("scales"), old);
  if (scales == nullptr || !scales->constant) return std::optional<std::vector<float>>();
  const auto values = scales->constant->as<float>();
  return std::optional(std::vector<float>(values.begin(), values.end()));
}

// Versions before 11 round up where a scale is below 1, and down elsewhere.
Result<std::string_view> rounding_of(const Call& call, const std::optional<std::vector<float>>& scales) {
  if (call.op.schema->op == Operator::kUpsample) return std::string_view("floor");  // it only grows
  if (!scales) return unsupported_error("the model computes the scales, and the rounding of nearest depends on them");
  const auto grows = [](float scale) { return scale >= 1; };
  if (std::ranges::all_of(*scales, grows)) return std::string_view("floor");
  if (std::ranges::all_of(*scales, [](float scale) { return scale <= 1; })) return std::string_view("ceil");
  return unsupported_error(
      "one axis grows and another shrinks: nearest rounds them in different ways, which no later "
      "version can express in one node");
}

// Upsample, or Resize-10, as any later version.
Result<Call> upgraded_scaling(const Call& call, const OpSchema& row, Inputs old) {
  TESELA_ASSIGN_OR_RETURN(const auto scales, old_scales(call, old));
  Call made{{&row, call.op.node, {}, call.op.extents}, {call.input("X")}};
  const bool is_linear = call.op.is("mode", Filter::kLinear);
  if (call.op.find("mode") != nullptr) set_attribute(made.op, text_attribute("mode", is_linear ? "linear" : "nearest"));
  if (find_attribute(row, "scales") != nullptr) {
    made.op.attributes.push_back({"scales", AttributeKind::kFloats, *scales});
    return made;
  }
  const CallInput given = call.input("scales");
  const CallInput input = given.is_omitted() ? CallInput{{}, floats(*scales)} : given;
  const bool has_modes = row.op == Operator::kResize && row.since_version >= 11;
  if (has_modes) {
    made.inputs.push_back(row.since_version < 13 ? CallInput{{}, floats({})} : CallInput());  // roi
    set_attribute(made.op, text_attribute("coordinate_transformation_mode", "asymmetric"));
    if (!is_linear) {
      TESELA_ASSIGN_OR_RETURN(const std::string_view rounding, rounding_of(call, scales));
      set_attribute(made.op, text_attribute("nearest_mode", rounding));
    }
  }
  made.inputs.push_back(input);
  return made;
}

// Version 13 lets what version 11 has to give as empty tensors be omitted, and does not say what they mean.
Result<Call> upgraded_resize(const Call& call, const OpSchema& row, Inputs old) {
  Call made = call;
  made.op.schema = &row;
  if (row.since_version < 13) return made;
  for (size_t k = 1; k < made.inputs.size(); ++k) {
    const TensorInfo* info = info_of(made.inputs[k], old);
    if (info != nullptr && info->constant && is_empty(*info) == true) made.inputs[k] = {};
  }
  while (made.inputs.size() > 1 && made.inputs.back().is_omitted()) made.inputs.pop_back();
  TESELA_RETURN_IF_ERROR(replace_for_nn(made.op));
  return made;
}

// The number of a tensor of one element, which version 1 allows as a float, too.
Result<int64_t> whole_number(const TensorInfo* info, std::string_view what) {
  if (info == nullptr || !info->constant || info->constant->count() != 1)
    return value_error("input '{}' is not a constant", what);
  if (info->constant->type() == DataType::kInt64) return info->constant->as<int64_t>().front();
  const std::vector<double> values = read_floats(*info->constant);
  if (values.size() != 1 || values[0] != std::floor(values[0]) || std::abs(values[0]) > 0x1p53)
    return value_error("input '{}' is not a whole number", what);
  return static_cast<int64_t>(values[0]);
}

Result<Call> upgraded_tile(const Call& call, const OpSchema& row, Inputs old) {
  Call made = call;
  made.op.schema = &row;
  if (call.op.schema->since_version > 1) return made;
  TESELA_ASSIGN_OR_RETURN(const int64_t tiles, whole_number(info_of(call.input("tiles"), old), "tiles"));
  TESELA_ASSIGN_OR_RETURN(const int64_t axis, whole_number(info_of(call.input("axis"), old), "axis"));
  const TensorInfo* data = info_of(call.input("input"), old);
  if (data == nullptr || !data->dims) return shape_error("the rank of its input is not known");
  const auto rank = static_cast<int64_t>(data->dims->size());
  if (axis < -rank || axis >= rank) return value_error("input 'axis' is {}; the rank is {}", axis, rank);
  std::vector<int64_t> repeats(data->dims->size(), 1);
  repeats[static_cast<size_t>(axis < 0 ? axis + rank : axis)] = tiles;
  made.inputs = {call.input("input"), {{}, int64s(repeats)}};
  return made;
}

}  // namespace

Status replace_for_nn(OpDesc& op) {
  if (!op.is("coordinate_transformation_mode", CoordinateMode::kTfHalfPixelForNn)) return {};
  const bool is_nearest = op.is("mode", Filter::kNearest);
  std::string_view rounding;
  // Its positions are half an element after those of half_pixel.
  if (is_nearest && op.is("nearest_mode", NearestMode::kFloor)) rounding = "round_prefer_ceil";
  if (is_nearest && op.is("nearest_mode", NearestMode::kRoundPreferFloor)) rounding = "ceil";
  if (rounding.empty())
    return unsupported_error("no call of a later version takes the elements that tf_half_pixel_for_nn takes with {}",
                             is_nearest ? op.string_value("nearest_mode") : op.string_value("mode"));
  set_attribute(op, text_attribute("coordinate_transformation_mode", "half_pixel"));
  set_attribute(op, text_attribute("nearest_mode", rounding));
  return {};
}

Result<Call> upgraded(const Call& call, int64_t opset, Inputs old) {
  const OpSchema& from = *call.op.schema;
  const bool is_old_upsample = from.op == Operator::kUpsample && opset >= 10;
  TESELA_ASSIGN_OR_RETURN(const OpSchema* row, find_schema(from.domain, is_old_upsample ? "Resize" : from.type, opset));
  if (row == &from) return call;
  switch (from.op) {
    case Operator::kTile: return upgraded_tile(call, *row, old);
    case Operator::kUpsample: return upgraded_scaling(call, *row, old);
    case Operator::kResize:
      return from.since_version == 10 ? upgraded_scaling(call, *row, old) : upgraded_resize(call, *row, old);
    default: break;
  }
  Call made = call;
  made.op.schema = row;
  return made;
}

}  // namespace tesela::fix
