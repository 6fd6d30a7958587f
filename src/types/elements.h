// SPDX-License-Identifier: Apache-2.0
// How each element type is stored, converted to a number and rounded back: the only switch over types for arithmetic.
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>
#include <type_traits>

#include "types/data_type.h"
#include "types/float_formats.h"

namespace tesela {

/// A stored boolean; any byte but 0 is true.
struct BoolByte {
  uint8_t byte;
};

// ---- Reading: exact, except for 64-bit integers above 2^53 ---------------------------------------------------------

template <class C, class T>
C load_as(T value) {
  if constexpr (std::is_same_v<T, BoolByte>)
    return value.byte != 0 ? C{1} : C{0};
  else if constexpr (kIsSmallFloat<T>)
    return static_cast<C>(to_float(value));
  else
    return static_cast<C>(value);
}

// ---- Rounding out, once --------------------------------------------------------------------------------------------

/// Half to even, then saturated; NaN becomes 0.
template <class T, class C>
T round_to_integer(C value) {
  if (std::isnan(value)) return 0;
  const C rounded = std::nearbyint(value);
  // 2^digits is exact in C; the largest integer may not be.
  const C beyond = std::ldexp(C{1}, std::numeric_limits<T>::digits);
  if (rounded >= beyond) return std::numeric_limits<T>::max();
  if (rounded < static_cast<C>(std::numeric_limits<T>::min())) return std::numeric_limits<T>::min();
  return static_cast<T>(rounded);
}

template <class T, class C>
T store_as(C value) {
  if constexpr (std::is_same_v<T, BoolByte>)
    return {static_cast<uint8_t>(value > C{0.5})};
  else if constexpr (kIsSmallFloat<T>)
    return to_small_float<T>(static_cast<double>(value));
  else if constexpr (std::is_integral_v<T>)
    return round_to_integer<T>(value);
  else
    return static_cast<T>(value);
}

// ---- Dispatch ------------------------------------------------------------------------------------------------------

template <class T>
struct Stored {
  using Type = T;
};

/// Numbers in one element: 2 for complex types.
inline int parts_of(DataType type) {
  return traits(type).kind == DataKind::kComplex ? 2 : 1;
}

/// Calls f(Stored<T>()) with the type that stores a number of `type`, or one part of a complex number.
/// For the types that interpolation supports: ComputeType is not kNone.
template <class F>
constexpr void visit_computed(DataType type, F&& f) {
  switch (type) {
    case DataType::kFloat:
    case DataType::kComplex64: return f(Stored<float>());
    case DataType::kDouble:
    case DataType::kComplex128: return f(Stored<double>());
    case DataType::kFloat16: return f(Stored<Float16>());
    case DataType::kBfloat16: return f(Stored<Bfloat16>());
    case DataType::kUint8: return f(Stored<uint8_t>());
    case DataType::kInt8: return f(Stored<int8_t>());
    case DataType::kUint16: return f(Stored<uint16_t>());
    case DataType::kInt16: return f(Stored<int16_t>());
    case DataType::kUint32: return f(Stored<uint32_t>());
    case DataType::kInt32: return f(Stored<int32_t>());
    case DataType::kUint64: return f(Stored<uint64_t>());
    case DataType::kInt64: return f(Stored<int64_t>());
    case DataType::kBool: return f(Stored<BoolByte>());
    default: return;
  }
}

// A row of data_type.def says whether interpolation supports its type; the switch above must agree.
constexpr bool visits_computed_types() {
  for (const DataTypeTraits& row : kDataTypes) {
    int64_t bytes = 0;
    visit_computed(row.type, [&bytes](auto stored) { bytes = sizeof(typename decltype(stored)::Type); });
    const int64_t parts = row.kind == DataKind::kComplex ? 2 : 1;
    if (parts * bytes * 8 != (row.compute == ComputeType::kNone ? 0 : row.bits)) return false;
  }
  return true;
}
static_assert(visits_computed_types(), "visit_computed lacks a type that data_type.def says is computed");

/// Writes the element of `type` nearest to a number to the first bytes of `element` (16 bytes): integers are rounded
/// half to even and saturated, complex numbers real, packed types in the low bits. False for strings.
bool element_from_double(DataType type, double value, std::byte* element);

/// The element's value; for complex types the real part first. Element: as above. NaN for strings.
void element_to_doubles(DataType type, const std::byte* element, double* values);

}  // namespace tesela
