# SPDX-License-Identifier: Apache-2.0
"""Models whose results differ from the runtime's, or that a route does not load, with the rule for each."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """models: a pattern of names. routes: columns of the table. rule: a heading of docs/differences.md. mark: its name in the
    table."""

    models: str
    routes: tuple[str, ...]
    rule: str
    mark: str


@dataclass(frozen=True)
class Limit:
    """models and mark: as in Difference. route: the one that does not load them. reason: part of its error message. text: part
    of the document, which describes the limit."""

    models: str
    route: str
    reason: str
    document: str
    text: str
    mark: str


INSIDE_ONNXRUNTIME = ("provider", "override")
ONNX_IN_OPENVINO = ("extension", "register")

DIFFERENCES = [
    Difference("^keras-image-crops-tf2onnx", INSIDE_ONNXRUNTIME, "A crop to the same size is still a crop", "crop"),
    Difference("^keras-(upsampling2d|image|resizing)-bicubic.*tf2onnx", ONNX_IN_OPENVINO, "exclude_outside in mode cubic", "exclude_outside"),
    Difference("^(transforms-.*(preset|antialias)|smp-dpt)-dynamo", ONNX_IN_OPENVINO, "antialias", "antialias"),
    Difference("^keras-(image-nearest|mobilenet-unet-nearest).*tf2onnx-1[3-9]", ("check",), "tf_half_pixel_for_nn was removed in version 13",
               "tf_half_pixel_for_nn"),
    # The files declare what the float32 product gives.
    Difference("^(nearest-1d-script-10|fcn-script-(9|10))$", ("check", "inspect"), "The output extent is the floor of a double product", "extent"),
    # Scales are ratios of sizes: inspect gives the standard's product, and check notes that the runtimes' differs.
    Difference("^keras-(image-old-(bilinear|corners|nearest-corners)|resizing-(bilinear|crop|nearest))-tf2onnx", ("inspect",),
               "The output extent is the floor of a double product", "extent"),
    Difference("^pyramid-script-9", ONNX_IN_OPENVINO, "Upsample in mode nearest", "Upsample"),
    # With scale 10/6, output 5 is at position 3 or just below.
    Difference("^keras-image-old-nearest-dynamic-tf2onnx-10", ("register", "replace"), "Positions in float32", "float"),
]

LIMITS = [
    Limit("^(faster|mask|keypoint)rcnn-script-1[123]", "override", "bound to different types",
          "onnxruntime.md", "ConstantOfShape with an output of unknown rank", "rank"),
]
