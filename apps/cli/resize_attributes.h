// Options for Resize's attributes, from the library's table of operators.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "arguments.h"

namespace tesela::cli {

/// For each given attribute, by its ONNX name, a function that sets it.
using AttributeSetters = std::map<std::string, std::function<void(Op&)>>;

/// Adds an option for every attribute of any version of Resize.
void add_resize_attributes(CLI::App& verb, AttributeSetters& setters);

}  // namespace tesela::cli
