// SPDX-License-Identifier: Apache-2.0
// onnx's reference evaluator. tests/conformance/test_catalogue.py compares the rows with it.
#include <algorithm>
#include <cmath>
#include <limits>

#include "peers/match.h"

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
  return when_resize_resizes(node, node.crops() && roi != nullptr && roi->type == kFloat16);
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

// Positions in doubles in the order of the formulas.
double rounded_position(CoordinateMode mode, double i, double n, double m) {
  const double scale = m / n;
  switch (mode) {
    case CoordinateMode::kAlignCorners: return m <= 1 ? 0 : i * (n - 1) / (m - 1);
    case CoordinateMode::kAsymmetric: return i / scale;
    default: return (i + 0.5) / scale - 0.5;
  }
}

// Outputs whose exact position is an input's and whose computed one is not.
int64_t shifted_outputs(const AxisMap& map) {
  int64_t shifted = 0;
  for (int64_t i = 0; i < std::min(map.out, kMostOutputs); ++i) {
    const Int128 numerator = exact::numerator(map.num0, map.step, i);
    if (numerator % map.den != 0) continue;
    const double x = rounded_position(map.sampling.coordinates, static_cast<double>(i), static_cast<double>(map.in),
                                      static_cast<double>(map.out));
    const auto whole = static_cast<double>(static_cast<int64_t>(numerator / map.den));
    if (x > whole && x < whole + 1e-6) ++shifted;
  }
  return shifted;
}

Match rounded_positions(const NodeView& node) {
  if (!node.is(Operator::kResize) || node.plan() == nullptr) return std::nullopt;
  std::string text;
  for (const Pass& pass : node.passes_to_compare()) {
    if (pass.map.positions != AxisMap::Positions::kRational) continue;
    if (const int64_t shifted = shifted_outputs(pass.map); shifted > 0)
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

// The end of roi, in the evaluator's order of operations. length: of the output, perhaps with a fraction.
double crop_position(const AxisMap& map, double length, int64_t i) {
  const auto last = static_cast<double>(map.in - 1);
  const auto size = static_cast<double>(static_cast<float>(map.roi_end - map.roi_start));
  const double start = static_cast<double>(static_cast<float>(map.roi_start * last));
  return static_cast<double>(i) * size * last / (length - 1) + start;
}

// How many outputs only one of the two puts outside.
int64_t moved_over_border(const AxisMap& map, double length) {
  int64_t moved = 0;
  for (int64_t k = 0; k < std::min(map.out, kMostOutputs); ++k) {
    const int64_t i = map.out - 1 - k;  // the last one lands where roi ends
    const double x = crop_position(map, length, i);
    moved += !(x >= 0 && x <= static_cast<double>(map.in - 1)) != is_extrapolated(map, i);
  }
  return moved;
}

Match crop_border(const NodeView& node) {
  if (!node.is(Operator::kResize) || !node.crops() || has_one_output(node)) return std::nullopt;
  std::string text;
  for (const Pass& pass : node.passes_to_compare())
    for (const AxisView& axis : node.axes()) {
      if (axis.axis != pass.axis || !axis.scale) continue;
      const auto in = static_cast<double>(pass.map.in);
      const double scale = node.by_sizes() ? static_cast<double>(pass.map.out) / in : static_cast<double>(*axis.scale);
      if (const int64_t moved = moved_over_border(pass.map, scale * in); moved > 0)
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
     "rounds them in double; just above a whole number it takes the input before", "", kMeasured, rounded_positions},
    {"zero-weights", Kind::kOtherRule, "linear or cubic of a NaN or an infinity",
     "multiplies elements of weight 0, too: outputs beside it become NaN", "", kMeasured, zero_weights},
    {"nearest-nonfinite", Kind::kOtherRule, "nearest of a NaN or an infinity",
     "multiplies the neighbour by 0, too: outputs beside it become NaN", "", kMeasured, nearest_of_nonfinite},
    {"overflow", Kind::kOtherRule, "infinities, or cubic of values near the largest of the type",
     "gives the largest number of the type for infinity", "", kMeasured, overflow},
    {"crop-border", Kind::kOtherRule, "tf_crop_and_resize whose outputs land at the border of the input",
     "rounds positions in double: beyond the border it gives extrapolation_value", "move the end of roi inwards",
     kMeasured, crop_border},
};

}  // namespace

Peer onnx_reference() {
  return {"onnx-reference", "onnx's reference evaluator", "1.23.2", kRows, true};
}

}  // namespace tesela::peers
