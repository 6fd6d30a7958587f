// SPDX-License-Identifier: Apache-2.0
// The extent of an output axis for a given scale. Positions and weights depend on the scale only, not on the rule.
#pragma once

#include <cstdint>

#include "types/status.h"

namespace tesela {

enum class ExtentRule : uint8_t {
  kStandard,  // extent * scale in double, rounded down
  kHost,      // in float, truncated, as in ONNX Runtime; also for scale 1
  kOpenvino,  // extent * (scale + 1e-6) in float, truncated; unchanged for scale 1
};

/// Errors: shape (the product overflows int64).
Result<int64_t> scaled_extent(int64_t extent, float scale, size_t axis, ExtentRule rule);

}  // namespace tesela
