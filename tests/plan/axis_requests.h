// SPDX-License-Identifier: Apache-2.0
// Requests for one axis, as inference makes them from sizes, scales and crops.
#pragma once

#include <cmath>

#include "plan/axis_map.h"

namespace tesela {

inline AxisRequest by_sizes(int64_t in, int64_t out) {
  return {0, in, out, true, out, in};
}

inline AxisRequest by_scale(int64_t in, int64_t out, double scale) {
  return {0, in, out, false, 1, 1, scale};
}

inline AxisRequest by_scale(int64_t in, double scale) {
  return by_scale(in, static_cast<int64_t>(std::floor(static_cast<double>(in) * scale)), scale);
}

inline AxisRequest with_roi(AxisRequest request, double start, double end) {
  request.roi_start = start;
  request.roi_end = end;
  return request;
}

}  // namespace tesela
