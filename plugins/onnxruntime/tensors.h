// Tensors of ONNX Runtime as Tesela sees them: element types, extents, constants, strings.
#pragma once

#include <cstddef>
#include <vector>

#include "runtime.h"

namespace tesela::ort {

/// A tensor that the model holds, copied: ONNX Runtime's own dies with the graph.
struct Constant {
  tesela_dtype dtype = 0;
  std::vector<int64_t> extents;
  std::vector<std::byte> bytes;

  tesela_tensor view() const;
};

/// 0 for a type that Tesela does not know.
tesela_dtype dtype_of(ONNXTensorElementDataType type);

/// The other way round, for a type that dtype_of knows.
ONNXTensorElementDataType type_of(tesela_dtype dtype);

/// -1 for an extent that is not known.
std::vector<int64_t> read_extents(const Runtime& runtime, const OrtTensorTypeAndShapeInfo* info);

/// Of a tensor of numbers, as they lie in memory.
size_t bytes_of(const tesela_tensor& tensor);
const void* data_of(const Runtime& runtime, const OrtValue* value);

/// Failure: a value that is not a tensor of numbers.
Constant copy_constant(const Runtime& runtime, const OrtValue* value);

/// The elements of a string tensor. They borrow the bytes, which ONNX Runtime gives as a copy only.
struct Strings {
  std::vector<char> bytes;
  std::vector<tesela_string> elements;
};
Strings read_strings(const Runtime& runtime, const OrtValue* value);
void write_strings(const Runtime& runtime, const std::vector<tesela_string>& elements, OrtValue* value);

}  // namespace tesela::ort
