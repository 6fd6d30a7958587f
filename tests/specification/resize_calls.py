# SPDX-License-Identifier: Apache-2.0
"""Calls of Resize and Upsample."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np
from calls import Call, resize, upsample
from draws import TYPES_15, TYPES_16, binary32, elements, floats, scale
from vectors import plan

VERSIONS = {10: TYPES_15, 11: TYPES_15, 13: TYPES_16, 18: TYPES_16, 19: TYPES_16}
COORDINATES = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_half_pixel_for_nn", "tf_crop_and_resize",
               "half_pixel_symmetric"]
NEAREST = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]
POLICIES = ["not_larger", "not_smaller"]
FILTERS = [dict(mode="linear"), dict(mode="linear", antialias=1), dict(mode="linear", antialias=1, exclude_outside=1),
           dict(mode="cubic"), dict(mode="cubic", exclude_outside=1), dict(mode="cubic", antialias=1),
           dict(mode="cubic", antialias=1, exclude_outside=1, cubic_coeff_a=-0.5)]
CROP = dict(coordinate_transformation_mode="tf_crop_and_resize")


def cells(rng: random.Random) -> Iterator[Call]:
    """Every version, element type and mode."""
    for version, types in VERSIONS.items():
        for dtype in types:
            for mode in ("nearest", "linear") if version == 10 else ("nearest", "linear", "cubic"):
                refused = "type" if dtype == "string" and mode != "nearest" else ""
                x = elements(rng, dtype, [1, 3])
                yield resize(version, x, [1, rng.choice([1.5, 2, 0.7])], mode=mode, refused=refused)
    for version in (1, 7, 9):
        first = ["bool", "int32", "int64", "float16", "float", "double"]
        for dtype in first if version == 1 else TYPES_15:
            for mode in ("nearest", "bilinear" if version == 1 else "linear"):
                refused = "type" if dtype == "string" and mode != "nearest" else ""
                shape, scales = ([1, 1, 1, 3], [1, 1, 1, 1.5]) if version == 1 else ([1, 2], [1, 2.3])
                yield upsample(version, elements(rng, dtype, shape), scales, mode=mode, refused=refused)


def _given(rng: random.Random, way: str, n: int) -> dict:
    if way == "scales":
        return {"scales": [scale(rng)]}
    given: dict = {"sizes": [rng.randint(1, 9)]}
    return given if way == "sizes" else given | {"keep_aspect_ratio_policy": way}


def positions(rng: random.Random) -> Iterator[Call]:
    """Every coordinate mode with scales, sizes and policies, in each mode and rounding."""
    for coordinates in COORDINATES:
        for way in ("scales", "scales", "sizes", "sizes", *POLICIES):
            for style in [*({"nearest_mode": name} for name in NEAREST), *FILTERS]:
                n = rng.randint(1, 7)
                given = _given(rng, way, n)
                shape = [n]
                if way in POLICIES:  # a second axis, which takes part in the policy
                    shape, given["sizes"] = [n, 1], [given["sizes"][0], rng.randint(1, 2)]
                roi = None
                if coordinates == CROP["coordinate_transformation_mode"]:
                    starts = [round(rng.uniform(-0.1, 0.6), 2) for _ in shape]
                    roi = starts + [round(start + rng.uniform(0.2, 0.7), 2) for start in starts]
                x = elements(rng, rng.choice(["float", "uint8", "float", "int8"]), shape)
                made = resize(19, x, roi=roi, coordinate_transformation_mode=coordinates, **given, **style)
                if _count(made) <= 12:
                    yield made


def _count(made: Call) -> int:
    return math.prod(plan(made.op, made.version, made.inputs, **made.attributes).shape)


# Extents whose positions are ties or whole numbers that rounded arithmetic misses.
KNOWN = [(20, 6), (14, 18), (14, 2), (7, 9), (7, 29), (7, 17), (2, 98), (11, 15), (3, 1), (5, 2), (12, 8)]


def known(rng: random.Random) -> Iterator[Call]:
    for n, m in KNOWN:
        x = np.arange(n, dtype=np.uint8)
        for coordinates in ("half_pixel", "asymmetric", "align_corners"):
            for nearest in NEAREST:
                yield resize(13, x, sizes=[m], coordinate_transformation_mode=coordinates, nearest_mode=nearest)
            yield resize(18, x.astype(np.float32), sizes=[m], mode="linear", coordinate_transformation_mode=coordinates)
    for s in (1 / 3, 0.1, 0.7, 2 / 3, 1 / 49, 0.214, 1.3, 1.4):
        n = 49 if s == 1 / 49 else 10
        x = np.arange(n, dtype=np.uint8)
        for nearest in NEAREST:
            yield resize(13, x, [s], coordinate_transformation_mode="asymmetric", nearest_mode=nearest)
        yield resize(10, x, [s])
    for shape, sizes, policy in [([10, 5], [5, 5], 0), ([3, 7], [2, 2], 0), ([2, 4], [1, 3], 1), ([4, 40], [4, 1], 0),
                                 ([1, 1, 3, 7], [1, 1, 6, 7], 1)]:
        x = np.zeros(shape, np.int8) if math.prod(shape) > 100 else np.arange(math.prod(shape), dtype=np.int8).reshape(shape)
        yield resize(18, x, sizes=sizes, keep_aspect_ratio_policy=POLICIES[policy])
    yield resize(18, np.zeros((100, 50, 0), np.int8), sizes=[29, 50], axes=[0, 1], keep_aspect_ratio_policy="not_larger")
    yield resize(18, x.astype(np.float32), sizes=[1, 1, 6, 7], keep_aspect_ratio_policy="not_larger", mode="linear", antialias=1)


def crops(rng: random.Random) -> Iterator[Call]:
    """Regions of every type, inside and outside, and the extrapolation value of every element type."""
    fills = [0.5, 1.5, 2.5, -1.0, 300.0, 1e30, math.inf, math.nan, -0.0, 70000.0]
    for dtype in TYPES_16:
        for mode in ("nearest", "linear") if dtype != "string" else ("nearest",):
            value = binary32(rng.choice(fills))
            refused = "type" if dtype == "string" else ""
            yield resize(13, elements(rng, dtype, [3]), sizes=[4], roi=[-0.3, 0.9], mode=mode, extrapolation_value=value,
                         refused=refused, **CROP)
    regions = [[0, 1], [1, 0], [0.25, 0.75], [0.7, 0.2], [-1, 2], [0.5, 0.5], [-0.5, -0.1], [1e30, -1e30], [0.2, 0.8]]
    for k, region in enumerate(regions):
        for kind in (np.float16, np.float32, np.float64):
            with np.errstate(over="ignore"):
                roi = np.clip(np.array(region), *((-6e4, 6e4) if kind == np.float16 else (-1e308, 1e308))).astype(kind)
            mode = FILTERS[(k + kind().itemsize) % len(FILTERS)]
            given = {"sizes": [rng.randint(1, 6)]} if k % 2 else {"scales": [scale(rng, 0.5)]}
            yield resize(19, floats([1, 2, 4, 8]), roi=roi, extrapolation_value=9.0, **given, **mode, **CROP)
    huge = np.array([1e308, -1e308])
    yield resize(19, floats([1, 2, 4, 8]), sizes=[3], roi=huge, mode="linear", extrapolation_value=-5.0, **CROP)
    for roi in ([0.1, 0.2, 0.9, 1.1], [0.9, 0.0, 0.1, 1.0]):
        for axes in ([0, 1], [-1, 0]):
            yield resize(18, np.arange(6, dtype=np.float32).reshape(2, 3), sizes=[3, 4], roi=roi, axes=axes, mode="linear",
                         extrapolation_value=-1.0, **CROP)


def edges(rng: random.Random) -> Iterator[Call]:
    """Empty and absent inputs, identities, lists of axes, special values, extreme coefficients."""
    two = elements(rng, "float", [2, 3])
    empty = np.zeros(0, np.float32)
    yield from (resize(19, two, axes=[], mode="cubic"), resize(19, floats(5), mode="linear"), resize(19, floats(5), []),
                resize(19, two, [2, 1], axes=[]), resize(19, two, [3], axes=[-1]), resize(19, two, sizes=[3, 4], axes=[1, 0]),
                resize(19, two, [1, 1], mode="cubic"), resize(19, two, sizes=[2, 3], mode="linear", antialias=1),
                Call("Resize", 13, [two, empty, floats([2, 2]), np.zeros(0, np.int64)]),
                Call("Resize", 13, [two, None, empty, np.array([4, 4])]),
                resize(18, two, [2, 1], roi=[5.0, float("nan")], mode="linear"))
    for given in (dict(sizes=[0, 4]), dict(scales=[0.3, 2]), dict(sizes=[0, 2], keep_aspect_ratio_policy="not_larger")):
        yield resize(19, two, mode="linear", **given)
    yield resize(19, np.zeros((0, 3), np.int8), [2, 2], mode="cubic")
    yield resize(19, np.zeros((0, 3), np.int8), sizes=[0, 6], mode="linear")
    yield resize(19, np.zeros((0, 4), np.int8), sizes=[0, 2], keep_aspect_ratio_policy="not_larger")
    yield resize(13, elements(rng, "string", [2]), sizes=[0], roi=[-1, 2], **CROP)
    for s in (1.3, 1 - 2.0**-20, 1 + 2.0**-20, 1.0):  # the extent is unchanged
        for mode in (dict(mode="linear", antialias=1), dict(coordinate_transformation_mode="tf_half_pixel_for_nn", nearest_mode="ceil")):
            yield resize(19, floats([1, 2, 4]), [binary32(s)], **mode)
    inf = floats([1, math.inf, 3, math.nan, -0.0, -math.inf])
    for mode in ("nearest", "linear", "cubic"):
        for given in (dict(sizes=[11]), dict(sizes=[6]), dict(scales=[0.5]), dict(sizes=[12])):
            yield resize(19, inf, mode=mode, coordinate_transformation_mode="align_corners", **given)
    for a in (0.0, 4.0, -3.0, 1e15, 3e38, 1e-20, -0.6):
        for extra in ({}, {"exclude_outside": 1}, {"antialias": 1}):
            yield resize(19, elements(rng, rng.choice(["float", "int8"]), [4]), [0.7], mode="cubic", cubic_coeff_a=binary32(a), **extra)
    # Positions beyond the end, where no tap is inside.
    for style in FILTERS:
        yield resize(19, floats([[1], [2], [4]]), sizes=[2, 1], keep_aspect_ratio_policy="not_larger",
                     coordinate_transformation_mode="align_corners", **style)


def mixed(rng: random.Random) -> Iterator[Call]:
    """Anything, of several axes."""
    made = 0
    while made < 180:
        call = _drawn(rng)
        if _count(call) <= 16:
            made += 1
            yield call


def _drawn(rng: random.Random) -> Call:
    version = rng.choice([10, 11, 13, 18, 18, 19, 19, 19])
    shape = [rng.choice([1, 2, 2, 3, 4]) for _ in range(rng.choice([1, 2, 2, 2, 3, 3, 4]))]
    while math.prod(shape) > 12:
        shape.pop()
    mode = rng.choice(["nearest", "linear", "linear"] + (["cubic"] * 2 if version > 10 else []))
    types = [name for name in VERSIONS[version] if mode == "nearest" or name != "string"]
    x = elements(rng, rng.choice(types), shape)
    if version == 10:
        return resize(10, x, [scale(rng) for _ in shape], mode=mode)
    attributes: dict = {"mode": mode}
    last = 6 if version < 19 else 7
    coordinates = rng.choice([name for name in COORDINATES[:last] if name != "tf_crop_and_resize" or x.dtype != object])
    if coordinates != "half_pixel":
        attributes["coordinate_transformation_mode"] = coordinates
    if mode == "nearest":
        attributes["nearest_mode"] = rng.choice(NEAREST)
    elif rng.random() < 0.4:
        attributes["exclude_outside"] = 1
    if version >= 18 and mode != "nearest" and rng.random() < 0.6:
        attributes["antialias"] = 1
    axes = list(range(len(shape)))
    if version >= 18 and rng.random() < 0.4:
        axes = rng.sample(axes, rng.randint(1, len(axes)))
        attributes["axes"] = [axis - len(shape) if rng.random() < 0.3 else axis for axis in axes]
    roi = None
    if coordinates == "tf_crop_and_resize":
        roi = [round(rng.uniform(-0.2, 0.5), 2) for _ in axes] + [round(rng.uniform(0.5, 1.2), 2) for _ in axes]
        attributes["extrapolation_value"] = float(rng.randint(-2, 300))
    if rng.random() < 0.5:
        return resize(version, x, [scale(rng) for _ in axes], roi=roi, **attributes)
    if version >= 18 and rng.random() < 0.3:
        attributes["keep_aspect_ratio_policy"] = rng.choice(POLICIES)
    return resize(version, x, sizes=[rng.randint(1, 5) for _ in axes], roi=roi, **attributes)
