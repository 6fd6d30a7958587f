# SPDX-License-Identifier: Apache-2.0
"""Resize and Upsample: from inputs and attributes to axes (resize.md)."""

import math
from fractions import Fraction

import numpy as np

from .axes import Axis, Settings, is_identity
from .passes import resized
from .tensors import LARGEST, Tensor, integers, read, require


def resize(version: int, attributes: dict, inputs: list[Tensor | None]) -> Tensor:
    x, roi, scales, sizes = (inputs + [None] * 4)[:4]
    if version == 10:
        scales, roi = roi, None
        settings = Settings(attributes["mode"], "asymmetric", "simple")
        return by_settings(x, settings, {}, [roi, scales, None])
    settings = Settings(
        attributes["mode"], attributes["coordinate_transformation_mode"], attributes["nearest_mode"],
        attributes["cubic_coeff_a"], attributes["exclude_outside"] == 1, attributes.get("antialias", 0) == 1,
        attributes["extrapolation_value"],
    )  # fmt: skip
    return by_settings(x, settings, attributes, [roi, scales, sizes])


def upsample(version: int, attributes: dict, inputs: list[Tensor | None]) -> Tensor:
    """RESIZE-OLD-1 and RESIZE-OLD-2."""
    x = inputs[0]
    if version == 9:
        scales = inputs[1]
    else:
        require(version != 1 or x.rank == 4, "rank")
        entries = attributes["scales"] if version == 7 else [1, 1, attributes["height_scale"], attributes["width_scale"]]
        scales = Tensor("float", (len(entries),), np.array(entries, np.float32).view(np.uint32))
    require(all(read(scales, np.float64).reshape(-1) >= 1), "scale below 1")
    mode = "nearest" if attributes["mode"] == "nearest" else "linear"
    return by_settings(x, Settings(mode, "asymmetric", "simple"), {}, [None, scales, None])


def by_settings(x: Tensor, settings: Settings, attributes: dict, controls: list[Tensor | None]) -> Tensor:
    """controls: roi, scales and sizes."""
    roi, scales, sizes = (tensor if tensor and tensor.codes.size else None for tensor in controls)  # RESIZE-REQ-1
    policy = attributes.get("keep_aspect_ratio_policy", "stretch")
    require(settings.mode == "nearest" or x.type != "string", "string in a filter")  # RESIZE-REQ-9
    require(not (settings.antialias and settings.mode == "nearest"), "antialias in nearest")  # RESIZE-REQ-8
    require(settings.mode != "cubic" or math.isfinite(settings.a), "cubic_coeff_a")  # RESIZE-REQ-10
    require(policy == "stretch" or scales is None, "policy with scales")  # RESIZE-REQ-7
    require(scales is None or sizes is None, "both scales and sizes")  # RESIZE-REQ-2
    given = scales is not None or sizes is not None
    listed = listed_axes(x.rank, attributes.get("axes"), given)
    require(given or not listed, "neither scales nor sizes")
    axes = [Axis(n, n) for n in x.shape]
    crop = settings.coordinates == "tf_crop_and_resize"
    if given:
        by_scales(axes, listed, scales) if scales else by_sizes(axes, listed, sizes, policy)
    if crop:
        set_roi(axes, listed, roi)
    for axis in axes:
        axis.exact = axis.exact and not crop
        axis.length = axis.length if axis.exact else float(axis.length)
        axis.identity = is_identity(axis, crop)
    return resized(x, settings, axes)


def listed_axes(rank: int, axes: list[int] | None, given: bool) -> list[int]:
    """RESIZE-REQ-3 and RESIZE-REQ-4."""
    if axes is None or (not axes and given):
        return list(range(rank))
    require(all(-rank <= axis < rank for axis in axes), "axis out of range")
    listed = [axis % rank for axis in axes]
    require(len(set(listed)) == len(listed), "axis twice")
    return listed


def by_scales(axes: list[Axis], listed: list[int], scales: Tensor) -> None:
    require(scales.shape == (len(listed),), "scales not 1-D, or of another count")  # RESIZE-REQ-5
    for index, s in zip(listed, read(scales, np.float64)[0].tolist(), strict=True):
        require(math.isfinite(s) and s > 0, "scale not finite or not above 0")
        axis = axes[index]
        axis.m = axis.n if s == 1 else math.floor(float(axis.n) * s)  # RESIZE-EXT-1
        require(axis.m <= LARGEST, "extent above 2^63 - 1")
        axis.scale, axis.length, axis.exact = Fraction(s), float(axis.n) * s, False


def by_sizes(axes: list[Axis], listed: list[int], sizes: Tensor, policy: str) -> None:
    require(sizes.shape == (len(listed),), "sizes not 1-D, or of another count")  # RESIZE-REQ-6
    pairs = list(zip((axes[index] for index in listed), integers(sizes), strict=True))
    for axis, size in pairs:
        require(size >= 0, "negative size")
        require(axis.n > 0 or size == 0, "a size for an empty axis")  # RESIZE-EXT-2
    if policy != "stretch":  # RESIZE-EXT-3
        quotients = [Fraction(size, axis.n) for axis, size in pairs if axis.n > 0]
        q = (min if policy == "not_larger" else max)(quotients, default=Fraction(1))
        for axis, _ in pairs:
            axis.m, axis.scale, axis.length = math.floor(q * axis.n + Fraction(1, 2)), q, q * axis.n
            require(axis.m <= LARGEST, "extent above 2^63 - 1")
        return
    for axis, size in pairs:
        axis.m = size
        if axis.n > 0:
            axis.scale, axis.length = Fraction(size, axis.n), Fraction(size)


def set_roi(axes: list[Axis], listed: list[int], roi: Tensor | None) -> None:
    """RESIZE-REQ-11."""
    if roi is None:
        return
    require(roi.shape == (2 * len(listed),), "roi not 1-D, or of another count")
    entries = read(roi, np.float64)[0].tolist()
    require(all(math.isfinite(entry) for entry in entries), "roi not finite")
    for order, index in enumerate(listed):
        axes[index].start, axes[index].end = entries[order], entries[order + len(listed)]
