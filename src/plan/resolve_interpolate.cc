// SPDX-License-Identifier: Apache-2.0
// Maps OpenVINO's Interpolate to Resize: filter, positions and scales.
#include "plan/resolve_interpolate.h"

#include <algorithm>

#include "schema/interpolate_request.h"

namespace tesela {
namespace {

// Triangle weights of the inputs inside the tensor, divided by their sum; stretched under antialias.
void set_linear(SamplingParams& sampling, bool antialias) {
  sampling.filter = Filter::kLinear;
  sampling.exclude_outside = true;
  sampling.antialias = antialias;
}

// Pillow's filters: always antialiased, and only over inputs inside the tensor.
void set_pillow(SamplingParams& sampling, Filter filter) {
  sampling.filter = filter;
  sampling.coordinates = CoordinateMode::kHalfPixel;
  sampling.exclude_outside = true;
  sampling.antialias = true;
}

// Version 1 has no coordinate modes; this follows OpenVINO's conversion to version 4.
Result<SamplingParams> sampling_of_first(const OpDesc& op, size_t rank, AxisList axes) {
  SamplingParams sampling;
  sampling.nearest = NearestMode::kSimple;
  TESELA_ASSIGN_OR_RETURN(const auto mode, op.choice<InterpolateMode>("mode"));
  if (mode == InterpolateMode::kCubic) sampling.filter = Filter::kCubic;
  if (mode == InterpolateMode::kLinear) {
    if (rank > 5) return unsupported_error("mode linear on rank {}; expected at most 5", rank);
    sampling.filter = Filter::kLinear;
    if (rank == 5) set_linear(sampling, op.int_value("antialias") != 0);
  }
  std::sort(axes.begin(), axes.end());
  const bool is_picture = rank == 4 && axes == AxisList{2, 3};
  if (op.int_value("align_corners") != 0)
    sampling.coordinates = CoordinateMode::kAlignCorners;
  else if (mode == InterpolateMode::kLinear && !is_picture)
    sampling.coordinates = CoordinateMode::kHalfPixel;
  else
    sampling.coordinates = CoordinateMode::kAsymmetric;
  return sampling;
}

Result<SamplingParams> resolve_sampling(const OpDesc& op, size_t rank, const AxisList& axes) {
  if (op.schema->since_version == 1) return sampling_of_first(op, rank, axes);
  SamplingParams sampling;
  TESELA_ASSIGN_OR_RETURN(sampling.coordinates, op.choice<CoordinateMode>("coordinate_transformation_mode"));
  TESELA_ASSIGN_OR_RETURN(sampling.nearest, op.choice<NearestMode>("nearest_mode"));
  sampling.cubic_a = static_cast<double>(op.float_value("cube_coeff"));
  TESELA_ASSIGN_OR_RETURN(const auto mode, op.choice<InterpolateMode>("mode"));
  switch (mode) {
    case InterpolateMode::kNearest: sampling.filter = Filter::kNearest; return sampling;
    case InterpolateMode::kLinear: set_linear(sampling, op.int_value("antialias") != 0); return sampling;
    case InterpolateMode::kLinearOnnx: sampling.filter = Filter::kLinear; return sampling;
    case InterpolateMode::kCubic: sampling.filter = Filter::kCubic; return sampling;
    case InterpolateMode::kBilinearPillow: set_pillow(sampling, Filter::kLinear); return sampling;
    case InterpolateMode::kBicubicPillow: set_pillow(sampling, Filter::kCubic); return sampling;
    case InterpolateMode::kArea: break;  // rejected by validation
  }
  return internal_error("mode {} has no plan", name_of(mode));
}

// Positions from sizes are exact; positions from scales use the given scale.
AxisRequest axis_request(const ResizeRequest& request, size_t k, int64_t in, int64_t out, bool from_sizes) {
  AxisRequest axis{request.axes[k], in, out};
  axis.length_is_out = true;
  if (in == out || from_sizes || request.given != ResizeRequest::Given::kScales) {
    axis.exact = true;
    axis.scale_num = in == out ? 1 : out;
    axis.scale_den = in == out ? 1 : in;
  } else {
    axis.scale = static_cast<double>((*request.scales)[k]);
  }
  return axis;
}

// OpenVINO would narrow the triangle of an axis that grows beside one that shrinks, until it covers no input.
Status check_antialias(const SamplingParams& sampling, const AxisRequests& axes) {
  if (sampling.filter != Filter::kLinear || !sampling.antialias) return {};
  const auto grows = std::find_if(axes.begin(), axes.end(), [](const AxisRequest& a) { return a.out > a.in; });
  const auto shrinks = std::find_if(axes.begin(), axes.end(), [](const AxisRequest& a) { return a.out < a.in; });
  if (grows == axes.end() || shrinks == axes.end()) return {};
  return unsupported_error(
      "attribute 'antialias' is 1 in mode linear where axis {} grows and axis {} shrinks; expected 0, or axes that all "
      "grow or all shrink",
      grows->axis, shrinks->axis);
}

}  // namespace

Status resolve_interpolate(const OpDesc& op, const ResizeRequest& request, const Extents& out, ResizeParams& params) {
  TESELA_ASSIGN_OR_RETURN(params.sampling, resolve_sampling(op, params.in.size(), request.axes));
  for (size_t k = 0; k < request.axes.size(); ++k)
    params.axes.push_back(axis_request(request, k, params.in[request.axes[k]], out[request.axes[k]], is_pillow(op)));
  return is_pillow(op) ? Status() : check_antialias(params.sampling, params.axes);
}

}  // namespace tesela
