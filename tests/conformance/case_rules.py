# SPDX-License-Identifier: Apache-2.0
"""Which cases of Resize and Upsample are valid."""

from __future__ import annotations

import math

import emulation_axis
import numpy as np
from case import ATTRIBUTES, NUMPY_TYPES, ResizeCase, resolve

# Only version 11 defines tf_half_pixel_for_nn, but files use it with every version; the rule is the same.
COORDINATE_MODES = {
    11: {
        "half_pixel",
        "pytorch_half_pixel",
        "align_corners",
        "asymmetric",
        "tf_half_pixel_for_nn",
        "tf_crop_and_resize",
    },
}
COORDINATE_MODES[13] = COORDINATE_MODES[11]
COORDINATE_MODES[18] = COORDINATE_MODES[13]
COORDINATE_MODES[19] = COORDINATE_MODES[18] | {"half_pixel_symmetric"}
VERSIONS = {"Resize": {10, *COORDINATE_MODES}, "Upsample": {1, 7, 9}}
NEAREST_MODES = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}
POLICIES = {"stretch", "not_larger", "not_smaller"}
UPSAMPLE_1_TYPES = {"bool", "int32", "int64", "float16", "float", "double"}
# Attributes and inputs, and the first Resize version that has them.
FIRST_VERSIONS = {name: first for name, (_, first) in ATTRIBUTES.items()}
FIRST_VERSIONS |= {"roi": 11, "sizes": 11, "axes": 18}


def validate(case: ResizeCase) -> None:
    """Raises ValueError if the case is invalid."""
    _validate_attributes(case)
    _validate_inputs(case)
    if case.dtype == "string" and case.crops:
        axes = resolve(case)
        is_empty = any(axis.m == 0 for axis in axes)
        for axis in axes:
            if not is_empty and any(emulation_axis.is_outside(case, axis, i) for i in range(axis.m)):
                raise ValueError("strings have no extrapolation value")


def _require(condition: bool, text: str) -> None:
    if not condition:
        raise ValueError(text)


def _validate_attributes(case: ResizeCase) -> None:
    version = case.since_version
    _require(version in VERSIONS.get(case.op, ()), f"no {case.op}-{version}")
    modes = {"nearest", "bilinear" if case.op == "Upsample" and version == 1 else "linear"}
    if not case.is_simple:
        modes.add("cubic")
    _require(case.mode in modes, f"mode {case.mode!r}")
    for name, first in FIRST_VERSIONS.items():
        if case.op == "Upsample" or version < first:
            default = getattr(ResizeCase, name)
            _require(getattr(case, name) == default, f"{case.op}-{version} has no {name}")
    if not case.is_simple:
        coordinates = case.coordinate_transformation_mode
        _require(coordinates in COORDINATE_MODES[version], f"coordinate mode {coordinates!r}")
    _require(case.nearest_mode in NEAREST_MODES, f"nearest_mode {case.nearest_mode!r}")
    _require(case.keep_aspect_ratio_policy in POLICIES, "keep_aspect_ratio_policy")
    _require(case.antialias in (0, 1) and case.exclude_outside in (0, 1), "flags are 0 or 1")
    _require(not (case.antialias and case.filter == "nearest"), "antialias with nearest")
    if case.filter == "cubic":
        _require(math.isfinite(case.cubic_coeff_a), "cubic_coeff_a is not finite")


def _validate_inputs(case: ResizeCase) -> None:
    rank, version = case.x.ndim, case.since_version
    _require(case.x.dtype == NUMPY_TYPES[case.dtype], f"x is {case.x.dtype}, not {case.dtype}")
    if case.op == "Upsample" and version == 1:
        _require(case.dtype in UPSAMPLE_1_TYPES, f"Upsample-1 has no {case.dtype}")
        _require(rank == 4 and case.scales[:2] == [1.0, 1.0], "Upsample-1 is N, C, H, W")
    has_bfloat16 = case.op == "Resize" and version >= 13
    _require(case.dtype != "bfloat16" or has_bfloat16, f"{case.op}-{version} has no bfloat16")
    _require(case.dtype != "string" or case.filter == "nearest", f"{case.mode} of strings")
    listed = case.listed_axes()
    _require(all(0 <= d < rank for d in listed), "axes out of range")
    _require(len(set(listed)) == len(listed), "axes repeat")
    scales, sizes = case.scales or [], case.sizes or []
    _require(not (scales and sizes), "scales and sizes")
    _require(len(scales or sizes) == len(listed), "count of scales or sizes")
    lowest = 1.0 if case.op == "Upsample" else 0.0
    for scale in scales:
        _require(math.isfinite(scale) and scale > 0 and scale >= lowest, f"scale {scale}")
        _require(float(np.float32(scale)) == scale, f"scale {scale} is not binary32")
    policy = case.keep_aspect_ratio_policy
    _require(policy == "stretch" or not scales, "policy with scales")
    for size, d in zip(sizes, listed):
        _require(size >= 0, f"size {size}")
        _require(size == 0 or case.x.shape[d] > 0, f"size {size} from an empty axis")
    if case.crops and case.roi is not None and case.roi.size:
        _require(case.roi.shape == (2 * len(listed),), "count of roi")
        _require(bool(np.isfinite(case.roi).all()), "roi is not finite")
