// SPDX-License-Identifier: Apache-2.0
// Elements of 2 and 4 bits in bytes.
#include "types/packed.h"

#include <gtest/gtest.h>

#include <array>

namespace tesela {
namespace {

TEST(Packed, FourBitsAreLowNibbleFirst) {  // OpenVINO 2026.4.1: u4 [1,2,3] = 21 03
  std::array<std::byte, 2> bytes = {};
  for (int i = 0; i < 3; ++i) set_packed(bytes.data(), 4 * i, 4, static_cast<uint8_t>(i + 1));
  EXPECT_EQ(bytes[0], std::byte{0x21});
  EXPECT_EQ(bytes[1], std::byte{0x03});
}

TEST(Packed, TwoBitsAreLowestPairFirst) {  // OpenVINO 2026.4.1: u2 [1,2,3] = 39
  std::array<std::byte, 1> bytes = {};
  for (int i = 0; i < 3; ++i) set_packed(bytes.data(), 2 * i, 2, static_cast<uint8_t>(i + 1));
  EXPECT_EQ(bytes[0], std::byte{0x39});
}

TEST(Packed, WritingKeepsNeighbours) {
  for (const int bits : {2, 4})
    for (int at = 0; at < 16; at += bits)
      for (unsigned value = 0; value < (1u << bits); ++value)
        for (const unsigned before : {0x00u, 0xffu, 0xa5u}) {
          std::array<std::byte, 2> bytes = {std::byte(before), std::byte(before)};
          set_packed(bytes.data(), at, bits, static_cast<uint8_t>(value));
          for (int other = 0; other < 16; other += bits) {
            const unsigned expected = other == at ? value : (before >> (other % 8)) & ((1u << bits) - 1);
            EXPECT_EQ(get_packed(bytes.data(), other, bits), expected);
          }
        }
}

TEST(Packed, BitsAboveTheElementAreIgnoredWhenWritten) {
  std::array<std::byte, 1> bytes = {};
  set_packed(bytes.data(), 4, 4, 0xad);
  EXPECT_EQ(bytes[0], std::byte{0xd0});
}

}  // namespace
}  // namespace tesela
