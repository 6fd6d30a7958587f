// SPDX-License-Identifier: Apache-2.0
// Output extents from scales.
#include "schema/extent_rule.h"

#include <cmath>

namespace tesela {
namespace {

double product(int64_t extent, float scale, ExtentRule rule) {
  switch (rule) {
    case ExtentRule::kStandard: break;
    case ExtentRule::kHost: return static_cast<double>(static_cast<float>(extent) * scale);
    case ExtentRule::kOpenvino: return static_cast<double>(static_cast<float>(extent) * (scale + 1e-6f));
  }
  return static_cast<double>(extent) * static_cast<double>(scale);
}

}  // namespace

Result<int64_t> scaled_extent(int64_t extent, float scale, size_t axis, ExtentRule rule) {
  if (scale == 1.0f && rule != ExtentRule::kHost) return extent;
  const double scaled = std::floor(product(extent, scale, rule));
  if (!(scaled < 0x1p63)) return shape_error("axis {}: extent {} times scale {} overflows int64", axis, extent, scale);
  return static_cast<int64_t>(scaled);
}

}  // namespace tesela
