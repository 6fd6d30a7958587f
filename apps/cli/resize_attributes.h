// Resize's attributes as options, made from the library's own table of operators.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "arguments.h"

namespace tesela::cli {

/// What sets each attribute that was given, by its ONNX name.
using AttributeSetters = std::map<std::string, std::function<void(Op&)>>;

/// Adds an option for every attribute that any version of Resize has.
void add_resize_attributes(CLI::App& verb, AttributeSetters& setters);

}  // namespace tesela::cli
