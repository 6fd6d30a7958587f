// One element of any type from the text that a person writes for it.
#pragma once

#include <string>
#include <string_view>

#include "tesela/tesela.hpp"

namespace tesela::cli {

/// A tensor of shape [1]. Integers are read exactly, floats are rounded once to the nearest even.
/// Errors: usage (no number, or one outside the type's range, which is named), type (strings, complex
/// numbers).
Value parse_element(std::string_view what, tesela_dtype dtype, std::string_view text);

}  // namespace tesela::cli
