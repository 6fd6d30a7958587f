// SPDX-License-Identifier: Apache-2.0
// Reads the attributes of Constant: value, value_int(s), value_float(s), value_string(s), sparse_value.
#include "graph/constant.h"

#include <cstring>

namespace tesela {
namespace {

struct Form {
  std::string_view name;
  AttributeKind kind;
  int64_t since;  // the first opset that has it
};

constexpr Form kForms[] = {
    {"value", AttributeKind::kTensor, 1},         {"sparse_value", AttributeKind::kSparseTensor, 11},
    {"value_int", AttributeKind::kInt, 12},       {"value_ints", AttributeKind::kInts, 12},
    {"value_float", AttributeKind::kFloat, 12},   {"value_floats", AttributeKind::kFloats, 12},
    {"value_string", AttributeKind::kString, 12}, {"value_strings", AttributeKind::kStrings, 12},
};

const Form* find_form(std::string_view name) {
  for (const Form& form : kForms)
    if (form.name == name) return &form;
  return nullptr;
}

template <class T>
Result<Tensor> numbers(DataType type, const Extents& extents, std::span<const T> values) {
  TESELA_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(type, extents));
  if (!values.empty()) std::memcpy(tensor.mutable_data(), values.data(), values.size_bytes());
  return tensor;
}

template <class T>
Extents length_of(const std::vector<T>& values) {
  return {static_cast<int64_t>(values.size())};
}

Result<Tensor> read_value(const Attribute& attribute) {
  if (const auto* value = std::get_if<Tensor>(&attribute.value)) return *value;
  if (const auto* value = std::get_if<int64_t>(&attribute.value))
    return numbers<int64_t>(DataType::kInt64, {}, {value, 1});
  if (const auto* value = std::get_if<float>(&attribute.value)) return numbers<float>(DataType::kFloat, {}, {value, 1});
  if (const auto* values = std::get_if<std::vector<int64_t>>(&attribute.value))
    return numbers<int64_t>(DataType::kInt64, length_of(*values), *values);
  if (const auto* values = std::get_if<std::vector<float>>(&attribute.value))
    return numbers<float>(DataType::kFloat, length_of(*values), *values);
  if (const auto* value = std::get_if<std::string>(&attribute.value)) {
    const std::string_view text = *value;
    return Tensor::from_strings({}, {&text, 1});
  }
  if (const auto* values = std::get_if<std::vector<std::string>>(&attribute.value))
    return Tensor::from_strings(length_of(*values), std::vector<std::string_view>(values->begin(), values->end()));
  return attribute_error("attribute {} has no value", in_quotes(attribute.name));
}

}  // namespace

Result<Tensor> constant_value(const Node& node, int64_t opset) {
  if (!node.fault.ok()) return node.fault;
  if (node.attributes.size() != 1)
    return count_error("has {} attributes; expected exactly one, which is its value", node.attributes.size());
  const Attribute& attribute = node.attributes.front();
  const Form* form = find_form(attribute.name);
  if (form == nullptr || form->since > opset)
    return attribute_error("attribute {} is unknown in opset {}", in_quotes(attribute.name), opset);
  if (attribute.kind != form->kind)
    return type_error("attribute '{}' has type {}; expected {}", form->name, name(attribute.kind), name(form->kind));
  if (form->kind == AttributeKind::kSparseTensor)
    return unsupported_error("attribute 'sparse_value' holds a sparse tensor, which Tesela does not read");
  return read_value(attribute);
}

}  // namespace tesela
