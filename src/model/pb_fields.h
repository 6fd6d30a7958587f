// SPDX-License-Identifier: Apache-2.0
// Iterates over the fields of a protobuf message with protozero, plus the checks that it leaves to callers.
#pragma once

#include <cstdint>
#include <functional>
#include <protozero/pbf_reader.hpp>
#include <span>
#include <string_view>
#include <vector>

#include "types/status.h"

namespace tesela {

/// The position of a parser in the file, for messages.
using PbPosition = const char*;

// A field's number and wire type, for `switch (fields.key())`. As protobuf specifies, a known number with another wire
// type is an unknown field.
constexpr uint32_t pb_varint(uint32_t number) {
  return protozero::tag_and_type(number, protozero::pbf_wire_type::varint);
}
constexpr uint32_t pb_bytes(uint32_t number) {
  return protozero::tag_and_type(number, protozero::pbf_wire_type::length_delimited);
}
constexpr uint32_t pb_fixed32(uint32_t number) {
  return protozero::tag_and_type(number, protozero::pbf_wire_type::fixed32);
}
constexpr uint32_t pb_fixed64(uint32_t number) {
  return protozero::tag_and_type(number, protozero::pbf_wire_type::fixed64);
}

/// The fields of one message. Every call may throw the exceptions that parse_protobuf catches. The getter must match
/// the key.
class PbFields {
 public:
  PbFields(std::string_view message, PbPosition& position)
      : reader_(message.data(), message.size()), position_(position) {}

  bool next() {
    position_ = reader_.data().data();
    return reader_.next();
  }
  uint32_t key() const { return reader_.tag_and_type(); }

  int64_t int64() { return reader_.get_int64(); }
  int32_t int32() { return reader_.get_int32(); }
  float float32() { return reader_.get_float(); }
  std::string_view view();
  void skip();

  // Repeated numbers, packed or not.
  template <class T>
  void append_varints(std::vector<T>& values) {
    if (!packed()) return values.push_back(static_cast<T>(reader_.get_uint64()));
    const std::string_view bytes = view();
    const char* at = bytes.data();
    const char* end = at + bytes.size();
    while (at != end) values.push_back(static_cast<T>(protozero::decode_varint(&at, end)));
  }
  void append_floats(std::vector<float>& values);
  void append_doubles(std::vector<double>& values);

 private:
  bool packed() const { return reader_.has_wire_type(protozero::pbf_wire_type::length_delimited); }

  protozero::pbf_reader reader_;
  PbPosition& position_;
};

/// Calls `read` with `bytes`; the only function that catches protozero's exceptions.
/// position: shared by the PbFields of `read`. Errors: parse, truncated with the byte's offset; those of `read`.
Status parse_protobuf(std::span<const std::byte> bytes, PbPosition& position,
                      const std::function<Status(std::string_view message)>& read);

}  // namespace tesela
