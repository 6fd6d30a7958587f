// SPDX-License-Identifier: Apache-2.0
// Engines that import ONNX models, by their sources and reports: TensorRT, TVM, ncnn, MNN, MIGraphX, OpenCV, tract.
#include "peers/match.h"

namespace tesela::peers {
namespace {

using enum DataType;
using enum CoordinateMode;

bool is_old(const NodeView& node) {
  return node.resamples() && !node.has_modes();
}

bool resizes_first_two(const NodeView& node) {
  return any_axis(node, [](const AxisView& axis) { return axis.axis < 2 && axis.is_resized(); });
}

Attribute text(std::string name, std::string value) {
  return {std::move(name), AttributeKind::kString, std::move(value)};
}

// The effect of computing another coordinate mode.
Match computes(const NodeView& node, const char* mode) {
  return node.crops() ? Match("") : when_it_shows(effect_of(node, {text("coordinate_transformation_mode", mode)}));
}

Match antialias(const NodeView& node) {
  return when(node.resamples() && node.sampling().antialias);
}

Match policy(const NodeView& node) {
  return when(node.resamples() && has_policy(node));
}

Match some_axes(const NodeView& node) {
  return when(node.resamples() && lists_some_axes(node));
}

Match computed_inputs(const NodeView& node) {
  return when(node.resamples() && has_computed_inputs(node));
}

Match computed_repeats(const NodeView& node) {
  return when(node.is(Operator::kTile) && has_computed_inputs(node));
}

Match first_two(const NodeView& node) {
  return when(node.resamples() && resizes_first_two(node));
}

// The effect of asymmetric and floor.
Match floor_instead(const NodeView& node) {
  return when_it_shows(
      effect_of(node, {text("coordinate_transformation_mode", "asymmetric"), text("nearest_mode", "floor")}));
}

// ---- TensorRT ------------------------------------------------------------------------------------------------------

#define TESELA_TENSORRT "https://github.com/onnx/onnx-tensorrt/blob/96e781103cfc4adf4a6bb557e94bac8e693f6f4c/"

constexpr Row kTensorrtRows[] = {
    {"antialias", Kind::kRefused, "antialias", "reports an error; before version 10 it dropped the attribute", "",
     "https://github.com/NVIDIA/TensorRT/issues/3560", antialias},
    {"policy", Kind::kRefused, "keep_aspect_ratio_policy other than stretch", "reports an error",
     "write the sizes that the policy gives", TESELA_TENSORRT "onnxOpCheckers.cpp", policy},
    {"coordinates", Kind::kRefused, "half_pixel_symmetric or tf_crop_and_resize", "reports an error",
     "give sizes and half_pixel; slice and resize for a crop", TESELA_TENSORRT "onnxOpImporters.cpp",
     [](const NodeView& node) {
       return when(node.resamples() && is_mode(node, {kHalfPixelSymmetric, kTfCropAndResize}));
     }},
    {"tf-half-pixel-for-nn", Kind::kRefused,
     "tf_half_pixel_for_nn in mode nearest with another nearest_mode than round_prefer_floor, or with sizes",
     "reports an error; tf2onnx writes this", "write half_pixel with round_prefer_ceil for what TensorFlow computes",
     "https://github.com/onnx/onnx-tensorrt/issues/913",
     [](const NodeView& node) {
       return when(node.resamples() && is_mode(node, {kTfHalfPixelForNn}) && node.is_nearest() &&
                   (node.sampling().nearest != NearestMode::kRoundPreferFloor || node.by_sizes()));
     }},
    {"axes", Kind::kRefused, "linear along others than the last three axes, or cubic along others than the last two",
     "reports an error", "transpose, so that these axes come last", TESELA_TENSORRT "onnxOpImporters.cpp",
     [](const NodeView& node) {
       return when(node.resamples() && !node.is_nearest() && resizes_before_last(node, node.is_cubic() ? 2 : 3));
     }},
    {"type", Kind::kRefused, "bool or uint8 (Resize, Upsample), or uint8 (Tile, ConstantOfShape)", "reports an error",
     "cast to float before and back after", TESELA_TENSORRT "docs/operators.md",
     [](const NodeView& node) { return when(node.type() == kUint8 || (node.resamples() && node.type() == kBool)); }},
    {"computed-scales", Kind::kRefused, "axes with scales that the model computes", "reports an error",
     "make scales a constant, or give sizes", TESELA_TENSORRT "onnxOpImporters.cpp",
     [](const NodeView& node) { return when(lists_some_axes(node) && !node.by_sizes() && has_computed_inputs(node)); }},
    {"double", Kind::kOtherRule, "double", "computes in float32", "", TESELA_TENSORRT "docs/operators.md",
     [](const NodeView& node) { return when(node.type() == kDouble); }},
    {"nearest-10", Kind::kOtherRule, "nearest of Resize-10 on an axis that shrinks", "rounds down instead of up",
     "write a newer version with its nearest_mode", TESELA_TENSORRT "onnxOpImporters.cpp",
     [](const NodeView& node) {
       return when(is_old(node) && node.is_nearest() &&
                   any_axis(node, [](const AxisView& axis) { return axis.scale && *axis.scale < 1; }));
     }},
    {"one-output", Kind::kOtherRule, "pytorch_half_pixel of linear of an axis to 1", "gives other results",
     "write half_pixel",
     "https://github.com/onnxruntime/onnxruntime-qnn/blob/cee6c0d91e583d43f5ecef6391e93c19b4042c0f/onnxruntime/test/"
     "providers/cpu/tensor/resize_op_test.cc",
     [](const NodeView& node) {
       return when(node.resamples() && is_mode(node, {kPytorchHalfPixel}) && is_linear(node) && resizes_to_one(node));
     }},
};

// ---- TVM -----------------------------------------------------------------------------------------------------------

#define TESELA_TVM "https://github.com/apache/tvm/blob/5d4dc8721307cf9677becacf0395c19be130e206/python/tvm/"

constexpr Row kTvmRows[] = {
    {"rank", Kind::kRefused, "other than 3, 4 or 5 axes", "stops the import", "reshape to 4 axes",
     TESELA_TVM "relax/frontend/onnx/onnx_frontend.py",
     [](const NodeView& node) {
       return when(node.is(Operator::kResize) && lacks_rank(node, {3, 4, 5}));
     }},
    {"axes", Kind::kRefused, "axes that are not all axes in order", "does not read axes, and stops or resizes others",
     "write scales or sizes for all axes", TESELA_TVM "relax/frontend/onnx/onnx_frontend.py", some_axes},
    {"computed", Kind::kRefused, "scales or sizes that the model computes", "stops the import", "make them constants",
     TESELA_TVM "relax/frontend/onnx/onnx_frontend.py", computed_inputs},
    {"symmetric", Kind::kRefused, "half_pixel_symmetric", "stops the import", "give sizes and half_pixel",
     TESELA_TVM "topi/image/resize.py",
     [](const NodeView& node) { return when(node.resamples() && is_mode(node, {kHalfPixelSymmetric})); }},
    {"version-10", Kind::kRefused, "Resize-10 or Upsample-9", "stops the import", "convert to Resize-11 or later",
     TESELA_TVM "relax/frontend/onnx/onnx_frontend.py",
     [](const NodeView& node) { return when(is_old(node) && node.version() >= 9); }},
    {"scales", Kind::kOtherRule, "scales that do not give whole extents", "computes positions by out / in",
     "give sizes", "https://github.com/apache/tvm/issues/19500", ratio_for_scale},
    {"antialias", Kind::kIgnored, "antialias", "does not read the attribute", "",
     TESELA_TVM "relax/frontend/onnx/onnx_frontend.py", antialias},
    {"policy", Kind::kIgnored, "keep_aspect_ratio_policy other than stretch", "stretches to sizes",
     "write the sizes that the policy gives", TESELA_TVM "relax/frontend/onnx/onnx_frontend.py", policy},
    {"first-axes", Kind::kIgnored, "the first two axes", "leaves these axes unchanged",
     "transpose, so that these axes come last", TESELA_TVM "relax/frontend/onnx/onnx_frontend.py", first_two},
};

// ---- ncnn ----------------------------------------------------------------------------------------------------------

#define TESELA_NCNN "https://github.com/Tencent/ncnn/blob/a4d2ea1d4422c9e849f166fd7a4aefb52f942f6a/"

constexpr Row kNcnnRows[] = {
    {"operators", Kind::kRefused, "Tile or ConstantOfShape", "has no layer that onnx2ncnn writes",
     "fold constants first", TESELA_NCNN "tools/onnx/onnx2ncnn.cpp",
     [](const NodeView& node) { return when(node.is(Operator::kTile) || node.is(Operator::kConstantOfShape)); }},
    {"scales", Kind::kOtherRule, "linear or cubic with scales that do not give whole extents",
     "computes positions by out / in", "give sizes", "https://github.com/Tencent/ncnn/issues/6836",
     [](const NodeView& node) { return node.is_nearest() ? Match() : ratio_for_scale(node); }},
    {"coordinates", Kind::kIgnored, "linear or cubic with another mode than half_pixel and align_corners",
     "computes half_pixel", "write half_pixel", TESELA_NCNN "tools/onnx/onnx2ncnn.cpp",
     [](const NodeView& node) {
       if (!node.has_modes() || node.is_nearest() || is_mode(node, {kHalfPixel, kAlignCorners})) return Match();
       return computes(node, "half_pixel");
     }},
    {"nearest", Kind::kIgnored, "nearest other than asymmetric with floor", "computes asymmetric with floor",
     "write asymmetric with floor", TESELA_NCNN "tools/onnx/onnx2ncnn.cpp",
     [](const NodeView& node) { return node.has_modes() && node.is_nearest() ? floor_instead(node) : Match(); }},
    {"attributes", Kind::kIgnored, "exclude_outside, antialias, or a cubic_coeff_a other than -0.75",
     "does not read the attribute", "", TESELA_NCNN "tools/onnx/onnx2ncnn.cpp",
     [](const NodeView& node) {
       const SamplingParams& sampling = node.sampling();
       return when(node.has_modes() && !node.is_nearest() &&
                   (sampling.exclude_outside || sampling.antialias || (node.is_cubic() && sampling.cubic_a != -0.75)));
     }},
    {"axes", Kind::kIgnored, "axes, or a policy other than stretch", "does not read the attribute",
     "write sizes for all axes", TESELA_NCNN "tools/onnx/onnx2ncnn.cpp",
     [](const NodeView& node) { return when(node.resamples() && (lists_some_axes(node) || has_policy(node))); }},
    {"linear-upsample", Kind::kOtherRule, "Upsample in mode linear", "computes half_pixel; Upsample is asymmetric",
     "write Resize with asymmetric", TESELA_NCNN "tools/onnx/onnx2ncnn.cpp",
     [](const NodeView& node) { return when(node.is(Operator::kUpsample) && is_linear(node)); }},
    {"first-axes", Kind::kIgnored, "the first two axes", "leaves these axes unchanged",
     "transpose, so that these axes come last", TESELA_NCNN "tools/onnx/onnx2ncnn.cpp", first_two},
};

// ---- MNN -----------------------------------------------------------------------------------------------------------

#define TESELA_MNN "https://github.com/alibaba/MNN/blob/4d40bdbd7efb73a58383bb5da867a6f41eb1776e/"

constexpr Row kMnnRows[] = {
    {"fill-type", Kind::kRefused, "ConstantOfShape of other types than int32 and float", "stops the conversion",
     "cast after", TESELA_MNN "tools/converter/source/optimizer/onnxextra/OnnxConstantOfShape.cpp",
     [](const NodeView& node) {
       return when(node.is(Operator::kConstantOfShape) && !TypeSet{kFloat, kInt32}.contains(node.type()));
     }},
    {"no-mode", Kind::kOtherRule, "no mode attribute", "computes linear; the default is nearest", "write mode=nearest",
     TESELA_MNN "tools/converter/source/onnx/ResizeOnnx.cpp",
     [](const NodeView& node) { return when(node.is(Operator::kResize) && node.op().find("mode") == nullptr); }},
    {"nearest-mode", Kind::kOtherRule, "nearest_mode ceil or round_prefer_ceil", "computes round_prefer_floor",
     "write floor or round_prefer_floor", TESELA_MNN "tools/converter/source/onnx/ResizeOnnx.cpp",
     [](const NodeView& node) {
       const NearestMode mode = node.sampling().nearest;
       if (!node.has_modes() || !node.is_nearest() ||
           (mode != NearestMode::kCeil && mode != NearestMode::kRoundPreferCeil))
         return Match();
       return when_it_shows(effect_of(node, {text("nearest_mode", "round_prefer_floor")}));
     }},
    {"scales", Kind::kOtherRule, "scales that do not give whole extents", "computes positions by out / in",
     "give sizes", TESELA_MNN "source/geometry/ConvertUtils.hpp", ratio_for_scale},
    {"attributes", Kind::kIgnored, "exclude_outside, antialias, axes, or a policy other than stretch",
     "does not read the attribute", "write sizes for all axes", TESELA_MNN "tools/converter/source/onnx/ResizeOnnx.cpp",
     [](const NodeView& node) {
       const bool filters = !node.is_nearest() && (node.sampling().exclude_outside || node.sampling().antialias);
       return when(node.resamples() && (filters || lists_some_axes(node) || has_policy(node)));
     }},
    {"coordinates", Kind::kOtherRule, "half_pixel_symmetric or tf_crop_and_resize",
     "computes asymmetric, or ignores roi", "give sizes and half_pixel",
     TESELA_MNN "tools/converter/source/onnx/ResizeOnnx.cpp",
     [](const NodeView& node) {
       return when(node.resamples() && is_mode(node, {kHalfPixelSymmetric, kTfCropAndResize}));
     }},
    {"version-10", Kind::kOtherRule, "Resize-10", "computes half_pixel; the version is asymmetric",
     "convert to Resize-11 or later with asymmetric", TESELA_MNN "tools/converter/source/onnx/ResizeOnnx.cpp",
     [](const NodeView& node) { return when(node.is(Operator::kResize) && is_old(node)); }},
};

// ---- MIGraphX ------------------------------------------------------------------------------------------------------

#define TESELA_MIGRAPHX "https://github.com/ROCm/AMDMIGraphX/blob/f729a52fafa209a094eb8c6df3433e94423577fe/src/onnx/"

constexpr Row kMigraphxRows[] = {
    {"modes", Kind::kRefused, "exclude_outside, crops, half_pixel_symmetric, or a policy other than stretch",
     "reports an error", "write the sizes that the policy gives", TESELA_MIGRAPHX "parse_resize.cpp",
     [](const NodeView& node) {
       return when(node.resamples() && (node.sampling().exclude_outside || has_policy(node) ||
                                        is_mode(node, {kTfCropAndResize, kHalfPixelSymmetric})));
     }},
    {"axes", Kind::kRefused, "axes that are not all axes in order", "reports an error, or ignores their order",
     "write scales or sizes for all axes", TESELA_MIGRAPHX "parse_resize.cpp", some_axes},
    {"computed-repeats", Kind::kRefused, "Tile with repeats that the model computes", "reports an error",
     "make repeats a constant", TESELA_MIGRAPHX "parse_tile.cpp", computed_repeats},
    {"antialias", Kind::kIgnored, "antialias", "does not read the attribute", "", TESELA_MIGRAPHX "parse_resize.cpp",
     antialias},
    {"version-10", Kind::kOtherRule, "Upsample or Resize-10 in mode linear, or by scales that are not whole numbers",
     "computes half_pixel; these versions are asymmetric", "write Resize-11 or later with asymmetric",
     TESELA_MIGRAPHX "parse_resize.cpp",
     [](const NodeView& node) {
       return when(is_old(node) && (is_linear(node) || any_axis(node, [](const AxisView& axis) {
                                      return axis.scale &&
                                             *axis.scale != static_cast<float>(static_cast<int>(*axis.scale));
                                    })));
     }},
};

// ---- OpenCV --------------------------------------------------------------------------------------------------------

#define TESELA_OPENCV                                                                                    \
  "https://github.com/opencv/opencv/blob/4771da51aee757e1baf221259d0b70ae5ab08364/modules/dnn/src/onnx/" \
  "onnx_importer.cpp"

constexpr Row kOpencvRows[] = {
    {"cubic", Kind::kRefused, "cubic", "stops the import", "", TESELA_OPENCV,
     [](const NodeView& node) { return when(node.resamples() && node.is_cubic()); }},
    {"rank", Kind::kRefused, "other than 4 axes, or axes that are not all axes in order", "stops the import",
     "reshape to 4 axes, with scales or sizes for all", TESELA_OPENCV,
     [](const NodeView& node) {
       return when(node.is(Operator::kResize) && (lacks_rank(node, {4}) || lists_some_axes(node)));
     }},
    {"computed", Kind::kRefused, "scales, sizes or repeats that the model computes", "stops the import",
     "make them constants", TESELA_OPENCV, [](const NodeView& node) { return when(has_computed_inputs(node)); }},
    {"crop", Kind::kRefused, "tf_crop_and_resize", "stops the import", "", TESELA_OPENCV,
     [](const NodeView& node) { return when(node.resamples() && node.crops()); }},
    {"no-mode", Kind::kRefused, "no mode attribute", "stops the import", "write mode=nearest", TESELA_OPENCV,
     [](const NodeView& node) { return when(node.is(Operator::kResize) && node.op().find("mode") == nullptr); }},
    {"no-coordinates", Kind::kOtherRule, "nearest without coordinate_transformation_mode",
     "computes asymmetric; the default is half_pixel", "write the attribute", TESELA_OPENCV,
     [](const NodeView& node) {
       return when(node.has_modes() && node.is_nearest() &&
                   node.op().find("coordinate_transformation_mode") == nullptr);
     }},
    {"nearest-mode", Kind::kIgnored,
     "nearest_mode other than floor for asymmetric, and round_prefer_ceil for the others",
     "rounds by the coordinate mode", "write asymmetric with floor", TESELA_OPENCV,
     [](const NodeView& node) {
       if (!node.has_modes() || !node.is_nearest()) return Match();
       const bool floors = is_mode(node, {kAsymmetric});
       return when_it_shows(effect_of(node, {text("nearest_mode", floors ? "floor" : "round_prefer_ceil")}));
     }},
    {"attributes", Kind::kIgnored, "antialias, exclude_outside, or a policy other than stretch",
     "does not read the attribute", "", TESELA_OPENCV,
     [](const NodeView& node) {
       const bool filters = !node.is_nearest() && (node.sampling().exclude_outside || node.sampling().antialias);
       return when(node.resamples() && (filters || has_policy(node)));
     }},
    {"first-axes", Kind::kIgnored, "the first two axes", "leaves these axes unchanged",
     "transpose, so that these axes come last", TESELA_OPENCV, first_two},
    {"scales", Kind::kOtherRule, "scales that do not give whole extents", "computes positions by out / in",
     "give sizes", TESELA_OPENCV, ratio_for_scale},
};

// ---- tract ---------------------------------------------------------------------------------------------------------

constexpr Row kTractRows[] = {
    {"upsample", Kind::kRefused, "Upsample", "does not know the operator", "convert to Resize",
     "https://github.com/sonos/tract/blob/38b383f/onnx/src/ops/resize.rs",
     [](const NodeView& node) { return when(node.is(Operator::kUpsample)); }},
    {"coordinates", Kind::kRefused, "half_pixel_symmetric or tf_crop_and_resize",
     "does not load the model before version 0.23.5", "upgrade", "https://github.com/sonos/tract/pull/2555",
     [](const NodeView& node) {
       return when(node.resamples() && is_mode(node, {kHalfPixelSymmetric, kTfCropAndResize}));
     }},
    {"axes", Kind::kRefused, "axes that are not all axes in order", "reports an error before version 0.23.5", "upgrade",
     "https://github.com/sonos/tract/pull/2555", some_axes},
    {"attributes", Kind::kIgnored, "antialias, or a policy other than stretch",
     "does not read the attribute before version 0.23.5", "upgrade", "https://github.com/sonos/tract/pull/2555",
     [](const NodeView& node) { return when(node.resamples() && (node.sampling().antialias || has_policy(node))); }},
    {"whole-scales", Kind::kOtherRule, "nearest by whole scales", "repeats elements, whatever the modes, before 0.23.5",
     "upgrade, or write asymmetric with floor", "https://github.com/sonos/tract/pull/2554",
     [](const NodeView& node) {
       const bool whole = !node.axes().empty() && !any_axis(node, [](const AxisView& axis) {
         return !axis.scale || *axis.scale < 1 || *axis.scale != static_cast<float>(static_cast<int64_t>(*axis.scale));
       });
       return node.has_modes() && node.is_nearest() && whole ? floor_instead(node) : Match();
     }},
    {"wide-types", Kind::kOtherRule, "double, int32 or int64", "computes in float32 and loses the rest", "",
     "https://github.com/sonos/tract/blob/38b383f/onnx/src/ops/resize.rs",
     [](const NodeView& node) {
       return when(node.is(Operator::kResize) && TypeSet{kDouble, kInt32, kInt64}.contains(node.type()));
     }},
};

}  // namespace

Peer tensorrt() {
  return {"tensorrt", "TensorRT", "10.1, by the source of its parser", kTensorrtRows};
}
Peer tvm() {
  return {"tvm", "TVM", "0.26, by the source of its frontend", kTvmRows};
}
Peer ncnn() {
  return {"ncnn", "ncnn", "July 2026, by its source", kNcnnRows};
}
Peer mnn() {
  return {"mnn", "MNN", "August 2026, by its source", kMnnRows};
}
Peer migraphx() {
  return {"migraphx", "MIGraphX", "May 2026, by its source", kMigraphxRows};
}
Peer opencv_dnn() {
  return {"opencv-dnn", "OpenCV's DNN module", "4.x, by its source", kOpencvRows};
}
Peer tract() {
  return {"tract", "tract", "0.23, by its source", kTractRows};
}

}  // namespace tesela::peers
