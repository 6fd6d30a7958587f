// SPDX-License-Identifier: Apache-2.0
// Lengths of 64 bits, packed numbers, and messages for protozero's exceptions.
#include "model/pb_fields.h"

#include <bit>
#include <cstring>

namespace tesela {

static_assert(std::endian::native == std::endian::little, "files are little-endian, and so are the tensors in memory");

namespace {

template <class T>
void append_fixed(std::string_view bytes, std::vector<T>& values) {
  if (bytes.size() % sizeof(T) != 0) throw protozero::invalid_length_exception();
  if (bytes.empty()) return;
  const size_t before = values.size();
  values.resize(before + bytes.size() / sizeof(T));
  std::memcpy(values.data() + before, bytes.data(), bytes.size());
}

}  // namespace

// protozero truncates lengths to 32 bits: it would read 2^32 + 5 as 5.
std::string_view PbFields::view() {
  const char* at = reader_.data().data();
  const char* end = at + reader_.length();
  const uint64_t length = protozero::decode_varint(&at, end);
  const auto left = static_cast<size_t>(end - at);
  if (length > left) throw protozero::end_of_buffer_exception();
  reader_ = protozero::pbf_reader(at + length, left - length);
  return {at, length};
}

void PbFields::skip() {
  if (packed())
    (void)view();
  else
    reader_.skip();
}

void PbFields::append_floats(std::vector<float>& values) {
  if (!packed()) return values.push_back(reader_.get_float());
  append_fixed(view(), values);
}

void PbFields::append_doubles(std::vector<double>& values) {
  if (!packed()) return values.push_back(reader_.get_double());
  append_fixed(view(), values);
}

Status parse_protobuf(std::span<const std::byte> bytes, PbPosition& position,
                      const std::function<Status(std::string_view message)>& read) {
  const auto* begin = reinterpret_cast<const char*>(bytes.data());
  position = begin;
  const auto offset = [&] { return position - begin; };
  try {
    return read({begin, bytes.size()});
  } catch (const protozero::end_of_buffer_exception&) {
    return truncated_error("the field at byte {} runs past the end of its message; the file has {} bytes", offset(),
                           bytes.size());
  } catch (const protozero::unknown_pbf_wire_type_exception&) {
    return parse_error("the field at byte {} is a group, or of no wire type; expected one that ONNX uses", offset());
  } catch (const protozero::invalid_tag_exception&) {
    return parse_error("the field at byte {} has a number that protobuf does not allow", offset());
  } catch (const protozero::varint_too_long_exception&) {
    return parse_error("the field at byte {} has a number of more than 10 bytes", offset());
  } catch (const protozero::exception&) {
    return parse_error("the field at byte {} has a length that does not fit its numbers", offset());
  }
}

}  // namespace tesela
