// SPDX-License-Identifier: Apache-2.0
// Converts ONNX Runtime's tensors to Tesela's: element types, extents, constants, strings.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime.h"

namespace tesela::ort {

/// A copy of a constant tensor of the model: ONNX Runtime's is freed with the graph.
struct Constant {
  tesela_dtype dtype = 0;
  std::vector<int64_t> extents;
  std::vector<std::byte> bytes;

  tesela_tensor view() const;
};

/// 0 for a type that Tesela does not support.
tesela_dtype dtype_of(ONNXTensorElementDataType type);

/// The inverse of dtype_of.
ONNXTensorElementDataType type_of(tesela_dtype dtype);

/// -1 for an unknown extent.
std::vector<int64_t> read_extents(const Runtime& runtime, const OrtTensorTypeAndShapeInfo* info);

/// Bytes in memory of a tensor without strings, and its data.
size_t bytes_of(const tesela_tensor& tensor);
const void* data_of(const Runtime& runtime, const OrtValue* value);

/// Failure: not a tensor, or a tensor of strings.
Constant copy_constant(const Runtime& runtime, const OrtValue* value);

/// The elements of a string tensor, with a copy of the bytes: ONNX Runtime gives no access to its own.
struct Strings {
  std::vector<char> bytes;
  std::vector<tesela_string> elements;
};
Strings read_strings(const Runtime& runtime, const OrtValue* value);
void write_strings(const Runtime& runtime, const std::vector<tesela_string>& elements, OrtValue* value);

}  // namespace tesela::ort
