// SPDX-License-Identifier: Apache-2.0
// Short functions for operators, attributes and inputs in tests.
#pragma once

#include <cstring>

#include "schema/infer.h"

namespace tesela {

/// An operator of ONNX's domain.
inline OpDesc make_op(std::string_view type, int64_t opset, std::vector<Attribute> attributes = {},
                      std::string node = "") {
  return {*find_schema("", type, opset), std::move(node), std::move(attributes)};
}

inline Attribute text(std::string name, std::string value) {
  return {std::move(name), AttributeKind::kString, std::move(value)};
}
inline Attribute integer(std::string name, int64_t value) {
  return {std::move(name), AttributeKind::kInt, value};
}
inline Attribute number(std::string name, float value) {
  return {std::move(name), AttributeKind::kFloat, value};
}
inline Attribute list(std::string name, std::vector<int64_t> values) {
  return {std::move(name), AttributeKind::kInts, std::move(values)};
}

template <class T>
Tensor make_tensor(DataType type, const std::vector<T>& values, Extents extents) {
  Tensor tensor = *Tensor::allocate(type, std::move(extents));
  if (!values.empty()) std::memcpy(tensor.mutable_data(), values.data(), values.size() * sizeof(T));
  return tensor;
}

/// An input with known type and extents.
inline TensorInfo shaped(const Extents& extents, DataType type = DataType::kFloat) {
  TensorInfo info = {type, Dims(), {}, {}};
  for (const int64_t extent : extents) info.dims->push_back({extent, ""});
  return info;
}

/// A vector with a known value.
template <class T>
TensorInfo constant(DataType type, const std::vector<T>& values) {
  const Extents extents = {static_cast<int64_t>(values.size())};
  TensorInfo info = shaped(extents, type);
  info.constant = make_tensor(type, values, extents);
  return info;
}
inline TensorInfo ints(const std::vector<int64_t>& values) {
  return constant(DataType::kInt64, values);
}
inline TensorInfo floats(const std::vector<float>& values) {
  return constant(DataType::kFloat, values);
}

}  // namespace tesela
