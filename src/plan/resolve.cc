// SPDX-License-Identifier: Apache-2.0
// Resolves versions: converts an operator's description and its inputs to numbers.
#include "plan/resolve.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "plan/emulation/emulate.h"
#include "plan/fields.h"
#include "plan/onnxruntime_rules.h"
#include "plan/resolve_interpolate.h"
#include "schema/resize_request.h"
#include "schema/tensor_values.h"
#include "types/packed.h"

namespace tesela {
namespace {

using Inputs = std::span<const TensorInfo* const>;

Extents known_extents(const Dims& dims) {
  Extents extents;
  for (const Dim& dim : dims) extents.push_back(dim.value);
  return extents;
}

// ---- Tile and ConstantOfShape --------------------------------------------------------------------------------------

TileParams resolve_tile(const TensorInfo& data, const TensorInfo& inferred) {
  // If the output has more axes than the data, the data's shape is padded with leading ones.
  TileParams params{data.type, Extents(inferred.dims->size() - data.dims->size(), 1), known_extents(*inferred.dims)};
  for (const Dim& dim : *data.dims) params.in.push_back(dim.value);
  return params;
}

FillParams resolve_fill(const OpDesc& op, const TensorInfo& inferred) {
  FillParams params{inferred.type, known_extents(*inferred.dims), {}};
  const Tensor* value = op.tensor_value("value");
  if (value == nullptr) return params;  // float32 zero
  const int bits = element_bits(value->type());
  if (bits < 8)
    params.value[0] = std::byte{get_packed(value->data(), 0, bits)};
  else
    std::memcpy(params.value.data(), value->data(), static_cast<size_t>(bits / 8));
  return params;
}

// ---- Resize and Upsample -------------------------------------------------------------------------------------------

// Reads roi for the mode that uses it: all starts, then all ends, in the order of the axes. If absent or empty: the
// whole input.
Status read_roi(const TensorInfo* roi, AxisRequests& axes) {
  if (roi == nullptr || is_empty(*roi) == true) return {};
  if (roi->dims->size() != 1) return rank_error("input 'roi' has rank {}; expected 1", roi->dims->size());
  const std::vector<double> values = read_floats(*roi->constant);
  if (values.size() != 2 * axes.size())
    return count_error("input 'roi' has length {}; expected {} (a start and an end for each axis)", values.size(),
                       2 * axes.size());
  for (size_t k = 0; k < values.size(); ++k)
    if (!std::isfinite(values[k]))
      return value_error("input 'roi': entry {} is {}; expected a finite number", k, values[k]);
  for (size_t k = 0; k < axes.size(); ++k) {
    axes[k].roi_start = values[k];
    axes[k].roi_end = values[axes.size() + k];
  }
  return {};
}

void add_axes(const ResizeRequest& request, const Extents& out, ResizeParams& params) {
  if (request.given == ResizeRequest::Given::kNothing) return;
  Ratio policy;
  if (request.policy != AspectPolicy::kStretch) {
    Extents extents;
    Extents sizes;
    for (size_t k = 0; k < request.axes.size(); ++k) {
      extents.push_back(params.in[request.axes[k]]);
      sizes.push_back((*request.sizes)[k].value);
    }
    policy = policy_scale(request.policy, extents, sizes);
  }
  for (size_t k = 0; k < request.axes.size(); ++k) {
    AxisRequest& axis = params.axes.emplace_back();
    axis.axis = request.axes[k];
    axis.in = params.in[axis.axis];
    axis.out = out[axis.axis];
    if (request.given == ResizeRequest::Given::kScales) {
      axis.scale = static_cast<double>((*request.scales)[k]);
    } else {
      axis.exact = true;
      const Ratio stretch{axis.out, axis.in};
      const Ratio ratio = request.policy == AspectPolicy::kStretch ? stretch : policy;
      axis.scale_num = ratio.num;
      axis.scale_den = ratio.den;
    }
  }
}

Status resolve_resize(const OpDesc& op, Inputs inputs, const ResizeRequest& request, const Extents& out,
                      ResizeParams& params) {
  TESELA_ASSIGN_OR_RETURN(params.sampling, resolve_sampling(op));
  add_axes(request, out, params);
  if (params.sampling.coordinates == CoordinateMode::kTfCropAndResize && inputs.size() > 1)
    return read_roi(inputs[1], params.axes);
  return {};
}

Result<Plan> plan_resize(const OpDesc& op, Inputs inputs, const Limits& limits, const PlanFields& fields) {
  const TensorInfo& data = *inputs[0];
  ResizeParams params{data.type, known_extents(*data.dims), {}, {}};
  TESELA_ASSIGN_OR_RETURN(const ResizeRequest& request, read_resize_request(op, params.in.size(), inputs));
  TESELA_ASSIGN_OR_RETURN(const Dims& dims, resized_dims(request, *data.dims));
  const Extents out = known_extents(dims);
  if (op.schema->op == Operator::kInterpolate)
    TESELA_RETURN_IF_ERROR(resolve_interpolate(op, request, out, params));
  else
    TESELA_RETURN_IF_ERROR(resolve_resize(op, inputs, request, out, params));
  TESELA_RETURN_IF_ERROR(apply_fields(fields, params));
  switch (fields.rules) {
    case Rules::kStandard: break;
    case Rules::kOnnxRuntimePositions: TESELA_RETURN_IF_ERROR(apply_onnxruntime_rules(op, request, params)); break;
    default: return emulate(fields.rules, {op, inputs, request, params, limits});
  }
  return make_resize_plan(params, limits);
}

Result<Plan> plan_tile(const OpDesc& op, Inputs inputs, const Limits& limits) {
  TESELA_ASSIGN_OR_RETURN(const TensorInfo inferred, infer(op, inputs));
  return make_tile_plan(resolve_tile(*inputs[0], inferred), limits);
}

Result<Plan> plan_fill(const OpDesc& op, Inputs inputs, const Limits& limits) {
  TESELA_ASSIGN_OR_RETURN(const TensorInfo inferred, infer(op, inputs));
  return make_fill_plan(resolve_fill(op, inferred), limits);
}

Result<Plan> plan_valid(const OpDesc& op, Inputs inputs, const Limits& limits, const PlanFields& fields) {
  switch (op.schema->op) {
    case Operator::kTile: return plan_tile(op, inputs, limits);
    case Operator::kConstantOfShape: return plan_fill(op, inputs, limits);
    case Operator::kResize:
    case Operator::kUpsample:
    case Operator::kInterpolate: return plan_resize(op, inputs, limits, fields);
  }
  return internal_error("no plan for this operator");
}

Status check_owner(const OpDesc& op, const PlanFields& fields) {
  const Operator kind = op.schema->op;
  if (!fields.any() || kind == Operator::kResize) return {};
  const bool has_scales =
      kind == Operator::kUpsample || (kind == Operator::kInterpolate && fields.rules == Rules::kStandard);
  if (has_scales && !fields.any_arithmetic()) return {};
  return attribute_error("plan fields are for Resize only").with_prefix(op.where());
}

}  // namespace

Result<Plan> make_plan(const OpDesc& op, Inputs inputs, const Limits& limits, const PlanFields& fields) {
  if (const auto faults = validate_attributes(op); !faults.empty()) return faults.front();
  if (const auto faults = validate_inputs(op, inputs); !faults.empty()) return faults.front();
  TESELA_RETURN_IF_ERROR(check_owner(op, fields));
  Result<Plan> plan = plan_valid(op, inputs, limits, fields);
  if (!plan.ok()) plan = plan.status().with_prefix(op.where());
  return plan;
}

bool is_plannable(const OpDesc& op, Inputs inputs) {
  const auto is_known = [](const Dim& dim) { return dim.known(); };
  for (size_t k = 0; k < inputs.size(); ++k) {
    if (inputs[k] == nullptr) continue;
    const TensorInfo& input = *inputs[k];
    if (input.type == DataType::kUndefined || !input.dims) return false;
    if (!std::all_of(input.dims->begin(), input.dims->end(), is_known)) return false;
    if (!is_data_input(op, k) && !input.constant) return false;
  }
  return true;
}

Result<SamplingParams> resolve_sampling(const OpDesc& op) {
  SamplingParams sampling;
  TESELA_ASSIGN_OR_RETURN(sampling.filter, op.choice<Filter>("mode"));
  if (op.schema->op == Operator::kUpsample || op.schema->since_version == 10) {
    // Version 11 introduced coordinate modes; versions before have one mode with its own rounding.
    sampling.coordinates = CoordinateMode::kAsymmetric;
    sampling.nearest = NearestMode::kSimple;
    return sampling;
  }
  TESELA_ASSIGN_OR_RETURN(sampling.coordinates, op.choice<CoordinateMode>("coordinate_transformation_mode"));
  TESELA_ASSIGN_OR_RETURN(sampling.nearest, op.choice<NearestMode>("nearest_mode"));
  sampling.cubic_a = static_cast<double>(op.float_value("cubic_coeff_a"));
  sampling.antialias = op.int_value("antialias") != 0;
  sampling.exclude_outside = op.int_value("exclude_outside") != 0;
  sampling.extrapolation_value = op.float_value("extrapolation_value");
  return sampling;
}

}  // namespace tesela
