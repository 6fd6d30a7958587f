// SPDX-License-Identifier: Apache-2.0
// Copies a message field by field, down to the edited ones.
#include "fix/wire.h"

#include <algorithm>
#include <bit>
#include <functional>
#include <iterator>
#include <protozero/varint.hpp>

#include "model/pb_fields.h"

namespace tesela::fix {
namespace {

void add_number(std::string& message, uint64_t value) {
  char bytes[protozero::max_varint_length];
  message.append(bytes, static_cast<size_t>(protozero::add_varint_to_buffer(bytes, value)));
}

// The number of leading edits whose values begin before `end`.
size_t count_before(std::span<const Edit> edits, const char* end) {
  const auto begins_before = [end](const Edit& edit) { return std::less<>()(edit.value.data(), end); };
  return static_cast<size_t>(std::ranges::partition_point(edits, begins_before) - edits.begin());
}

void append_edited(std::string& to, std::string_view message, std::span<const Edit> edits);

// A field that is a message around edits.
void append_around(std::string& to, uint32_t key, std::string_view value, std::span<const Edit> edits) {
  std::string inner;
  append_edited(inner, value, edits);
  add_number(to, key);
  add_number(to, inner.size());
  to += inner;
}

// Recursive; the reader has limited the nesting.
void append_edited(std::string& to, std::string_view message, std::span<const Edit> edits) {
  PbPosition position = nullptr;
  PbFields in(message, position);
  const char* copied = message.data();
  while (!edits.empty() && in.next()) {
    const char* const begin = position;
    if ((in.key() & 7u) != static_cast<uint32_t>(protozero::pbf_wire_type::length_delimited)) {
      in.skip();
      continue;
    }
    const uint32_t key = in.key();
    const std::string_view value = in.view();
    const char* const end = value.data() + value.size();
    const bool is_whole = edits.front().value.data() == value.data() && edits.front().value.size() == value.size();
    const size_t inside = is_whole ? 1 : count_before(edits, end);
    if (inside == 0) continue;
    to.append(copied, begin);
    if (is_whole)
      to += edits.front().fields;
    else
      append_around(to, key, value, edits.first(inside));
    edits = edits.subspan(inside);
    copied = end;
  }
  to.append(copied, message.data() + message.size());
}

}  // namespace

void add_bytes(std::string& message, uint32_t field, std::string_view value) {
  add_number(message, pb_bytes(field));
  add_number(message, value.size());
  message += value;
}

void add_varint(std::string& message, uint32_t field, int64_t value) {
  add_number(message, pb_varint(field));
  add_number(message, static_cast<uint64_t>(value));
}

void add_float(std::string& message, uint32_t field, float value) {
  add_number(message, pb_fixed32(field));
  const auto bits = std::bit_cast<uint32_t>(value);
  for (int shift = 0; shift < 32; shift += 8) message.push_back(static_cast<char>(bits >> shift & 0xffu));
}

std::string edited(std::string_view message, std::span<const Edit> edits) {
  std::string bytes;
  append_edited(bytes, message, edits);
  return bytes;
}

}  // namespace tesela::fix
