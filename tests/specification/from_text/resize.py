# SPDX-License-Identifier: Apache-2.0
"""Resize and Upsample (resize.md): what a call asks of each axis."""

import math
from fractions import Fraction

import numpy as np

from .axes import Axis, Rules, kept
from .sampling import sampled
from .tensors import LARGEST, Tensor, integers, read, require


def upsample(version: int, attributes: dict, inputs: list[Tensor | None]) -> Tensor:
    """RESIZE-OLD-1 and RESIZE-OLD-2."""
    x = inputs[0]
    if version == 9:
        scales = inputs[1]
    elif version == 7:
        scales = binary32(attributes["scales"])
    else:
        require(len(x.shape) == 4, "RESIZE-OLD-2")
        scales = binary32([1, 1, attributes["height_scale"], attributes["width_scale"]])
    require((read(scales, np.float64) >= 1).all(), "RESIZE-OLD-2")
    return simple_resize(attributes["mode"], x, scales)


def binary32(values: list) -> Tensor:
    return Tensor("float", (len(values),), np.array(values, np.float32).view(np.uint32))


def simple_resize(mode: str, x: Tensor, scales: Tensor) -> Tensor:
    """RESIZE-OLD-1."""
    rules = Rules({"bilinear": "linear"}.get(mode, mode), "asymmetric", "simple")
    return resized(x, rules, None, "stretch", None, scales, None)


def resize(version: int, attributes: dict, inputs: list[Tensor | None]) -> Tensor:
    if version == 10:
        return simple_resize(attributes["mode"], *inputs)
    rules = Rules(
        attributes["mode"], attributes["coordinate_transformation_mode"], attributes["nearest_mode"], attributes["cubic_coeff_a"],
        attributes["exclude_outside"] == 1, attributes.get("antialias") == 1, attributes["extrapolation_value"],
    )  # fmt: skip
    x, *others = inputs
    return resized(x, rules, attributes.get("axes"), attributes.get("keep_aspect_ratio_policy", "stretch"), *others)


def resized(x: Tensor, rules: Rules, axes: list[int] | None, policy: str, *others: Tensor | None) -> Tensor:
    """others: roi, scales, sizes."""
    roi, scales, sizes = (tensor if tensor is not None and tensor.count else None for tensor in others)  # RESIZE-REQ-1
    require(not (rules.antialias and rules.mode == "nearest"), "RESIZE-REQ-8")
    require(x.dtype != "string" or rules.mode == "nearest", "RESIZE-REQ-9")
    require(rules.mode != "cubic" or math.isfinite(rules.a), "RESIZE-REQ-10")
    require(scales is None or sizes is None, "RESIZE-REQ-2")
    require(scales is None or policy == "stretch", "RESIZE-REQ-7")
    neither = scales is None and sizes is None
    listed = listed_axes(len(x.shape), axes, neither)
    require(not neither or not listed, "RESIZE-REQ-2")
    regions = regions_of(roi if rules.crop else None, len(listed))
    if neither:
        return x  # RESIZE-REQ-3
    found = [kept(n) for n in x.shape]  # RESIZE-EXT-4
    extents = [x.shape[d] for d in listed]
    wanted = by_sizes(extents, sizes, policy, rules.crop) if scales is None else by_scales(extents, scales)
    for d, axis, (start, end) in zip(listed, wanted, regions):
        axis.start, axis.end = start, end
        axis.identity = axis.scale == 1 and axis.m == axis.n and (not rules.crop or (start == 0 and end == 1))  # RESIZE-SCALE-4
        found[d] = axis
    return sampled(x, found, rules)


def listed_axes(rank: int, axes: list[int] | None, neither: bool) -> list[int]:
    """RESIZE-REQ-3 and RESIZE-REQ-4."""
    if axes is None or (not axes and not neither):
        return [*range(rank)]
    require(all(-rank <= axis < rank for axis in axes), "RESIZE-REQ-4")
    listed = [axis % rank for axis in axes]
    require(len(set(listed)) == len(listed), "RESIZE-REQ-4")
    return listed


def regions_of(roi: Tensor | None, count: int) -> list[tuple[float, float]]:
    """The start and end of each listed axis (RESIZE-REQ-11)."""
    if roi is None:
        return [(0.0, 1.0)] * count
    require(roi.shape == (2 * count,), "RESIZE-REQ-11")
    entries = read(roi, np.float64).tolist()
    require(all(math.isfinite(entry) for entry in entries), "RESIZE-REQ-11")
    return [*zip(entries[:count], entries[count:])]


def by_scales(extents: list[int], scales: Tensor) -> list[Axis]:
    """RESIZE-REQ-5, RESIZE-EXT-1, and scales in RESIZE-SCALE-1 to RESIZE-SCALE-3."""
    require(scales.shape == (len(extents),), "RESIZE-REQ-5")
    axes = []
    for n, s in zip(extents, read(scales, np.float64).tolist()):
        require(math.isfinite(s) and s > 0, "RESIZE-REQ-5")
        length = float(n) * s
        m = n if s == 1 else math.floor(length)
        require(m <= LARGEST, "RESIZE-EXT-1")
        axes.append(Axis(n, m, Fraction(s), length, exact=False, identity=False))
    return axes


def by_sizes(extents: list[int], sizes: Tensor, policy: str, crop: bool) -> list[Axis]:
    """RESIZE-REQ-6, RESIZE-EXT-2, RESIZE-EXT-3, and sizes in RESIZE-SCALE-1 to RESIZE-SCALE-3."""
    require(sizes.shape == (len(extents),), "RESIZE-REQ-6")
    pairs = [*zip(extents, integers(sizes))]
    require(all(size >= 0 for _, size in pairs), "RESIZE-REQ-6")
    require(all(n > 0 or size == 0 for n, size in pairs), "RESIZE-EXT-2")
    quotients = [Fraction(size, n) for n, size in pairs if n > 0]
    q = (min if policy == "not_larger" else max)(quotients, default=Fraction(1))
    axes = []
    for n, size in pairs:
        if policy == "stretch":
            m, s, length = size, Fraction(size, n or 1), Fraction(size)
        else:
            m, s, length = math.floor(q * n + Fraction(1, 2)), q, q * n
        require(m <= LARGEST, "RESIZE-EXT-3")
        axes.append(Axis(n, m, s, length, exact=not crop, identity=False))
    return axes
