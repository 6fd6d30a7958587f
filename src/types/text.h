// SPDX-License-Identifier: Apache-2.0
// Texts from files: cut where many copies of them would be made, and fit for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace tesela {

/// An empty text, to refer to.
extern const std::string kNoText;

/// The most bytes of a name in findings, descriptions and derived names, which may be copied many times.
inline constexpr size_t kMaxNameBytes = 1000;

/// The text, shortened to `longest` bytes that end in "...", never inside a UTF-8 sequence. longest: at least 3.
std::string shortened(std::string_view text, size_t longest = kMaxNameBytes);

/// The length of the UTF-8 sequence at the beginning of `text`, which is not empty; 0 if it is invalid.
size_t utf8_length(std::string_view text);

/// A text from a file with what cannot be printed made visible: controls, marks that change the direction of text, and
/// bytes that are no UTF-8 ("\x1b", "\u202e"). keep_lines: line feeds stay.
std::string printable(std::string_view text, bool keep_lines = false);

/// Appends the first character of `text`, which is not empty, in this way. Returns how many bytes of `text` it has; 0,
/// and appends nothing, where it has more than `room`.
size_t append_printable(std::string& out, std::string_view text, size_t room);

}  // namespace tesela
