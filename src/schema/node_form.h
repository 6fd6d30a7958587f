// SPDX-License-Identifier: Apache-2.0
// Finds a node's version by its inputs and attributes, if the model does not contain it.
#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "schema/schema.h"

namespace tesela {

/// One of the attributes of all versions of an operator, oldest first, as a literal; null past the last one and for an unknown
/// operator. Takes no memory, except for the table of all_schemas.
const char* attribute_of_any_version(std::string_view domain, std::string_view type, size_t index);

/// The newest row, except deprecated ones, that allows this number of inputs, including omitted ones, and these
/// attributes. nullopt: attributes are unknown and ignored. Errors: unsupported (an unknown operator, or no such row).
Result<const OpSchema*> find_schema_of_form(std::string_view domain, std::string_view type, size_t inputs,
                                            std::optional<std::span<const std::string_view>> attributes);

}  // namespace tesela
