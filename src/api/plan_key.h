// SPDX-License-Identifier: Apache-2.0
// Everything a plan depends on, as words to compare; they are never decoded.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "schema/attribute.h"
#include "types/small_vector.h"

namespace tesela::api {

class PlanKey {
 public:
  void add(uint64_t word) { words_.push_back(word); }
  /// The size comes before the bytes.
  void add(const void* bytes, size_t size) {
    add(size);
    const size_t from = words_.size();
    words_.resize(from + (size + sizeof(uint64_t) - 1) / sizeof(uint64_t), 0);
    if (size > 0) std::memcpy(words_.data() + from, bytes, size);
  }
  void add(std::string_view text) { add(text.data(), text.size()); }
  void add(const PlanKey& part) { words_.append(part.words_.data(), part.words_.size()); }
  void add(std::string_view name, const AttributeValue& value);

  uint64_t hash() const {
    constexpr uint64_t kFactor = 0x9E3779B97F4A7C15;
    uint64_t hash = 0;
    for (const uint64_t word : words_) {
      hash = (hash ^ word) * kFactor;
      hash ^= hash >> 32;
    }
    return hash;
  }
  friend bool operator==(const PlanKey& a, const PlanKey& b) {
    return a.words_.size() == b.words_.size() &&
           std::memcmp(a.words_.data(), b.words_.data(), a.words_.size() * sizeof(uint64_t)) == 0;
  }

 private:
  SmallVector<uint64_t, 64> words_;
};

}  // namespace tesela::api
