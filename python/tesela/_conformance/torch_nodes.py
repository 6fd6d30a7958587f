# SPDX-License-Identifier: Apache-2.0
"""Which nodes have a call of PyTorch that means the same. `tesela compare` asks what exporters mean; here the standard's words count."""

from __future__ import annotations

import numpy as np

from .._compare import torch_calls
from .._compare.nodes import Node

# Of mode nearest: nearest, which is i / scale rounded down, and nearest-exact.
_NEAREST = (("asymmetric", "floor"), ("half_pixel", "round_prefer_ceil"))


def unsupported(node: Node) -> str:
    """Why PyTorch has no call for a valid node; "" if it has one."""
    call = torch_calls.call_of(node)
    if isinstance(call, str):
        return call
    return _unsupported_resize(node) if node.operator in ("Resize", "Upsample") else ""


def _unsupported_resize(node: Node) -> str:
    mode, coordinates = node.attribute("mode"), node.attribute("coordinate_transformation_mode") or "asymmetric"
    ins, outs = node.x.shape, tuple(node.plan().output_shape)
    if mode == "nearest":
        return _unsupported_nearest(node, coordinates, any(out < extent for out, extent in zip(outs, ins)))
    if coordinates == "pytorch_half_pixel" and any(out == 1 < extent for out, extent in zip(outs, ins)):
        return "interpolate has the centre of an axis, and no pytorch_half_pixel, for one output"
    if coordinates == "align_corners" and not _is_whole(node):
        return "interpolate aligns the corners of the output's extent, not of extent times scale"
    return _unsupported_filter(node, mode)


def _unsupported_nearest(node: Node, coordinates: str, shrinks: bool) -> str:
    rule = node.attribute("nearest_mode")
    if rule is None:  # Upsample rounds down, Resize-10 rounds up where an axis shrinks
        rule = "ceil" if node.operator == "Resize" and shrinks else "floor"
    return "" if (coordinates, rule) in _NEAREST else f"interpolate has no nearest with {coordinates} and {rule}"


def _unsupported_filter(node: Node, mode: str) -> str:
    antialias, exclude = bool(node.attribute("antialias")), bool(node.attribute("exclude_outside"))
    coefficient = node.attribute("cubic_coeff_a")
    if mode == "cubic" and coefficient is not None and float(coefficient) != (-0.5 if antialias else -0.75):
        return f"interpolate has no cubic_coeff_a {float(coefficient):g} {'with' if antialias else 'without'} antialias"
    if antialias and not exclude:
        return "interpolate excludes what lies outside where it has antialias"
    if exclude and not antialias and mode == "cubic":
        return "interpolate has no exclude_outside without antialias"
    return ""


def _is_whole(node: Node) -> bool:
    """Whether scales, if they are given, make whole extents."""
    scales, axes = node.find("scales"), node.attributes.get("axes")
    if scales is None or not scales.size or node.find("sizes") is not None:
        return True
    extents = [node.x.shape[axis] for axis in axes] if axes is not None else node.x.shape
    products = scales.astype(np.float64) * extents
    return bool(np.all(products == np.floor(products)))
