"""The models whose results differ from a runtime's, or that a route does not load, and by which rule."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Difference:
    """models: a pattern of names. routes: of the table. rule: a heading of docs/differences.md. mark: in the table."""

    models: str
    routes: tuple[str, ...]
    rule: str
    mark: str


@dataclass(frozen=True)
class Limit:
    """models and mark: as of Difference. route: that does not load them. reason: a part of its message. text: a sentence
    of document, which says so."""

    models: str
    route: str
    reason: str
    document: str
    text: str
    mark: str


INSIDE_ONNXRUNTIME = ("provider", "override")
ONNX_IN_OPENVINO = ("extension", "register")

DIFFERENCES = [
    Difference("^keras-image-crops-tf2onnx", INSIDE_ONNXRUNTIME, "A crop of the same size crops", "crop"),
    Difference("^keras-(upsampling2d|image|resizing)-bicubic.*tf2onnx", ONNX_IN_OPENVINO, "exclude_outside in mode cubic", "exclude_outside"),
    Difference("^(transforms-.*(preset|antialias)|smp-dpt)-dynamo", ONNX_IN_OPENVINO, "antialias", "antialias"),
    Difference("^keras-(image-nearest|mobilenet-unet-nearest).*tf2onnx-1[3-9]", ("check",), "tf_half_pixel_for_nn went with version 13",
               "tf_half_pixel_for_nn"),
    # The files declare what the float32 product gives.
    Difference("^(nearest-1d-script-10|fcn-script-(9|10))$", ("check", "inspect"), "The output extent is the floor of a double product", "extent"),
    # Ratios of sizes, of which inspect gives the standard's product; check notes that the runtimes' is another.
    Difference("^keras-(image-old-(bilinear|corners|nearest-corners)|resizing-(bilinear|crop|nearest))-tf2onnx", ("inspect",),
               "The output extent is the floor of a double product", "extent"),
    Difference("^pyramid-script-9", ONNX_IN_OPENVINO, "Upsample in mode nearest", "Upsample"),
    # Output 5 of a scale of 10/6 looks at 3 or just below.
    Difference("^keras-image-old-nearest-dynamic-tf2onnx-10", ("register", "replace"), "Positions in float", "float"),
]

LIMITS = [
    Limit("^(faster|mask|keypoint)rcnn-script-1[123]", "override", "bound to different types",
          "onnxruntime.md", "A ConstantOfShape whose output's rank is not known", "rank"),
]
