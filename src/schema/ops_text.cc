// SPDX-License-Identifier: Apache-2.0
// The table of operators as text.
#include "schema/ops_text.h"

#include "schema/schema.h"
#include "types/json.h"

namespace tesela {
namespace {

std::vector<std::string> type_names(TypeSet set) {
  std::vector<std::string> names;
  for (const DataTypeTraits& row : all_data_types())
    if (set.contains(row.type)) names.emplace_back(row.onnx_name);
  return names;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

Json default_json(const AttributeSpec& spec) {
  if (spec.kind == AttributeKind::kInt) return spec.default_int;
  if (spec.kind == AttributeKind::kFloat) return spec.default_float;
  return std::string(spec.default_string);
}

std::string default_text(const AttributeSpec& spec) {
  if (spec.required) return " (required)";
  if (!spec.has_default) return "";
  const Json value = default_json(spec);
  return " = " + (value.is_string() ? value.string() : value.text());
}

Json port_json(const Port& port) {
  return {{"name", port.name},
          {"type", port.type_name},
          {"optional", port.presence == Presence::kOptional},
          {"types", type_names(port.types)}};
}

Json row_json(const OpSchema& row) {
  Json json = {{"domain", row.domain}, {"operator", row.type}, {"since_version", row.since_version}};
  if (!row.deprecated.empty()) json["deprecated_for"] = row.deprecated;
  json["inputs"] = Json::array();
  for (const Port& port : row.inputs) json["inputs"].push_back(port_json(port));
  json["outputs"] = Json::array();
  for (const Port& port : row.outputs) json["outputs"].push_back(port_json(port));
  json["attributes"] = Json::array();
  for (const AttributeSpec& spec : row.attributes) {
    Json attribute = {{"name", spec.name}, {"type", name(spec.kind)}, {"required", spec.required}};
    if (spec.has_default) attribute["default"] = default_json(spec);
    if (!spec.allowed.empty()) attribute["allowed"] = spec.allowed;
    for (const WithdrawnValue& withdrawn : spec.withdrawn) attribute["withdrawn"].push_back(withdrawn.value);
    json["attributes"].push_back(std::move(attribute));
  }
  return json;
}

std::string attributes_text(const OpSchema& row) {
  std::string text;
  for (const AttributeSpec& spec : row.attributes) {
    text += fmt::format("  {:<31}{}{}", spec.name, name(spec.kind), default_text(spec));
    for (size_t i = 0; i < spec.allowed.size(); ++i) text += fmt::format("{}{}", i ? ", " : "; ", spec.allowed[i]);
    for (const WithdrawnValue& withdrawn : spec.withdrawn)
      text += fmt::format("; {} as in version {}", withdrawn.value, withdrawn.last_version);
    text += "\n";
  }
  return text;
}

}  // namespace

std::string ops_plain() {
  std::string text;
  for (const OpSchema& row : all_schemas()) {
    text += fmt::format("{}{}{}-{}", row.domain, row.domain.empty() ? "" : " ", row.type, row.since_version);
    if (!row.deprecated.empty()) {
      text += fmt::format(": deprecated, use {}\n\n", row.deprecated);
      continue;
    }
    text += "\n";
    for (const Port& port : row.inputs)
      text += fmt::format("  input {}{}: {}\n", port.name, port.presence == Presence::kOptional ? " (optional)" : "",
                          joined(type_names(port.types)));
    text += fmt::format("  output {}: {}\n", row.outputs[0].name, joined(type_names(row.outputs[0].types)));
    text += attributes_text(row) + "\n";
  }
  return text;
}

std::string ops_markdown() {
  std::string text = "| operator | since opset | element types | attributes |\n|---|---|---|---|\n";
  for (const OpSchema& row : all_schemas()) {
    if (!row.deprecated.empty()) {
      text += fmt::format("| {} | {} | deprecated: use {} | |\n", row.type, row.since_version, row.deprecated);
      continue;
    }
    std::vector<std::string> attributes;
    for (const AttributeSpec& spec : row.attributes) attributes.emplace_back(spec.name);
    text += fmt::format("| {}{}{} | {} | {} | {} |\n", row.domain, row.domain.empty() ? "" : " ", row.type,
                        row.since_version, joined(type_names(row.outputs[0].types)), joined(attributes));
  }
  return text;
}

std::string ops_json() {
  Json rows = Json::array();
  for (const OpSchema& row : all_schemas()) rows.push_back(row_json(row));
  Json json = {{"newest_opset", kNewestOpset}, {"newest_openvino_opset", kNewestOpenvinoOpset}};
  json["operators"] = std::move(rows);  // entries of a list in braces are copied
  return json.text() + "\n";
}

}  // namespace tesela
