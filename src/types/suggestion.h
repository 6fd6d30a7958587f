// What somebody who wrote an unknown name may have meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace tesela {

/// "; did you mean 'linear'?" where one of the known names is near, or is what others call it; else nothing.
std::string suggestion(std::string_view name, std::span<const std::string_view> known);

}  // namespace tesela
