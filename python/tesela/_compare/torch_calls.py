# SPDX-License-Identifier: Apache-2.0
"""The call of PyTorch that a node stands for."""

from __future__ import annotations

from typing import Any

import numpy as np

from .nodes import Node

_MODES = {("linear", 1): "linear", ("linear", 2): "bilinear", ("linear", 3): "trilinear", ("cubic", 2): "bicubic"}
_TYPES = ("bool", "uint8", "int8", "int16", "int32", "int64", "uint16", "uint32", "uint64", "float16", "bfloat16",
          "float32", "float64", "complex64", "complex128")
_EXACT = ("half_pixel", "round_prefer_ceil")  # of nearest-exact


def call_of(node: Node) -> dict[str, Any] | str:
    """{"function", "arguments"}, or a sentence that says why there is none."""
    if node.output_dtype.name not in _TYPES:
        return f"a tensor of {node.output_dtype} cannot be made from NumPy"
    if node.operator == "ConstantOfShape":
        value = node.attributes.get("value", np.zeros(1, np.float32)).reshape(-1)[0].item()
        return {"function": "full", "arguments": {"size": node.x.tolist(), "fill_value": value, "dtype": node.output_dtype.name}}
    if node.operator == "Tile":
        repeats = node.find("repeats")
        return "Tile-1 has no call" if repeats is None else {"function": "tile", "arguments": {"dims": repeats.tolist()}}
    return _interpolate(node)


def _interpolate(node: Node) -> dict[str, Any] | str:
    rank = node.x.ndim
    if rank not in (3, 4, 5):
        return f"interpolate takes 3 to 5 axes, not {rank}"
    mode, coordinates = node.attribute("mode"), node.attribute("coordinate_transformation_mode") or "asymmetric"
    if coordinates == "tf_crop_and_resize":
        return "interpolate has no tf_crop_and_resize"
    if mode != "nearest" and coordinates not in ("half_pixel", "pytorch_half_pixel", "align_corners"):
        return f"interpolate has no {coordinates} in mode {mode}"
    if node.attribute("keep_aspect_ratio_policy") not in (None, "stretch"):
        return "interpolate has no keep_aspect_ratio_policy"
    sizes = node.find("sizes")
    given = _scales(node) if sizes is None else sizes
    if given is None or given.size == 0:
        return "interpolate needs sizes or scales"
    wanted = _per_axis(node, given)
    if any(entry != kept for entry, kept in zip(wanted[:2], (1, 1) if sizes is None else node.x.shape[:2])):
        return "interpolate keeps the first two axes"
    name = _nearest(node) if mode == "nearest" else _MODES.get((mode, rank - 2))
    if name is None:
        return f"interpolate has no mode {mode} for {rank} axes"
    how = "scale_factor" if sizes is None else "size"
    arguments: dict[str, Any] = {how: wanted[2:], "mode": name}
    if mode != "nearest":
        arguments["align_corners"] = coordinates == "align_corners"
        if node.attribute("antialias"):
            arguments["antialias"] = True
    return {"function": "nn.functional.interpolate", "arguments": arguments}


def _scales(node: Node) -> np.ndarray | None:
    """An input, or attributes of Upsample-7 and 1."""
    if (found := node.find("scales")) is not None:
        return found
    if node.version == 1 and node.operator == "Upsample":
        return np.array([1, 1, node.attribute("height_scale"), node.attribute("width_scale")], np.float32)
    return None if node.attribute("scales") is None else np.array(node.attribute("scales"), np.float32)


def _nearest(node: Node) -> str:
    """nearest-exact is half_pixel with round_prefer_ceil; what exporters mean by everything else is nearest."""
    rule = (node.attribute("coordinate_transformation_mode"), node.attribute("nearest_mode"))
    return "nearest-exact" if rule == _EXACT else "nearest"


def _per_axis(node: Node, given: np.ndarray) -> list[Any]:
    axes = node.attributes.get("axes")
    if axes is None:
        return given.tolist()
    wanted: list[Any] = list(node.x.shape) if node.find("sizes") is not None else [1.0] * node.x.ndim
    for axis, entry in zip(axes, given.tolist()):
        wanted[axis] = entry
    return wanted
