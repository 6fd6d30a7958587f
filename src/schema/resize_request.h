// SPDX-License-Identifier: Apache-2.0
// The request of a Resize, Upsample or Interpolate: axes, scales or sizes, and the resulting output extents.
// Shape inference reads it with partial knowledge, planning with all inputs known.
#pragma once

#include <optional>
#include <span>

#include "schema/infer.h"
#include "schema/modes.h"

namespace tesela {

/// A non-negative rational number.
struct Ratio {
  int64_t num = 1;
  int64_t den = 1;
};

using AxisList = SmallVector<size_t, 6>;
using ScaleList = SmallVector<float, 6>;

struct ResizeRequest {
  /// kNothing: no axis to resize, the output equals the input. kUnknownAxes: any axis may get any extent.
  enum class Given : uint8_t { kNothing, kScales, kSizes, kUnknown, kUnknownAxes };

  AxisList axes;  // non-negative, in the order of scales, sizes and roi
  Given given = Given::kNothing;
  std::optional<ScaleList> scales;             // one per axis, if known
  std::optional<Dims> sizes;                   // one per axis; entries may be unknown
  ExtentRule extents = ExtentRule::kStandard;  // how scales give extents
  AspectPolicy policy = AspectPolicy::kStretch;
};

/// Reads attributes and inputs of a valid description. `rank` is X's.
/// Errors: count, rank, value, attribute (invalid scales, sizes or axes).
Result<ResizeRequest> read_resize_request(const OpDesc& op, size_t rank, std::span<const TensorInfo* const> inputs);

/// Checks that scales are finite and above 0. what: their name for the message. Errors: value.
Status check_scales(const OpDesc& op, std::string_view what, std::span<const float> scales);

/// The output's extents. Errors: shape (an extent overflows, or an empty axis would grow).
Result<Dims> resized_dims(const ResizeRequest& request, const Dims& input);

/// The common scale of all listed axes under a policy other than stretch.
/// Ignores axes that are and stay empty; the scale is 1 if there are no others.
Ratio policy_scale(AspectPolicy policy, std::span<const int64_t> in, std::span<const int64_t> sizes);

}  // namespace tesela
