// SPDX-License-Identifier: Apache-2.0
// Elements of 2 and 4 bits inside bytes: least significant first, as ONNX packs them.
#pragma once

#include <cstddef>
#include <cstdint>

namespace tesela {

/// The `bits`-wide element (2 or 4) that begins at bit `bit` of `bytes`.
inline uint8_t get_packed(const std::byte* bytes, int64_t bit, int bits) {
  const auto byte = static_cast<unsigned>(bytes[bit >> 3]);
  return static_cast<uint8_t>((byte >> (bit & 7)) & ((1u << bits) - 1u));
}

/// Writes the low `bits` of `value` there and keeps the other elements of the byte.
inline void set_packed(std::byte* bytes, int64_t bit, int bits, uint8_t value) {
  const unsigned mask = ((1u << bits) - 1u) << (bit & 7);
  const auto old = static_cast<unsigned>(bytes[bit >> 3]);
  bytes[bit >> 3] = static_cast<std::byte>((old & ~mask) | ((static_cast<unsigned>(value) << (bit & 7)) & mask));
}

}  // namespace tesela
