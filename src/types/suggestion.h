// SPDX-License-Identifier: Apache-2.0
// Suggestions for unknown names.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tesela {

/// The known name most likely meant: a synonym, the nearest by few letters inserted, deleted, changed or swapped, or
/// the shortest that begins with it. Ignores case, '-', '_', '.' and blanks. Empty if none is near.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

/// "; did you mean 'linear'?", or nothing.
std::string suggestion(std::string_view name, std::span<const std::string_view> known);

}  // namespace tesela
