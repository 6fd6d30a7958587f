// Texts from files, cut where many copies of them would be made.
#pragma once

#include <string>
#include <string_view>

namespace tesela {

/// Bytes of a name where it may be copied many times: in findings, descriptions and names made of it.
inline constexpr size_t kLongestName = 1000;

/// The text, cut to `longest` bytes and "..." at its end, never inside a UTF-8 sequence. longest: at least 3.
std::string shortened(std::string_view text, size_t longest = kLongestName);

}  // namespace tesela
