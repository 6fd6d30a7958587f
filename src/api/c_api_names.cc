// SPDX-License-Identifier: Apache-2.0
// The C interface: valid names, and suggestions for misspelt ones.
#include <optional>
#include <vector>

#include "api/boundary.h"
#include "api/op_handles.h"
#include "plan/fields.h"
#include "schema/node_form.h"
#include "types/suggestion.h"

using namespace tesela;
using namespace tesela::api;

namespace {

std::vector<std::string_view> views_of(size_t count, const char* const* names) {
  std::vector<std::string_view> views;
  for (size_t i = 0; i < count; ++i) views.emplace_back(names[i] == nullptr ? "" : names[i]);
  return views;
}

}  // namespace

extern "C" {

// Null ends a list, so functions of lists take no memory: a list cut short looks complete.

const char* tesela_operator_attribute_name(const char* domain, const char* type, size_t index) {
  if (domain == nullptr || type == nullptr) return nullptr;
  try {
    return attribute_of_any_version(domain, type, index);
  } catch (...) {  // no memory for the table of operators
    return nullptr;
  }
}

tesela_status tesela_operator_version(const char* domain, const char* type, size_t input_count, size_t attribute_count,
                                      const char* const* attributes, int64_t* version, tesela_error* error) {
  return guard(error, [&]() -> Status {
    if (domain == nullptr || type == nullptr || version == nullptr)
      return usage_error("tesela_operator_version: an argument is NULL");
    TESELA_RETURN_IF_ERROR(
        check_count("tesela_operator_version: attribute_count", attributes ? attribute_count : 0, sizeof *attributes));
    std::optional<std::vector<std::string_view>> names;
    if (attributes != nullptr) names = views_of(attribute_count, attributes);
    TESELA_ASSIGN_OR_RETURN(const OpSchema* row, find_schema_of_form(domain, type, input_count, names));
    *version = row->since_version;
    return {};
  });
}

const char* tesela_op_attribute_allowed(const tesela_op* op, const char* name, size_t index) {
  if (op == nullptr || name == nullptr) return nullptr;
  const std::string_view text = name;
  if (text.starts_with(kFieldPrefix)) return field_value(text.substr(kFieldPrefix.size()), index);
  const AttributeSpec* spec = find_attribute(*op->desc.schema, text);
  return spec != nullptr && index < spec->allowed.size() ? spec->allowed[index].data() : nullptr;  // a literal
}

const char* tesela_field_name(size_t index) {
  return full_field_name(index);
}

const char* tesela_nearest_name(const char* name, size_t count, const char* const* known) {
  if (name == nullptr || known == nullptr) return nullptr;
  try {
    if (!check_count("count", count, sizeof *known).ok()) return nullptr;
    return nearest_name(name, views_of(count, known)).data();
  } catch (...) {  // no memory: no suggestion
    return nullptr;
  }
}

}  // extern "C"
