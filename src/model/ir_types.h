// The element types of OpenVINO's IR: what they are called, how a .bin file stores them, and what they are here.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "types/tensor.h"

namespace tesela {

/// How elements lie in a .bin file.
enum class IrStorage : uint8_t {
  kDense,   // as in a tensor of ours
  kBits,    // u1: most significant bit first
  kSplit3,  // u3: of 8 elements two bytes of low bits, then one of high bits
  kSplit6,  // u6: of 4 elements two bytes of low halves, then one of high bits
  kText,    // string: a count, offsets, then the characters
};

/// A type of the IR. Those that no tensor of ours has are unpacked when they are read: u1, u3 and u6 to uint8; nf4 is
/// carried as the uint4 codes that it is stored as.
struct IrType {
  std::string_view name;       // "f32", in attributes
  std::string_view precision;  // "FP32", of ports
  DataType type = DataType::kUndefined;
  IrStorage storage = IrStorage::kDense;
};

/// Every type, the ones of data_type.def first.
std::span<const IrType> all_ir_types();

/// nullptr where there is none of this name.
const IrType* find_ir_type(std::string_view name);
const IrType* find_ir_precision(std::string_view precision);

/// Bytes that so many elements take in a .bin file; for types other than string. Errors: shape.
Result<int64_t> ir_stored_bytes(const IrType& type, const Extents& extents);

/// The tensor of a constant's bytes, which `keeper` keeps alive; their number must be right, but for strings.
/// Errors: parse (strings whose offsets are none), no_memory.
Result<Tensor> read_ir_tensor(const IrType& type, Extents extents, std::span<const std::byte> bytes,
                              const std::shared_ptr<const void>& keeper);

}  // namespace tesela
