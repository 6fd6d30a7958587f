// SPDX-License-Identifier: Apache-2.0
// The rules of ONNX Runtime's CPU kernels.
#include "plan/onnxruntime_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tesela {
namespace {

using Given = ResizeRequest::Given;

using Axis = OnnxRuntimeAxis;

float scale_of(int64_t in, int64_t out) {
  return in == 0 ? 1 : static_cast<float>(out) / static_cast<float>(in);
}

bool is_integer(DataType type) {
  return type == DataType::kInt32 || type == DataType::kInt8 || type == DataType::kUint8;
}

// Of a cubic that those kernels take: rank 2, or one of two layouts of rank 4.
bool are_last_channels(const ResizeParams& params, const ResizeRequest& request, const OnnxRuntimeAxes& axes) {
  const std::vector<float> scales = onnxruntime_scales(request, axes, params.in.size());
  return scales.size() == 4 && scales[1] != 1;
}

bool is_taken(const ResizeParams& params, const ResizeRequest& request, const OnnxRuntimeAxes& axes) {
  const SamplingParams& sampling = params.sampling;
  if (params.type != DataType::kFloat && params.type != DataType::kFloat16 && !is_integer(params.type)) return false;
  const bool filters = sampling.filter == Filter::kCubic || (sampling.filter == Filter::kLinear && sampling.antialias);
  if (sampling.exclude_outside && !filters) return false;
  if (!std::all_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.scale > 0; })) return false;
  return onnxruntime_takes_scales(sampling, onnxruntime_scales(request, axes, params.in.size()));
}

}  // namespace

void apply_onnxruntime_policy(AspectPolicy policy, OnnxRuntimeAxes& axes) {
  const bool least = policy == AspectPolicy::kNotLarger;
  float scale = least ? std::numeric_limits<float>::max() : std::numeric_limits<float>::min();
  for (const Axis& axis : axes)
    if (!axis.is_negative) scale = least ? std::min(scale, axis.scale) : std::max(scale, axis.scale);
  for (Axis& axis : axes) {
    axis.scale = axis.is_negative ? 1 : scale;
    // Bounded, because the axes that it does not see may be what kept the extent within its type.
    const float extent = std::min(scale * static_cast<float>(axis.in), 0x1p62f);
    axis.out = axis.is_negative ? axis.in : static_cast<int64_t>(std::round(extent));
  }
}

OnnxRuntimeAxes read_onnxruntime_axes(const OpDesc& op, const ResizeRequest& request, const Extents& in) {
  OnnxRuntimeAxes axes;
  const auto listed = op.ints_value("axes");
  for (size_t k = 0; k < request.axes.size(); ++k) {
    const int64_t n = in[request.axes[k]];
    const bool is_negative = listed && !listed->empty() && (*listed)[k] < 0;
    if (request.given == Given::kScales) {
      const float scale = (*request.scales)[k];
      // Inference has rejected extents that do not fit.
      axes.push_back({n, static_cast<int64_t>(scale * static_cast<float>(n)), scale, is_negative});
    } else {
      const int64_t out = (*request.sizes)[k].value;
      axes.push_back({n, out, scale_of(n, out), is_negative});
    }
  }
  if (request.given == Given::kSizes && request.policy != AspectPolicy::kStretch)
    apply_onnxruntime_policy(request.policy, axes);
  return axes;
}

std::vector<float> onnxruntime_scales(const ResizeRequest& request, const OnnxRuntimeAxes& axes, size_t rank) {
  std::vector<float> scales(rank, 1.0f);
  for (size_t k = 0; k < axes.size(); ++k) scales[request.axes[k]] = axes[k].scale;
  return scales;
}

float cut_as_onnxruntime(DataType type, float value) {
  constexpr float kLimit = 0x1p31f;
  const int32_t whole =
      value >= -kLimit && value < kLimit ? static_cast<int32_t>(value) : std::numeric_limits<int32_t>::min();
  if (type == DataType::kInt8) return static_cast<float>(static_cast<int8_t>(whole));
  if (type == DataType::kUint8) return static_cast<float>(static_cast<uint8_t>(whole));
  return static_cast<float>(whole);
}

Status apply_onnxruntime_rules(const OpDesc& op, const ResizeRequest& request, ResizeParams& params) {
  if (request.given == Given::kNothing) return {};
  const OnnxRuntimeAxes axes = read_onnxruntime_axes(op, request, params.in);
  if (!is_taken(params, request, axes)) return {};
  if (std::all_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.in == axis.out; })) {
    params.axes.clear();
    return {};
  }
  // Those kernels resample channels-last cubic with the antialias kernels, which give the same results on growing axes.
  const bool cubic = params.sampling.filter == Filter::kCubic;
  const bool last_channels = cubic && are_last_channels(params, request, axes);
  if (last_channels && !params.sampling.antialias) {
    if (is_integer(params.type) || params.sampling.coordinates == CoordinateMode::kTfCropAndResize)
      return unsupported_error(
          "plan field 'rules' is onnxruntime_positions, which does not support cubic of integers or crops with the "
          "channels last");
    params.sampling.antialias = true;
  }
  // Those kernels reject any other cubic of integers, unless the output is a copy or empty.
  const bool empty = std::any_of(axes.begin(), axes.end(), [](const Axis& axis) { return axis.out == 0; });
  if (cubic && is_integer(params.type) && !params.sampling.antialias && !empty) return {};
  if (params.sampling.filter != Filter::kNearest && is_integer(params.type))
    return type_error(
        "plan field 'rules' is onnxruntime_positions, which truncates integers; input 'X' has type {}, expected "
        "float32",
        name(params.type));
  if (is_integer(params.type))
    params.sampling.extrapolation_value = cut_as_onnxruntime(params.type, params.sampling.extrapolation_value);
  params.sampling.arithmetic = PositionArithmetic::kOnnxRuntime;
  for (size_t k = 0; k < axes.size(); ++k) {
    AxisRequest& made = params.axes[k];
    const bool copied = params.sampling.antialias && axes[k].in == axes[k].out;
    made.out = axes[k].out;
    made.exact = false;
    made.scale = copied ? 1 : static_cast<double>(axes[k].scale);
    const bool whole = made.scale == 1;
    made.roi_start = whole ? 0 : static_cast<double>(static_cast<float>(made.roi_start));
    made.roi_end = whole ? 1 : static_cast<double>(static_cast<float>(made.roi_end));
  }
  return {};
}

bool onnxruntime_takes_scales(const SamplingParams& sampling, std::span<const float> s) {
  const size_t rank = s.size();
  const bool first_channels = rank == 4 && s[0] == 1 && s[1] == 1;
  const bool last_channels = rank == 4 && s[0] == 1 && s[3] == 1;
  if (sampling.filter == Filter::kNearest) return rank > 0;
  if (sampling.filter == Filter::kLinear)
    return rank == 2 || rank == 3 || first_channels || last_channels || (rank == 5 && s[0] == 1 && s[1] == 1);
  return rank == 2 || first_channels || (last_channels && (sampling.antialias || (s[1] >= 1 && s[2] >= 1)));
}

}  // namespace tesela
