// Shortening of texts from files that are copied many times.
#pragma once

#include <string>
#include <string_view>

namespace tesela {

/// The most bytes of a name in findings, descriptions and derived names, which may be copied many times.
inline constexpr size_t kLongestName = 1000;

/// The text, shortened to `longest` bytes that end in "...", never inside a UTF-8 sequence. longest: at least 3.
std::string shortened(std::string_view text, size_t longest = kLongestName);

}  // namespace tesela
