# SPDX-License-Identifier: Apache-2.0
"""OpenVINO's Interpolate, where it differs from Resize (openvino.md)."""

import math
from fractions import Fraction

import numpy as np

from .axes import Axis, Rules, kept
from .sampling import sampled
from .tensors import LARGEST, Tensor, integers, read, require
from .versions import OPENVINO_FLOATS


def interpolate(version: int, attributes: dict, inputs: list[Tensor | None]) -> Tensor:
    x, mode = inputs[0], attributes["mode"]
    rank, pillow = len(x.shape), mode.endswith("_pillow")
    require(not any(attributes["pads_begin"] + attributes["pads_end"]), "OV-MODE-3")
    listed = listed_axes(rank, attributes["axes"] if version == 1 else inputs[-1])
    require(not pillow or len(listed) == 2, "OV-MODE-1")
    require(version > 1 or mode != "linear" or rank <= 5, "OV-MODE-1")
    rules = rules_of(version, rank, listed, attributes)
    require(rules.mode != "cubic" or math.isfinite(rules.a), "RESIZE-REQ-10")

    by_scales = attributes.get("shape_calculation_mode") == "scales"
    target = inputs[2] if version == 4 and by_scales else inputs[1]
    require((target.dtype in OPENVINO_FLOATS) == by_scales, "OV-SIZE-1")
    require(target.shape == (len(listed),), "RESIZE-REQ-5 or RESIZE-REQ-6")
    axes = [kept(n) for n in x.shape]
    entries = scales_of(target) if by_scales else integers(target)
    for d, entry in zip(listed, entries):
        axes[d] = axis_of(x.shape[d], entry, by_scales, pillow)
    if mode == "linear" and rules.antialias:  # OV-MODE-2
        require(all(axis.m <= axis.n for axis in axes) or all(axis.m >= axis.n for axis in axes), "OV-MODE-2")
    return sampled(x, axes, rules)


def listed_axes(rank: int, axes: list[int] | Tensor | None) -> list[int]:
    """OV-AXES-1."""
    if axes is None:
        return [*range(rank)]
    if isinstance(axes, Tensor):
        require(len(axes.shape) == 1, "OV-AXES-1")
        axes = integers(axes)
    require(all(0 <= axis < rank for axis in axes) and len(set(axes)) == len(axes), "OV-AXES-1")
    return axes


def scales_of(target: Tensor) -> list[np.float32]:
    """OV-SIZE-2."""
    scales = [*read(target, np.float64).astype(np.float32)]
    require(all(np.isfinite(s) and s > 0 for s in scales), "RESIZE-REQ-5")
    return scales


def axis_of(n: int, entry: int | np.float32, by_scales: bool, pillow: bool) -> Axis:
    """OV-SIZE-1, OV-SIZE-2 and OV-SCALE-1."""
    if by_scales:
        product = np.float32(n) * (entry + np.float32(1e-6))
        require(entry == 1 or product < 2**63, "COM-SIZE-1")
        m = n if entry == 1 else math.floor(product)
    else:
        m = entry
        require(0 <= m <= LARGEST, "RESIZE-REQ-6")
        require(n > 0 or m == 0, "RESIZE-EXT-2")
    exact = pillow or not by_scales
    scale = Fraction(m, n or 1) if exact else Fraction(float(entry))
    return Axis(n, m, scale, Fraction(m) if exact else float(m), exact, identity=m == n)


def rules_of(version: int, rank: int, listed: list[int], attributes: dict) -> Rules:
    """OV-POS-1, OV-POS-2, OV-NEAR-1 and OV-MODE-1."""
    mode = attributes["mode"]
    if version == 1:
        coordinates, nearest, a = coordinates_of_version_1(rank, listed, attributes), "simple", -0.75
    else:
        coordinates, nearest, a = (attributes[name] for name in ("coordinate_transformation_mode", "nearest_mode", "cube_coeff"))
    if mode == "bilinear_pillow":
        return Rules("linear", "half_pixel", nearest, exclude_outside=True, antialias=True)
    if mode == "bicubic_pillow":
        return Rules("cubic", "half_pixel", nearest, a, exclude_outside=True, antialias=True)
    if mode == "linear" and (version > 1 or rank == 5):
        return Rules("linear", coordinates, nearest, exclude_outside=True, antialias=attributes["antialias"] == 1)
    return Rules("linear" if mode == "linear_onnx" else mode, coordinates, nearest, a)


def coordinates_of_version_1(rank: int, listed: list[int], attributes: dict) -> str:
    """OV-POS-2."""
    if attributes["align_corners"]:
        return "align_corners"
    image = rank == 4 and set(listed) == {2, 3}
    return "half_pixel" if attributes["mode"] == "linear" and not image else "asymmetric"
