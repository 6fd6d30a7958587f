// SPDX-License-Identifier: Apache-2.0
// Limits the cost of decoding compressed files.
#pragma once

#include <cstddef>
#include <cstdint>

#include "types/limits.h"
#include "types/shape.h"

namespace tesela {

/// The bytes that a decoder may produce or visit: 64 for each byte of the file, plus 1/32 of
/// limits.max_output_bytes whatever its size. Images and arrays compress to 1/10, rarely to 1/50; constant data
/// compress further, and may do so up to 128 MiB, which take half a second.
inline int64_t decode_budget(size_t file_bytes, const Limits& limits) {
  constexpr int64_t kPerByte = 64;
  const int64_t paid = checked_mul(static_cast<int64_t>(file_bytes), kPerByte).value_or(INT64_MAX);
  return checked_add(paid, limits.max_output_bytes / 32).value_or(INT64_MAX);
}

}  // namespace tesela
