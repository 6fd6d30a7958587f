// The version of a node whose model does not say it: by its inputs and attributes.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace tesela {

/// The names of all attributes that the versions of an operator have, oldest first; empty for an unknown operator.
std::vector<std::string_view> attributes_of_any_version(std::string_view domain, std::string_view type);

/// The newest row, deprecated ones aside, whose nodes may have so many inputs, omitted ones among them, and these
/// attributes; nullopt: attributes that are not known, which decide nothing.
/// Errors: unsupported (an unknown operator, or no such row).
Result<const OpSchema*> find_schema_of_form(std::string_view domain, std::string_view type, size_t inputs,
                                            std::optional<std::span<const std::string_view>> attributes);

}  // namespace tesela
