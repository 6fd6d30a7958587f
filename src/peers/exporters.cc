// SPDX-License-Identifier: Apache-2.0
// Exporters and converters: nodes that are legal, but probably not what the source meant.
#include <cmath>

#include "peers/match.h"

namespace tesela::peers {
namespace {

Attribute text(std::string name, std::string value) {
  return {std::move(name), AttributeKind::kString, std::move(value)};
}

// Version 10 has one mode, asymmetric; of later ones half_pixel is the default. Exporters write the mode.
Match converted_from_10(const NodeView& node) {
  if (!node.has_modes() || node.op().find("coordinate_transformation_mode") != nullptr || node.is_cubic() ||
      !node.may_resize())
    return std::nullopt;
  std::vector<Attribute> old = {text("coordinate_transformation_mode", "asymmetric")};
  if (node.is_nearest()) old.push_back(text("nearest_mode", "floor"));
  return Match(effect_of(node, std::move(old)));
}

// A ratio of extents, rounded to float, that no short decimal gives.
bool is_ratio(const AxisView& axis) {
  if (axis.in <= 0 || !axis.scale) return false;
  const float product = *axis.scale * static_cast<float>(axis.in);
  const auto out = static_cast<int64_t>(std::lround(product));
  return static_cast<float>(out) / static_cast<float>(axis.in) == *axis.scale && axis.out != out;
}

Match ratio_scales(const NodeView& node) {
  return when(node.resamples() && node.by_scales() && any_axis(node, is_ratio));
}

// TensorFlow takes the input at the output's centre.
Match tensorflow_nearest(const NodeView& node) {
  if (!node.has_modes() || !node.is_nearest() || !is_mode(node, {CoordinateMode::kHalfPixel}) ||
      node.sampling().nearest != NearestMode::kFloor)
    return std::nullopt;
  return when_it_shows(effect_of(node, {text("nearest_mode", "round_prefer_ceil")}));
}

constexpr Row kRows[] = {
    {"converted-from-10", Kind::kMistake, "Resize of opset 11 or later without coordinate_transformation_mode",
     "leave the attribute out when they convert from opset 10, where positions are asymmetric; without it they are "
     "half_pixel",
     "write asymmetric, and nearest_mode floor, if the model came from opset 10 (tesela fix --meant opset10)",
     "https://github.com/onnx/onnx/issues/8480", converted_from_10},
    {"tensorflow-nearest", Kind::kMistake, "nearest with half_pixel and floor",
     "write this for TensorFlow's nearest (tf2onnx, of ResizeNearestNeighbor), which takes the input at the centre",
     "write round_prefer_ceil for what TensorFlow computes (tesela fix --meant tensorflow)",
     "https://github.com/onnx/tensorflow-onnx/blob/6537fcb2ee9868f7446a278dc1473915cdec5d45/tf2onnx/onnx_opset/nn.py",
     tensorflow_nearest},
    {"ratio-scales", Kind::kMistake, "scales that are ratios of extents, rounded to float",
     "mean the extent of the ratio; the standard rounds the product down, to one less",
     "give sizes (tesela fix --meant pytorch); or extents=host in Tesela", kMeasured, ratio_scales},
};

}  // namespace

Peer exporters() {
  return {"exporters", "Exporters and converters", "onnx 1.23.2", kRows, true};
}

}  // namespace tesela::peers
