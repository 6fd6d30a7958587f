// SPDX-License-Identifier: Apache-2.0
// Files with one serialized TensorProto, as in ONNX's test data.
#pragma once

#include "files/file_bytes.h"
#include "files/file_output.h"
#include "tensor_io/tensor_file.h"

namespace tesela {

/// file.owner null: the bytes are copied.
/// Errors: parse, truncated, type, shape, value, limit, unsupported (segments, sequences, data in other
/// files).
Result<NamedTensor> read_tensor_pb(const FileBytes& file, const Limits& limits);

/// Numbers as raw_data, strings as string_data. tensor: dense. Errors: limit (2 GiB, which protobuf cannot
/// exceed).
Result<FileParts> encode_tensor_pb(const Tensor& tensor, const std::string& tensor_name);

}  // namespace tesela
