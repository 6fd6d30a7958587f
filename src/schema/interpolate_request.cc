// SPDX-License-Identifier: Apache-2.0
// Reads the request of OpenVINO's Interpolate; its three versions keep the same parameters in different places.
#include "schema/interpolate_request.h"

#include <algorithm>
#include <numeric>

#include "schema/tensor_values.h"

namespace tesela {
namespace {

using Given = ResizeRequest::Given;
using Inputs = std::span<const TensorInfo* const>;

Result<AxisList> normal_axes(std::span<const int64_t> given, size_t rank) {
  AxisList axes;
  for (size_t k = 0; k < given.size(); ++k) {
    if (given[k] < 0 || std::cmp_greater_equal(given[k], rank))
      return value_error("'axes': entry {} is {}; expected 0 to {}", k, given[k], static_cast<int64_t>(rank) - 1);
    const auto axis = static_cast<size_t>(given[k]);
    if (std::find(axes.begin(), axes.end(), axis) != axes.end())
      return value_error("'axes': entry {} is {}, which was given before", k, given[k]);
    axes.push_back(axis);
  }
  return axes;
}

// Empty if the axes are not known yet.
Result<std::optional<AxisList>> read_axes(const OpDesc& op, size_t rank, Inputs inputs) {
  Extents given(rank, 0);
  std::iota(given.begin(), given.end(), int64_t{0});
  if (op.schema->since_version == 1) {
    const auto values = *op.ints_value("axes");
    given = Extents(values);
  } else if (const TensorInfo* axes = input_at(inputs, op.schema->since_version == 4 ? 3 : 2)) {
    if (axes->dims && axes->dims->size() != 1)
      return rank_error("input 'axes' has rank {}; expected 1", axes->dims->size());
    if (!axes->constant) return std::optional<AxisList>();
    TESELA_ASSIGN_OR_RETURN(given, read_integers(*axes->constant, "axes"));
  }
  TESELA_ASSIGN_OR_RETURN(AxisList axes, normal_axes(given, rank));
  return std::optional(std::move(axes));
}

Status check_count(std::string_view what, size_t count, size_t axes) {
  if (count == axes) return {};
  return count_error("input '{}' has length {}; expected {} (one for each axis)", what, count, axes);
}

Status read_scales(const OpDesc& op, std::string_view name, const TensorInfo& info, ResizeRequest& request) {
  if (traits(info.type).kind != DataKind::kFloating)
    return type_error("input '{}' has type {} under shape_calculation_mode scales; expected a float type", name,
                      tesela::name(info.type));
  if (info.dims && info.dims->size() != 1)
    return rank_error("input '{}' has rank {}; expected 1", name, info.dims->size());
  if (info.dims && info.dims->front().known())
    TESELA_RETURN_IF_ERROR(check_count(name, static_cast<size_t>(info.dims->front().value), request.axes.size()));
  if (!info.constant) return {};
  // Doubles are rounded to float, as in OpenVINO.
  ScaleList values;
  for (const double value : read_floats(*info.constant)) values.push_back(static_cast<float>(value));
  TESELA_RETURN_IF_ERROR(check_scales(op, fmt::format("input '{}'", name), values));
  request.scales = std::move(values);
  return {};
}

Status read_sizes(std::string_view name, const TensorInfo& info, ResizeRequest& request) {
  if (traits(info.type).kind == DataKind::kFloating)
    return type_error("input '{}' has type {} under shape_calculation_mode sizes; expected an integer type", name,
                      tesela::name(info.type));
  TESELA_ASSIGN_OR_RETURN(request.sizes, read_dims(info, name));
  if (!request.sizes) return {};
  return check_count(name, request.sizes->size(), request.axes.size());
}

Status check_pillow(const OpDesc& op, size_t axes) {
  if (!is_pillow(op) || axes == 2) return {};
  return unsupported_error("mode {} with {} axes; expected 2", op.string_value("mode"), axes);
}

}  // namespace

bool is_pillow(const OpDesc& op) {
  return op.is("mode", InterpolateMode::kBilinearPillow) || op.is("mode", InterpolateMode::kBicubicPillow);
}

Result<ResizeRequest> read_interpolate_request(const OpDesc& op, size_t rank, Inputs inputs) {
  ResizeRequest request;
  request.extents = ExtentRule::kOpenvino;
  TESELA_ASSIGN_OR_RETURN(const auto axes, read_axes(op, rank, inputs));
  if (!axes) {
    request.given = Given::kUnknownAxes;
    return request;
  }
  request.axes = *axes;
  TESELA_RETURN_IF_ERROR(check_pillow(op, request.axes.size()));
  const bool scales = op.schema->since_version > 1 && op.is("shape_calculation_mode", ShapeCalculation::kScales);
  const size_t port = scales && op.schema->since_version == 4 ? 2 : 1;
  const std::string_view name = op.schema->inputs[port].name;
  request.given = scales ? Given::kScales : Given::kSizes;
  const TensorInfo& info = *inputs[port];
  if (info.type == DataType::kUndefined) {
    request.given = Given::kUnknown;
  } else if (scales) {
    TESELA_RETURN_IF_ERROR(read_scales(op, name, info, request));
  } else {
    TESELA_RETURN_IF_ERROR(read_sizes(name, info, request));
  }
  if (request.axes.empty()) request.given = Given::kNothing;
  return request;
}

}  // namespace tesela
