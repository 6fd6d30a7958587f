// SPDX-License-Identifier: Apache-2.0
// Reads the request of a Resize or Upsample, and computes the output extents.
#include "schema/resize_request.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "schema/interpolate_request.h"
#include "schema/tensor_values.h"

namespace tesela {
namespace {

using Given = ResizeRequest::Given;
__extension__ using Int128 = __int128;

AxisList all_axes(size_t rank) {
  AxisList axes(rank);
  std::iota(axes.begin(), axes.end(), size_t{0});
  return axes;
}

Result<AxisList> read_axes(const OpDesc& op, size_t rank) {
  const auto given = op.ints_value("axes");
  if (!given) return all_axes(rank);
  AxisList axes;
  const auto r = static_cast<int64_t>(rank);
  for (size_t k = 0; k < given->size(); ++k) {
    const int64_t axis = (*given)[k];
    if (axis < -r || axis >= r)
      return value_error("attribute 'axes': entry {} is {}; expected a value in [{}, {}]", k, axis, -r, r - 1);
    const auto normal = static_cast<size_t>(axis < 0 ? axis + r : axis);
    if (std::find(axes.begin(), axes.end(), normal) != axes.end())
      return value_error("attribute 'axes': entry {} is {}, and axis {} was given before", k, axis, normal);
    axes.push_back(normal);
  }
  return axes;
}

Result<AspectPolicy> read_policy(const OpDesc& op) {
  constexpr std::string_view name = "keep_aspect_ratio_policy";
  if (find_attribute(*op.schema, name) == nullptr) return AspectPolicy::kStretch;
  return op.choice<AspectPolicy>(name);
}

Status check_count(std::string_view what, size_t count, const ResizeRequest& request, size_t rank) {
  if (count == request.axes.size()) return {};
  if (request.axes.size() == rank)
    return count_error("{} has length {}; expected {} (the rank of X)", what, count, rank);
  return count_error("{} has length {}; expected {} (one for each of 'axes')", what, count, request.axes.size());
}

// Reads the scales input; unknown parts stay empty.
Status read_scales_input(const OpDesc& op, const TensorInfo& info, size_t rank, ResizeRequest& request) {
  constexpr std::string_view what = "input 'scales'";
  if (info.dims && info.dims->size() != 1) return rank_error("{} has rank {}; expected 1", what, info.dims->size());
  if (info.dims && info.dims->front().known())
    TESELA_RETURN_IF_ERROR(check_count(what, static_cast<size_t>(info.dims->front().value), request, rank));
  if (!info.constant) return {};
  const auto values = info.constant->as<float>();
  TESELA_RETURN_IF_ERROR(check_count(what, values.size(), request, rank));
  TESELA_RETURN_IF_ERROR(check_scales(op, what, values));
  request.scales.emplace(values);
  return {};
}

Status read_sizes_input(const TensorInfo& info, size_t rank, ResizeRequest& request) {
  TESELA_ASSIGN_OR_RETURN(request.sizes, read_dims(info, "sizes"));
  if (!request.sizes) return {};
  return check_count("input 'sizes'", request.sizes->size(), request, rank);
}

// Upsample-1 and -7 have scales in attributes.
Status read_scales_attributes(const OpDesc& op, size_t rank, ResizeRequest& request) {
  request.given = Given::kScales;
  if (op.schema->since_version == 1) {
    if (rank != 4) return rank_error("input 'X' has rank {}; expected 4 (N, C, H, W)", rank);
    const float height = op.float_value("height_scale");
    const float width = op.float_value("width_scale");
    TESELA_RETURN_IF_ERROR(check_scales(op, "attribute 'height_scale'", {&height, 1}));
    TESELA_RETURN_IF_ERROR(check_scales(op, "attribute 'width_scale'", {&width, 1}));
    request.scales = ScaleList{1.0f, 1.0f, height, width};
    return {};
  }
  const auto values = *op.floats_value("scales");
  TESELA_RETURN_IF_ERROR(check_count("attribute 'scales'", values.size(), request, rank));
  TESELA_RETURN_IF_ERROR(check_scales(op, "attribute 'scales'", values));
  request.scales.emplace(values);
  return {};
}

// Whether scales or sizes are given; an empty tensor counts as absent.
Result<Given> which_is_given(const TensorInfo* scales, const TensorInfo* sizes, bool any_axis) {
  const std::optional<bool> no_scales = scales ? is_empty(*scales) : std::optional(true);
  const std::optional<bool> no_sizes = sizes ? is_empty(*sizes) : std::optional(true);
  if (no_scales == false && no_sizes == false)
    return count_error("has both 'scales' and 'sizes'; expected exactly one of them");
  if (no_scales == true && no_sizes == true) {
    if (!any_axis) return Given::kNothing;
    return count_error("has neither 'scales' nor 'sizes'; expected exactly one of them");
  }
  if (no_sizes == true) return Given::kScales;
  if (no_scales == true) return Given::kSizes;
  if (no_scales == false) return Given::kScales;  // the run rejects sizes that turn out not to be empty
  if (no_sizes == false) return Given::kSizes;
  return Given::kUnknown;
}

Result<int64_t> sized_extent(int64_t n, int64_t size, size_t axis) {
  if (n == 0 && size != 0) return shape_error("axis {}: size {} cannot be made from extent 0; expected 0", axis, size);
  return size;
}

// floor(q * n + 1/2), exactly.
Result<int64_t> policy_extent(int64_t n, Ratio q, size_t axis) {
  const Int128 twice = Int128{2} * q.num * n + q.den;
  const Int128 extent = twice / (Int128{2} * q.den);
  if (extent > INT64_MAX)
    return shape_error("axis {}: extent {} times the policy's scale {}/{} overflows int64", axis, n, q.num, q.den);
  return static_cast<int64_t>(extent);
}

Status apply_policy(const ResizeRequest& request, const Dims& input, Dims& output) {
  Extents in;
  Extents sizes;
  for (size_t k = 0; k < request.axes.size(); ++k) {
    const Dim& n = input[request.axes[k]];
    const Dim& size = (*request.sizes)[k];
    if (!n.known() || !size.known()) {
      for (const size_t axis : request.axes) output[axis] = {};
      return {};
    }
    in.push_back(n.value);
    sizes.push_back(size.value);
    if (Result<int64_t> m = sized_extent(n.value, size.value, request.axes[k]); !m.ok()) return m.status();
  }
  const Ratio q = policy_scale(request.policy, in, sizes);
  for (size_t k = 0; k < request.axes.size(); ++k) {
    TESELA_ASSIGN_OR_RETURN(output[request.axes[k]].value, policy_extent(in[k], q, request.axes[k]));
    output[request.axes[k]].symbol = {};
  }
  return {};
}

}  // namespace

Status check_scales(const OpDesc& op, std::string_view what, std::span<const float> scales) {
  for (size_t k = 0; k < scales.size(); ++k) {
    if (!std::isfinite(scales[k]) || !(scales[k] > 0))
      return value_error("{}: entry {} is {}; expected a finite number above 0", what, k, scales[k]);
    if (op.schema->op == Operator::kUpsample && scales[k] < 1)
      return value_error("{}: entry {} is {}; expected at least 1, since Upsample only grows", what, k, scales[k]);
  }
  return {};
}

Result<ResizeRequest> read_resize_request(const OpDesc& op, size_t rank, std::span<const TensorInfo* const> inputs) {
  if (op.schema->op == Operator::kInterpolate) return read_interpolate_request(op, rank, inputs);
  ResizeRequest request;
  request.extents = op.extents;
  TESELA_ASSIGN_OR_RETURN(request.axes, read_axes(op, rank));
  TESELA_ASSIGN_OR_RETURN(request.policy, read_policy(op));
  const bool is_upsample = op.schema->op == Operator::kUpsample;
  if (is_upsample && op.schema->since_version < 9) {
    TESELA_RETURN_IF_ERROR(read_scales_attributes(op, rank, request));
    return request;
  }
  const bool old_ports = is_upsample || op.schema->since_version == 10;  // X, scales
  const TensorInfo* scales = input_at(inputs, old_ports ? 1 : 2);
  const TensorInfo* sizes = old_ports ? nullptr : input_at(inputs, 3);
  TESELA_ASSIGN_OR_RETURN(request.given, which_is_given(scales, sizes, !request.axes.empty()));
  // With scales or sizes an empty list of axes means all axes.
  if (request.given != Given::kNothing && request.axes.empty()) request.axes = all_axes(rank);
  if (request.given == Given::kScales) {
    if (request.policy != AspectPolicy::kStretch)
      return attribute_error(
          "attribute 'keep_aspect_ratio_policy' is '{}' together with 'scales'; expected stretch, or 'sizes'",
          op.string_value("keep_aspect_ratio_policy"));
    TESELA_RETURN_IF_ERROR(read_scales_input(op, *scales, rank, request));
  }
  if (request.given == Given::kSizes) TESELA_RETURN_IF_ERROR(read_sizes_input(*sizes, rank, request));
  return request;
}

Ratio policy_scale(AspectPolicy policy, std::span<const int64_t> in, std::span<const int64_t> sizes) {
  std::optional<Ratio> best;
  for (size_t k = 0; k < in.size(); ++k) {
    if (in[k] == 0) continue;
    if (!best) {
      best = {sizes[k], in[k]};
      continue;
    }
    const Int128 candidate = Int128{sizes[k]} * best->den;
    const Int128 current = Int128{best->num} * in[k];
    if (policy == AspectPolicy::kNotLarger ? candidate < current : candidate > current) best = {sizes[k], in[k]};
  }
  return best.value_or(Ratio{1, 1});
}

Result<Dims> resized_dims(const ResizeRequest& request, const Dims& input) {
  Dims output = input;
  if (request.given == Given::kNothing) return output;
  if (request.given == Given::kUnknownAxes) return Dims(input.size());
  if (request.given == Given::kSizes && request.sizes && request.policy != AspectPolicy::kStretch) {
    TESELA_RETURN_IF_ERROR(apply_policy(request, input, output));
    return output;
  }
  for (size_t k = 0; k < request.axes.size(); ++k) {
    const size_t axis = request.axes[k];
    const Dim& n = input[axis];
    Dim& m = output[axis];
    if (request.scales) {
      const float scale = (*request.scales)[k];
      // Keeps symbols. The host's rule rounds extents with more bits than a float even for scale 1.
      if (scale == 1.0f && (request.extents != ExtentRule::kHost || !n.known())) continue;
      m = {};
      if (n.known()) {
        TESELA_ASSIGN_OR_RETURN(m.value, scaled_extent(n.value, scale, axis, request.extents));
      }
    } else if (request.sizes) {
      m = (*request.sizes)[k];
      if (m.known() && n.known()) {
        TESELA_ASSIGN_OR_RETURN(m.value, sized_extent(n.value, m.value, axis));
      }
    } else {
      m = {};
    }
  }
  return output;
}

}  // namespace tesela
