// SPDX-License-Identifier: Apache-2.0
// Reads model files of every format, detected by their bytes.
#pragma once

#include "model/onnx_reader.h"

namespace tesela {

/// Reads ONNX's protobuf or OpenVINO's XML. assume_opset is for ONNX only; for an IR it is an error.
/// Errors: unsupported, and those of the readers; messages begin with the file's name.
Result<Model> read_model(const std::string& path, const OnnxReadOptions& options);

/// Reads from bytes that `owner` keeps alive (null: the caller keeps them).
Result<Model> read_model(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                         const OnnxReadOptions& options);

}  // namespace tesela
