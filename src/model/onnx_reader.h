// SPDX-License-Identifier: Apache-2.0
// Reads .onnx files into a Model. Trusts no length, count or path in the file.
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
  int64_t assume_opset = 0;    // the opset of ONNX's domain to use instead of the model's; 0: the model's
  std::string base_directory;  // of external data, for models from memory; if empty, external data is refused
};

/// Reads a model from bytes that `owner` keeps alive (null: the caller keeps them). Weights are copied only if they are
/// not aligned for their type. Errors: path, parse, truncated, limit, unsupported.
Result<Model> read_onnx(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                        const OnnxReadOptions& options);

}  // namespace tesela
