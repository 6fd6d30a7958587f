// SPDX-License-Identifier: Apache-2.0
// Converts OpenVINO's partial shapes for Tesela's shape inference.
#include "shapes.h"

#include <cstring>
#include <memory>
#include <numeric>
#include <openvino/op/broadcast.hpp>
#include <openvino/op/constant.hpp>
#include <openvino/op/interpolate.hpp>
#include <openvino/op/parameter.hpp>
#include <string>

namespace tesela::openvino {

using ov::op::v0::Constant;

std::optional<std::vector<Dim>> Extents::dims_of(const ov::PartialShape& shape) {
  if (shape.rank().is_dynamic()) return std::nullopt;
  std::vector<Dim> dims;
  for (const ov::Dimension& dim : shape) {
    if (dim.is_static()) {
      dims.emplace_back(dim.get_length());
    } else {
      dims.emplace_back(std::string_view(std::to_string(named_.size())));
      named_.push_back(dim);
    }
  }
  return dims;
}

ov::PartialShape Extents::shape_of(const TensorInfo& info) const {
  if (!info.dims) return ov::PartialShape::dynamic();
  ov::PartialShape shape;
  for (const Dim& dim : *info.dims) {
    if (dim.known())
      shape.push_back(ov::Dimension(dim.value));
    else
      shape.push_back(dim.symbol.empty() ? ov::Dimension() : named_.at(std::stoul(dim.symbol)));
  }
  return shape;
}

// OpenVINO has no public interface for evaluating values at shape inference, but nodes with shapes that depend on them
// do it.

ov::PartialShape entries_of(const ov::Output<ov::Node>& list) {
  const bool is_list = list.get_element_type().is_integral_number() && list.get_partial_shape().rank() == 1;
  if (!is_list) return ov::PartialShape::dynamic();
  try {
    const auto element = std::make_shared<Constant>(ov::element::u8, ov::Shape{}, 0);
    return ov::op::v3::Broadcast(element, list).get_output_partial_shape(0);
  } catch (const std::exception&) {
    return ov::PartialShape::dynamic();  // entries that are not extents; the plan reports the error
  }
}

ov::Tensor value_of(const ov::Output<ov::Node>& list) {
  const ov::PartialShape& shape = list.get_partial_shape();
  if (!list.get_element_type().is_real() || shape.rank() != 1 || shape.is_dynamic()) return {};
  std::vector<int64_t> axes(static_cast<size_t>(shape[0].get_length()));
  std::iota(axes.begin(), axes.end(), 0);
  ov::op::util::InterpolateBase::InterpolateAttrs attributes;
  attributes.mode = ov::op::util::InterpolateBase::InterpolateMode::NEAREST;
  attributes.shape_calculation_mode = ov::op::util::InterpolateBase::ShapeCalcMode::SCALES;
  try {
    const auto image = std::make_shared<ov::op::v0::Parameter>(
        ov::element::f32, ov::PartialShape(std::vector<ov::Dimension>(axes.size(), 1)));
    const auto all = std::make_shared<Constant>(ov::element::i64, ov::Shape{axes.size()}, axes);
    ov::op::v11::Interpolate(image, list, all, attributes);
  } catch (const std::exception&) {
    return {};  // not valid scales; the plan reports the error
  }
  const ov::Tensor lower = list.get_tensor().get_lower_value();
  const ov::Tensor upper = list.get_tensor().get_upper_value();
  const bool known = lower && upper && lower.get_byte_size() == upper.get_byte_size() &&
                     std::memcmp(lower.data(), upper.data(), lower.get_byte_size()) == 0;
  return known ? lower : ov::Tensor();
}

}  // namespace tesela::openvino
