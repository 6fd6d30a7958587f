# SPDX-License-Identifier: Apache-2.0
"""The operators in Python, written from docs/specification alone. It is slow, and holds the text and not the library."""

from .interpolate import interpolate
from .moves import constant_of_shape, openvino_tile, tile
from .nodes import checked, since_version
from .resize import resize, upsample
from .tensors import Refused, Tensor, from_json

__all__ = ["Refused", "Tensor", "call", "from_json"]


def call(domain: str, operator: str, opset: int, attributes: dict, inputs: list[Tensor | None]) -> Tensor:
    """The output of a call, or Refused."""
    version = since_version(domain, operator, opset)
    values = checked(domain, operator, version, attributes, inputs)
    if operator == "Tile":
        return openvino_tile(inputs) if domain else tile(version, inputs)
    if operator == "ConstantOfShape":
        return constant_of_shape(version, values, inputs)
    return {"Resize": resize, "Upsample": upsample, "Interpolate": interpolate}[operator](version, values, inputs)
