// SPDX-License-Identifier: Apache-2.0
// Parses numbers in arguments: whole words, independent of the locale. Errors are usage errors that name the option.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::cli {

/// Untrusted text in quotes: short, on one line, without control characters.
std::string in_quotes(std::string_view text);

/// The longest prefix of whole UTF-8 characters within so many bytes.
std::string_view beginning_of(std::string_view text, size_t bytes);

/// what: the option, for messages.
int64_t parse_integer(std::string_view what, std::string_view text, int64_t low, int64_t high);
/// 0, 1, false or true.
bool parse_flag(std::string_view what, std::string_view text);
/// The nearest binary32 of decimal or 0x-hexadecimal digits, nan, inf. Overflow and underflow are errors, too.
/// too.
float parse_float(std::string_view what, std::string_view text);

/// The words between commas; an empty text gives an empty list. expected: for messages, "numbers like 1,2,3".
std::vector<std::string_view> parse_list(std::string_view what, std::string_view text, std::string_view expected);
/// Comma-separated; an empty text gives an empty list.
std::vector<int64_t> parse_integers(std::string_view what, std::string_view text, int64_t low, int64_t high);
std::vector<float> parse_floats(std::string_view what, std::string_view text);

/// Digits, with or without a sign, even if the integer fits no type.
bool is_integer_text(std::string_view text);

/// The whole text as a number, or nothing; for callers with their own messages.
template <class Integer>
std::optional<Integer> integer_from(std::string_view text);
template <class Float>
std::optional<Float> float_from(std::string_view text);

}  // namespace tesela::cli
