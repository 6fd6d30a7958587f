// What somebody who wrote an unknown name may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tesela {

/// The known name that another is meant for: what others call it, the nearest by few letters added, left out, changed or
/// swapped, or the shortest that begins with it; case, '-', '_', '.' and blanks do not count. Empty where none is near.
std::string_view nearest_name(std::string_view name, std::span<const std::string_view> known);

/// "; did you mean 'linear'?", or nothing.
std::string suggestion(std::string_view name, std::span<const std::string_view> known);

}  // namespace tesela
