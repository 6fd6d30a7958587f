// SPDX-License-Identifier: Apache-2.0
// Protobuf at the level of the wire: writes fields, and replaces some fields of a message without touching the others.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tesela::fix {

// Appends one field to a message.
void add_bytes(std::string& message, uint32_t field, std::string_view value);
void add_varint(std::string& message, uint32_t field, int64_t value);
void add_float(std::string& message, uint32_t field, float value);

/// Replaces the field whose value is `value`, which lies in the message, by other fields of the same message.
struct Edit {
  std::string_view value;
  std::string fields;
};

/// The bytes of `message` with edits, which are sorted by position and do not overlap. Messages around an edit get new
/// lengths; every other byte is copied. The message must have been read before, with the same limits of nesting.
/// Throws the exceptions that parse_protobuf catches.
std::string edited(std::string_view message, std::span<const Edit> edits);

}  // namespace tesela::fix
