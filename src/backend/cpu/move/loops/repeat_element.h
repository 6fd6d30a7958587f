// SPDX-License-Identifier: Apache-2.0
// One element repeated in 16 bytes.
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

}  // namespace tesela::cpu::moves
