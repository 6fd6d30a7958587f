// SPDX-License-Identifier: Apache-2.0
// Reads and writes TensorProto.
#include "tensor_io/tensor_pb.h"

#include <protozero/pbf_writer.hpp>

#include "model/onnx_tensor.h"

namespace tesela {
namespace {

constexpr int64_t kMaxMessage = INT32_MAX;

void append(std::vector<std::byte>& out, std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  out.insert(out.end(), bytes.begin(), bytes.end());
}

}  // namespace

Result<NamedTensor> read_tensor_pb(const FileBytes& file, const Limits& limits) {
  if (file.bytes.empty()) return truncated_error("the file is empty; expected a TensorProto");
  TensorFields fields;
  PbPosition position = nullptr;
  TESELA_RETURN_IF_ERROR(parse_protobuf(file.bytes, position, [&](std::string_view message) {
    read_tensor_fields(message, position, fields);
    return Status();
  }));
  // SequenceProto and OptionalProto have their tensors in the field of TensorProto's segment.
  if (fields.is_segment)
    return unsupported_error("holds a sequence, an optional, or a segment of a tensor; expected one whole tensor");
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, make_tensor(fields, {file.owner, file.owner != nullptr, nullptr, limits}));
  return NamedTensor{std::string(fields.name), std::move(tensor)};
}

Result<FileParts> encode_tensor_pb(const Tensor& tensor, const std::string& tensor_name) {
  std::string head;
  protozero::pbf_writer out(head);
  for (const int64_t extent : tensor.extents()) out.add_int64(1, extent);
  out.add_int32(2, static_cast<int32_t>(tensor.type()));
  FileParts parts;
  int64_t bytes = 0;
  if (tensor.type() == DataType::kString) {
    for (const StringRef& value : tensor.as<StringRef>()) bytes += static_cast<int64_t>(value.size) + 12;
  } else {
    bytes = tensor.bytes();
    parts.body = tensor;
  }
  bytes += static_cast<int64_t>(tensor_name.size() + head.size()) + 24;
  if (bytes > kMaxMessage)
    return limit_error("a .pb file of {} bytes; protobuf allows 2 GiB. Files of type .npy have no limit", bytes);
  if (tensor.type() == DataType::kString)
    for (const StringRef& value : tensor.as<StringRef>()) out.add_bytes(6, value.data, value.size);
  if (!tensor_name.empty()) out.add_string(8, tensor_name);
  append(parts.head, head);
  if (parts.body.defined()) {
    // raw_data comes last, so that its bytes need not be copied after its length.
    std::string length;
    protozero::add_varint_to_buffer(&length, pb_bytes(9));
    protozero::add_varint_to_buffer(&length, static_cast<uint64_t>(tensor.bytes()));
    append(parts.head, length);
  }
  return parts;
}

}  // namespace tesela
