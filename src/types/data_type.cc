// SPDX-License-Identifier: Apache-2.0
// Lookups in the list of element types.
#include "types/data_type.h"

namespace tesela {
namespace {

// Rows are in the order of their codes, so a code is an index.
constexpr bool codes_are_indices() {
  for (size_t i = 0; i < std::size(kDataTypes); ++i)
    if (kDataTypes[i].type != static_cast<DataType>(i + 1)) return false;
  return true;
}
static_assert(codes_are_indices(), "a row of data_type.def is missing or at the wrong place");

// The widths that kernels and packing support: a power of two of bytes, or several elements in a byte, only for moves.
constexpr bool widths_are_known() {
  for (const DataTypeTraits& row : kDataTypes) {
    const bool packed = row.bits == 2 || row.bits == 4;
    const bool whole = row.bits == 8 || row.bits == 16 || row.bits == 32 || row.bits == 64 || row.bits == 128;
    if (!packed && !whole) return false;
    if (packed && row.compute != ComputeType::kNone) return false;
  }
  return true;
}
static_assert(widths_are_known(), "a row of data_type.def has a width that no kernel moves");

}  // namespace

std::string_view name(DataType type) {
  const DataTypeTraits* found = find_traits(type);
  return found ? found->onnx_name : "undefined";
}

std::optional<DataType> find_dlpack_type(int32_t code, int32_t bits) {
  for (const DataTypeTraits& row : kDataTypes)
    if (row.dlpack_code == code && row.bits == bits && code >= 0) return row.type;
  return std::nullopt;
}

std::optional<DataType> find_data_type(std::string_view any_name) {
  for (const DataTypeTraits& row : kDataTypes)
    if (any_name == row.onnx_name || any_name == row.numpy_name || (!any_name.empty() && any_name == row.openvino_name))
      return row.type;
  return std::nullopt;
}

}  // namespace tesela
