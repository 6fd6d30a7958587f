// What a reader may build from a file.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "types/limits.h"
#include "types/status.h"

namespace tesela {

/// The memory of a model's structure: two bytes of a file can stand for hundreds, so each reader charges what it makes
/// before it makes it. A file pays for kPerByte times its size and what is free for all, and never for more than
/// limits.max_working_bytes.
class BuildBudget {
 public:
  static constexpr int64_t kPerByte = 32;  // models of exporters take some 10
  static constexpr int64_t kFree = int64_t{32} << 20;

  BuildBudget(size_t file_bytes, const Limits& limits)
      : most_(std::min(limits.max_working_bytes, kFree + kPerByte * static_cast<int64_t>(file_bytes))) {}

  /// Errors: limit.
  Status charge(size_t bytes) {
    taken_ += static_cast<int64_t>(bytes);
    if (taken_ <= most_) return {};
    return limit_error("the model's structure takes more than {} bytes of memory", most_);
  }

 private:
  int64_t most_;
  int64_t taken_ = 0;
};

}  // namespace tesela
