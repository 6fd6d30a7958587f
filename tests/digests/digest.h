// SPDX-License-Identifier: Apache-2.0
// Digests of outcomes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "digests/run.h"

namespace tesela::digests {

/// FNV-1a of 64 bits.
class Digest {
 public:
  void add(std::span<const std::byte> bytes) {
    for (const std::byte byte : bytes) state_ = (state_ ^ static_cast<uint64_t>(byte)) * 0x100000001b3u;
  }
  void add(uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) state_ = (state_ ^ (number >> shift & 0xff)) * 0x100000001b3u;
  }
  uint64_t value() const { return state_; }

 private:
  uint64_t state_ = 0xcbf29ce484222325u;
};

/// Of the status, type, extents and elements. A computed NaN has no promised sign or payload: all count as one. Copied
/// elements count as they are, strings by their text.
uint64_t digest_of(const Case& drawn, const Outcome& outcome);

}  // namespace tesela::digests
