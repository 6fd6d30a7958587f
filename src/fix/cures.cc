// SPDX-License-Identifier: Apache-2.0
// Cures.
#include "fix/cures.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "fix/pytorch_cures.h"
#include "fix/upgrade.h"

namespace tesela::fix {
namespace {

using peers::AxisView;

// ---- When ----------------------------------------------------------------------------------------------------------

bool uses_withdrawn(const Situation& node, std::string_view) {
  const OpDesc& op = node.call.op;
  return node.view.has_modes() && node.view.version() > 11 &&
         op.is("coordinate_transformation_mode", CoordinateMode::kTfHalfPixelForNn);
}

bool has_host_extents(const Situation& node, std::string_view) {
  if (node.view.op().extents != ExtentRule::kHost || !node.view.by_scales()) return false;
  return std::ranges::any_of(node.view.axes(), [](const AxisView& axis) {
    if (axis.in < 0 || !axis.scale) return false;
    const Result<int64_t> standard = scaled_extent(axis.in, *axis.scale, axis.axis, ExtentRule::kStandard);
    return standard.ok() && *standard != axis.out;
  });
}

// Scales whose products are whole mean the same as sizes, and some runtimes accept only one of them.
bool has_whole_scales(const Situation& node, std::string_view) {
  if (!node.view.has_modes() || !node.view.by_scales() || node.view.axes().empty()) return false;
  if (node.view.op().extents != ExtentRule::kStandard || !node.view.plan()) return false;
  return std::ranges::all_of(node.view.axes(), [](const AxisView& axis) {
    return axis.scale &&
           static_cast<double>(*axis.scale) * static_cast<double>(axis.in) == static_cast<double>(axis.out);
  });
}

// ---- What ----------------------------------------------------------------------------------------------------------

Result<Call> without_withdrawn(const Situation& node) {
  Call call = node.call;
  TESELA_RETURN_IF_ERROR(replace_for_nn(call.op));
  return call;
}

Result<Call> exclude_outside(const Situation& node) {
  Call call = node.call;
  set_attribute(call.op, int_attribute("exclude_outside", 1));
  return call;
}

Result<Call> pytorch_bicubic(const Situation& node) {
  TESELA_ASSIGN_OR_RETURN(Call call, exclude_outside(node));
  set_attribute(call.op, float_attribute("cubic_coeff_a", -0.5f));
  return call;
}

Result<Call> half_pixel(const Situation& node) {
  Call call = node.call;
  set_attribute(call.op, text_attribute("coordinate_transformation_mode", "half_pixel"));
  return call;
}

Result<Call> tensorflow_nearest(const Situation& node) {
  Call call = node.call;
  set_attribute(call.op, text_attribute("nearest_mode", "round_prefer_ceil"));
  return call;
}

Result<Call> as_in_opset_10(const Situation& node) {
  Call call = node.call;
  set_attribute(call.op, text_attribute("coordinate_transformation_mode", "asymmetric"));
  if (node.view.is_nearest()) set_attribute(call.op, text_attribute("nearest_mode", "floor"));
  return call;
}

Result<Call> with_sizes(const Situation& node, std::span<const int64_t> sizes) {
  if (!node.view.has_modes())
    return unsupported_error("only Resize of opset 11 or later has sizes; --opset 11 makes it one");
  Call call = node.call;
  call.inputs.resize(4);
  // Version 11 requires scales, which may be empty.
  call.inputs[2] = node.view.version() < 13 ? CallInput{{}, floats({})} : CallInput();
  call.inputs[3] = {{}, int64s(sizes)};
  return call;
}

Result<Call> sizes_of_outputs(const Situation& node) {
  std::vector<int64_t> sizes;
  for (const AxisView& axis : node.view.axes()) sizes.push_back(axis.out);
  if (std::ranges::any_of(sizes, [](int64_t size) { return size < 0; }))
    return shape_error("the extents of its input are not known");
  return with_sizes(node, sizes);
}

// The extents whose ratios the scales are.
Result<Call> sizes_of_ratios(const Situation& node) {
  std::vector<int64_t> sizes;
  for (const AxisView& axis : node.view.axes()) {
    if (axis.in <= 0 || !axis.scale) return shape_error("the extents of its input are not known");
    const float product = *axis.scale * static_cast<float>(axis.in);
    const auto size = product < 0x1p31f ? static_cast<int64_t>(std::lround(product)) : int64_t{-1};
    if (size < 0 || static_cast<float>(size) / static_cast<float>(axis.in) != *axis.scale)
      return value_error("axis {}: scale {} of extent {} is not a ratio of two extents", axis.axis, *axis.scale,
                         axis.in);
    sizes.push_back(size);
  }
  return with_sizes(node, sizes);
}

}  // namespace

bool in_catalogue(const Situation& node, std::string_view rule) {
  const peers::Row* row = peers::find_row(rule);
  return row != nullptr && row->match(node.view).has_value();
}

std::span<const Meaning> all_meanings() {
  static constexpr std::array kMeanings = {
      Meaning{"pytorch", "what PyTorch computes, whose exporters wrote the nodes"},
      Meaning{"tensorflow", "what TensorFlow computes, of nodes by tf2onnx"},
      Meaning{"opset10", "what version 10 computes, of nodes that onnx's converter took from there"},
  };
  return kMeanings;
}

std::span<const Cure> all_cures() {
  static constexpr std::array kCures = {
      Cure{"standard/withdrawn", "", uses_withdrawn, without_withdrawn},
      Cure{"pytorch/antialias-cubic", "pytorch", in_catalogue, pytorch_bicubic},
      Cure{"pytorch/antialias-linear", "pytorch", in_catalogue, exclude_outside},
      Cure{"pytorch/antialias-corners", "pytorch", in_catalogue, pytorch_corners},
      Cure{"pytorch/antialias-scales", "pytorch", in_catalogue, pytorch_scales},
      Cure{"pytorch/nearest", "pytorch", means_nearest, pytorch_nearest},
      Cure{"pytorch/one-output", "pytorch", in_catalogue, half_pixel},
      Cure{"exporters/tensorflow-nearest", "tensorflow", in_catalogue, tensorflow_nearest},
      Cure{"exporters/converted-from-10", "opset10", in_catalogue, as_in_opset_10},
      Cure{"exporters/ratio-scales", "pytorch", in_catalogue, sizes_of_ratios},
      Cure{"onnxruntime/extents", "extents", has_host_extents, sizes_of_outputs},
      Cure{"tesela/sizes", "", has_whole_scales, sizes_of_outputs},
  };
  return kCures;
}

}  // namespace tesela::fix
