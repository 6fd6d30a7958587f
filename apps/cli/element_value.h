// SPDX-License-Identifier: Apache-2.0
// Parses one element of any type.
#pragma once

#include <string>
#include <string_view>

#include "tesela/tesela.hpp"

namespace tesela::cli {

/// A tensor of shape [1]. Integers are exact; floats are rounded once, to nearest even.
/// Errors: usage (not a number, or outside the type's range, which the message has), type (strings, complex numbers).
/// numbers).
Value parse_element(std::string_view what, tesela_dtype dtype, std::string_view text);

}  // namespace tesela::cli
