// SPDX-License-Identifier: Apache-2.0
// The C interface: valid names, and suggestions for misspelt ones.
#include <optional>
#include <string>
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

std::vector<std::string_view> allowed_values(const OpSchema& schema, std::string_view name) {
  if (name.starts_with(kFieldPrefix)) return field_values(name.substr(kFieldPrefix.size()));
  const AttributeSpec* spec = find_attribute(schema, name);
  return spec == nullptr ? std::vector<std::string_view>() : spec->allowed;
}

// Null if memory runs out.
template <class Find>
const char* find_text(const Find& find) noexcept {
  try {
    return find();
  } catch (...) {
    return nullptr;
  }
}

}  // namespace

extern "C" {

const char* tesela_operator_attribute_name(const char* domain, const char* type, size_t index) {
  if (domain == nullptr || type == nullptr) return nullptr;
  return find_text([&]() -> const char* {
    const std::vector<std::string_view> names = attributes_of_any_version(domain, type);
    return index < names.size() ? names[index].data() : nullptr;  // a literal, so it ends with a NUL
  });
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
  return find_text([&]() -> const char* {
    const std::vector<std::string_view> values = allowed_values(*op->desc.schema, name);
    return index < values.size() ? values[index].data() : nullptr;  // a literal, so it ends with a NUL
  });
}

const char* tesela_field_name(size_t index) {
  return find_text([&]() -> const char* {
    static const std::vector<std::string> names = [] {
      std::vector<std::string> made;
      for (const std::string_view name : field_names()) made.push_back(std::string(kFieldPrefix) + std::string(name));
      return made;
    }();
    return index < names.size() ? names[index].c_str() : nullptr;
  });
}

const char* tesela_nearest_name(const char* name, size_t count, const char* const* known) {
  if (name == nullptr || known == nullptr) return nullptr;
  return find_text([&]() -> const char* {
    if (!check_count("count", count, sizeof *known).ok()) return nullptr;
    return nearest_name(name, views_of(count, known)).data();
  });
}

}  // extern "C"
