// SPDX-License-Identifier: Apache-2.0
// Parses numbers with std::from_chars.
#include "numbers.h"

#include <algorithm>
#include <charconv>

#include "failure.h"

namespace tesela::cli {
namespace {

// from_chars accepts '-', but neither '+' nor "0x".
std::string_view without_plus(std::string_view text) {
  return text.size() > 1 && text[0] == '+' && text[1] != '-' ? text.substr(1) : text;
}

bool starts_hexadecimal(std::string_view text) {
  return text.size() > 2 && text[0] == '0' && (text[1] == 'x' || text[1] == 'X') && text[2] != '-';
}

constexpr std::string_view kNumbers = "numbers like 1,2,3";

}  // namespace

std::string_view beginning_of(std::string_view text, size_t bytes) {
  if (text.size() <= bytes) return text;
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  // A UTF-8 character has at most four bytes; longer sequences are not UTF-8 and may be cut anywhere.
  for (size_t end = bytes; end + 4 > bytes && end > 0; --end)
    if (!continues(text[end])) return text.substr(0, end);
  return text.substr(0, bytes);
}

std::string in_quotes(std::string_view text) {
  constexpr size_t kMax = 100;
  std::string shown = "'";
  for (const char c : beginning_of(text, kMax)) shown += static_cast<unsigned char>(c) < 0x20 || c == 0x7f ? '?' : c;
  return shown + (text.size() > kMax ? "...'" : "'");
}

bool is_integer_text(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

template <class Integer>
std::optional<Integer> integer_from(std::string_view text) {
  text = without_plus(text);
  Integer number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}
template std::optional<int64_t> integer_from(std::string_view);
template std::optional<uint64_t> integer_from(std::string_view);

template <class Float>
std::optional<Float> float_from(std::string_view text) {
  text = without_plus(text);
  const bool negative = text.starts_with('-');
  std::string_view digits = negative ? text.substr(1) : text;
  auto format = std::chars_format::general;
  if (starts_hexadecimal(digits)) {
    digits.remove_prefix(2);
    format = std::chars_format::hex;
  }
  if (digits.starts_with('-')) return std::nullopt;
  Float number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number, format);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  return negative ? -number : number;
}
template std::optional<float> float_from(std::string_view);
template std::optional<double> float_from(std::string_view);

int64_t parse_integer(std::string_view what, std::string_view text, int64_t low, int64_t high) {
  const std::optional<int64_t> number = integer_from<int64_t>(text);
  if (number && *number >= low && *number <= high) return *number;
  const std::string range = low == INT64_MIN && high == INT64_MAX ? "an integer"
                            : high == INT64_MAX
                                ? "an integer of at least " + std::to_string(low)
                                : "an integer in [" + std::to_string(low) + ", " + std::to_string(high) + "]";
  usage(std::string(what) + ": " + in_quotes(text) + " is not " + range);
}

bool parse_flag(std::string_view what, std::string_view text) {
  if (text == "0" || text == "false") return false;
  if (text == "1" || text == "true") return true;
  usage(std::string(what) + ": " + in_quotes(text) + " is not one of 0, 1, false, true");
}

float parse_float(std::string_view what, std::string_view text) {
  const std::optional<float> number = float_from<float>(text);
  if (!number) usage(std::string(what) + ": " + in_quotes(text) + " is not a number that a float holds");
  return *number;
}

std::vector<std::string_view> parse_list(std::string_view what, std::string_view text, std::string_view expected) {
  std::vector<std::string_view> words;
  if (text.empty()) return words;
  for (size_t begin = 0; begin <= text.size();) {
    const size_t comma = std::min(text.find(',', begin), text.size());
    if (comma == begin)
      usage(std::string(what) + ": " + in_quotes(text) + " has an empty entry; expected " + std::string(expected));
    words.push_back(text.substr(begin, comma - begin));
    begin = comma + 1;
    if (begin == text.size() && comma < text.size())
      usage(std::string(what) + ": " + in_quotes(text) + " ends with a comma; expected " + std::string(expected));
  }
  return words;
}

std::vector<int64_t> parse_integers(std::string_view what, std::string_view text, int64_t low, int64_t high) {
  std::vector<int64_t> numbers;
  for (const std::string_view word : parse_list(what, text, kNumbers))
    numbers.push_back(parse_integer(what, word, low, high));
  return numbers;
}

std::vector<float> parse_floats(std::string_view what, std::string_view text) {
  std::vector<float> numbers;
  for (const std::string_view word : parse_list(what, text, kNumbers)) numbers.push_back(parse_float(what, word));
  return numbers;
}

}  // namespace tesela::cli
