// SPDX-License-Identifier: Apache-2.0
// Converts OpenVINO's element types and tensors to Tesela's.
#include "tensors.h"

#include <algorithm>

namespace tesela::openvino {
namespace {

using ov::op::v0::Constant;

template <class T>
bool all(const Constant& constant, bool (*keeps)(T)) {
  const T* const elements = constant.get_data_ptr<T>();
  return std::all_of(elements, elements + ov::shape_size(constant.get_shape()), keeps);
}

}  // namespace

tesela_dtype dtype_of(const ov::element::Type& type) {
  // nf4 elements are 4-bit codes.
  if (type == ov::element::nf4) return TESELA_UINT4;
  return dtype_from_name(type.get_type_name());
}

bool is_supported(const ov::element::Type& type) {
  return type.is_dynamic() || dtype_of(type) != 0;
}

bool is_kept_by_cpu_plugin(const Constant& constant) {
  const ov::element::Type type = constant.get_element_type();
  if (type.bitwidth() < 8) return false;
  if (type == ov::element::i64) return all<int64_t>(constant, [](int64_t v) { return v == static_cast<int32_t>(v); });
  if (type == ov::element::u64) return all<uint64_t>(constant, [](uint64_t v) { return v <= INT32_MAX; });
  if (type == ov::element::u32) return all<uint32_t>(constant, [](uint32_t v) { return v <= INT32_MAX; });
  if (type == ov::element::f64)
    return all<double>(constant, [](double v) { return v == static_cast<double>(static_cast<float>(v)); });
  return true;
}

Shape extents_of(const ov::Shape& shape) {
  Shape extents;
  for (const size_t extent : shape) extents.push_back(static_cast<int64_t>(extent));
  return extents;
}

View view_of(const ov::Tensor& tensor) {
  return View(tensor.data(), dtype_of(tensor.get_element_type()), extents_of(tensor.get_shape()));
}

View view_of(const Constant& constant) {
  return View(constant.get_data_ptr(), dtype_of(constant.get_element_type()), extents_of(constant.get_shape()));
}

MutableView mutable_view_of(const ov::Tensor& tensor) {
  return MutableView(const_cast<void*>(tensor.data()), dtype_of(tensor.get_element_type()),
                     extents_of(tensor.get_shape()));
}

std::vector<tesela_string> borrow_strings(const ov::Tensor& tensor) {
  std::vector<tesela_string> strings;
  const std::string* const elements = tensor.data<const std::string>();
  for (size_t i = 0; i < tensor.get_size(); ++i) strings.push_back(string_element(elements[i]));
  return strings;
}

void copy_strings(const std::vector<tesela_string>& strings, const ov::Tensor& tensor) {
  std::string* const elements = const_cast<std::string*>(tensor.data<const std::string>());
  for (size_t i = 0; i < strings.size(); ++i) elements[i] = text(strings[i]);
}

}  // namespace tesela::openvino
