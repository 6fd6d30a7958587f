// SPDX-License-Identifier: Apache-2.0
// Reads and stores the elements of small tensors.
#include "shapes/known_value.h"

#include <algorithm>

#include "schema/tensor_values.h"

namespace tesela {
namespace {

Entries entries_of_constant(const Tensor& tensor) {
  Entries entries;
  const DataType type = tensor.type();
  if (type == DataType::kFloat || type == DataType::kDouble) {
    for (const double value : read_floats(tensor)) entries.push_back({true, 0, value});
  } else if (type == DataType::kInt64) {
    for (const int64_t value : tensor.as<int64_t>()) entries.push_back({true, value});
  } else if (type == DataType::kInt32) {
    for (const int32_t value : tensor.as<int32_t>()) entries.push_back({true, value});
  } else {
    for (const uint8_t value : tensor.as<uint8_t>()) entries.push_back({true, value != 0});
  }
  return entries;
}

template <class T>
void write(const Entries& entries, Tensor& tensor) {
  auto* to = reinterpret_cast<T*>(tensor.mutable_data());
  for (const Entry& entry : entries)
    *to++ = static_cast<T>(std::is_floating_point_v<T> ? static_cast<T>(entry.real) : static_cast<T>(entry.integer));
}

std::optional<Tensor> tensor_of(DataType type, const Dims& dims, const Entries& entries) {
  Extents extents;
  for (const Dim& dim : dims) extents.push_back(dim.value);
  Result<Tensor> tensor = Tensor::allocate(type, extents);
  if (!tensor.ok()) return std::nullopt;
  switch (type) {
    case DataType::kInt64: write<int64_t>(entries, *tensor); break;
    case DataType::kInt32: write<int32_t>(entries, *tensor); break;
    case DataType::kFloat: write<float>(entries, *tensor); break;
    case DataType::kDouble: write<double>(entries, *tensor); break;
    default: write<uint8_t>(entries, *tensor); break;
  }
  return *tensor;
}

// Dims have no entries below 0: -1 means unknown.
std::optional<Dims> dims_of(const Entries& entries) {
  Dims dims;
  for (const Entry& entry : entries) {
    if (entry.known && entry.integer < 0) return std::nullopt;
    dims.push_back({entry.known ? entry.integer : -1, entry.symbol});
  }
  return dims;
}

}  // namespace

constinit const KnownValue kUnknownValue;

Entries entries_of_dims(const Dims& dims) {
  Entries entries;
  for (const Dim& dim : dims) entries.push_back({dim.known(), dim.known() ? dim.value : 0, 0, dim.symbol});
  return entries;
}

bool has_entries(DataType type) {
  using enum DataType;
  return type == kInt64 || type == kInt32 || type == kFloat || type == kDouble || type == kBool;
}

std::optional<int64_t> count_of(const Dims& dims) {
  std::optional<int64_t> count = 1;
  bool is_empty = false;
  for (const Dim& dim : dims) {
    if (!dim.known()) return std::nullopt;
    is_empty = is_empty || dim.value == 0;
    if (count) count = checked_mul(*count, dim.value);
  }
  return is_empty ? 0 : count;
}

std::optional<Entries> entries_of(const KnownValue& value) {
  if (!has_entries(value.type)) return std::nullopt;
  if (value.entries) return value.entries;
  if (value.constant) {
    if (value.constant->count() > static_cast<int64_t>(kMaxEntries)) return std::nullopt;
    return entries_of_constant(*value.constant);
  }
  if (value.shape_value && value.shape_value->size() <= kMaxEntries) return entries_of_dims(*value.shape_value);
  const std::optional<int64_t> count = value.dims ? count_of(*value.dims) : std::nullopt;
  if (!count || *count > static_cast<int64_t>(kMaxEntries)) return std::nullopt;
  return Entries(static_cast<size_t>(*count));
}

void set_entries(KnownValue& value, DataType type, const Dims& dims, Entries entries) {
  value.type = type;
  value.dims = dims;
  if (!has_entries(type) || entries.size() > kMaxEntries) return;
  if (std::all_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.known; }))
    value.constant = tensor_of(type, dims, entries);
  if (std::none_of(entries.begin(), entries.end(), [](const Entry& entry) { return entry.has_information(); })) return;
  if (type == DataType::kInt64 && dims.size() == 1) value.shape_value = dims_of(entries);
  if (!value.constant && !value.shape_value) value.entries = std::move(entries);
}

size_t bytes_of(const KnownValue& value) {
  size_t bytes = sizeof value;
  for (const auto* dims : {&value.dims, &value.shape_value})
    if (*dims)
      for (const Dim& dim : **dims) bytes += sizeof dim + dim.symbol.size();
  if (value.entries)
    for (const Entry& entry : *value.entries) bytes += sizeof entry + entry.symbol.size();
  return bytes;
}

void set_filled(KnownValue& value, const Tensor* fill) {
  const std::optional<int64_t> count = value.dims ? count_of(*value.dims) : std::nullopt;
  if (!count || *count > static_cast<int64_t>(kMaxEntries) || !has_entries(value.type)) return;
  const Entry entry = fill ? entries_of_constant(*fill).front() : Entry{true};
  set_entries(value, value.type, Dims(*value.dims), Entries(static_cast<size_t>(*count), entry));
}

}  // namespace tesela
