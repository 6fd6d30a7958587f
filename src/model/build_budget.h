// SPDX-License-Identifier: Apache-2.0
// Limits the memory of a model's structure while it is read.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "types/limits.h"
#include "types/status.h"

namespace tesela {

/// The memory of a model's structure: two bytes of a file can become hundreds, so readers charge memory before they
/// allocate it. The budget is kFree plus kPerByte times the size of the file, and at most limits.max_working_bytes.
class BuildBudget {
 public:
  static constexpr int64_t kPerByte = 32;  // models of exporters take about 10
  static constexpr int64_t kFree = int64_t{32} << 20;

  BuildBudget(size_t file_bytes, const Limits& limits)
      : most_(std::min(limits.max_working_bytes, kFree + kPerByte * static_cast<int64_t>(file_bytes))) {}

  /// Errors: limit.
  Status charge(size_t bytes) {
    is_exceeded_ = is_exceeded_ || std::cmp_greater(bytes, most_ - taken_);
    if (is_exceeded_) return limit_error("the model's structure takes more than {} bytes of memory", most_);
    taken_ += static_cast<int64_t>(bytes);
    return {};
  }

 private:
  int64_t most_;
  int64_t taken_ = 0;  // at most most_
  bool is_exceeded_ = false;
};

}  // namespace tesela
