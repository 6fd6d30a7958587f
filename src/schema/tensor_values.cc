// SPDX-License-Identifier: Apache-2.0
// Reads an operator's small parameter tensors.
#include "schema/tensor_values.h"

#include <utility>

#include "types/elements.h"
#include "types/packed.h"

namespace tesela {
namespace {

int64_t packed_integer(const Tensor& tensor, size_t k) {
  const int bits = element_bits(tensor.type());
  const int64_t value = get_packed(tensor.data(), static_cast<int64_t>(k) * bits, bits);
  const bool negative = traits(tensor.type()).kind == DataKind::kSigned && (value >> (bits - 1)) != 0;
  return negative ? value - (int64_t{1} << bits) : value;
}

template <class T>
Status widen(std::span<const T> from, Extents& values, std::string_view name) {
  for (size_t k = 0; k < from.size(); ++k) {
    if (std::cmp_greater(from[k], INT64_MAX))
      return value_error("input '{}': entry {} is {}; expected at most {}", name, k, from[k], INT64_MAX);
    values.push_back(static_cast<int64_t>(from[k]));
  }
  return {};
}

}  // namespace

Result<Extents> read_integers(const Tensor& tensor, std::string_view name) {
  const DataTypeTraits& type = traits(tensor.type());
  if (type.kind != DataKind::kSigned && type.kind != DataKind::kUnsigned)
    return type_error("input '{}' has type {}; expected integers", name, type.onnx_name);
  Extents values;
  values.reserve(static_cast<size_t>(tensor.count()));
  if (type.bits < 8) {
    for (size_t k = 0; k < static_cast<size_t>(tensor.count()); ++k) values.push_back(packed_integer(tensor, k));
    return values;
  }
  Status status;
  visit_computed(tensor.type(), [&]<class T>(Stored<T>) {
    if constexpr (std::is_integral_v<T>) status = widen(tensor.as<T>(), values, name);
  });
  if (!status.ok()) return status;
  return values;
}

Result<std::optional<Dims>> read_dims(const TensorInfo& info, std::string_view name, tesela_status if_negative) {
  if (info.dims && info.dims->size() != 1)
    return rank_error("input '{}' has rank {}; expected 1", name, info.dims->size());
  std::optional<Dims> entries;
  if (info.constant) {
    entries.emplace();
    TESELA_ASSIGN_OR_RETURN(const Extents& values, read_integers(*info.constant, name));
    for (const int64_t value : values) {
      // Rejects negative constants, since -1 means unknown in Dim.
      if (value < 0)
        return Status(if_negative,
                      fmt::format("input '{}': entry {} is {}; expected at least 0", name, entries->size(), value));
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
  if (traits(tensor.type()).kind != DataKind::kFloating) return values;
  visit_computed(tensor.type(), [&]<class T>(Stored<T>) {
    for (const T value : tensor.as<T>()) values.push_back(load_as<double>(value));
  });
  return values;
}

}  // namespace tesela
