// Reads .onnx files: protobuf in, Model out. Trusts no length, no count and no path.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "model/graph.h"
#include "types/limits.h"

namespace tesela {

struct OnnxReadOptions {
  Limits limits;
  int64_t assume_opset = 0;    // 0, or the opset of ONNX's domain to read the model by
  std::string base_directory;  // of external data, for models from memory; empty: external data is refused
};

/// Reads a model from bytes that `keeper` keeps alive (may be null: the caller does). Weights are copied only where they
/// do not lie aligned for their type. Errors: path, parse, truncated, limit, unsupported.
Result<Model> read_onnx(std::span<const std::byte> bytes, std::shared_ptr<const void> keeper,
                        const OnnxReadOptions& options);

}  // namespace tesela
