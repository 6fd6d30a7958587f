// SPDX-License-Identifier: Apache-2.0
// Checks an operator's attributes and inputs against its row, and reads attributes with their defaults.
#include "schema/op_desc.h"

#include <algorithm>
#include <cmath>

#include "types/suggestion.h"

namespace tesela {

std::string_view name(AttributeKind kind) {
  switch (kind) {
    case AttributeKind::kUndefined: return "UNDEFINED";
    case AttributeKind::kFloat: return "FLOAT";
    case AttributeKind::kInt: return "INT";
    case AttributeKind::kString: return "STRING";
    case AttributeKind::kTensor: return "TENSOR";
    case AttributeKind::kGraph: return "GRAPH";
    case AttributeKind::kFloats: return "FLOATS";
    case AttributeKind::kInts: return "INTS";
    case AttributeKind::kStrings: return "STRINGS";
    case AttributeKind::kTensors: return "TENSORS";
    case AttributeKind::kGraphs: return "GRAPHS";
    case AttributeKind::kSparseTensor: return "SPARSE_TENSOR";
    case AttributeKind::kSparseTensors: return "SPARSE_TENSORS";
    case AttributeKind::kTypeProto: return "TYPE_PROTO";
    case AttributeKind::kTypeProtos: return "TYPE_PROTOS";
  }
  return "UNKNOWN";
}

const Attribute* OpDesc::find(std::string_view name) const {
  for (const Attribute& attribute : attributes)
    if (attribute.name == name) return &attribute;
  return nullptr;
}

int64_t OpDesc::int_value(std::string_view name) const {
  if (const Attribute* given = find(name)) return std::get<int64_t>(given->value);
  const AttributeSpec* spec = find_attribute(*schema, name);
  return spec ? spec->default_int : 0;
}

float OpDesc::float_value(std::string_view name) const {
  if (const Attribute* given = find(name)) return std::get<float>(given->value);
  const AttributeSpec* spec = find_attribute(*schema, name);
  return spec ? spec->default_float : 0.0f;
}

std::string_view OpDesc::string_value(std::string_view name) const {
  if (const Attribute* given = find(name)) return std::get<std::string>(given->value);
  const AttributeSpec* spec = find_attribute(*schema, name);
  return spec ? spec->default_string : std::string_view();
}

std::optional<std::span<const int64_t>> OpDesc::ints_value(std::string_view name) const {
  const Attribute* given = find(name);
  if (given == nullptr) return std::nullopt;
  return std::span<const int64_t>(std::get<std::vector<int64_t>>(given->value));
}

std::optional<std::span<const float>> OpDesc::floats_value(std::string_view name) const {
  const Attribute* given = find(name);
  if (given == nullptr) return std::nullopt;
  return std::span<const float>(std::get<std::vector<float>>(given->value));
}

const Tensor* OpDesc::tensor_value(std::string_view name) const {
  const Attribute* given = find(name);
  return given == nullptr ? nullptr : &std::get<Tensor>(given->value);
}

std::string OpDesc::where() const {
  std::string text = fmt::format("{}-{}", schema->type, schema->since_version);
  if (!node.empty()) text += " node " + in_quotes(node);
  return text + ": ";
}

namespace {

std::string allowed_text(const std::vector<std::string_view>& allowed) {
  return fmt::format("{}", fmt::join(allowed, ", "));
}

std::string types_text(TypeSet types) {
  std::vector<std::string_view> names;
  for (const DataTypeTraits& row : all_data_types())
    if (types.contains(row.type)) names.push_back(row.onnx_name);
  return allowed_text(names);
}

// The kind of each alternative of AttributeValue.
constexpr AttributeKind kKinds[] = {AttributeKind::kUndefined, AttributeKind::kFloat,  AttributeKind::kInt,
                                    AttributeKind::kString,    AttributeKind::kTensor, AttributeKind::kFloats,
                                    AttributeKind::kInts,      AttributeKind::kStrings};
static_assert(std::size(kKinds) == std::variant_size_v<AttributeValue>);

// Every integer attribute is a boolean: exclude_outside, antialias, align_corners.
Status validate_int(const Attribute& attribute) {
  const int64_t value = std::get<int64_t>(attribute.value);
  if (value == 0 || value == 1) return {};
  return attribute_error("attribute {} is {}; expected 0 or 1", in_quotes(attribute.name), value);
}

Status validate_float(const Attribute& attribute, const OpDesc& op) {
  const float value = std::get<float>(attribute.value);
  // Only the mode that uses the coefficient requires a finite one.
  const bool is_coefficient = attribute.name == "cubic_coeff_a" || attribute.name == "cube_coeff";
  if (is_coefficient && !std::isfinite(value)) {
    const Attribute* mode = op.find("mode");
    const auto* text = mode ? std::get_if<std::string>(&mode->value) : nullptr;
    if (text && (*text == "cubic" || *text == "bicubic_pillow"))
      return value_error("attribute '{}' is {}; expected a finite number", attribute.name, value);
  }
  return {};
}

Status validate_one(const Attribute& attribute, const OpDesc& op) {
  const AttributeSpec* spec = find_attribute(*op.schema, attribute.name);
  if (spec == nullptr)
    return attribute_error(
        "attribute {} is unknown in this version; its attributes are: {}", in_quotes(attribute.name),
        op.schema->attributes.empty() ? "none" : [&] {
          std::vector<std::string_view> names;
          for (const AttributeSpec& known : op.schema->attributes) names.push_back(known.name);
          return allowed_text(names);
        }());
  if (attribute.kind != spec->kind || kKinds[attribute.value.index()] != spec->kind)
    return type_error("attribute {} has type {}; expected {}", in_quotes(attribute.name), name(attribute.kind),
                      name(spec->kind));
  if (spec->kind == AttributeKind::kInt) return validate_int(attribute);
  if (spec->kind == AttributeKind::kFloat) return validate_float(attribute, op);
  if (spec->kind == AttributeKind::kString && !spec->allowed.empty()) {
    const auto& value = std::get<std::string>(attribute.value);
    if (std::find(spec->allowed.begin(), spec->allowed.end(), value) == spec->allowed.end() &&
        find_withdrawn(*spec, value) == nullptr)
      return attribute_error("attribute {} is {}; expected one of {}{}", in_quotes(attribute.name), in_quotes(value),
                             allowed_text(spec->allowed), suggestion(value, spec->allowed));
  }
  return {};
}

// Rejects what OpenVINO's operator allows but plans do not support.
Status validate_interpolate(const OpDesc& op) {
  if (op.is("mode", InterpolateMode::kArea))
    return unsupported_error("attribute 'mode' is 'area', which is not supported; expected nearest, linear or cubic");
  for (const std::string_view name : {"pads_begin", "pads_end"}) {
    const auto pads = op.ints_value(name).value_or(std::span<const int64_t>());
    for (const int64_t pad : pads)
      if (pad != 0)
        return unsupported_error("attribute '{}' has the entry {}; padding is not supported, expected zeros", name,
                                 pad);
  }
  return {};
}

// Rules on combinations of attributes, or on values in one.
Status validate_together(const OpDesc& op) {
  if (op.schema->op == Operator::kResize && op.is("mode", Filter::kNearest) && op.int_value("antialias") != 0)
    return attribute_error("attribute 'antialias' is 1 in mode 'nearest'; expected 0, or mode linear or cubic");
  if (op.schema->op == Operator::kInterpolate) return validate_interpolate(op);
  if (op.schema->op != Operator::kConstantOfShape || op.tensor_value("value") == nullptr) return {};
  const Tensor& value = *op.tensor_value("value");
  if (value.count() != 1) return attribute_error("attribute 'value' has {} elements; expected 1", value.count());
  if (!op.schema->outputs[0].types.contains(value.type()))
    return type_error("attribute 'value' has type {}; expected one of {}", name(value.type()),
                      types_text(op.schema->outputs[0].types));
  return {};
}

}  // namespace

std::vector<Status> validate_attributes(const OpDesc& op) {
  std::vector<Status> faults;
  const auto add = [&](const Status& status) {
    if (!status.ok()) faults.push_back(status.with_prefix(op.where()));
  };
  for (size_t i = 0; i < op.attributes.size(); ++i) {
    const Attribute& attribute = op.attributes[i];
    if (op.find(attribute.name) != &attribute)
      add(attribute_error("attribute {} is given twice", in_quotes(attribute.name)));
    else
      add(validate_one(attribute, op));
  }
  for (const AttributeSpec& spec : op.schema->attributes)
    if (spec.required && op.find(spec.name) == nullptr)
      add(attribute_error("attribute '{}' is missing; it is required", spec.name));
  if (faults.empty()) add(validate_together(op));
  return faults;
}

std::vector<Status> validate_inputs(const OpDesc& op, std::span<const std::optional<DataType>> inputs) {
  std::vector<Status> faults;
  const auto add = [&](const Status& status) { faults.push_back(status.with_prefix(op.where())); };
  const auto& ports = op.schema->inputs;
  if (inputs.size() > ports.size()) add(count_error("has {} inputs; expected at most {}", inputs.size(), ports.size()));
  for (size_t i = 0; i < ports.size(); ++i) {
    const std::optional<DataType> type = i < inputs.size() ? inputs[i] : std::nullopt;
    if (!type) {
      if (ports[i].presence == Presence::kRequired)
        add(count_error("input '{}' is missing; it is required", ports[i].name));
    } else if (*type != DataType::kUndefined && !ports[i].types.contains(*type)) {
      add(type_error("input '{}' has type {}; expected {}{}", ports[i].name, name(*type),
                     ports[i].types.size() > 1 ? "one of " : "", types_text(ports[i].types)));
    }
  }
  const Attribute* attribute = op.find("mode");
  const auto* mode = attribute ? std::get_if<std::string>(&attribute->value) : nullptr;
  if (mode && *mode != "nearest" && !inputs.empty() && inputs[0] == DataType::kString)
    add(type_error("input 'X' has type string in mode {}; expected mode nearest, the only one for strings",
                   in_quotes(*mode)));
  return faults;
}

}  // namespace tesela
