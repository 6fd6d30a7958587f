// SPDX-License-Identifier: Apache-2.0
// PyTorch: where a node that its exporters wrote is not what the function computes.
#include "peers/match.h"

namespace tesela::peers {
namespace {

Attribute number(std::string name, int64_t value) {
  return {std::move(name), AttributeKind::kInt, value};
}

Attribute number(std::string name, float value) {
  return {std::move(name), AttributeKind::kFloat, value};
}

Attribute text(std::string name, std::string value) {
  return {std::move(name), AttributeKind::kString, std::move(value)};
}

bool is_half_pixel(const NodeView& node) {
  const CoordinateMode mode = node.sampling().coordinates;
  return mode == CoordinateMode::kPytorchHalfPixel || mode == CoordinateMode::kHalfPixel;
}

Match antialias_cubic(const NodeView& node) {
  if (!node.is(Operator::kResize) || !node.sampling().antialias || !node.is_cubic()) return std::nullopt;
  if (node.sampling().cubic_a == -0.5 && node.sampling().exclude_outside) return std::nullopt;
  return Match(effect_of(node, {number("cubic_coeff_a", -0.5f), number("exclude_outside", int64_t{1})}));
}

Match antialias_linear(const NodeView& node) {
  if (!node.is(Operator::kResize) || !node.sampling().antialias || node.is_cubic() || node.sampling().exclude_outside)
    return std::nullopt;
  return Match(effect_of(node, {number("exclude_outside", int64_t{1})}));
}

Match one_output(const NodeView& node) {
  if (!node.is(Operator::kResize) || node.sampling().coordinates != CoordinateMode::kPytorchHalfPixel)
    return std::nullopt;
  const bool has_one = any_axis(node, [](const AxisView& axis) { return axis.out == 1 && axis.in > 1; });
  if (!has_one) return std::nullopt;
  return when_it_shows(effect_of(node, {text("coordinate_transformation_mode", "half_pixel")}));
}

// PyTorch takes the input at the output's corner, or with nearest-exact at its centre.
Match nearest(const NodeView& node) {
  if (!node.has_modes() || !node.is_nearest() || !is_half_pixel(node)) return std::nullopt;
  return Match(effect_of(node, {text("coordinate_transformation_mode", "asymmetric"), text("nearest_mode", "floor")}));
}

Match antialias_corners(const NodeView& node) {
  return when(node.is(Operator::kResize) && node.sampling().antialias &&
              node.sampling().coordinates == CoordinateMode::kAlignCorners);
}

bool has_antialias(const NodeView& node) {
  return node.is(Operator::kResize) && node.sampling().antialias && !node.is_nearest();
}

Match antialias_scales(const NodeView& node) {
  return when(has_antialias(node) && node.by_scales() && has_unchanged_axis(node));
}

// It has a kernel of its own for images of up to four channels of uint8.
Match antialias_column(const NodeView& node) {
  if (!has_antialias(node) || node.rank() != size_t{4} || node.plan() == nullptr) return std::nullopt;
  const Extents& in = node.plan()->in;
  const Extents& out = node.plan()->out;
  const bool is_generic = node.type() != DataType::kUint8 || in[1] > 4;
  return when(is_generic && out[3] == 1 && out[2] > 1 && out[2] != in[2]);
}

Match three_bytes(const NodeView& node) {
  if (!node.is(Operator::kResize) || node.is_nearest() || node.type() != DataType::kUint8) return std::nullopt;
  if (node.rank() != size_t{4} || node.plan() == nullptr) return std::nullopt;
  const Extents& in = node.plan()->in;
  const Extents& out = node.plan()->out;
  return when(in[0] > 0 && in[1] == 3 && in[2] > 1 && out[2] == 1 && out[3] == 1);
}

constexpr Row kRows[] = {
    {"antialias-cubic", Kind::kMistake, "antialias with cubic_coeff_a other than -0.5, or without exclude_outside",
     "computes bicubic with antialias=True with a = -0.5, and without taps outside the input",
     "write cubic_coeff_a=-0.5 and exclude_outside=1 (tesela fix --meant pytorch)",
     "https://github.com/pytorch/pytorch/issues/177138", antialias_cubic},
    {"antialias-linear", Kind::kMistake, "antialias of linear without exclude_outside",
     "computes bilinear with antialias=True without taps outside the input",
     "write exclude_outside=1 (tesela fix --meant pytorch)", "https://github.com/microsoft/onnxscript/pull/2916",
     antialias_linear},
    {"antialias-corners", Kind::kMistake, "antialias with align_corners",
     "gives other results for antialias=True with align_corners=True", "",
     "https://github.com/microsoft/onnxscript/pull/2916", antialias_corners},
    {"antialias-scales", Kind::kMistake, "antialias with a scale that is not 1 and leaves an extent",
     "copies along this axis for antialias=True", "write 1 for this scale (tesela fix --meant pytorch)", kMeasured,
     antialias_scales},
    {"antialias-column", Kind::kOtherRule, "antialias to one column and several rows, where the number of rows changes",
     "gives all rows the value of the first one for antialias=True", "swap the last two axes before and after",
     kMeasured, antialias_column},
    {"three-bytes", Kind::kRefused, "uint8 of three channels and several rows to 1 x 1",
     "reports that an assertion failed", "", kMeasured, three_bytes},
    {"one-output", Kind::kMistake, "pytorch_half_pixel of an axis to 1",
     "takes the centre of the axis; the mode means its first input", "write half_pixel (tesela fix --meant pytorch)",
     "https://github.com/pytorch/pytorch/issues/79361", one_output},
    {"nearest", Kind::kMistake, "nearest with half_pixel",
     "takes the input at or below i * in / out in mode nearest; only its mode nearest-exact is half_pixel with "
     "round_prefer_ceil",
     "write asymmetric and floor where mode nearest is meant (tesela fix --meant pytorch)",
     "https://github.com/microsoft/onnxruntime/issues/28310", nearest},
};

}  // namespace

Peer pytorch() {
  return {"pytorch", "PyTorch", "2.15.0", kRows, true};
}

}  // namespace tesela::peers
