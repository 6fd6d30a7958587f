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

Match antialias_scales(const NodeView& node) {
  return when(node.is(Operator::kResize) && node.sampling().antialias && has_fractional_scales(node));
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
    {"antialias-scales", Kind::kMistake, "antialias with scales that give no whole extents",
     "gives other results for antialias=True with scale_factor", "give size instead of scale_factor",
     "https://github.com/microsoft/onnxscript/pull/2916", antialias_scales},
    {"one-output", Kind::kMistake, "pytorch_half_pixel of an axis to 1",
     "takes the centre of the axis; the mode means its first input", "write half_pixel (tesela fix --meant pytorch)",
     "https://github.com/pytorch/pytorch/issues/79361", one_output},
    {"nearest", Kind::kMistake, "nearest with half_pixel",
     "takes the input at or below i * in / out in mode nearest; only its mode nearest-exact is half_pixel with "
     "round_prefer_ceil",
     "write asymmetric and floor where mode nearest is meant", "https://github.com/microsoft/onnxruntime/issues/28310",
     nearest},
};

}  // namespace

Peer pytorch() {
  return {"pytorch", "PyTorch", "2.15.0", kRows, true};
}

}  // namespace tesela::peers
