// Reading the small tensors that tell an operator what to do.
#include "schema/tensor_values.h"

#include "types/float_formats.h"

namespace tesela {

Result<std::optional<std::vector<Dim>>> read_dims(const TensorInfo& info, std::string_view name) {
  if (info.dims && info.dims->size() != 1)
    return rank_error("input '{}' has rank {}; expected 1", name, info.dims->size());
  std::optional<std::vector<Dim>> entries;
  if (info.constant) {
    entries.emplace();
    for (const int64_t value : info.constant->as<int64_t>()) {
      // -1 stands for an unknown extent in Dim, so a negative constant is refused before it becomes one.
      if (value < 0)
        return value_error("input '{}': entry {} is {}; expected at least 0", name, entries->size(), value);
      entries->push_back({value, ""});
    }
  } else if (info.shape_value) {
    entries = info.shape_value;
  } else if (info.dims && info.dims->front().known() && info.dims->front().value < 4096) {
    entries.emplace(static_cast<size_t>(info.dims->front().value));
  }
  return entries;
}

std::optional<bool> is_empty(const TensorInfo& info) {
  if (info.constant) return info.constant->count() == 0;
  if (info.shape_value) return info.shape_value->empty();
  if (!info.dims) return std::nullopt;
  bool all_known = true;
  for (const Dim& dim : *info.dims) {
    if (dim.value == 0) return true;
    all_known = all_known && dim.known();
  }
  if (all_known) return false;
  return std::nullopt;
}

std::vector<double> read_floats(const Tensor& tensor) {
  std::vector<double> values;
  values.reserve(static_cast<size_t>(tensor.count()));
  if (tensor.type() == DataType::kFloat16)
    for (const Float16 value : tensor.as<Float16>()) values.push_back(to_float(value));
  else if (tensor.type() == DataType::kFloat)
    for (const float value : tensor.as<float>()) values.push_back(value);
  else if (tensor.type() == DataType::kDouble)
    for (const double value : tensor.as<double>()) values.push_back(value);
  return values;
}

}  // namespace tesela
