# SPDX-License-Identifier: Apache-2.0
"""OpenVINO's Interpolate, where it differs from Resize (openvino.md)."""

import math
from fractions import Fraction

import numpy as np

from .axes import Axis, Settings
from .passes import resized
from .tensors import LARGEST, Tensor, integers, read, require

PILLOW = {"bilinear_pillow": "linear", "bicubic_pillow": "cubic"}


def interpolate(version: int, attributes: dict, inputs: list[Tensor | None]) -> Tensor:
    data = inputs[0]
    require(not any(attributes["pads_begin"]) and not any(attributes["pads_end"]), "pads")  # OV-MODE-3
    listed = listed_axes(version, data.rank, attributes, inputs)
    settings = filter_settings(version, data.rank, listed, attributes)
    require(settings.mode != "cubic" or math.isfinite(settings.a), "cube_coeff")  # RESIZE-REQ-10
    axes = [Axis(n, n) for n in data.shape]
    by_scales = attributes.get("shape_calculation_mode") == "scales"
    if version == 11:
        is_float = "float" in inputs[1].type or inputs[1].type == "double"
        require(is_float == by_scales, "type of scales_or_sizes")  # OV-SIZE-1
    control = inputs[2] if version == 4 and by_scales else inputs[1]
    require(control.shape == (len(listed),), "sizes or scales not 1-D, or of another count")
    extents(axes, listed, control, by_scales, attributes["mode"] in PILLOW)
    if attributes["mode"] == "linear" and settings.antialias:  # OV-MODE-2
        grows = any(axis.m > axis.n for axis in axes)
        require(not (grows and any(axis.m < axis.n for axis in axes)), "antialias of axes that grow and shrink")
    return resized(data, settings, axes)


def listed_axes(version: int, rank: int, attributes: dict, inputs: list[Tensor | None]) -> list[int]:
    """OV-AXES-1."""
    place = 3 if version == 4 else 2
    tensor = inputs[place] if version != 1 and len(inputs) > place else None
    if version == 1:
        listed = attributes["axes"]
    elif tensor is None:
        return list(range(rank))
    else:
        require(tensor.rank == 1, "axes not 1-D")
        listed = integers(tensor)
    require(all(0 <= axis < rank for axis in listed) and len(set(listed)) == len(listed), "axes")
    return listed


def filter_settings(version: int, rank: int, listed: list[int], attributes: dict) -> Settings:
    """OV-MODE-1, OV-POS-1, OV-POS-2 and OV-NEAR-1."""
    mode, antialias = attributes["mode"], attributes["antialias"] == 1
    nearest = attributes.get("nearest_mode", "simple")
    coordinates = attributes.get("coordinate_transformation_mode", "asymmetric")
    if version == 1 and attributes["align_corners"]:
        coordinates = "align_corners"
    elif version == 1 and mode == "linear" and not (rank == 4 and sorted(listed) == [2, 3]):
        coordinates = "half_pixel"
    if mode in PILLOW:
        require(len(listed) == 2, "pillow modes need two axes")
        return Settings(PILLOW[mode], "half_pixel", nearest, attributes["cube_coeff"], True, True)
    if mode == "linear" and (version != 1 or rank == 5):
        return Settings("linear", coordinates, nearest, exclude_outside=True, antialias=antialias)
    require(mode != "linear" or rank < 5, "linear of version 1 above rank 5")
    mode = "linear" if mode == "linear_onnx" else mode
    return Settings(mode, coordinates, nearest, attributes.get("cube_coeff", -0.75))


def extents(axes: list[Axis], listed: list[int], control: Tensor, by_scales: bool, pillow: bool) -> None:
    """OV-SIZE-1, OV-SIZE-2 and OV-SCALE-1."""
    entries = read(control, np.float64)[0].astype(np.float32) if by_scales else integers(control)
    for index, entry in zip(listed, entries, strict=True):
        axis = axes[index]
        if by_scales:
            require(bool(np.isfinite(entry) and entry > 0), "scale not finite or not above 0")
            product = np.float32(axis.n) * (entry + np.float32(1e-6))
            axis.m = axis.n if entry == 1 else math.floor(product)
        else:
            require(entry >= 0 and (axis.n > 0 or entry == 0), "size")
            axis.m = entry
        require(axis.m <= LARGEST, "extent above 2^63 - 1")
        axis.identity = axis.m == axis.n
        if not axis.identity:
            axis.exact = pillow or not by_scales
            axis.scale = Fraction(axis.m, axis.n) if axis.exact else Fraction(float(entry))
            axis.length = Fraction(axis.m) if axis.exact else float(axis.m)
