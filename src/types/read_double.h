// SPDX-License-Identifier: Apache-2.0
// A number in a text, whatever the locale is.
#pragma once

namespace tesela {

/// Reads the nearest double of the decimal number that [begin, end) begins with. Returns where it ends; null if there is
/// none, or no double holds it.
const char* read_double(const char* begin, const char* end, double& value);

}  // namespace tesela
