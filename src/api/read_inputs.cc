// SPDX-License-Identifier: Apache-2.0
// Tensors and descriptions of tensors that the caller gives.
#include "api/read_inputs.h"

namespace tesela::api {
namespace {

// what: "dims" or "shape_value".
Status read_dim_list(const tesela_dim* dims, size_t count, std::string_view what, std::optional<Dims>& list) {
  list.emplace();
  for (size_t i = 0; i < count; ++i) {
    const auto& [value, symbol] = dims[i];
    if (value < -1)
      return value_error("tensor info: {}[{}] is {}; expected at least 0, or -1 for unknown", what, i, value);
    list->push_back({value, symbol != nullptr && value < 0 ? symbol : ""});
  }
  return {};
}

}  // namespace

Status check_inputs(const tesela_op* op, size_t count, const void* inputs) {
  if (op == nullptr || (count > 0 && inputs == nullptr)) return usage_error("an argument is NULL");
  // Validation of the inputs reports a count that is slightly too large.
  constexpr size_t kMax = 1024;
  if (count > kMax)
    return count_error("{}has {} inputs; expected at most {}", op->desc.where(), count, op->desc.schema->inputs.size());
  return {};
}

Status info_of_tensor(const tesela_tensor& tensor, bool with_value, TensorInfo& info) {
  TensorView view;
  TESELA_RETURN_IF_ERROR(read_tensor_view(tensor, with_value, view));
  info.type = view.type;
  info.dims.emplace();
  for (const int64_t extent : view.extents) info.dims->emplace_back().value = extent;
  if (!with_value) return {};
  // Dense data is borrowed for the duration of the call.
  if (view.strides_bytes.empty() && view.bit_offset == 0) {
    info.constant = Tensor::borrow(view.type, std::move(view.extents), view.data, nullptr);
  } else {
    TESELA_ASSIGN_OR_RETURN(info.constant, Tensor::copy_of(view));
  }
  return {};
}

Result<TensorInfo> read_info(const tesela_tensor_info& source) {
  tesela_tensor_info copy = {};
  TESELA_RETURN_IF_ERROR(read_struct(&source, "tensor info", copy));
  TensorInfo info;
  if (copy.constant != nullptr) {
    TESELA_RETURN_IF_ERROR(info_of_tensor(*copy.constant, true, info));
    return info;
  }
  info.type = static_cast<DataType>(copy.dtype);
  if (copy.dtype != 0 && find_traits(info.type) == nullptr) return type_error("dtype {} is unknown", copy.dtype);
  if (copy.rank < -1) return rank_error("tensor info: rank is {}; expected at least 0, or -1 for unknown", copy.rank);
  if (copy.rank > 0 && copy.dims == nullptr) return usage_error("tensor info: dims is NULL and rank is {}", copy.rank);
  if (copy.rank >= 0)
    TESELA_RETURN_IF_ERROR(read_dim_list(copy.dims, static_cast<size_t>(copy.rank), "dims", info.dims));
  if (copy.shape_value == nullptr) return info;
  TESELA_RETURN_IF_ERROR(check_count("tensor info: shape_value_count", copy.shape_value_count, sizeof(tesela_dim)));
  TESELA_RETURN_IF_ERROR(read_dim_list(copy.shape_value, copy.shape_value_count, "shape_value", info.shape_value));
  return info;
}

}  // namespace tesela::api
