// SPDX-License-Identifier: Apache-2.0
// Shortening of texts, and making visible what a terminal would obey.
#include "types/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace tesela {
namespace {

// The code point of a valid sequence.
char32_t decode(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  if (sequence.size() == 1) return lead;
  char32_t point = lead & (0xFFu >> (sequence.size() + 1));
  for (const char each : sequence.substr(1)) point = point << 6 | (static_cast<unsigned char>(each) & 0x3Fu);
  return point;
}

// Characters that a terminal obeys or hides: controls (C0, C1), direction marks and line separators.
bool is_control(char32_t point) {
  if (point < 0x20 || (point >= 0x7F && point < 0xA0)) return true;
  if (point == 0x061C || point == 0xFEFF) return true;
  return (point >= 0x200B && point <= 0x200F) || (point >= 0x2028 && point <= 0x202E) ||
         (point >= 0x2060 && point <= 0x206F);
}

// A printable form of a sequence; length 0: an invalid byte.
std::string shown(std::string_view text, size_t length) {
  if (length == 0) return fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
  const char32_t point = decode(text.substr(0, length));
  if (!is_control(point)) return std::string(text.substr(0, length));
  return point < 0x80 ? fmt::format("\\x{:02x}", static_cast<unsigned>(point))
                      : fmt::format("\\u{:04x}", static_cast<unsigned>(point));
}

}  // namespace

const std::string kNoText;

size_t utf8_length(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0;
  if (length == 0 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  // Rejects overlong forms, surrogates, and values above U+10FFFF.
  const unsigned second = byte(1);
  const bool is_none = (lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0) ||
                       (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90);
  return is_none ? 0 : length;
}

size_t append_printable(std::string& out, std::string_view text, size_t room) {
  const size_t known = utf8_length(text);
  const size_t length = std::max<size_t>(known, 1);
  if (length > room) return 0;
  out += shown(text, known);
  return length;
}

std::string printable(std::string_view text, bool keep_lines) {
  const auto is_plain = [&](char c) { return (c >= 0x20 && c < 0x7F) || (keep_lines && c == '\n'); };
  std::string out;
  while (!text.empty()) {
    const auto plain = static_cast<size_t>(std::find_if_not(text.begin(), text.end(), is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (!text.empty()) text.remove_prefix(append_printable(out, text, text.size()));
  }
  return out;
}

std::string shortened(std::string_view text, size_t longest) {
  constexpr std::string_view kMore = "...";
  if (text.size() <= longest) return std::string(text);
  size_t length = longest - kMore.size();
  while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80) --length;
  return std::string(text.substr(0, length)).append(kMore);
}

}  // namespace tesela
