// The plan field rules=onnxruntime: the shapes, indices and scales of ONNX Runtime 1.31's CPU kernels, where they depart
// from the standard's. Learnt from its published sources and its answers; nothing here calls it.
//
//   extents    in * scale is rounded to float before it is cut; a policy's scale is a float, too
//   scale      of sizes: the rounded out / in
//   positions  each operation of the formulas in float, of the output's extent where the standard has in * scale
//   halves     are what is within a millionth of one, under round_prefer_floor and round_prefer_ceil
//   identity   an axis of scale 1, cropped or not; every axis where no extent changes; under antialias each axis whose
//              extent does not change
//   axes       a policy does not see those that are counted from the end
//
//   outside    extrapolation_value is cut off for integers, and wraps
//
// Sums are ours, so values differ by a few units in the last place. Integers are cut off there, not rounded, which no plan
// does: they are refused, to be computed as floats and cut by the caller.
#pragma once

#include "plan/params.h"
#include "schema/resize_request.h"
#include "types/status.h"

namespace tesela {

/// Does nothing to what those kernels refuse (other types, ranks and combinations): there the standard's rules hold, and the extents
/// of scales are ONNX Runtime's all the same.
/// params: of a request that was read, with everything but axes' scales and extents resolved.
/// Errors: type (integers that those kernels would compute), limit.
Status apply_onnxruntime_rules(const OpDesc& op, const ResizeRequest& request, ResizeParams& params);

}  // namespace tesela
