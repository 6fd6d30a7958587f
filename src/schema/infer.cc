// SPDX-License-Identifier: Apache-2.0
// Shape inference of each operator.
#include "schema/infer.h"

#include <algorithm>
#include <cmath>

#include "schema/resize_request.h"
#include "schema/tensor_values.h"

namespace tesela {
namespace {

Result<Dim> repeated(const Dim& extent, const Dim& repeat, size_t axis) {
  if (repeat.value == 1) return extent;
  if (repeat.value == 0 || extent.value == 0) return Dim{0, ""};
  if (!extent.known() || !repeat.known()) return Dim{};
  const auto product = checked_mul(extent.value, repeat.value);
  if (!product)
    return shape_error("axis {}: extent {} times {} repeats overflows int64", axis, extent.value, repeat.value);
  return Dim{*product, ""};
}

// The only element of Tile-1's `tiles` or `axis`, of any float type or int64.
Result<std::optional<int64_t>> read_integral_scalar(const TensorInfo& info, std::string_view name) {
  if (info.dims && (info.dims->size() > 1 ||
                    (info.dims->size() == 1 && info.dims->front().known() && info.dims->front().value != 1)))
    return value_error("input '{}' has shape {}; expected a scalar or one element", name, dims_text(info.dims));
  if (!info.constant) return std::optional<int64_t>();
  if (info.constant->type() == DataType::kInt64) return std::optional(info.constant->as<int64_t>()[0]);
  const double value = read_floats(*info.constant)[0];
  if (!(std::abs(value) < 0x1p53) || value != std::floor(value))
    return value_error("input '{}' is {}; expected a whole number", name, value);
  return std::optional(static_cast<int64_t>(value));
}

Result<std::optional<Dims>> tile1_repeats(std::span<const TensorInfo* const> inputs, size_t rank) {
  TESELA_ASSIGN_OR_RETURN(const auto tiles, read_integral_scalar(*inputs[1], "tiles"));
  TESELA_ASSIGN_OR_RETURN(const auto axis, read_integral_scalar(*inputs[2], "axis"));
  const auto r = static_cast<int64_t>(rank);
  if (tiles && *tiles < 0) return value_error("input 'tiles' is {}; expected at least 0", *tiles);
  if (axis && (*axis < -r || *axis >= r))
    return value_error("input 'axis' is {}; expected a value in [{}, {}]", *axis, -r, r - 1);
  std::optional<Dims> repeats;
  if (axis) {
    repeats.emplace(rank, Dim{1, ""});
    (*repeats)[static_cast<size_t>(*axis < 0 ? *axis + r : *axis)] = {tiles.value_or(-1), ""};
  }
  return repeats;
}

Result<std::optional<Dims>> tile_repeats(const OpDesc& op, std::span<const TensorInfo* const> inputs, size_t rank) {
  if (op.schema->since_version == 1) return tile1_repeats(inputs, rank);
  TESELA_ASSIGN_OR_RETURN(auto repeats, read_dims(*inputs[1], "repeats"));
  if (repeats && repeats->size() != rank)
    return count_error("input 'repeats' has length {}; expected {} (the rank of 'input')", repeats->size(), rank);
  return repeats;
}

Dims pad_rank(const Dims& dims, size_t rank) {
  Dims padded(rank - dims.size(), Dim{1, ""});
  padded.append(dims.data(), dims.size());
  return padded;
}

// OpenVINO's Tile: pads the shorter of the data's shape and the repeats with leading ones.
Result<TensorInfo> infer_promoting_tile(std::span<const TensorInfo* const> inputs) {
  const TensorInfo& data = *inputs[0];
  TensorInfo out;
  out.type = data.type;
  TESELA_ASSIGN_OR_RETURN(const auto repeats, read_dims(*inputs[1], "repeats"));
  if (!data.dims || !repeats) return out;
  const size_t rank = std::max(data.dims->size(), repeats->size());
  const Dims extents = pad_rank(*data.dims, rank);
  const Dims times = pad_rank(*repeats, rank);
  out.dims.emplace(rank);
  for (size_t d = 0; d < rank; ++d) {
    TESELA_ASSIGN_OR_RETURN((*out.dims)[d], repeated(extents[d], times[d], d));
  }
  return out;
}

Result<TensorInfo> infer_tile(const OpDesc& op, std::span<const TensorInfo* const> inputs) {
  if (op.schema->domain == kOpenvinoDomain) return infer_promoting_tile(inputs);
  const TensorInfo& data = *inputs[0];
  TensorInfo out;
  out.type = data.type;
  if (!data.dims) return out;
  TESELA_ASSIGN_OR_RETURN(const auto repeats, tile_repeats(op, inputs, data.dims->size()));
  out.dims.emplace(data.dims->size());
  for (size_t d = 0; repeats && d < data.dims->size(); ++d) {
    TESELA_ASSIGN_OR_RETURN((*out.dims)[d], repeated((*data.dims)[d], (*repeats)[d], d));
  }
  return out;
}

Result<TensorInfo> infer_constant_of_shape(const OpDesc& op, std::span<const TensorInfo* const> inputs) {
  TensorInfo out;
  const Tensor* value = op.tensor_value("value");
  out.type = value ? value->type() : DataType::kFloat;
  TESELA_ASSIGN_OR_RETURN(out.dims, read_dims(*inputs[0], "input", TESELA_ERROR_SHAPE));
  return out;
}

Result<TensorInfo> infer_resize(const OpDesc& op, std::span<const TensorInfo* const> inputs) {
  const TensorInfo& data = *inputs[0];
  TensorInfo out;
  out.type = data.type;
  if (!data.dims) return out;
  TESELA_ASSIGN_OR_RETURN(const ResizeRequest request, read_resize_request(op, data.dims->size(), inputs));
  TESELA_ASSIGN_OR_RETURN(out.dims, resized_dims(request, *data.dims));
  return out;
}

}  // namespace

std::string dims_text(const std::optional<Dims>& dims) {
  if (!dims) return "unknown";
  if (dims->empty()) return "scalar";
  std::string text;
  for (const Dim& dim : *dims) {
    if (!text.empty()) text += "x";
    text += dim.known() ? std::to_string(dim.value) : dim.symbol.empty() ? "?" : dim.symbol;
  }
  return text;
}

Result<TensorInfo> infer(const OpDesc& op, std::span<const TensorInfo* const> inputs) {
  switch (op.schema->op) {
    case Operator::kTile: return infer_tile(op, inputs);
    case Operator::kConstantOfShape: return infer_constant_of_shape(op, inputs);
    case Operator::kResize:
    case Operator::kUpsample:
    case Operator::kInterpolate: return infer_resize(op, inputs);
  }
  return internal_error("no inference for this operator");
}

std::vector<Status> validate_inputs(const OpDesc& op, std::span<const TensorInfo* const> inputs) {
  SmallVector<std::optional<DataType>, 4> types;
  for (const TensorInfo* input : inputs) types.push_back(input ? std::optional(input->type) : std::nullopt);
  return validate_inputs(op, types);
}

Result<TensorInfo> infer_checked(const OpDesc& op, std::span<const TensorInfo* const> inputs) {
  if (const auto faults = validate_attributes(op); !faults.empty()) return faults.front();
  if (const auto faults = validate_inputs(op, inputs); !faults.empty()) return faults.front();
  Result<TensorInfo> info = infer(op, inputs);
  if (!info.ok()) return info.status().with_prefix(op.where());
  return info;
}

}  // namespace tesela
