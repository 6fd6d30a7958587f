// What a Resize, Upsample or Interpolate asks for: its axes, its scales or sizes, and the output extents that follow.
// Shape inference reads it with whatever is known; planning reads it with everything known.
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
  /// kNothing: no axis to resize, the output is the input. kUnknownAxes: any axis may get any extent.
  enum class Given : uint8_t { kNothing, kScales, kSizes, kUnknown, kUnknownAxes };

  AxisList axes;  // from 0, in the order in which scales, sizes and roi list them
  Given given = Given::kNothing;
  std::optional<ScaleList> scales;             // one an axis, where known
  std::optional<Dims> sizes;                   // one an axis, each as far as known
  ExtentRule extents = ExtentRule::kStandard;  // what scales make of extents
  AspectPolicy policy = AspectPolicy::kStretch;
};

/// Reads attributes and inputs of a valid description. `rank` is that of X.
/// Errors: count, rank, value, attribute: everything that can be wrong with scales, sizes and axes.
Result<ResizeRequest> read_resize_request(const OpDesc& op, size_t rank, std::span<const TensorInfo* const> inputs);

/// The scales of a request must be finite and above 0. what: their name for the message. Errors: value.
Status check_scales(const OpDesc& op, std::string_view what, std::span<const float> scales);

/// The output's extents. Errors: shape where an extent does not fit, or an empty axis is to grow.
Result<Dims> resized_dims(const ResizeRequest& request, const Dims& input);

/// The one scale that a policy other than stretch gives to every listed axis.
/// Axes that are empty and stay so have no vote; where no axis has one, the scale is 1.
Ratio policy_scale(AspectPolicy policy, std::span<const int64_t> in, std::span<const int64_t> sizes);

}  // namespace tesela
