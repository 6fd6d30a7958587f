// SPDX-License-Identifier: Apache-2.0
// Element types and their traits, all expanded from data_type.def.
#pragma once

#include <cstdint>
#include <iterator>
#include <optional>
#include <span>
#include <string_view>

#include "tesela/tesela.h"

namespace tesela {

/// Element type of a tensor. The values are ONNX's codes in TensorProto.DataType.
enum class DataType : int32_t {
  kUndefined = 0,
#define TESELA_DATA_TYPE(name, code, onnx, openvino, numpy, dlpack, bits, kind, compute) name = code,
#include "types/data_type.def"
#undef TESELA_DATA_TYPE
};

enum class DataKind : uint8_t { kFloating, kSigned, kUnsigned, kBoolean, kComplex, kText };

/// The type that interpolation computes in; kNone for types that are only moved.
enum class ComputeType : uint8_t { kNone, kFloat, kDouble };

struct DataTypeTraits {
  DataType type;
  std::string_view onnx_name;
  std::string_view openvino_name;  // empty if OpenVINO has no such type
  std::string_view numpy_name;
  int32_t dlpack_code;  // DLDataTypeCode, -1 if DLPack has none
  int32_t bits;         // of one element
  DataKind kind;
  ComputeType compute;
};

inline constexpr DataTypeTraits kDataTypes[] = {
#define TESELA_DATA_TYPE(name, code, onnx, openvino, numpy, dlpack, bits, kind, compute) \
  {DataType::name, onnx, openvino, numpy, dlpack, bits, DataKind::kind, ComputeType::compute},
#include "types/data_type.def"
#undef TESELA_DATA_TYPE
};

/// Every element type, in the order of the ONNX codes.
inline std::span<const DataTypeTraits> all_data_types() {
  return kDataTypes;
}

/// Traits of `type`, or nullptr if the code is not in the list.
inline const DataTypeTraits* find_traits(DataType type) {
  const auto code = static_cast<int32_t>(type);
  if (code < 1 || code > static_cast<int32_t>(std::size(kDataTypes))) return nullptr;
  return &kDataTypes[code - 1];
}

/// Traits of a type in the list.
inline const DataTypeTraits& traits(DataType type) {
  return kDataTypes[static_cast<int32_t>(type) - 1];
}

/// ONNX's name ("float16"); "undefined" for codes not in the list.
std::string_view name(DataType type);

/// The type with this DLDataTypeCode and width, if there is one.
std::optional<DataType> find_dlpack_type(int32_t code, int32_t bits);

/// The type with this ONNX, NumPy or OpenVINO name, if there is one.
std::optional<DataType> find_data_type(std::string_view any_name);

inline int32_t element_bits(DataType type) {
  return traits(type).bits;
}

/// Types of less than a byte, stored least significant element first.
inline bool is_packed(DataType type) {
  return traits(type).bits < 8;
}

}  // namespace tesela
