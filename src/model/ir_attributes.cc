// SPDX-License-Identifier: Apache-2.0
// Converts text to flags, numbers and lists.
#include "model/ir_attributes.h"

#include <charconv>
#include <cmath>

namespace tesela {
namespace {

template <class T>
std::optional<T> number_from(std::string_view text) {
  T value{};
  text = trimmed(text);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<int64_t> flag_from(std::string_view text) {
  if (text == "true" || text == "1") return 1;
  if (text == "false" || text == "0") return 0;
  return std::nullopt;
}

std::optional<std::vector<int64_t>> list_from(std::string_view text) {
  std::vector<int64_t> values;
  if (trimmed(text).empty()) return values;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    const auto value = number_from<int64_t>(text.substr(begin, comma - begin));
    if (!value) return std::nullopt;
    values.push_back(*value);
    begin = comma + 1;
  }
  return values;
}

template <class T>
Status set_value(const std::optional<T>& value, std::string_view text, std::string_view expected,
                 Attribute& attribute) {
  if (!value)
    return attribute_error("attribute {} is {}; expected {}", in_quotes(attribute.name), in_quotes(text), expected);
  attribute.value = *value;
  return {};
}

Status read_value(AttributeKind kind, std::string_view text, Attribute& attribute) {
  attribute.kind = kind;
  switch (kind) {
    case AttributeKind::kInt: return set_value(flag_from(text), text, "true or false", attribute);
    case AttributeKind::kFloat: {
      auto number = number_from<float>(text);
      if (number && !std::isfinite(*number)) number.reset();
      return set_value(number, text, "a decimal number", attribute);
    }
    case AttributeKind::kInts: return set_value(list_from(text), text, "whole numbers with commas between", attribute);
    default: break;
  }
  attribute.kind = AttributeKind::kString;
  attribute.value = std::string(text);
  return {};
}

}  // namespace

Status read_ir_attributes(const IrLayer& layer, const XmlFile& file, BuildBudget& budget, Node& node) {
  const Result<const OpSchema*> schema = find_schema(node.domain, node.type, node.opset);
  const pugi::xml_node data = layer.xml.child("data");
  for (const pugi::xml_attribute given : data.attributes()) {
    const std::string_view text = given.value();
    // An entry of a list takes 8 bytes, and at least two of text.
    TESELA_RETURN_IF_ERROR(budget.charge(sizeof(Attribute) + 4 * text.size()));
    Attribute& attribute = node.attributes.emplace_back();
    attribute.name = given.name();
    const AttributeSpec* spec = schema.ok() ? find_attribute(**schema, attribute.name) : nullptr;
    const Status status = read_value(spec ? spec->kind : AttributeKind::kString, text, attribute);
    if (!status.ok() && node.fault.ok()) node.fault = status.with_prefix(file.where(data));
  }
  return {};
}

}  // namespace tesela
