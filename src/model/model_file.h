// Model files of every format: the bytes say which one it is.
#pragma once

#include "model/onnx_reader.h"

namespace tesela {

/// Reads ONNX's protobuf or OpenVINO's XML. Errors: those of the readers; texts begin with the file's name.
/// assume_opset is for ONNX: with an IR it is unsupported.
Result<Model> read_model(const std::string& path, const OnnxReadOptions& options);

/// The same from bytes that `keeper` keeps alive (may be null: the caller does).
Result<Model> read_model(std::span<const std::byte> bytes, std::shared_ptr<const void> keeper,
                         const OnnxReadOptions& options);

}  // namespace tesela
