# SPDX-License-Identifier: Apache-2.0
"""The operators in Python, written from docs/specification alone. It is slow, and holds the text and not the library."""

import numpy as np

from .interpolate import interpolate
from .moves import constant_of_shape, tile, tile_of_openvino
from .resize import resize, upsample
from .tensors import Refused, Tensor, from_json
from .versions import VERSIONS, read_attributes, read_inputs, version_of

__all__ = ["Refused", "Tensor", "call", "from_json"]


def call(domain: str, operator: str, opset: int, attributes: dict, inputs: list[Tensor | None]) -> Tensor:
    """The output of a call, or Refused. Attributes are in the form of the vectors' file, except tensors."""
    domain = "" if domain == "ai.onnx" else domain
    version = version_of(domain, operator, opset)
    declared = VERSIONS[domain, operator][version]
    values, tensors = read_attributes(declared, attributes), read_inputs(declared, inputs)
    with np.errstate(all="ignore"):
        if operator == "Tile":
            return tile_of_openvino(*tensors) if domain else tile(version, *tensors)
        if operator == "ConstantOfShape":
            return constant_of_shape(version, tensors[0], values["value"])
        return {"Resize": resize, "Upsample": upsample, "Interpolate": interpolate}[operator](version, values, tensors)
