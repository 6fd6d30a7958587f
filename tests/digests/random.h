// SPDX-License-Identifier: Apache-2.0
// Random numbers that are equal on every machine: integers alone, and no distribution of a standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>

namespace tesela::digests {

/// SplitMix64.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}

  uint64_t bits() {
    uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// A number from low to high, both included.
  int64_t pick(int64_t low, int64_t high) {
    return low + static_cast<int64_t>(bits() % static_cast<uint64_t>(high - low + 1));
  }
  bool one_in(int64_t n) { return pick(1, n) == 1; }
  template <class T>
  T any(std::initializer_list<T> values) {
    return values.begin()[pick(0, static_cast<int64_t>(values.size()) - 1)];
  }
  template <class List>
  void shuffle(List& list) {
    for (size_t i = list.size(); i > 1; --i)
      std::swap(list[i - 1], list[static_cast<size_t>(pick(0, static_cast<int64_t>(i) - 1))]);
  }

 private:
  uint64_t state_;
};

}  // namespace tesela::digests
