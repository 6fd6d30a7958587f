// Tensors and descriptions of tensors that the caller gives.
#include "api/read_inputs.h"

namespace tesela::api {
namespace {

Dims read_dim_list(const tesela_dim* dims, size_t count) {
  Dims list;
  for (size_t i = 0; i < count; ++i)
    list.push_back({dims[i].value, dims[i].symbol != nullptr && dims[i].value < 0 ? dims[i].symbol : ""});
  return list;
}

}  // namespace

Status check_inputs(const tesela_op* op, size_t count, const void* inputs) {
  if (op == nullptr || (count > 0 && inputs == nullptr)) return usage_error("an argument is NULL");
  return {};
}

Status info_of_tensor(const tesela_tensor& tensor, bool with_value, TensorInfo& info) {
  TensorView view;
  TESELA_RETURN_IF_ERROR(read_tensor_view(tensor, with_value, view));
  info.type = view.type;
  info.dims.emplace();
  for (const int64_t extent : view.extents) info.dims->emplace_back().value = extent;
  if (!with_value) return {};
  // What is dense already is borrowed for the length of the call.
  if (view.strides_bytes.empty() && view.bit_offset == 0) {
    info.constant = Tensor::borrow(view.type, std::move(view.extents), view.data, nullptr);
  } else {
    TESELA_ASSIGN_OR_RETURN(info.constant, Tensor::copy_of(view));
  }
  return {};
}

Result<TensorInfo> read_info(const tesela_tensor_info& given) {
  const tesela_tensor_info ours = read_struct(&given);
  TensorInfo info;
  if (ours.constant != nullptr) {
    TESELA_RETURN_IF_ERROR(info_of_tensor(*ours.constant, true, info));
    return info;
  }
  info.type = static_cast<DataType>(ours.dtype);
  if (ours.dtype != 0 && find_traits(info.type) == nullptr) return type_error("dtype {} is unknown", ours.dtype);
  if (ours.rank > 0 && ours.dims == nullptr) return usage_error("tensor info: dims is NULL and rank is {}", ours.rank);
  if (ours.rank >= 0) info.dims = read_dim_list(ours.dims, static_cast<size_t>(ours.rank));
  if (ours.shape_value != nullptr) info.shape_value = read_dim_list(ours.shape_value, ours.shape_value_count);
  return info;
}

}  // namespace tesela::api
