// SPDX-License-Identifier: Apache-2.0
// Converts OpenVINO's element types and tensors to Tesela's.
#pragma once

#include <openvino/core/type/element_type.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/runtime/tensor.hpp>
#include <vector>

#include "tesela/tesela.hpp"

namespace tesela::openvino {

/// 0 for types that Tesela does not support: OpenVINO packs u1 in the opposite bit order, and u3 and u6 in planes.
tesela_dtype dtype_of(const ov::element::Type& type);

/// Whether Tesela's nodes support this type. An unknown type counts as supported.
bool is_supported(const ov::element::Type& type);

/// Whether the CPU plugin keeps the constant's values: it narrows wide types and misreads packed ones.
bool is_kept_by_cpu_plugin(const ov::op::v0::Constant& constant);

Shape extents_of(const ov::Shape& shape);

/// Any type except string.
View view_of(const ov::Tensor& tensor);
View view_of(const ov::op::v0::Constant& constant);
MutableView mutable_view_of(const ov::Tensor& tensor);

/// borrow_strings returns views of OpenVINO's strings; copy_strings copies strings back.
std::vector<tesela_string> borrow_strings(const ov::Tensor& tensor);
void copy_strings(const std::vector<tesela_string>& strings, const ov::Tensor& tensor);

}  // namespace tesela::openvino
