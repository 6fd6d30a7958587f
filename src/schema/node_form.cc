// SPDX-License-Identifier: Apache-2.0
// Finds rows by the number of inputs and the attributes of a node.
#include "schema/node_form.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace tesela {
namespace {

std::vector<const OpSchema*> rows_of(std::string_view domain, std::string_view type) {
  std::vector<const OpSchema*> rows;
  for (const OpSchema& row : all_schemas())
    if (row.type == type && row.domain == (is_onnx_domain(domain) ? std::string_view() : domain)) rows.push_back(&row);
  return rows;
}

// Resize needs scales or sizes, though its rows since version 13 require neither.
size_t fewest_inputs(const OpSchema& row) {
  size_t fewest = 0;
  for (size_t i = 0; i < row.inputs.size(); ++i)
    if (row.inputs[i].presence == Presence::kRequired ||
        (row.op == Operator::kResize && row.inputs[i].name == "scales"))
      fewest = i + 1;
  return fewest;
}

bool admits(const OpSchema& row, std::span<const std::string_view> attributes) {
  const auto is_given = [&](const AttributeSpec& spec) {
    return std::find(attributes.begin(), attributes.end(), spec.name) != attributes.end();
  };
  return std::all_of(attributes.begin(), attributes.end(),
                     [&](std::string_view name) { return find_attribute(row, name) != nullptr; }) &&
         std::all_of(row.attributes.begin(), row.attributes.end(),
                     [&](const AttributeSpec& spec) { return !spec.required || is_given(spec); });
}

}  // namespace

std::vector<std::string_view> attributes_of_any_version(std::string_view domain, std::string_view type) {
  std::vector<std::string_view> names;
  for (const OpSchema* row : rows_of(domain, type))
    for (const AttributeSpec& spec : row->attributes)
      if (std::find(names.begin(), names.end(), spec.name) == names.end()) names.push_back(spec.name);
  return names;
}

Result<const OpSchema*> find_schema_of_form(std::string_view domain, std::string_view type, size_t inputs,
                                            std::optional<std::span<const std::string_view>> attributes) {
  const std::vector<const OpSchema*> rows = rows_of(domain, type);
  if (rows.empty()) return find_schema(domain, type, 0);  // for its error
  for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
    const bool fits = inputs >= fewest_inputs(**row) && inputs <= (*row)->inputs.size();
    if ((*row)->deprecated.empty() && fits && (!attributes || admits(**row, *attributes))) return *row;
  }
  std::string given;
  if (attributes)
    for (const std::string_view name : *attributes)
      given += (given.empty() ? " and the attributes " : ", ") + in_quotes(name);
  return unsupported_error("{}: no version has nodes of {} inputs{}", type, inputs, given);
}

}  // namespace tesela
