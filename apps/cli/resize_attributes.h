// SPDX-License-Identifier: Apache-2.0
// Options for Resize's attributes, from the library's table of operators.
#pragma once

#include <map>
#include <string>
#include <variant>
#include <vector>

#include "arguments.h"

namespace tesela::cli {

using AttributeValue = std::variant<std::string, float, int64_t, std::vector<int64_t>>;
/// The given attributes, by their ONNX names.
using AttributeValues = std::map<std::string, AttributeValue>;

/// Adds an option for every attribute of any version of Resize.
void add_resize_attributes(CLI::App& verb, AttributeValues& values);

}  // namespace tesela::cli
