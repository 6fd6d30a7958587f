// SPDX-License-Identifier: Apache-2.0
// A parser for the Python dictionary that NumPy writes, and no other Python.
#include "tensor_io/npy_header.h"

#include <algorithm>
#include <charconv>

namespace tesela {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kMaxHeaderBytes = 64 << 10;

/// A cursor in the dictionary's text.
class Literal {
 public:
  explicit Literal(std::string_view text) : rest_(text) {}

  void skip_space() {
    while (!rest_.empty() && std::string_view(" \t\r\n").find(rest_.front()) != std::string_view::npos)
      rest_.remove_prefix(1);
  }
  bool accept(std::string_view token) {
    skip_space();
    if (!rest_.starts_with(token)) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  Status expect(std::string_view token) {
    if (accept(token)) return {};
    return parse_error("the header has {} where {} is expected", in_quotes(rest_.substr(0, 12)), in_quotes(token));
  }
  bool at(char c) {
    skip_space();
    return rest_.starts_with(c);
  }
  bool at_end() {
    skip_space();
    return rest_.empty();
  }
  Result<std::string_view> text();
  Result<int64_t> integer();

 private:
  std::string_view rest_;
};

Result<std::string_view> Literal::text() {
  skip_space();
  const char quote = rest_.empty() ? '\0' : rest_.front();
  if (quote != '\'' && quote != '"')
    return parse_error("the header has {} where a string is expected", in_quotes(rest_.substr(0, 12)));
  const size_t end = rest_.find(quote, 1);
  if (end == std::string_view::npos) return parse_error("a string in the header is not terminated");
  const std::string_view inside = rest_.substr(1, end - 1);
  rest_.remove_prefix(end + 1);
  return inside;
}

Result<int64_t> Literal::integer() {
  skip_space();
  int64_t value = 0;
  const char* end = rest_.data() + rest_.size();
  const auto parsed = std::from_chars(rest_.data(), end, value);
  if (parsed.ec == std::errc::result_out_of_range)
    return shape_error("the header's shape has {}; expected at most 2^63 - 1", in_quotes(rest_.substr(0, 24)));
  if (parsed.ec != std::errc())
    return shape_error("the header's shape has {} where a number is expected", in_quotes(rest_.substr(0, 12)));
  rest_.remove_prefix(static_cast<size_t>(parsed.ptr - rest_.data()));
  accept("L");  // Python 2 wrote it
  return value;
}

Status read_shape(Literal& in, int64_t max_rank, Extents& shape) {
  TESELA_RETURN_IF_ERROR(in.expect("("));
  while (!in.accept(")")) {
    TESELA_ASSIGN_OR_RETURN(const int64_t extent, in.integer());
    if (std::cmp_greater_equal(shape.size(), max_rank)) return limit_error("the array has more than {} axes", max_rank);
    shape.push_back(extent);
    if (!in.at(')')) TESELA_RETURN_IF_ERROR(in.expect(","));
  }
  return {};
}

Status read_flag(Literal& in, bool& flag) {
  flag = in.accept("True");
  return flag || in.accept("False") ? Status() : in.expect("True' or 'False");
}

// "<f4": byte order, kind, bytes. Accepts only types that tensors may have.
Status read_descr(std::string_view descr, NpyHeader& header) {
  header.descr = descr;
  const auto unsupported = [&](std::string_view what) {
    return unsupported_error("elements of type {} are {}; expected numbers, booleans or strings", in_quotes(descr),
                             what);
  };
  std::string_view rest = descr;
  if (!rest.empty() && std::string_view("<>|=").find(rest.front()) != std::string_view::npos) {
    header.big_endian = rest.front() == '>';
    rest.remove_prefix(1);
  }
  if (rest == "?") rest = "b1";
  header.kind = rest.empty() ? '\0' : rest.front();
  if (header.kind == 'O') return unsupported("Python objects, which are never unpickled");
  if (header.kind == 'M' || header.kind == 'm') return unsupported("dates or durations");
  if (rest.size() > 1) rest.remove_prefix(1);
  const char* end = rest.data() + rest.size();
  const auto parsed = std::from_chars(rest.data(), end, header.item_bytes);
  const bool complete = parsed.ec == std::errc() && parsed.ptr == end && header.item_bytes >= 0;
  if (!complete || std::string_view("biufcSUV").find(header.kind) == std::string_view::npos)
    return type_error("descr {} is not a known type", in_quotes(descr));
  if (header.kind == 'U') {
    const auto bytes = checked_mul(header.item_bytes, 4);
    if (!bytes) return shape_error("a string of {} characters", header.item_bytes);
    header.item_bytes = *bytes;
  }
  return {};
}

Status read_dictionary(std::string_view text, int64_t max_rank, NpyHeader& header) {
  Literal in(text);
  bool seen[3] = {};
  constexpr std::string_view kKeys[] = {"descr", "fortran_order", "shape"};
  TESELA_RETURN_IF_ERROR(in.expect("{"));
  while (!in.accept("}")) {
    TESELA_ASSIGN_OR_RETURN(const std::string_view key, in.text());
    const auto which = static_cast<size_t>(std::find(std::begin(kKeys), std::end(kKeys), key) - kKeys);
    if (which == std::size(kKeys)) return parse_error("the header has an unknown key {}", in_quotes(key));
    if (seen[which]) return parse_error("the header has key '{}' twice", key);
    seen[which] = true;
    TESELA_RETURN_IF_ERROR(in.expect(":"));
    if (which == 0) {
      if (in.at('[') || in.at('(') || in.at('{'))
        return unsupported_error("an array of records; expected numbers, booleans or strings");
      TESELA_ASSIGN_OR_RETURN(const std::string_view descr, in.text());
      TESELA_RETURN_IF_ERROR(read_descr(descr, header));
    } else {
      TESELA_RETURN_IF_ERROR(which == 1 ? read_flag(in, header.fortran_order) : read_shape(in, max_rank, header.shape));
    }
    if (!in.at('}')) TESELA_RETURN_IF_ERROR(in.expect(","));
  }
  if (!in.at_end()) return parse_error("the header has more bytes after its dictionary");
  for (size_t i = 0; i < std::size(kKeys); ++i)
    if (!seen[i]) return parse_error("the header has no key '{}'", kKeys[i]);
  return {};
}

}  // namespace

Result<NpyHeader> read_npy_header(std::span<const std::byte> bytes, int64_t max_rank) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(kMagic.substr(0, text.size())))
    return parse_error("not a .npy file: it does not begin with .npy's signature");
  const auto byte = [&](size_t i) { return static_cast<size_t>(bytes[i]); };
  if (text.size() < 8) return truncated_error("the .npy file ends in its header, after {} bytes", text.size());
  const size_t major = byte(6);
  if (major < 1 || major > 3 || byte(7) != 0)
    return unsupported_error(".npy version {}.{}; expected 1.0, 2.0 or 3.0", major, byte(7));
  const size_t begin = major == 1 ? 10 : 12;
  if (text.size() < begin) return truncated_error("the .npy file ends in its header, after {} bytes", text.size());
  size_t length = byte(8) | byte(9) << 8;
  if (major > 1) length |= byte(10) << 16 | byte(11) << 24;
  if (length > kMaxHeaderBytes) return limit_error("a header of {} bytes; the limit is {}", length, kMaxHeaderBytes);
  if (length > text.size() - begin)
    return truncated_error("the header has {} bytes; expected {}", text.size() - begin, length);
  NpyHeader header;
  header.data_offset = begin + length;
  TESELA_RETURN_IF_ERROR(read_dictionary(text.substr(begin, length), max_rank, header));
  return header;
}

std::string npy_header(std::string_view descr, std::span<const int64_t> shape) {
  std::string list;
  for (size_t i = 0; i < shape.size(); ++i) list += fmt::format("{}{}", i > 0 ? ", " : "", shape[i]);
  if (shape.size() == 1) list += ",";
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, list);
  // Version 1 counts the header's bytes in 16 bits.
  const bool long_header = text.size() + 75 > UINT16_MAX;
  const size_t begin = long_header ? 12 : 10;
  text.append(63 - (begin + text.size()) % 64, ' ');
  text += '\n';
  std::string head(kMagic);
  head += {static_cast<char>(long_header ? 2 : 1), 0};
  for (size_t i = 0; i < begin - 8; ++i) head += static_cast<char>(text.size() >> (8 * i) & 0xff);
  return head + text;
}

}  // namespace tesela
