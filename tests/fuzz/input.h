// SPDX-License-Identifier: Apache-2.0
// Reads choices from a fuzzer's bytes. Beyond the end every byte is 0, so every beginning of an input is an input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>

namespace tesela::testing {

class Input {
 public:
  Input(const uint8_t* data, size_t size) : at_(data), end_(data + size) {}

  bool is_at_end() const { return at_ == end_; }
  uint8_t byte() { return at_ == end_ ? uint8_t{0} : *at_++; }

  /// A number with these bytes, least significant first.
  template <class T>
  T number() {
    uint8_t bytes[sizeof(T)];
    for (uint8_t& each : bytes) each = byte();
    T value;
    std::memcpy(&value, bytes, sizeof value);
    return value;
  }

  /// lo to hi, both included; lo at the end of the input.
  int64_t pick(int64_t lo, int64_t hi) {
    const auto range = static_cast<uint64_t>(hi) - static_cast<uint64_t>(lo);
    uint64_t value = 0;
    for (uint64_t rest = range; rest != 0; rest >>= 8) value = value << 8 | byte();
    if (range != UINT64_MAX) value %= range + 1;
    return static_cast<int64_t>(static_cast<uint64_t>(lo) + value);
  }

  /// True for this share of the bytes; false at the end of the input.
  bool chance(int percent) { return byte() * 100 >= (100 - percent) * 256; }

  template <class List>
  const auto& one_of(const List& list) {
    return *std::next(std::begin(list), pick(0, static_cast<int64_t>(std::size(list)) - 1));
  }

  std::span<const uint8_t> rest() const { return {at_, end_}; }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
};

}  // namespace tesela::testing
