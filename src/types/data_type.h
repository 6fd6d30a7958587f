// Element types and their traits, all expanded from data_type.def.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace tesela {

/// Element type of a tensor. The values are ONNX's TensorProto.DataType codes.
enum class DataType : int32_t {
  kUndefined = 0,
#define TESELA_DATA_TYPE(name, code, onnx, openvino, numpy, dlpack, bits, kind, compute) name = code,
#include "types/data_type.def"
#undef TESELA_DATA_TYPE
};

enum class DataKind : uint8_t { kFloating, kSigned, kUnsigned, kBoolean, kComplex, kText };

/// The type that interpolation computes in; kNone where the operators only move elements.
enum class ComputeType : uint8_t { kNone, kFloat, kDouble };

struct DataTypeTraits {
  DataType type;
  std::string_view onnx_name;
  std::string_view openvino_name;  // empty where OpenVINO has no such type
  std::string_view numpy_name;
  int32_t dlpack_code;  // DLDataTypeCode, -1 where DLPack has none
  int32_t bits;         // of one element
  DataKind kind;
  ComputeType compute;
};

/// Every element type, in the order of the ONNX codes.
std::span<const DataTypeTraits> all_data_types();

/// Traits of `type`, or nullptr where the code is not in the list.
const DataTypeTraits* find_traits(DataType type);

/// Traits of a type that is known to be in the list.
const DataTypeTraits& traits(DataType type);

/// ONNX's name ("float16"); "undefined" for codes that are not in the list.
std::string_view name(DataType type);

/// The type with this ONNX, numpy or OpenVINO name; empty where none has it.
std::optional<DataType> find_data_type(std::string_view any_name);

inline int32_t element_bits(DataType type) {
  return traits(type).bits;
}

/// Types of less than a byte, stored least significant element first.
inline bool is_packed(DataType type) {
  return traits(type).bits < 8;
}

}  // namespace tesela
