// Plans of one node that were made while it ran, by the shapes and values they were made for.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "tesela/tesela.h"

namespace tesela::plugins {

/// What a plan depends on, as numbers; short keys need no heap.
class Key {
 public:
  /// Room for `count` more numbers, which are zero. It moves when the key grows again.
  int64_t* grow(size_t count) {
    const size_t from = size_;
    size_ += count;
    if (heap_.empty() && size_ <= kInline) return inline_.data() + from;
    if (heap_.empty()) heap_.assign(inline_.begin(), inline_.begin() + static_cast<std::ptrdiff_t>(from));
    heap_.resize(size_);
    return heap_.data() + from;
  }
  void push(int64_t number) { *grow(1) = number; }
  std::span<const int64_t> numbers() const { return {heap_.empty() ? inline_.data() : heap_.data(), size_}; }

 private:
  static constexpr size_t kInline = 32;
  std::array<int64_t, kInline> inline_ = {};
  std::vector<int64_t> heap_;
  size_t size_ = 0;
};

/// The most recently used plans, at most kCapacity. Any number of threads may use it.
class PlanCache {
 public:
  static constexpr size_t kCapacity = 64;

  /// Null where there is none.
  std::shared_ptr<const tesela_plan> find(std::span<const int64_t> key);
  void insert(std::span<const int64_t> key, std::shared_ptr<const tesela_plan> plan);

 private:
  struct Entry {
    std::vector<int64_t> key;
    std::shared_ptr<const tesela_plan> plan;
    uint64_t last_use = 0;
  };
  std::mutex mutex_;
  std::vector<Entry> entries_;
  uint64_t uses_ = 0;
};

}  // namespace tesela::plugins
