// SPDX-License-Identifier: Apache-2.0
// Sets of element types, and the named sets that schema rows use.
#pragma once

#include <cstdint>
#include <initializer_list>

#include "types/data_type.h"

namespace tesela {

/// A set of element types, one bit for each code.
class TypeSet {
 public:
  constexpr TypeSet() = default;
  constexpr TypeSet(std::initializer_list<DataType> types) {
    for (const DataType type : types) bits_ |= bit(type);
  }
  constexpr bool contains(DataType type) const { return (bits_ & bit(type)) != 0; }
  constexpr TypeSet operator|(TypeSet other) const {
    TypeSet both;
    both.bits_ = bits_ | other.bits_;
    return both;
  }
  constexpr int size() const { return __builtin_popcountll(bits_); }
  friend constexpr bool operator==(TypeSet, TypeSet) = default;

 private:
  static constexpr uint64_t bit(DataType type) { return uint64_t{1} << static_cast<int32_t>(type); }
  uint64_t bits_ = 0;
};

inline constexpr TypeSet kInt64Only = {DataType::kInt64};
inline constexpr TypeSet kFloatOnly = {DataType::kFloat};
inline constexpr TypeSet kIeeeFloats = {DataType::kFloat16, DataType::kFloat, DataType::kDouble};
inline constexpr TypeSet kIntegers = {DataType::kInt8,  DataType::kInt16,  DataType::kInt32,  DataType::kInt64,
                                      DataType::kUint8, DataType::kUint16, DataType::kUint32, DataType::kUint64};
/// ONNX's "all tensor types" before bfloat16: 15 types.
inline constexpr TypeSet kAllTensorTypes =
    kIeeeFloats | kIntegers | TypeSet{DataType::kBool, DataType::kString, DataType::kComplex64, DataType::kComplex128};
inline constexpr TypeSet kBfloat16Only = {DataType::kBfloat16};
inline constexpr TypeSet kFloat8s = {DataType::kFloat8e4m3fn, DataType::kFloat8e4m3fnuz, DataType::kFloat8e5m2,
                                     DataType::kFloat8e5m2fnuz};

}  // namespace tesela
