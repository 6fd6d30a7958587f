// SPDX-License-Identifier: Apache-2.0
// ONNX Runtime's other execution providers, by their sources. A node that a provider leaves to the CPU provider gets that
// provider's result and two copies.
#include "peers/match.h"

namespace tesela::peers {
namespace {

using enum DataType;
using enum CoordinateMode;

#define TESELA_ONNXRUNTIME_SOURCE                                                                                  \
  "https://github.com/onnxruntime/onnxruntime-qnn/blob/cee6c0d91e583d43f5ecef6391e93c19b4042c0f/onnxruntime/core/" \
  "providers/"

bool is_plain_nearest(const NodeView& node) {
  return node.is_nearest() && node.sampling().coordinates == kAsymmetric &&
         (node.sampling().nearest == NearestMode::kFloor || node.sampling().nearest == NearestMode::kSimple);
}

// What no provider for devices computes.
bool is_unusual(const NodeView& node) {
  return node.is_cubic() || node.sampling().antialias || node.sampling().exclude_outside || has_policy(node);
}

constexpr Row kCudaRows[] = {
    {"symmetric", Kind::kRefused, "half_pixel_symmetric", "reports an error in the first run",
     "give sizes and half_pixel", TESELA_ONNXRUNTIME_SOURCE "cuda/tensor/resize_impl.cu",
     [](const NodeView& node) { return when(node.resamples() && is_mode(node, {kHalfPixelSymmetric})); }},
    {"rank", Kind::kRefused, "6 or more axes; or cubic of 3 or 5", "reports an error in the first run",
     "reshape to 4 axes", TESELA_ONNXRUNTIME_SOURCE "cuda/tensor/upsample.cc",
     [](const NodeView& node) {
       return when(node.resamples() && any_axis(node, is_resized) &&
                   ((node.rank() && *node.rank() >= 6) || (node.is_cubic() && lacks_rank(node, {2, 4}))));
     }},
    {"antialias-last-channels", Kind::kRefused, "antialias of the middle two of 4 axes",
     "reports an error in the first run", "transpose, so that the channels come first",
     TESELA_ONNXRUNTIME_SOURCE "cuda/tensor/upsample.cc",
     [](const NodeView& node) {
       return when(node.resamples() && node.sampling().antialias && has_last_channels(node));
     }},
    {"type", Kind::kFallback, "a type other than float, double, float16, int32 and uint8 (Resize)",
     "leaves the node to the CPU provider", "cast to float",
     "https://github.com/onnxruntime/onnxruntime-qnn/blob/cee6c0d91e583d43f5ecef6391e93c19b4042c0f/docs/"
     "OperatorKernels.md",
     [](const NodeView& node) {
       return when(node.resamples() && node.type() != kUndefined &&
                   !TypeSet{kFloat, kDouble, kFloat16, kInt32, kUint8}.contains(node.type()));
     }},
    {"linear-last-channels", Kind::kOtherRule, "linear of the middle two of 4 axes", "resamples the last two instead",
     "transpose, so that the channels come first", TESELA_ONNXRUNTIME_SOURCE "cuda/tensor/resize_impl.cu",
     [](const NodeView& node) { return when(node.resamples() && is_linear(node) && has_last_channels(node)); }},
    {"upsample-scales", Kind::kOtherRule, "Upsample by scales that are not whole numbers",
     "divides by the scale rounded up", "write Resize with asymmetric and floor",
     TESELA_ONNXRUNTIME_SOURCE "cuda/tensor/upsample.cc",
     [](const NodeView& node) {
       return when(node.is(Operator::kUpsample) && any_axis(node, [](const AxisView& axis) {
                     return axis.scale && *axis.scale != static_cast<float>(static_cast<int64_t>(*axis.scale));
                   }));
     }},
    {"antialias-coefficient", Kind::kIgnored, "antialias of cubic with another cubic_coeff_a than -0.75",
     "ignores the coefficient before version 1.23, and leaves a part of the output unwritten", "upgrade",
     "https://github.com/microsoft/onnxruntime/issues/25264",
     [](const NodeView& node) {
       return when(node.resamples() && node.is_cubic() && node.sampling().antialias &&
                   node.sampling().cubic_a != -0.75);
     }},
};

constexpr Row kWebgpuRows[] = {
    {"antialias", Kind::kRefused, "antialias", "reports an error in the first run", "use the CPU provider",
     TESELA_ONNXRUNTIME_SOURCE "webgpu/tensor/upsample.cc",
     [](const NodeView& node) { return when(node.resamples() && node.sampling().antialias); }},
    {"rank", Kind::kRefused, "1 axis, or 6 and more; cubic of 3 or 5", "reports an error in the first run",
     "reshape to 4 axes", TESELA_ONNXRUNTIME_SOURCE "webgpu/tensor/resize_impl.cc",
     [](const NodeView& node) {
       return when(node.resamples() && any_axis(node, is_resized) &&
                   (lacks_rank(node, {2, 3, 4, 5}) || (node.is_cubic() && lacks_rank(node, {2, 4}))));
     }},
    {"linear-last-channels", Kind::kOtherRule, "linear of the middle two of 4 axes", "resamples the last two instead",
     "transpose, so that the channels come first", TESELA_ONNXRUNTIME_SOURCE "webgpu/tensor/resize_impl.cc",
     [](const NodeView& node) { return when(node.resamples() && is_linear(node) && has_last_channels(node)); }},
};

constexpr std::string_view kToCpu = "leaves the node to the CPU provider";

constexpr Row kCoremlRows[] = {
    {"modes", Kind::kFallback,
     "cubic, antialias, exclude_outside or a policy; nearest other than asymmetric with floor; linear with crops, "
     "half_pixel_symmetric, or asymmetric by scales",
     kToCpu, "give sizes; write asymmetric with floor where that is meant",
     TESELA_ONNXRUNTIME_SOURCE "coreml/builders/impl/resize_op_builder.cc",
     [](const NodeView& node) {
       return when(node.resamples() &&
                   (is_unusual(node) || (node.is_nearest() && !is_plain_nearest(node)) ||
                    (is_linear(node) && (is_mode(node, {kTfCropAndResize, kHalfPixelSymmetric, kTfHalfPixelForNn}) ||
                                         (is_mode(node, {kAsymmetric}) && node.by_scales())))));
     }},
    {"axes", Kind::kFallback, "2 or fewer axes, 6 or more, or another axis than the last two", kToCpu,
     "transpose, so that these axes come last", TESELA_ONNXRUNTIME_SOURCE "coreml/builders/impl/resize_op_builder.cc",
     [](const NodeView& node) {
       return when(node.resamples() && (lacks_rank(node, {3, 4, 5}) || resizes_before_last(node, 2)));
     }},
    {"computed", Kind::kFallback, "scales or sizes that the model computes", kToCpu, "make them constants",
     TESELA_ONNXRUNTIME_SOURCE "coreml/builders/impl/resize_op_builder.cc",
     [](const NodeView& node) { return when(node.resamples() && has_computed_inputs(node)); }},
};

constexpr Row kQnnRows[] = {
    {"modes", Kind::kFallback, "antialias, crops, half_pixel_symmetric, or tf_half_pixel_for_nn", kToCpu, "",
     TESELA_ONNXRUNTIME_SOURCE "qnn/builder/opbuilder/resize_op_builder.cc",
     [](const NodeView& node) {
       return when(node.resamples() && (node.sampling().antialias ||
                                        is_mode(node, {kTfCropAndResize, kTfHalfPixelForNn, kHalfPixelSymmetric})));
     }},
    {"axes", Kind::kFallback, "2 or fewer axes, 6 or more, or one of the first two", kToCpu,
     "transpose, so that these axes come last", TESELA_ONNXRUNTIME_SOURCE "qnn/builder/opbuilder/resize_op_builder.cc",
     [](const NodeView& node) {
       return when(node.resamples() && (lacks_rank(node, {3, 4, 5}) || any_axis(node, [](const AxisView& axis) {
                                          return axis.axis < 2 && axis.is_resized();
                                        })));
     }},
    {"computed", Kind::kFallback, "Tile or Upsample with repeats or scales that the model computes", kToCpu,
     "make them constants", TESELA_ONNXRUNTIME_SOURCE "qnn/builder/opbuilder/tile_op_builder.cc",
     [](const NodeView& node) {
       return when((node.is(Operator::kTile) || node.is(Operator::kUpsample)) && has_computed_inputs(node));
     }},
    {"scales", Kind::kOtherRule, "scales that do not give whole extents", "computes positions by out / in",
     "give sizes", TESELA_ONNXRUNTIME_SOURCE "qnn/builder/opbuilder/resize_op_builder.cc",
     [](const NodeView& node) { return node.is_cubic() ? std::nullopt : ratio_for_scale(node); }},
    {"nearest-mode", Kind::kIgnored, "nearest of 4 axes on the NPU, but with floor", "does not read nearest_mode",
     "write nearest_mode=floor", TESELA_ONNXRUNTIME_SOURCE "qnn/builder/opbuilder/resize_op_builder.cc",
     [](const NodeView& node) {
       return when(node.has_modes() && node.is_nearest() && has_rank(node, {4}) &&
                   node.sampling().nearest != NearestMode::kFloor);
     }},
};

constexpr Row kDirectmlRows[] = {
    {"modes", Kind::kFallback, "cubic, exclude_outside, or an extrapolation_value other than 0", kToCpu, "",
     TESELA_ONNXRUNTIME_SOURCE "dml/DmlExecutionProvider/src/Operators/DmlOperatorResize.cpp",
     [](const NodeView& node) {
       return when(node.has_modes() &&
                   (node.is_cubic() || node.sampling().exclude_outside || node.sampling().extrapolation_value != 0));
     }},
    {"crop-axes", Kind::kCrash, "tf_crop_and_resize with axes and roi", "reads outside its arrays",
     "write roi for all axes", TESELA_ONNXRUNTIME_SOURCE "dml/OperatorAuthorHelper/OperatorHelper.cpp",
     [](const NodeView& node) { return when(node.crops() && node.has_input("roi") && lists_some_axes(node)); }},
    {"policy", Kind::kIgnored, "keep_aspect_ratio_policy other than stretch", "stretches to sizes",
     "write the sizes that the policy gives", TESELA_ONNXRUNTIME_SOURCE "dml/OperatorAuthorHelper/OperatorHelper.cpp",
     [](const NodeView& node) { return when(node.resamples() && has_policy(node)); }},
    {"one-output", Kind::kOtherRule, "pytorch_half_pixel of an axis to 1", "takes the centre, as half_pixel does",
     "write half_pixel", TESELA_ONNXRUNTIME_SOURCE "dml/DmlExecutionProvider/src/Operators/DmlOperatorResize.cpp",
     [](const NodeView& node) {
       return when(node.resamples() && is_mode(node, {kPytorchHalfPixel}) && resizes_to_one(node));
     }},
};

constexpr Row kWebnnRows[] = {
    {"modes", Kind::kFallback, "opset 10 or older, other than 4 axes, cubic, antialias, exclude_outside or a policy",
     kToCpu, "", TESELA_ONNXRUNTIME_SOURCE "webnn/builders/impl/resize_op_builder.cc",
     [](const NodeView& node) {
       return when(node.resamples() && (!node.has_modes() || lacks_rank(node, {4}) || is_unusual(node)));
     }},
    {"computed", Kind::kFallback, "scales or sizes that the model computes", kToCpu, "make them constants",
     TESELA_ONNXRUNTIME_SOURCE "webnn/builders/impl/resize_op_builder.cc",
     [](const NodeView& node) { return when(node.resamples() && has_computed_inputs(node)); }},
    {"coordinates", Kind::kIgnored, "another coordinate_transformation_mode than half_pixel", "computes half_pixel",
     "write half_pixel", TESELA_ONNXRUNTIME_SOURCE "webnn/builders/impl/resize_op_builder.cc",
     [](const NodeView& node) {
       if (!node.has_modes() || is_mode(node, {kHalfPixel})) return Match();
       if (is_mode(node, {kPytorchHalfPixel}) && !resizes_to_one(node)) return Match();
       const bool is_crop = node.crops();
       return is_crop
                  ? Match("")
                  : when_it_shows(effect_of(
                        node, {{"coordinate_transformation_mode", AttributeKind::kString, std::string("half_pixel")}}));
     }},
    {"nearest-mode", Kind::kIgnored, "nearest_mode other than round_prefer_floor", "rounds halves down",
     "write round_prefer_floor", TESELA_ONNXRUNTIME_SOURCE "webnn/builders/impl/resize_op_builder.cc",
     [](const NodeView& node) {
       return when(node.has_modes() && node.is_nearest() && node.sampling().nearest != NearestMode::kRoundPreferFloor);
     }},
};

}  // namespace

Peer onnxruntime_cuda() {
  return {"onnxruntime-cuda", "ONNX Runtime's CUDA provider", "1.25, by its source", kCudaRows};
}
Peer onnxruntime_webgpu() {
  return {"onnxruntime-webgpu", "ONNX Runtime's WebGPU provider", "1.25, by its source", kWebgpuRows};
}
Peer onnxruntime_coreml() {
  return {"onnxruntime-coreml", "ONNX Runtime's CoreML provider", "1.25, by its source", kCoremlRows};
}
Peer onnxruntime_qnn() {
  return {"onnxruntime-qnn", "ONNX Runtime's QNN provider", "1.25, by its source", kQnnRows};
}
Peer onnxruntime_directml() {
  return {"onnxruntime-directml", "ONNX Runtime's DirectML provider", "1.25, by its source", kDirectmlRows};
}
Peer onnxruntime_webnn() {
  return {"onnxruntime-webnn", "ONNX Runtime's WebNN provider", "1.25, by its source", kWebnnRows};
}

}  // namespace tesela::peers
