// SPDX-License-Identifier: Apache-2.0
// The element types of OpenVINO's IR: their names, their storage in a .bin file, and the types they are read as.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "types/tensor.h"

namespace tesela {

/// The layout of elements in a .bin file.
enum class IrStorage : uint8_t {
  kDense,   // as in Tensor
  kBits,    // u1: most significant bit first
  kSplit3,  // u3: 8 elements are two bytes of low bits, then one of high bits
  kSplit6,  // u6: 4 elements are two bytes of low halves, then one of high bits
  kText,    // string: the number of strings, offsets, then the characters
};

/// A type of the IR. Types that Tensor does not have are unpacked when they are read: u1, u3 and u6 to uint8. nf4 is
/// read as uint4, its stored codes.
struct IrType {
  std::string_view name;       // "f32", in attributes
  std::string_view precision;  // "FP32", in ports
  DataType type = DataType::kUndefined;
  IrStorage storage = IrStorage::kDense;
};

/// All types; those of data_type.def first.
std::span<const IrType> all_ir_types();

/// Null if there is none with this name.
const IrType* find_ir_type(std::string_view name);
const IrType* find_ir_precision(std::string_view precision);

/// Bytes of the elements in a .bin file; not for string. Errors: shape.
Result<int64_t> ir_stored_bytes(const IrType& type, const Extents& extents);

/// The tensor with these bytes, which `owner` keeps alive; their number must be correct, except for strings.
/// Errors: parse (strings with invalid offsets), no_memory.
Result<Tensor> read_ir_tensor(const IrType& type, Extents extents, std::span<const std::byte> bytes,
                              const std::shared_ptr<const void>& owner);

}  // namespace tesela
