// SPDX-License-Identifier: Apache-2.0
// One element repeated in 16 bytes, and short fills with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace tesela::cpu::moves {

struct Block {
  uint64_t half[2];
};

/// By products instead of copies: a short fill costs little else. width: 1, 2, 4, 8 or 16.
inline Block RepeatElement(const std::byte* element, int64_t width) {
  const auto repeated = [element]<class T>(T value, uint64_t ones) {
    std::memcpy(&value, element, sizeof value);
    return Block{{value * ones, value * ones}};
  };
  switch (width) {
    case 1: return repeated(uint8_t{}, 0x0101010101010101);
    case 2: return repeated(uint16_t{}, 0x0001000100010001);
    case 4: return repeated(uint32_t{}, 0x0000000100000001);
    case 8: return repeated(uint64_t{}, 1);
    default: break;
  }
  Block block;
  std::memcpy(&block, element, sizeof block);
  return block;
}

/// Up to so many, since finding the kernel of a fill and its loop would take longer than the stores.
inline constexpr int64_t kMaxFewBytes = 256;

/// Fills `bytes` of whole elements, at which stores overlap.
inline void FillFew(std::byte* to, size_t bytes, const Block& block) {
  constexpr size_t kBlock = sizeof block;
  if (bytes >= kBlock) {
    for (size_t at = 0; at + kBlock <= bytes; at += kBlock) std::memcpy(to + at, &block, kBlock);
    std::memcpy(to + bytes - kBlock, &block, kBlock);
  } else if (bytes >= 8) {
    std::memcpy(to, &block, 8);
    std::memcpy(to + bytes - 8, &block, 8);
  } else if (bytes >= 4) {
    std::memcpy(to, &block, 4);
    std::memcpy(to + bytes - 4, &block, 4);
  } else {
    for (size_t at = 0; at < bytes; ++at) std::memcpy(to + at, reinterpret_cast<const std::byte*>(&block) + at, 1);
  }
}

}  // namespace tesela::cpu::moves
