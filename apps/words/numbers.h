// Numbers in arguments: whole words, in no locale. What they refuse is a usage error that names the option.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tesela::cli {

/// Text from outside in quotes: short, on one line, without control characters.
std::string in_quotes(std::string_view text);

/// As many whole characters of UTF-8 as fit in that many bytes.
std::string_view beginning_of(std::string_view text, size_t bytes);

/// what: the option, for messages.
int64_t parse_integer(std::string_view what, std::string_view text, int64_t low, int64_t high);
/// 0, 1, false or true.
bool parse_flag(std::string_view what, std::string_view text);
/// The nearest binary32; decimal or 0x-hexadecimal, nan, inf. Errors also where it is too large or too small.
float parse_float(std::string_view what, std::string_view text);

/// Comma-separated; an empty text is an empty list.
std::vector<int64_t> parse_integers(std::string_view what, std::string_view text, int64_t low, int64_t high);
std::vector<float> parse_floats(std::string_view what, std::string_view text);

/// Digits, with or without a sign: an integer, if perhaps one that nothing holds.
bool is_integer_text(std::string_view text);

/// Whole texts as numbers, or nothing: for callers with messages of their own.
template <class Integer>
std::optional<Integer> integer_from(std::string_view text);
template <class Float>
std::optional<Float> float_from(std::string_view text);

}  // namespace tesela::cli
