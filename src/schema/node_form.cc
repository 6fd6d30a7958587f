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
    if (is_of(row, domain, type)) rows.push_back(&row);
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

const char* attribute_of_any_version(std::string_view domain, std::string_view type, size_t index) {
  const std::span<const OpSchema> rows = all_schemas();
  for (auto row = rows.begin(); row != rows.end(); ++row) {
    if (!is_of(*row, domain, type)) continue;
    for (const AttributeSpec& spec : row->attributes) {
      const bool is_new = std::none_of(rows.begin(), row, [&](const OpSchema& before) {
        return is_of(before, domain, type) && find_attribute(before, spec.name) != nullptr;
      });
      if (is_new && index-- == 0) return spec.name.data();
    }
  }
  return nullptr;
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
