// SPDX-License-Identifier: Apache-2.0
// OpenVINO's CPU plugin, with models that its ONNX frontend reads. tests/conformance/test_catalogue.py compares the rows
// with it.
#include <algorithm>
#include <cmath>

#include "peers/match.h"
#include "schema/interpolate_request.h"
#include "schema/tensor_values.h"

namespace tesela::peers {
namespace {

using enum DataType;

constexpr TypeSet kResizeTypes = {kFloat, kFloat16, kBfloat16, kDouble, kInt8, kUint8, kInt32, kInt64};
constexpr TypeSet kWide = {kInt64, kUint64, kUint32, kDouble};

bool is_onnx(const NodeView& node) {
  return is_onnx_domain(node.op().schema->domain);
}

// ---- Refused -------------------------------------------------------------------------------------------------------

Match type(const NodeView& node) {
  if (node.type() == kUndefined || !is_onnx(node)) return std::nullopt;
  if (node.resamples()) return when(!kResizeTypes.contains(node.type()));
  if (node.is(Operator::kTile)) return when(TypeSet{kString, kComplex64, kComplex128}.contains(node.type()));
  return when(TypeSet{kFloat8e4m3fnuz, kFloat8e5m2fnuz, kUint2, kInt2}.contains(node.type()));
}

Match coordinates(const NodeView& node) {
  if (!node.resamples()) return std::nullopt;
  const CoordinateMode mode = node.sampling().coordinates;
  return when(mode == CoordinateMode::kTfCropAndResize || mode == CoordinateMode::kHalfPixelSymmetric);
}

Match negative_axes(const NodeView& node) {
  return when(node.resamples() && any_axis(node, is_negative));
}

// It ignores policies.
bool is_stretched(const AxisView& axis) {
  return axis.size >= 0 && axis.in >= 0 ? axis.size != axis.in : axis.is_resized();
}

// It transposes X for few `axes`; then they are the last ones.
bool moves_axes(const NodeView& node) {
  const auto listed = node.is(Operator::kResize) ? node.op().ints_value("axes") : std::nullopt;
  return listed && listed->size() + 2 <= *node.rank() &&
         std::any_of(listed->begin(), listed->end(), [](int64_t axis) { return axis < 2; });
}

// Resampled axes must be the last ones: three of four or five axes.
Match first_axis(const NodeView& node) {
  if (!node.resamples() || !node.rank() || *node.rank() < 4) return std::nullopt;
  const size_t rank = *node.rank();
  if (rank > (node.is_cubic() ? 4 : 5) || moves_axes(node)) return std::nullopt;
  const size_t kept = rank == 4 ? 1 : 2;
  return when(any_axis(node, [kept](const AxisView& axis) { return axis.axis < kept && is_stretched(axis); }));
}

// No kernel computes these, and the function that does has floats and 8-bit integers alone.
Match many_axes_of_integers(const NodeView& node) {
  if (!node.resamples() || !TypeSet{kInt32, kInt64}.contains(node.type()) || !node.rank()) return std::nullopt;
  const bool is_linear = node.sampling().filter == Filter::kLinear;
  if (is_linear || *node.rank() < (node.is_cubic() ? 5 : 6)) return std::nullopt;
  return when(any_axis(node, is_stretched));
}

// ---- Crashes -------------------------------------------------------------------------------------------------------

Match rank_six(const NodeView& node) {
  return when(node.resamples() && node.sampling().filter == Filter::kLinear && node.rank() && *node.rank() >= 6 &&
              any_axis(node, is_resized));
}

Match cubic_axes(const NodeView& node) {
  if (!node.resamples() || !node.is_cubic() || !node.rank()) return std::nullopt;
  if ((*node.rank() != 3 && *node.rank() != 4) || moves_axes(node)) return std::nullopt;
  const size_t first = *node.rank() - 2;
  return when(any_axis(node, [first](const AxisView& axis) { return axis.axis < first && is_stretched(axis); }));
}

Match many_repeats(const NodeView& node) {
  const TensorInfo* repeats = node.input("repeats");
  if (!node.is(Operator::kTile) || !is_onnx(node) || repeats == nullptr || repeats->constant) return std::nullopt;
  return when(node.rank() && *node.rank() >= 4);
}

Match small_fill(const NodeView& node) {
  return when(node.is(Operator::kConstantOfShape) && TypeSet{kUint4, kInt4, kFloat4e2m1}.contains(node.type()));
}

// ---- Ignored and other rules ---------------------------------------------------------------------------------------

Match policy(const NodeView& node) {
  return when(node.resamples() && node.by_sizes() && node.policy() != AspectPolicy::kStretch);
}

Match exclude_outside(const NodeView& node) {
  return when_resized(node, node.resamples() && node.is_cubic() && node.sampling().exclude_outside);
}

Match antialias(const NodeView& node) {
  return when_shrunk(node, node.resamples() && node.sampling().antialias);
}

// A value that int32 or float has, too.
bool fills_with_narrow_value(const NodeView& node) {
  if (!node.is(Operator::kConstantOfShape)) return false;
  const Tensor& value = *node.op().tensor_value("value");
  if (value.type() == kDouble) {
    const double number = read_floats(value)[0];
    return std::isnan(number) || static_cast<double>(static_cast<float>(number)) == number;
  }
  const Result<Extents> number = read_integers(value, "value");
  return number.ok() && (*number)[0] >= -0x80000000LL && (*number)[0] < 0x80000000LL;
}

Match wide_types(const NodeView& node) {
  return when(is_onnx(node) && kWide.contains(node.type()) && !fills_with_narrow_value(node));
}

Match unknown_scales(const NodeView& node) {
  return when(has_unknown_scales(node, ExtentRule::kOpenvino));
}

Match extents(const NodeView& node) {
  if (!node.resamples()) return std::nullopt;
  if (has_other_extents(node, ExtentRule::kOpenvino)) return Match("");
  return may_have_other_extents(node) ? Match(kUnknownShapes) : std::nullopt;
}

// The position in float, in the order of its kernels.
float float_position(CoordinateMode mode, int64_t i, const AxisView& axis, float scale) {
  const auto x = static_cast<float>(i);
  switch (mode) {
    case CoordinateMode::kAsymmetric: return x / scale;
    case CoordinateMode::kTfHalfPixelForNn: return (x + 0.5f) / scale;
    case CoordinateMode::kAlignCorners:
      return axis.out <= 1 ? 0 : x * (static_cast<float>(axis.in - 1) / static_cast<float>(axis.out - 1));
    case CoordinateMode::kPytorchHalfPixel: return axis.out <= 1 ? 0 : (x + 0.5f) / scale - 0.5f;
    default: return (x + 0.5f) / scale - 0.5f;
  }
}

int64_t rounded(NearestMode mode, float x, bool shrinks) {
  switch (mode) {
    case NearestMode::kRoundPreferFloor:
      return x == std::floor(x) + 0.5f ? static_cast<int64_t>(std::floor(x)) : static_cast<int64_t>(std::round(x));
    case NearestMode::kRoundPreferCeil: return static_cast<int64_t>(std::round(x));
    case NearestMode::kFloor: return static_cast<int64_t>(std::floor(x));
    case NearestMode::kCeil: return static_cast<int64_t>(std::ceil(x));
    case NearestMode::kSimple: return static_cast<int64_t>(shrinks ? std::ceil(x) : std::floor(x));
  }
  return 0;
}

// Outputs of one axis that copy another input when positions are computed in float by these modes.
int64_t moved_outputs(const AxisMap& map, const AxisView& axis, CoordinateMode coordinates, NearestMode nearest) {
  int64_t moved = 0;
  for (int64_t i = 0; i < std::min(map.out, kMostOutputs); ++i) {
    const float x = float_position(coordinates, i, axis, *axis.scale);
    const int64_t index = std::clamp<int64_t>(rounded(nearest, x, *axis.scale < 1), 0, map.in - 1);
    moved += index != nearest_index(map, i);
  }
  return moved;
}

Match when_outputs_move(const NodeView& node, CoordinateMode coordinates, NearestMode nearest) {
  std::string text;
  for (const Pass& pass : node.passes_to_compare())
    for (const AxisView& axis : node.axes()) {
      if (axis.axis != pass.axis || !axis.scale) continue;
      if (const int64_t moved = moved_outputs(pass.map, axis, coordinates, nearest); moved > 0)
        text += fmt::format("{}axis {}: {} of {} outputs copy another input", text.empty() ? "" : "; ", pass.axis,
                            moved, pass.map.out);
    }
  return when_it_shows(std::move(text));
}

Match positions(const NodeView& node) {
  if (!node.is(Operator::kResize) || !node.is_nearest() || has_unchanged_axis(node) || has_other_length(node) ||
      node.policy() != AspectPolicy::kStretch)
    return std::nullopt;
  return when_outputs_move(node, node.sampling().coordinates, node.sampling().nearest);
}

bool has_part(const AxisView& axis) {
  return axis.scale && *axis.scale != std::floor(*axis.scale);
}

Match upsample(const NodeView& node) {
  if (!node.is(Operator::kUpsample) || !node.is_nearest()) return std::nullopt;
  if (node.plan() == nullptr) return any_axis(node, has_part) ? Match(kUnknownShapes) : std::nullopt;
  return when_outputs_move(node, CoordinateMode::kHalfPixel, NearestMode::kRoundPreferFloor);
}

Match unchanged_axes(const NodeView& node) {
  return when(node.resamples() && has_unchanged_axis(node));
}

Match length(const NodeView& node) {
  if (!node.resamples() || !node.by_scales()) return std::nullopt;
  const bool is_fractional = any_axis(node, [](const AxisView& axis) {
    return axis.scale && axis.in >= 0 && *axis.scale * static_cast<float>(axis.in) != static_cast<float>(axis.out);
  });
  if (is_fractional && has_other_length(node)) return Match("");
  return may_have_other_length(node) ? Match(kUnknownShapes) : std::nullopt;
}

Match integers(const NodeView& node) {
  return when_resized(
      node, node.resamples() && !node.is_nearest() && TypeSet{kInt8, kUint8, kInt32, kInt64}.contains(node.type()));
}

Match pillow_coefficient(const NodeView& node) {
  return when(node.is(Operator::kInterpolate) && node.op().is("mode", InterpolateMode::kBicubicPillow) &&
              node.op().float_value("cube_coeff") != -0.5f);
}

constexpr Row kRows[] = {
    {"type", Kind::kRefused,
     "uint16, uint32, uint64, int16, bool, string or complex (Resize); string or complex (Tile); float8 fnuz types and "
     "types of 2 bits (ConstantOfShape)",
     "does not convert the node", "cast to a type that it has", kMeasured, type},
    {"coordinates", Kind::kRefused, "half_pixel_symmetric or tf_crop_and_resize", "does not convert the node", "",
     kMeasured, coordinates},
    {"negative-axes", Kind::kRefused, "negative axes", "does not convert the node", "write axes as positive numbers",
     kMeasured, negative_axes},
    {"nothing-given", Kind::kRefused, "no scales and no sizes, or empty ones", "does not convert the node",
     "remove the node", kMeasured, nothing_given},
    {"first-axis", Kind::kRefused,
     "the first axis of 4, or the first two of 5, unless `axes` has at most 2 or 3 entries", "reports an error",
     "list only axes that change in `axes`", kMeasured, first_axis},
    {"cubic-integers", Kind::kRefused, "int32 or int64 in mode cubic with 5 or more axes, or nearest with 6 or more",
     "reports an error", "cast to float before and back after", kMeasured, many_axes_of_integers},
    {"rank-six", Kind::kCrash, "linear of 6 or more axes", "corrupts its memory and ends the process",
     "reshape to 5 axes or fewer", kMeasured, rank_six},
    {"cubic-axes", Kind::kCrash,
     "cubic along other axes than the last two, of 3 or 4, unless `axes` has at most 1 or 2 entries",
     "returns uninitialised memory", "reshape so that the resized axes are the last two of 4", kMeasured, cubic_axes},
    {"many-repeats", Kind::kCrash, "Tile to 4 or more axes with repeats that are not constant",
     "returns uninitialised memory where three or more repeats are above 1", "make repeats a constant", kMeasured,
     many_repeats},
    {"small-fill", Kind::kOtherRule, "ConstantOfShape of uint4, int4 or float4e2m1", "writes every second element", "",
     kMeasured, small_fill},
    {"policy", Kind::kIgnored, "keep_aspect_ratio_policy other than stretch", "stretches to sizes",
     "write the sizes that the policy gives", kMeasured, policy},
    {"exclude-outside", Kind::kIgnored, "exclude_outside in mode cubic", "counts border elements more than once", "",
     kMeasured, exclude_outside},
    {"antialias", Kind::kOtherRule, "antialias on an axis that shrinks", "uses another filter, or none", "",
     "https://github.com/openvinotoolkit/openvino/issues/35893", antialias},
    {"wide-types", Kind::kOtherRule, "int64, uint64, uint32 or double", "computes in 32 bits and loses the rest", "",
     kMeasured, wide_types},
    {"unknown-scales", Kind::kOtherRule, "scales that the model computes",
     "multiplies extents by the scale and 1e-6 more, in float32: an extent may be one more or less", "give sizes",
     kMeasured, unknown_scales},
    {"extents", Kind::kOtherRule, "scales", "multiplies extents by the scale and 1e-6 more, in float32", "give sizes",
     kMeasured, extents},
    {"unchanged-axes", Kind::kOtherRule, "an axis whose extent stays, though its scale is not 1",
     "copies it; the standard resamples it", "give sizes", kMeasured, unchanged_axes},
    {"upsample", Kind::kOtherRule, "Upsample in mode nearest", "uses half_pixel and round_prefer_floor",
     "convert the model to Resize with asymmetric and floor", kMeasured, upsample},
    {"length", Kind::kOtherRule, "align_corners with scales where extent times scale is not a whole number",
     "uses the output's extent where the standard has extent times scale", "give sizes", kMeasured, length},
    {"positions", Kind::kOtherRule, "nearest at positions next to a border between two inputs",
     "computes positions in float32", "", "https://github.com/openvinotoolkit/openvino/issues/36023", positions},
    {"integers", Kind::kOtherRule, "linear or cubic of integers",
     "rounds sums in float, and truncates those of cubic with 5 or more axes: values differ by 1",
     "cast to float before, round and cast after", kMeasured, integers},
    {"pillow-coefficient", Kind::kIgnored, "Interpolate in mode bicubic_pillow with cube_coeff other than -0.5",
     "computes with -0.5, which models converted from PyTorch expect", "write -0.5", kMeasured, pillow_coefficient},
    {"zero-weights", Kind::kOtherRule, "linear or cubic of a NaN or an infinity",
     "multiplies elements of weight 0, too: outputs beside it become NaN", "replace such values before", kMeasured,
     when_weight_zero_shows},
    {"unknown-attributes", Kind::kAccepted, "an attribute that the version does not have", "does not look at it",
     "remove it", kMeasured, nullptr,
     [](const FaultyNode& node) { return node.resamples() && node.has_unknown_attribute(); }},
    {"bad-scales", Kind::kAccepted, "scales of 0 or less, NaN or infinity; for Upsample, scales below 1",
     "gives an output", "write scales that the operator has", kMeasured, nullptr, has_bad_scales},
    {"bad-sizes", Kind::kAccepted, "negative sizes", "gives an output", "write sizes of 0 or more", kMeasured, nullptr,
     has_negative_sizes},
    {"empty-axis", Kind::kAccepted, "an axis of 0 elements that is to grow", "gives an output", "", kMeasured, nullptr,
     grows_empty_axis},
    {"counts", Kind::kAccepted, "sizes with scales, more of them than axes, or an axis that is listed twice",
     "gives an output", "write sizes or scales, one for each axis", kMeasured, nullptr, has_bad_counts},
    {"policy-scales", Kind::kAccepted, "keep_aspect_ratio_policy other than stretch with scales",
     "does not look at the policy", "remove it", kMeasured, nullptr, has_policy_for_scales},
    {"antialias-nearest", Kind::kAccepted, "antialias in mode nearest", "does not look at antialias", "remove it",
     kMeasured, nullptr, has_antialias_of_nearest},
    {"nearest-mode", Kind::kAccepted, "a nearest_mode that the standard does not have", "gives an output",
     "write one of the standard's", kMeasured, nullptr, has_unknown_nearest_mode},
    {"cubic-version", Kind::kAccepted, "cubic of Resize-10", "gives an output",
     "write Resize-11 or later with asymmetric", kMeasured, nullptr,
     [](const FaultyNode& node) { return node.is(Operator::kResize) && is_cubic_without_version(node); }},
    {"sizes-type", Kind::kAccepted, "sizes of int32", "takes them", "write int64", kMeasured, nullptr, has_int32_sizes},
    {"repeats", Kind::kAccepted,
     "Tile with repeats that are not int64, below 0, or not one for each axis; or with a third input",
     "gives an output for most", "write one repeat for each axis", kMeasured, nullptr, has_bad_repeats},
    {"fill", Kind::kAccepted, "ConstantOfShape of a negative extent, or of a value without elements", "gives an output",
     "write extents of 0 or more, and one element", kMeasured, nullptr, has_bad_fill},
};

}  // namespace

Peer openvino() {
  return {"openvino", "OpenVINO's CPU plugin", "2026.4.1", kRows, true, true};
}

}  // namespace tesela::peers
