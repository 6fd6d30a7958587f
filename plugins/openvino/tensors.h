// OpenVINO's element types and tensors as Tesela sees them.
#pragma once

#include <openvino/core/type/element_type.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/runtime/tensor.hpp>
#include <vector>

#include "tesela/tesela.hpp"

namespace tesela::openvino {

/// 0 for a type whose elements Tesela does not move: OpenVINO packs u1 the other way round, and u3 and u6 in
/// planes.
tesela_dtype dtype_of(const ov::element::Type& type);

/// Whether a tensor of this type is nodes' own to work on. A type that is not known yet counts as one.
bool is_ours(const ov::element::Type& type);

/// Whether the CPU plugin, which makes constants of wide types narrow and misreads packed ones, leaves its
/// values be.
bool survives_as_constant(const ov::op::v0::Constant& constant);

Shape extents_of(const ov::Shape& shape);

/// Every type but string.
View view_of(const ov::Tensor& tensor);
View view_of(const ov::op::v0::Constant& constant);
MutableView mutable_view_of(const ov::Tensor& tensor);

/// Strings as views of what OpenVINO holds, and back as copies.
std::vector<tesela_string> borrow_strings(const ov::Tensor& tensor);
void copy_strings(const std::vector<tesela_string>& strings, const ov::Tensor& tensor);

}  // namespace tesela::openvino
