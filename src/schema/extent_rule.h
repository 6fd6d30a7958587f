// How many outputs an axis has where a scale is given. Positions and weights follow the scale alone, whatever the rule.
#pragma once

#include <cstdint>

#include "types/status.h"

namespace tesela {

enum class ExtentRule : uint8_t {
  kStandard,  // extent * scale in double, rounded down
  kHost,      // in float, cut, as in ONNX Runtime; of scale 1, too
  kOpenvino,  // extent * (scale + 1e-6) in float, cut; of scale 1 the extent
};

/// Errors: shape (the product overflows int64).
Result<int64_t> scaled_extent(int64_t extent, float scale, size_t axis, ExtentRule rule);

}  // namespace tesela
