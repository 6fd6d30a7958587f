// SPDX-License-Identifier: Apache-2.0
// Reads and writes tensors through ONNX Runtime's C interface.
#include "tensors.h"

#include <cstring>

namespace tesela::ort {

tesela_tensor Constant::view() const {
  return {
      const_cast<std::byte*>(bytes.data()), dtype, static_cast<int32_t>(extents.size()), extents.data(), nullptr, 0};
}

// ONNX Runtime's codes equal ONNX's up to float4e2m1; the next three are in a different order. API 23 has no names for
// these four.
tesela_dtype dtype_of(ONNXTensorElementDataType type) {
  switch (const auto code = static_cast<int>(type)) {
    case 24: return TESELA_UINT2;
    case 25: return TESELA_INT2;
    case 26: return TESELA_FLOAT8E8M0;
    default: return code > 0 && code <= TESELA_FLOAT4E2M1 ? code : 0;
  }
}

ONNXTensorElementDataType type_of(tesela_dtype dtype) {
  int code = 0;
  while (dtype_of(static_cast<ONNXTensorElementDataType>(code)) != dtype) ++code;
  return static_cast<ONNXTensorElementDataType>(code);
}

std::vector<int64_t> read_extents(const Runtime& runtime, const OrtTensorTypeAndShapeInfo* info) {
  size_t rank = 0;
  check(runtime.api, runtime.api.GetDimensionsCount(info, &rank));
  std::vector<int64_t> extents(rank);
  check(runtime.api, runtime.api.GetDimensions(info, extents.data(), rank));
  return extents;
}

size_t bytes_of(const tesela_tensor& tensor) {
  auto bits = static_cast<size_t>(tesela_dtype_bits(tensor.dtype));
  for (int32_t d = 0; d < tensor.rank; ++d) bits *= static_cast<size_t>(tensor.extents[d]);
  return (bits + 7) / 8;
}

// Versions before 1.23 have only the mutable accessor.
const void* data_of(const Runtime& runtime, const OrtValue* value) {
  void* data = nullptr;
  check(runtime.api, runtime.api.GetTensorMutableData(const_cast<OrtValue*>(value), &data));
  return data;
}

Constant copy_constant(const Runtime& runtime, const OrtValue* value) {
  const OrtApi& api = runtime.api;
  OrtTensorTypeAndShapeInfo* info = nullptr;
  check(api, api.GetTensorTypeAndShape(value, &info));
  const std::unique_ptr<OrtTensorTypeAndShapeInfo, decltype(api.ReleaseTensorTypeAndShapeInfo)> owner(
      info, api.ReleaseTensorTypeAndShapeInfo);
  ONNXTensorElementDataType type = ONNX_TENSOR_ELEMENT_DATA_TYPE_UNDEFINED;
  check(api, api.GetTensorElementType(info, &type));
  Constant constant;
  constant.dtype = dtype_of(type);
  if (constant.dtype == 0 || constant.dtype == TESELA_STRING)
    fail(ORT_NOT_IMPLEMENTED, "Tesela: a constant of element type " + std::to_string(type));
  constant.extents = read_extents(runtime, info);
  constant.bytes.resize(bytes_of(constant.view()));
  if (!constant.bytes.empty()) std::memcpy(constant.bytes.data(), data_of(runtime, value), constant.bytes.size());
  return constant;
}

Strings read_strings(const Runtime& runtime, const OrtValue* value) {
  const OrtApi& api = runtime.api;
  OrtTensorTypeAndShapeInfo* info = nullptr;
  check(api, api.GetTensorTypeAndShape(value, &info));
  size_t count = 0;
  OrtStatus* const counted = api.GetTensorShapeElementCount(info, &count);
  api.ReleaseTensorTypeAndShapeInfo(info);
  check(api, counted);
  Strings strings;
  if (count == 0) return strings;
  size_t size = 0;
  check(api, api.GetStringTensorDataLength(value, &size));
  strings.bytes.resize(size);
  std::vector<size_t> offsets(count);
  check(api, api.GetStringTensorContent(value, strings.bytes.data(), size, offsets.data(), count));
  for (size_t i = 0; i < count; ++i) {
    const size_t end = i + 1 < count ? offsets[i + 1] : size;
    strings.elements.push_back({strings.bytes.data() + offsets[i], end - offsets[i]});
  }
  return strings;
}

void write_strings(const Runtime& runtime, const std::vector<tesela_string>& elements, OrtValue* value) {
  for (size_t i = 0; i < elements.size(); ++i) {
    char* buffer = nullptr;
    check(runtime.api, runtime.api.GetResizedStringTensorElementBuffer(value, i, elements[i].length, &buffer));
    if (elements[i].length > 0) std::memcpy(buffer, elements[i].ptr, elements[i].length);
  }
}

}  // namespace tesela::ort
