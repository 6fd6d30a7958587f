// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's CPU provider. tests/conformance/test_catalogue.py compares the rows with it.
#include "peers/match.h"
#include "plan/onnxruntime_rules.h"
#include "schema/tensor_values.h"

namespace tesela::peers {
namespace {

using enum DataType;

constexpr TypeSet kResizeTypes = {kFloat, kFloat16, kInt32, kInt8, kUint8};
constexpr TypeSet kTileTypes = kIeeeFloats | kIntegers | TypeSet{kBool, kString};
constexpr TypeSet kFillTypes = kIeeeFloats | kIntegers | TypeSet{kBool, kBfloat16};

TypeSet types_of(Operator kind) {
  switch (kind) {
    case Operator::kResize:
    case Operator::kUpsample: return kResizeTypes;
    case Operator::kTile: return kTileTypes;
    case Operator::kConstantOfShape: return kFillTypes;
    case Operator::kInterpolate: break;
  }
  return {};
}

bool is_integer(const NodeView& node) {
  return TypeSet{kInt32, kInt8, kUint8}.contains(node.type());
}

// A policy leaves negative axes as they are.
bool ignores_policy(const NodeView& node) {
  return node.by_sizes() && node.policy() != AspectPolicy::kStretch && any_axis(node, is_negative);
}

// The listed axes under a policy; empty if an extent or a size that it sees is unknown.
OnnxRuntimeAxes axes_by_policy(const NodeView& node) {
  OnnxRuntimeAxes axes;
  for (const AxisView& axis : node.axes()) {
    if (!axis.is_negative && (axis.in <= 0 || axis.size < 0)) return {};
    const float scale = axis.is_negative ? 1 : static_cast<float>(axis.size) / static_cast<float>(axis.in);
    axes.push_back({axis.in, axis.size, scale, axis.is_negative});
  }
  apply_onnxruntime_policy(node.policy(), axes);
  return axes;
}

// The extent that its kernels make; -1 if it is unknown.
int64_t made_extent(const NodeView& node, const AxisView& axis) {
  if (ignores_policy(node)) {
    if (axis.is_negative) return axis.in;
    const OnnxRuntimeAxes made = axes_by_policy(node);
    return made.empty() ? -1 : made[static_cast<size_t>(&axis - node.axes().data())].out;
  }
  if (!node.by_scales() || axis.in < 0 || !axis.scale) return axis.out;
  const Result<int64_t> made = scaled_extent(axis.in, *axis.scale, axis.axis, ExtentRule::kHost);
  return made.ok() ? *made : -1;
}

// Whether its kernels resample, so that they are chosen by type and axes. Copies and empty outputs need none.
bool computes(const NodeView& node) {
  bool changes = false;
  for (const AxisView& axis : node.axes()) {
    const int64_t made = made_extent(node, axis);
    if (made == 0) return false;
    changes = changes || (made >= 0 && axis.in >= 0 ? made != axis.in : axis.is_resized());
  }
  return changes;
}

// The scales of all axes.
std::vector<float> made_scales(const NodeView& node) {
  std::vector<float> scales = node.scales();
  if (!ignores_policy(node)) return scales;
  const OnnxRuntimeAxes made = axes_by_policy(node);
  for (size_t k = 0; k < node.axes().size(); ++k) {
    const AxisView& axis = node.axes()[k];
    if (axis.is_negative)
      scales[axis.axis] = 1;
    else if (!made.empty())
      scales[axis.axis] = made[k].scale;
  }
  return scales;
}

bool resizes_the_middle(const NodeView& node) {
  const std::vector<float> scales = made_scales(node);
  return scales.size() == 4 && scales[1] != 1;
}

// Cubic of channels-last tensors uses the kernels of antialias.
bool is_cubic_with_last_channels(const NodeView& node) {
  return node.is_cubic() && resizes_the_middle(node);
}

bool filters(const NodeView& node) {
  return node.is_cubic() || (!node.is_nearest() && node.sampling().antialias);
}

// Where its extents are known and all stay, it copies.
Match when_it_interpolates_integers(const NodeView& node, bool holds) {
  if (!holds || !node.resamples() || node.is_nearest() || !is_integer(node)) return std::nullopt;
  return node.plan() != nullptr ? when(computes(node)) : when_resized(node, true);
}

// ---- Refused -------------------------------------------------------------------------------------------------------

Match old_version(const NodeView& node) {
  return when(node.version() < 6 && (node.is(Operator::kTile) || node.is(Operator::kUpsample)));
}

Match type(const NodeView& node) {
  return when(node.type() != kUndefined && !types_of(node.op().schema->op).contains(node.type()));
}

Match scalar(const NodeView& node) {
  return when(node.resamples() && node.rank() == size_t{0});
}

Match empty_size(const NodeView& node) {
  return when(node.resamples() && node.by_sizes() && node.policy() == AspectPolicy::kStretch &&
              any_axis(node, [](const AxisView& axis) { return axis.in > 0 && axis.out == 0; }));
}

Match axes(const NodeView& node) {
  return when(node.resamples() && !node.axes().empty() &&
              !onnxruntime_takes_scales(node.sampling(), made_scales(node)));
}

Match cubic_integers(const NodeView& node) {
  return when_it_interpolates_integers(
      node, node.is_cubic() && !node.sampling().antialias && !is_cubic_with_last_channels(node));
}

Match exclude_outside(const NodeView& node) {
  return when(node.resamples() && node.sampling().exclude_outside && !filters(node));
}

Match roi_type(const NodeView& node) {
  const TensorInfo* roi = node.input("roi");
  return when(node.resamples() && node.crops() && roi != nullptr && roi->type != kUndefined && roi->type != kFloat);
}

Match empty_roi(const NodeView& node) {
  const TensorInfo* roi = node.input("roi");
  return when(node.resamples() && node.crops() && roi != nullptr && is_empty(*roi) == true);
}

Match two_inputs(const NodeView& node) {
  const TensorInfo* scales = node.input("scales");
  const TensorInfo* sizes = node.input("sizes");
  if (!node.resamples() || scales == nullptr || sizes == nullptr) return std::nullopt;
  const TensorInfo& empty = is_empty(*scales) == true ? *scales : *sizes;
  return when(is_empty(empty) == true && !empty.constant);
}

// ---- Other rules ---------------------------------------------------------------------------------------------------

// What its rules give for the positions, as floats where they truncate integers.
std::string difference(const NodeView& node) {
  if (node.plan() == nullptr) return "";
  PlanFields fields;
  fields.rules = Rules::kOnnxRuntimePositions;
  const bool truncates = !node.is_nearest() && is_integer(node);
  const std::optional<Plan> theirs = node.plan_with(fields, truncates ? kFloat : node.type());
  return theirs ? effect_text(*node.plan(), *theirs) : "";
}

Match unknown_scales(const NodeView& node) {
  return when(has_unknown_scales(node, ExtentRule::kHost));
}

bool has_other_extents(const NodeView& node) {
  return peers::has_other_extents(node, ExtentRule::kHost);
}

Match extents(const NodeView& node) {
  if (!node.resamples()) return std::nullopt;
  if (has_other_extents(node)) return Match(difference(node));
  return may_have_other_extents(node) ? Match(kUnknownShapes) : std::nullopt;
}

Match negative_axes(const NodeView& node) {
  return node.resamples() && ignores_policy(node) ? when_it_shows(difference(node)) : std::nullopt;
}

Match unchanged_axes(const NodeView& node) {
  if (!node.resamples() || has_other_extents(node) || ignores_policy(node)) return std::nullopt;
  if (may_keep_cropped_axis(node)) return Match(kUnknownShapes);
  return has_unchanged_axis(node) ? when_it_shows(difference(node)) : std::nullopt;
}

Match length(const NodeView& node) {
  if (!node.resamples() || has_other_extents(node) || ignores_policy(node) || has_unchanged_axis(node) ||
      !has_other_length(node))
    return std::nullopt;
  return may_have_other_length(node) ? Match(kUnknownShapes) : when_it_shows(difference(node));
}

Match positions(const NodeView& node) {
  if (!node.resamples() || has_other_extents(node) || ignores_policy(node) || has_unchanged_axis(node) ||
      has_other_length(node))
    return std::nullopt;
  return when_it_shows(difference(node));
}

Match integers(const NodeView& node) {
  return when_it_interpolates_integers(node, !node.sampling().antialias && !is_cubic_with_last_channels(node));
}

Match antialias_integers(const NodeView& node) {
  return when_it_interpolates_integers(node, node.sampling().antialias || is_cubic_with_last_channels(node));
}

Match extrapolation(const NodeView& node) {
  if (!node.resamples() || !node.crops() || !is_integer(node) || filters(node)) return std::nullopt;
  const float value = node.sampling().extrapolation_value;
  const bool is_signed = node.type() != kUint8;
  const float high = node.type() == kInt32 ? 0x1p31f : is_signed ? 127 : 255;
  const float low = node.type() == kInt32 ? -0x1p31f : is_signed ? -128 : 0;
  return when(!(value >= low && value <= high && value == static_cast<float>(static_cast<int64_t>(value))));
}

Match crop_with_last_channels(const NodeView& node) {
  return when(node.resamples() && node.crops() && filters(node) && resizes_the_middle(node) && computes(node) &&
              (node.plan() == nullptr || std::get<ResizePlan>(node.plan()->work).extrapolates));
}

Match zero_weights(const NodeView& node) {
  return computes(node) ? when_weight_zero_shows(node) : std::nullopt;
}

constexpr Row kRows[] = {
    {"old-version", Kind::kRefused, "Tile-1 or Upsample-1", "has no kernel for the version",
     "convert the model to a newer opset", kMeasured, old_version},
    {"type", Kind::kRefused,
     "an element type other than float, float16, int32, int8 and uint8 (Resize, Upsample); "
     "bfloat16 or complex (Tile); types of 8 bits and less but int8, uint8 and bool (ConstantOfShape)",
     "has no kernel for the type", "cast to float before and back after", kMeasured, type},
    {"scalar", Kind::kRefused, "X has no axes", "reports an error", "remove the node", kMeasured, scalar},
    {"nothing-given", Kind::kRefused, "no scales and no sizes, or empty ones", "reports an error", "remove the node",
     kMeasured, nothing_given},
    {"empty-size", Kind::kRefused, "an entry of sizes is 0", "reports an error", "", kMeasured, empty_size},
    {"axes", Kind::kRefused,
     "linear or cubic on other axes than the last two of 4 (or all of 2 or 3, the middle two of 4, the last three of "
     "5)",
     "reports an error in the first run", "transpose, so that these axes come last", kMeasured, axes},
    {"cubic-integers", Kind::kRefused, "cubic of int32, int8 or uint8 without antialias",
     "reports an error in the first run", "cast to float before and back after", kMeasured, cubic_integers},
    {"exclude-outside", Kind::kRefused, "exclude_outside in mode nearest, or linear without antialias",
     "reports an error", "write exclude_outside=0: it changes nothing in these modes", kMeasured, exclude_outside},
    {"roi-type", Kind::kRefused, "roi of another type than float under tf_crop_and_resize", "reports an error",
     "write roi as float", kMeasured, roi_type},
    {"empty-roi", Kind::kRefused, "an empty roi under tf_crop_and_resize", "reports an error", "omit the input",
     kMeasured, empty_roi},
    {"empty-input", Kind::kRefused, "scales and sizes are both given, and the empty one is not constant",
     "reports an error", "omit the empty input", kMeasured, two_inputs},
    {"unknown-scales", Kind::kOtherRule, "scales that the model computes",
     "multiplies extents and scales in float32: where the product is close to a whole number an extent may be one "
     "more or less",
     "give sizes; or extents=host in Tesela", kMeasured, unknown_scales},
    {"extents", Kind::kOtherRule, "scales", "multiplies extents and scales in float32",
     "give sizes (tesela fix --extents host); or extents=host in Tesela", kMeasured, extents},
    {"negative-axes", Kind::kIgnored, "keep_aspect_ratio_policy with negative axes", "leaves these axes unchanged",
     "write axes as positive numbers", kMeasured, negative_axes},
    {"unchanged-axes", Kind::kOtherRule, "an axis whose extent stays, though its scale is not 1 or it is cropped",
     "copies it where no extent changes, and under antialias; the standard resamples it", "give sizes", kMeasured,
     unchanged_axes},
    {"length", Kind::kOtherRule, "align_corners, half_pixel_symmetric or tf_crop_and_resize with scales or a policy",
     "uses the output's extent where the standard has extent times scale", "give sizes", kMeasured, length},
    {"positions", Kind::kOtherRule, "positions next to a border between two inputs",
     "computes positions in float32, and takes a fraction within 1e-6 of one half for one half", "",
     "https://github.com/microsoft/onnxruntime/issues/28291", positions},
    {"integers", Kind::kOtherRule, "linear of int32, int8 or uint8", "truncates: values are smaller by up to 1",
     "cast to float before, round and cast after", kMeasured, integers},
    {"antialias-integers", Kind::kOtherRule, "antialias of int32, int8 or uint8",
     "rounds after each axis: one value in ten differs by 1; int8 is clamped at 0",
     "cast to float before, round and cast after", kMeasured, antialias_integers},
    {"extrapolation", Kind::kOtherRule, "an extrapolation_value that the integer type does not have",
     "truncates the value and wraps it", "write a value that the type has", kMeasured, extrapolation},
    {"last-channels-crop", Kind::kOtherRule, "cubic or antialias of the middle two of 4 axes under tf_crop_and_resize",
     "gives extrapolation_value to other outputs: to those that lie outside if the channels came first",
     "transpose, so that the channels come first", kMeasured, crop_with_last_channels},
    {"zero-weights", Kind::kOtherRule, "linear or cubic of a NaN or an infinity",
     "multiplies elements of weight 0, too: outputs beside it become NaN", "replace such values before", kMeasured,
     zero_weights},
    {"symmetric-version", Kind::kAccepted, "half_pixel_symmetric before version 19", "computes it as version 19 does",
     "convert the model to opset 19", kMeasured, nullptr,
     [](const FaultyNode& node) {
       return has_mode_of_later_version(node, "coordinate_transformation_mode", "half_pixel_symmetric", 19);
     }},
    {"cubic-version", Kind::kAccepted, "cubic of Resize-10 or Upsample", "computes cubic with asymmetric",
     "write Resize-11 or later with asymmetric", kMeasured, nullptr, is_cubic_without_version},
    {"nested-list", Kind::kAccepted, "sizes or scales that are not a list", "takes the elements as a list",
     "write a list", kMeasured, nullptr, has_nested_list},
    {"roi-values", Kind::kAccepted, "an infinity or a NaN in roi under tf_crop_and_resize", "computes with it",
     "write a finite roi", kMeasured, nullptr, has_nonfinite_roi},
};

}  // namespace

Peer onnxruntime() {
  return {"onnxruntime", "ONNX Runtime's CPU provider", "1.31.1", kRows, true};
}

}  // namespace tesela::peers
