// SPDX-License-Identifier: Apache-2.0
// Converts the storage forms of TensorProto.
#include "model/onnx_tensor.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>

#include "model/tensor_bytes.h"

namespace tesela {
namespace {

/// The repeated field with a type's elements, used instead of raw_data.
enum class Field { kFloats, kInt32s, kStrings, kInt64s, kDoubles, kUint64s };

struct FieldUse {
  Field field;
  std::string_view name;
  size_t entries;
};

std::array<FieldUse, 6> typed_fields(const TensorFields& fields) {
  return {{{Field::kFloats, "float_data", fields.floats.size()},
           {Field::kInt32s, "int32_data", fields.int32s.size()},
           {Field::kStrings, "string_data", fields.strings.size()},
           {Field::kInt64s, "int64_data", fields.int64s.size()},
           {Field::kDoubles, "double_data", fields.doubles.size()},
           {Field::kUint64s, "uint64_data", fields.uint64s.size()}}};
}

Field field_of(const DataTypeTraits& type) {
  switch (type.kind) {
    case DataKind::kText: return Field::kStrings;
    case DataKind::kComplex: return type.bits == 64 ? Field::kFloats : Field::kDoubles;
    case DataKind::kFloating:
      if (type.bits == 64) return Field::kDoubles;
      return type.bits == 32 ? Field::kFloats : Field::kInt32s;
    case DataKind::kSigned: return type.bits == 64 ? Field::kInt64s : Field::kInt32s;
    case DataKind::kUnsigned: return type.bits >= 32 ? Field::kUint64s : Field::kInt32s;
    case DataKind::kBoolean: break;
  }
  return Field::kInt32s;
}

struct Range {
  int64_t lowest;
  int64_t highest;
};

// int32_data has values of integers, bit patterns of floats, and whole bytes of packed elements.
Range int32_range(const DataTypeTraits& type) {
  if (type.bits < 8) return {0, 255};
  if (type.kind == DataKind::kBoolean) return {0, 1};
  if (type.kind == DataKind::kSigned) return {-(int64_t{1} << (type.bits - 1)), (int64_t{1} << (type.bits - 1)) - 1};
  return {0, (int64_t{1} << type.bits) - 1};
}

template <class T>
Result<Tensor> copied(DataType type, Extents extents, const std::vector<T>& values) {
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(type, std::move(extents)));
  if (!values.empty()) std::memcpy(tensor.mutable_data(), values.data(), values.size() * sizeof(T));
  return tensor;
}

// The low bytes of each entry; the value must fit them.
template <class T>
Result<Tensor> narrowed(DataType type, Extents extents, const std::vector<T>& values, Range range,
                        std::string_view field) {
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(type, std::move(extents)));
  const auto width = static_cast<size_t>(std::max(element_bits(type), 8) / 8);
  for (size_t i = 0; i < values.size(); ++i) {
    if (std::cmp_less(values[i], range.lowest) || std::cmp_greater(values[i], range.highest))
      return value_error("{}[{}] is {}; expected {} to {} for {}", field, i, values[i], range.lowest, range.highest,
                         name(type));
    std::memcpy(tensor.mutable_data() + i * width, &values[i], width);
  }
  return tensor;
}

Result<Tensor> string_tensor(Extents extents, const TensorFields& fields, const TensorSource& source) {
  if (!source.borrow) return Tensor::from_strings(std::move(extents), fields.strings);
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(DataType::kString, std::move(extents)));
  auto* refs = reinterpret_cast<StringRef*>(tensor.mutable_data());
  for (size_t i = 0; i < fields.strings.size(); ++i) refs[i] = {fields.strings[i].data(), fields.strings[i].size()};
  tensor.keep(source.owner);
  return tensor;
}

Result<Tensor> typed_tensor(const DataTypeTraits& type, Extents extents, const TensorFields& fields,
                            const TensorSource& source) {
  switch (field_of(type)) {
    case Field::kFloats: return copied(type.type, std::move(extents), fields.floats);
    case Field::kDoubles: return copied(type.type, std::move(extents), fields.doubles);
    case Field::kInt64s: return copied(type.type, std::move(extents), fields.int64s);
    case Field::kStrings: return string_tensor(std::move(extents), fields, source);
    case Field::kUint64s:
      if (type.bits == 64) return copied(type.type, std::move(extents), fields.uint64s);
      return narrowed(type.type, std::move(extents), fields.uint64s, {0, UINT32_MAX}, "uint64_data");
    case Field::kInt32s: break;
  }
  TESELA_ASSIGN_OR_RETURN(Tensor tensor,
                          narrowed(type.type, std::move(extents), fields.int32s, int32_range(type), "int32_data"));
  return type.bits < 8 ? tensor_over_bytes(type.type, tensor.extents(),
                                           {tensor.data(), static_cast<size_t>(tensor.bytes())}, tensor.storage(), true)
                       : tensor;
}

Result<Tensor> external_tensor(DataType type, Extents extents, int64_t bytes, const TensorFields& fields,
                               const TensorSource& source) {
  if (source.external == nullptr)
    return unsupported_error("its data is in another file, which only a model's tensors may have");
  if (type == DataType::kString) return parse_error("its strings are in another file, which ONNX does not allow");
  TESELA_ASSIGN_OR_RETURN(const ExternalPlace place, parse_external(fields.external));
  TESELA_ASSIGN_OR_RETURN(const FileBytes found,
                          source.external->find(place, bytes, borrowed_alignment(type, extents)));
  return tensor_over_bytes(type, std::move(extents), found.bytes, found.owner, true);
}

Result<Tensor> raw_tensor(DataType type, Extents extents, int64_t bytes, const TensorFields& fields,
                          const TensorSource& source) {
  const auto raw = std::as_bytes(std::span(*fields.raw));
  if (type == DataType::kString) return parse_error("its strings are in raw_data; expected string_data");
  if (std::cmp_not_equal(raw.size(), bytes))
    return parse_error("raw_data has {} bytes; a {} tensor of shape {} has {}", raw.size(), name(type),
                       shape_text(extents), bytes);
  return tensor_over_bytes(type, std::move(extents), raw, source.owner, source.borrow);
}

// The field that has the data. More than one is an error: readers could choose different ones.
Result<std::optional<FieldUse>> used_field(const TensorFields& fields) {
  std::optional<FieldUse> used;
  for (const FieldUse& field : typed_fields(fields)) {
    if (field.entries == 0) continue;
    if (used) return parse_error("has both {} and {}; expected one", used->name, field.name);
    used = field;
  }
  const bool has_raw = fields.raw && !fields.raw->empty();
  if (used && has_raw) return parse_error("has both {} and raw_data; expected one", used->name);
  if (fields.is_external && (used || has_raw))
    return parse_error("has both {} and external data; expected one", used ? used->name : "raw_data");
  return used;
}

Status check_entries(const DataTypeTraits& type, int64_t count, int64_t bytes, const std::optional<FieldUse>& used) {
  const bool complex = type.kind == DataKind::kComplex;
  // A complex tensor of n bytes has n / width numbers, so doubling the count cannot overflow.
  const int64_t expected = type.bits < 8 ? bytes : complex ? count * 2 : count;
  if (!used && expected == 0) return {};
  const Field field = field_of(type);
  const std::string_view expected_name = typed_fields({})[static_cast<size_t>(field)].name;
  if (!used)
    return parse_error("has no data; expected {} entries in {} or {} bytes in raw_data", expected, expected_name,
                       bytes);
  if (used->field != field)
    return parse_error("has {}; expected {} or raw_data for {}", used->name, expected_name, type.onnx_name);
  if (std::cmp_not_equal(used->entries, expected))
    return parse_error("{} has length {}; expected {}", used->name, used->entries, expected);
  return {};
}

// StringStringEntryProto.
std::pair<std::string_view, std::string_view> read_text_pair(std::string_view message, PbPosition& position) {
  std::pair<std::string_view, std::string_view> pair;
  PbFields in(message, position);
  while (in.next()) {
    switch (in.key()) {
      case pb_bytes(1): pair.first = in.view(); break;
      case pb_bytes(2): pair.second = in.view(); break;
      default: in.skip();
    }
  }
  return pair;
}

}  // namespace

void read_tensor_fields(std::string_view message, PbPosition& position, TensorFields& fields) {
  PbFields in(message, position);
  while (in.next()) {
    switch (in.key()) {
      case pb_varint(1):
      case pb_bytes(1): in.append_varints(fields.dims); break;
      case pb_varint(2): fields.data_type = in.int32(); break;
      case pb_bytes(3):
        fields.is_segment = true;
        in.skip();
        break;
      case pb_fixed32(4):
      case pb_bytes(4): in.append_floats(fields.floats); break;
      case pb_varint(5):
      case pb_bytes(5): in.append_varints(fields.int32s); break;
      case pb_bytes(6): fields.strings.push_back(in.view()); break;
      case pb_varint(7):
      case pb_bytes(7): in.append_varints(fields.int64s); break;
      case pb_bytes(8): fields.name = in.view(); break;
      case pb_bytes(9): fields.raw = in.view(); break;
      case pb_fixed64(10):
      case pb_bytes(10): in.append_doubles(fields.doubles); break;
      case pb_varint(11):
      case pb_bytes(11): in.append_varints(fields.uint64s); break;
      case pb_bytes(13): fields.external.push_back(read_text_pair(in.view(), position)); break;
      case pb_varint(14): fields.is_external = in.int32() == 1; break;
      default: in.skip();
    }
  }
}

Result<Tensor> make_tensor(const TensorFields& fields, const TensorSource& source) {
  const auto type = static_cast<DataType>(fields.data_type);
  const DataTypeTraits* row = find_traits(type);
  if (row == nullptr) return type_error("data_type is {}; expected 1 to {}", fields.data_type, all_data_types().size());
  if (fields.is_segment) return unsupported_error("is a segment of a tensor; expected a whole one");
  if (std::cmp_greater(fields.dims.size(), source.limits.max_rank))
    return limit_error("has {} dims; the limit is {}", fields.dims.size(), source.limits.max_rank);
  Extents extents{std::span<const int64_t>(fields.dims)};
  TESELA_ASSIGN_OR_RETURN(const int64_t count, element_count(extents));
  TESELA_ASSIGN_OR_RETURN(const int64_t bytes, byte_count(type, extents));
  TESELA_ASSIGN_OR_RETURN(const std::optional<FieldUse> used, used_field(fields));
  if (fields.is_external) return external_tensor(type, std::move(extents), bytes, fields, source);
  const bool empty_strings = type == DataType::kString && fields.raw && fields.raw->empty();
  if (fields.raw && !used && !empty_strings) return raw_tensor(type, std::move(extents), bytes, fields, source);
  TESELA_RETURN_IF_ERROR(check_entries(*row, count, bytes, used));
  return typed_tensor(*row, std::move(extents), fields, source);
}

}  // namespace tesela
