// SPDX-License-Identifier: Apache-2.0
// The plan field rules=onnxruntime_positions: the shapes, indices and scales of ONNX Runtime 1.31's CPU kernels where they differ
// from the standard's, according to its published sources and its results. Nothing here calls it.
//
//   extents    in * scale is rounded to float, then truncated; a policy's scale is also a float
//   scale      for sizes: the rounded out / in
//   positions  each operation of the formulas in float, with the output's extent where the standard has in * scale
//   halves     round_prefer_floor and round_prefer_ceil treat positions within 1e-6 of a half as halves
//   identity   an axis of scale 1, cropped or not; every axis if no extent changes; under antialias each axis with an
//              unchanged extent
//   axes       a policy ignores negative axes
//   outside    extrapolation_value is truncated for integers, and wraps
//
// Sums are Tesela's, so values differ by a few units in the last place. Those kernels truncate integers, which no plan
// does: such types are rejected, so that the caller computes them as floats and truncates.
#pragma once

#include <span>
#include <vector>

#include "plan/params.h"
#include "schema/resize_request.h"
#include "types/status.h"

namespace tesela {

/// One listed axis in those kernels.
struct OnnxRuntimeAxis {
  int64_t in = 0;
  int64_t out = 0;
  float scale = 1;           // of sizes the rounded out / in
  bool is_negative = false;  // listed as a negative number
};
using OnnxRuntimeAxes = std::vector<OnnxRuntimeAxis>;

/// The axes of a request, in its order.
OnnxRuntimeAxes read_onnxruntime_axes(const OpDesc& op, const ResizeRequest& request, const Extents& in);

/// What a policy makes of axes with given sizes: its scale is that of the others, and negative ones keep their extent.
void apply_onnxruntime_policy(AspectPolicy policy, OnnxRuntimeAxes& axes);

/// Their scales, one for each axis of X.
std::vector<float> onnxruntime_scales(const ResizeRequest& request, const OnnxRuntimeAxes& axes, size_t rank);

/// Converts as x86 does: truncates toward zero; values outside of int32 give the smallest int32. Then wraps.
float cut_as_onnxruntime(DataType type, float value);

/// For types, ranks and combinations that those kernels reject, the standard's rules apply, except for extents.
/// params: of a request that was read, with everything but the axes' scales and extents resolved.
/// Errors: type (integers that those kernels would compute), limit.
Status apply_onnxruntime_rules(const OpDesc& op, const ResizeRequest& request, ResizeParams& params);

/// Whether those kernels can resample with these scales, one for each axis of X.
bool onnxruntime_takes_scales(const SamplingParams& sampling, std::span<const float> scales);

}  // namespace tesela
