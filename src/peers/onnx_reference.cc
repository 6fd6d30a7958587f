// SPDX-License-Identifier: Apache-2.0
// onnx's reference evaluator. tests/conformance/test_catalogue.py compares the rows with it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "peers/match.h"
#include "plan/emulation/onnx_reference.h"

namespace tesela::peers {
namespace {

using enum DataType;

// It computes nothing else.
Match when_resize_resizes(const NodeView& node, bool holds) {
  return when_resized(node, holds && node.is(Operator::kResize));
}

Match old_version(const NodeView& node) {
  return when((node.is(Operator::kTile) && node.version() < 6) || (node.is(Operator::kResize) && node.version() == 10));
}

Match lacks_scales_and_sizes(const NodeView& node) {
  if (!node.is(Operator::kResize) || node.has_input("scales") || node.has_input("sizes")) return std::nullopt;
  return when((node.input("scales") == nullptr && node.input("sizes") == nullptr) ||
              node.policy() != AspectPolicy::kStretch);
}

// It repeats elements.
Match upsample(const NodeView& node) {
  if (!node.is(Operator::kUpsample)) return std::nullopt;
  const bool repeats = node.is_nearest() && !any_axis(node, [](const AxisView& axis) {
                         return axis.scale && *axis.scale != std::floor(*axis.scale);
                       });
  return when(node.version() < 9 || !repeats);
}

Match integers(const NodeView& node) {
  return when_resize_resizes(node, !node.is_nearest() && kIntegers.contains(node.type()));
}

Match negative_axes(const NodeView& node) {
  return when(node.is(Operator::kResize) && any_axis(node, is_negative));
}

Match type(const NodeView& node) {
  return when(node.is(Operator::kResize) && TypeSet{kBool, kString}.contains(node.type()));
}

Match nn_mode(const NodeView& node) {
  return when_resize_resizes(node, node.sampling().coordinates == CoordinateMode::kTfHalfPixelForNn);
}

Match missing_roi(const NodeView& node) {
  return when_resize_resizes(node, node.crops() && !node.has_input("roi"));
}

Match roi_type(const NodeView& node) {
  const TensorInfo* roi = node.input("roi");
  return when(node.is(Operator::kResize) && node.crops() && roi != nullptr && roi->type == kFloat16);
}

bool has_one_output(const NodeView& node) {
  return any_axis(node, [](const AxisView& axis) { return axis.out == 1 && axis.is_resized(); });
}

Match one_output(const NodeView& node) {
  const bool counts = node.sampling().coordinates == CoordinateMode::kPytorchHalfPixel || node.crops();
  return when(node.is(Operator::kResize) && counts && has_one_output(node));
}

Match complex(const NodeView& node) {
  return when(node.is(Operator::kResize) && TypeSet{kComplex64, kComplex128}.contains(node.type()));
}

Match nearest_weights(const NodeView& node) {
  return when(node.is(Operator::kResize) && node.is_nearest() && node.sampling().exclude_outside);
}

Match wide_integers(const NodeView& node) {
  return when(node.is(Operator::kResize) && TypeSet{kInt64, kUint64}.contains(node.type()));
}

Match policy(const NodeView& node) {
  if (!node.is(Operator::kResize) || !node.by_sizes() || node.policy() == AspectPolicy::kStretch) return std::nullopt;
  return when(node.plan() != nullptr && any_axis(node, [](const AxisView& axis) { return axis.in > 0; }));
}

// What it computes with along the axis of a pass; empty if the scale is unknown.
std::optional<OnnxReferenceAxis> axis_of(const NodeView& node, const Pass& pass) {
  const AxisMap& map = pass.map;
  for (const AxisView& axis : node.axes()) {
    if (axis.axis != pass.axis || !axis.scale) continue;
    const double scale =
        node.by_sizes() ? static_cast<double>(map.out) / static_cast<double>(map.in) : static_cast<double>(*axis.scale);
    return OnnxReferenceAxis{pass.axis, map.in, map.out, scale, map.roi_start, map.roi_end};
  }
  return std::nullopt;
}

DataType roi_type_of(const NodeView& node) {
  return node.input("roi") != nullptr ? node.input("roi")->type : kFloat;
}

bool is_just_above(double x, double whole) {
  return x > whole && x < whole + 1e-6;
}

// Whether it takes the input before for output i, which it puts at x.
bool is_shifted(const AxisMap& map, double x, int64_t i) {
  if (map.crops()) return x > 0 && x < static_cast<double>(map.in - 1) && is_just_above(x, std::floor(x));
  const Int128 numerator = exact::numerator(map.num0, map.step, i);
  if (numerator % map.den != 0) return false;
  const auto whole = static_cast<double>(static_cast<int64_t>(numerator / map.den));
  const bool floors = map.sampling.filter == Filter::kNearest && map.sampling.nearest == NearestMode::kFloor;
  return is_just_above(x, whole) || (floors && x < whole);
}

int64_t shifted_outputs(const AxisMap& map, const OnnxReferenceAxis& axis, DataType roi) {
  int64_t shifted = 0;
  for (int64_t i = 0; i < std::min(map.out, kMostOutputs); ++i)
    shifted += is_shifted(map, onnx_reference_position(axis, map.sampling, roi, i), i);
  return shifted;
}

Match rounded_positions(const NodeView& node) {
  if (!node.is(Operator::kResize) || node.plan() == nullptr) return std::nullopt;
  std::string text;
  for (const Pass& pass : node.passes_to_compare()) {
    const std::optional<OnnxReferenceAxis> axis = axis_of(node, pass);
    if (!axis || (pass.map.positions != AxisMap::Positions::kRational && !node.crops())) continue;
    const int64_t shifted = shifted_outputs(pass.map, *axis, roi_type_of(node));
    if (shifted > 0)
      text += fmt::format("{}axis {}: {} outputs take the input before", text.empty() ? "" : "; ", pass.axis, shifted);
  }
  return when_it_shows(std::move(text));
}

Match zero_weights(const NodeView& node) {
  return when_resize_resizes(node, when_weight_zero_shows(node).has_value());
}

Match nearest_of_nonfinite(const NodeView& node) {
  if (!node.is(Operator::kResize) || !node.is_nearest()) return std::nullopt;
  const std::optional<DataValues> values = node.data_values();
  return when_resized(node, values && !values->is_finite());
}

double largest_of(DataType type) {
  if (type == kFloat16) return 65504;
  return type == kDouble ? std::numeric_limits<double>::max() : std::numeric_limits<float>::max();
}

// Of a cubic sum the magnitudes of the weights of an axis add up to less than 2 for usual coefficients.
Match overflow(const NodeView& node) {
  if (!node.is(Operator::kResize)) return std::nullopt;
  const std::optional<DataValues> values = node.data_values();
  if (!values) return std::nullopt;
  return when_resized(node, values->has_infinity || (node.is_cubic() && values->largest > largest_of(node.type()) / 4));
}

// Beside outputs outside the input, other axes are still resampled. Nearest multiplies by 0 and 1.
Match extrapolation(const NodeView& node) {
  if (!node.is(Operator::kResize) || !node.crops()) return std::nullopt;
  const double most = node.is_nearest() ? largest_of(node.type()) : largest_of(kFloat16);
  return when(!(std::abs(static_cast<double>(node.sampling().extrapolation_value)) <= most));
}

// How many outputs only one of the two puts outside.
int64_t moved_over_border(const AxisMap& map, const OnnxReferenceAxis& axis, DataType roi) {
  int64_t moved = 0;
  for (int64_t k = 0; k < std::min(map.out, kMostOutputs); ++k) {
    const int64_t i = map.out - 1 - k;  // the last one lands where roi ends
    const double x = onnx_reference_position(axis, map.sampling, roi, i);
    moved += !(x >= 0 && x <= static_cast<double>(map.in - 1)) != is_extrapolated(map, i);
  }
  return moved;
}

Match crop_border(const NodeView& node) {
  if (!node.is(Operator::kResize) || !node.crops() || has_one_output(node)) return std::nullopt;
  std::string text;
  for (const Pass& pass : node.passes_to_compare()) {
    const std::optional<OnnxReferenceAxis> axis = axis_of(node, pass);
    const int64_t moved = axis ? moved_over_border(pass.map, *axis, roi_type_of(node)) : 0;
    if (moved > 0)
      text += fmt::format("{}axis {}: {} of {} outputs", text.empty() ? "" : "; ", pass.axis, moved, pass.map.out);
  }
  return when_it_shows(std::move(text));
}

constexpr Row kRows[] = {
    {"old-version", Kind::kRefused, "Tile-1 or Resize-10", "cannot run the version",
     "convert the model to a newer opset", kMeasured, old_version},
    {"negative-axes", Kind::kRefused, "negative axes", "reports an error", "write axes as positive numbers", kMeasured,
     negative_axes},
    {"type", Kind::kRefused, "bool or string", "reports an error", "", kMeasured, type},
    {"tf-half-pixel-for-nn", Kind::kRefused, "tf_half_pixel_for_nn", "does not know the mode", "", kMeasured, nn_mode},
    {"nothing-given", Kind::kRefused, "no scales and no sizes", "reports an error", "remove the node", kMeasured,
     lacks_scales_and_sizes},
    {"upsample", Kind::kRefused, "Upsample-7, and Upsample-9 unless it repeats elements", "does not support it",
     "convert the model to Resize", kMeasured, upsample},
    {"missing-roi", Kind::kRefused, "tf_crop_and_resize without roi", "reports an error", "write roi", kMeasured,
     missing_roi},
    {"roi-type", Kind::kOtherRule, "roi of float16 under tf_crop_and_resize", "computes positions in float16",
     "write roi as float", kMeasured, roi_type},
    {"one-output", Kind::kOtherRule, "pytorch_half_pixel or tf_crop_and_resize of an axis to 1",
     "computes the position by the formula for longer axes", "", kMeasured, one_output},
    {"complex", Kind::kOtherRule, "complex64 or complex128", "drops the imaginary part", "", kMeasured, complex},
    {"exclude-outside", Kind::kOtherRule, "exclude_outside in mode nearest", "gives 0 at borders",
     "write exclude_outside=0", kMeasured, nearest_weights},
    {"wide-integers", Kind::kOtherRule, "int64 or uint64",
     "converts to double: values above 2^53 change, INT64_MAX to "
     "INT64_MIN",
     "", kMeasured, wide_integers},
    {"integers", Kind::kOtherRule, "linear or cubic of integers", "rounds some exact halves to the other neighbour", "",
     kMeasured, integers},
    {"policy", Kind::kOtherRule, "keep_aspect_ratio_policy other than stretch",
     "rounds products in double: an extent of a half may be one less", "give the sizes that the policy gives",
     kMeasured, policy},
    {"positions", Kind::kOtherRule, "positions that are whole numbers",
     "rounds them in double; just above a whole number, and just below with floor, it takes the input before", "",
     kMeasured, rounded_positions},
    {"zero-weights", Kind::kOtherRule, "linear or cubic of a NaN or an infinity",
     "multiplies elements of weight 0, too: outputs beside it become NaN", "", kMeasured, zero_weights},
    {"nearest-nonfinite", Kind::kOtherRule, "nearest of a NaN or an infinity",
     "multiplies the neighbour by 0, too: outputs beside it become NaN", "", kMeasured, nearest_of_nonfinite},
    {"overflow", Kind::kOtherRule, "infinities, or cubic of values near the largest of the type",
     "gives the largest number of the type for infinity", "", kMeasured, overflow},
    {"extrapolation", Kind::kOtherRule, "tf_crop_and_resize with an extrapolation_value above 65504",
     "sums it with the weights of the other axes: rounded, or NaN or the largest number of the type for an infinity",
     "", kMeasured, extrapolation},
    {"crop-border", Kind::kOtherRule, "tf_crop_and_resize whose outputs land at the border of the input",
     "rounds positions in double: beyond the border it gives extrapolation_value", "move the end of roi inwards",
     kMeasured, crop_border},
};

}  // namespace

Peer onnx_reference() {
  return {"onnx-reference", "onnx's reference evaluator", "1.23.2", kRows, true};
}

}  // namespace tesela::peers
