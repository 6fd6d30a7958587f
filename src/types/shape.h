// SPDX-License-Identifier: Apache-2.0
// Extents of tensors, and the only place where sizes are multiplied.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "types/data_type.h"
#include "types/small_vector.h"
#include "types/status.h"

namespace tesela {

/// Extents, strides or positions, one per axis.
using Extents = SmallVector<int64_t, 8>;

/// a * b, or empty on overflow.
inline std::optional<int64_t> checked_mul(int64_t a, int64_t b) {
  int64_t product = 0;
  if (__builtin_mul_overflow(a, b, &product)) return std::nullopt;
  return product;
}

/// a + b, or empty on overflow.
inline std::optional<int64_t> checked_add(int64_t a, int64_t b) {
  int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) return std::nullopt;
  return sum;
}

/// Elements in a tensor; 0 if any extent is 0, even if the others would overflow.
/// Errors: shape if an extent is negative or the product does not fit int64.
Result<int64_t> element_count(std::span<const int64_t> extents);

/// Bytes of a dense tensor, packed types rounded up to whole bytes.
/// Errors: as element_count.
Result<int64_t> byte_count(DataType type, std::span<const int64_t> extents);

/// Product of extents that is known not to overflow; if one is 0 the others may be anything.
inline int64_t product(std::span<const int64_t> extents) {
  uint64_t count = 1;
  for (const int64_t extent : extents) count *= static_cast<uint64_t>(extent);
  return static_cast<int64_t>(count);
}

/// "1x3x480x640", "scalar" for rank 0.
std::string shape_text(std::span<const int64_t> extents);

/// "[2, 3, 4]".
std::string list_text(std::span<const int64_t> values);

}  // namespace tesela
