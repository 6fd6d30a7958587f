// Look-ups in the list of element types.
#include "types/data_type.h"

#include <array>

namespace tesela {
namespace {

constexpr DataTypeTraits kTable[] = {
#define TESELA_DATA_TYPE(name, code, onnx, openvino, numpy, dlpack, bits, kind, compute) \
  {DataType::name, onnx, openvino, numpy, dlpack, bits, DataKind::kind, ComputeType::compute},
#include "types/data_type.def"
#undef TESELA_DATA_TYPE
};

// Rows stand in the order of their codes, so a code is an index.
constexpr bool codes_are_indices() {
  for (size_t i = 0; i < std::size(kTable); ++i)
    if (kTable[i].type != static_cast<DataType>(i + 1)) return false;
  return true;
}
static_assert(codes_are_indices());

}  // namespace

std::span<const DataTypeTraits> all_data_types() {
  return kTable;
}

const DataTypeTraits* find_traits(DataType type) {
  const auto code = static_cast<int32_t>(type);
  if (code < 1 || code > static_cast<int32_t>(std::size(kTable))) return nullptr;
  return &kTable[code - 1];
}

const DataTypeTraits& traits(DataType type) {
  return kTable[static_cast<int32_t>(type) - 1];
}

std::string_view name(DataType type) {
  const DataTypeTraits* found = find_traits(type);
  return found ? found->onnx_name : "undefined";
}

std::optional<DataType> find_data_type(std::string_view any_name) {
  for (const DataTypeTraits& row : kTable)
    if (any_name == row.onnx_name || any_name == row.numpy_name ||
        (!any_name.empty() && any_name == row.openvino_name))
      return row.type;
  return std::nullopt;
}

}  // namespace tesela
