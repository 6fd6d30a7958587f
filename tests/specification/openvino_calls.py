"""Calls of OpenVINO's Tile-1 and Interpolate."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np
from calls import Call
from draws import elements, floats, ints, scale

TILE_TYPES = ("float double float16 bfloat16 uint8 int8 uint16 int16 int32 uint32 int64 uint64 bool string float8e4m3fn "
              "float8e5m2 float8e8m0 uint4 int4 float4e2m1 uint2 int2").split()
TYPES = "float float float float16 bfloat16 double uint8 int8 uint16 int16 int32 uint32 int64 uint64".split()
COORDINATES = ["half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners"]
NEAREST = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"]
MODES = {1: ["nearest", "linear", "cubic"], 4: ["nearest", "linear", "linear_onnx", "cubic"],
         11: ["nearest", "linear", "linear_onnx", "cubic", "bilinear_pillow", "bicubic_pillow"]}


def tiles(rng: random.Random) -> Iterator[Call]:
    for dtype in TILE_TYPES:
        yield Call("Tile", 1, [elements(rng, dtype, [3]), ints([1, 2])], domain="openvino")
        yield Call("Tile", 1, [elements(rng, dtype, [2, 1, 3]), ints([3])], domain="openvino")
    for shape, repeats in (([], []), ([], [2]), ([2], []), ([2, 3], [2, 2, 2]), ([2, 2], [0]), ([1], [2, 0, 3])):
        yield Call("Tile", 1, [elements(rng, "int8", shape), np.array(repeats, np.uint8)], domain="openvino")


def interpolations(rng: random.Random) -> Iterator[Call]:
    for version, modes in MODES.items():
        for mode in modes:
            for _ in range(12 if version == 1 else 13):
                yield _drawn(rng, version, mode)
    x = floats([[1, 2, 4]])
    for s in (1.3, 0.999, 1.0):  # the extent is unchanged
        yield Call("Interpolate", 11, [x, floats([s]), ints([1])],
                   {"mode": "linear", "shape_calculation_mode": "scales"}, "openvino")
    yield Call("Interpolate", 4, [x, ints([]), floats([]), ints([])], {"mode": "cubic", "shape_calculation_mode": "sizes"}, "openvino")


def _drawn(rng: random.Random, version: int, mode: str) -> Call:
    rank = rng.choice([2, 2, 4, 3, 5] if mode == "linear" else [2, 2, 3, 4])
    axes = sorted(rng.sample(range(rank), 2)) if mode.endswith("pillow") or rng.random() < 0.5 else [rank - 1]
    if rng.random() < 0.2:
        axes.reverse()
    shape = [rng.randint(2, 4) if axis in axes else 1 for axis in range(rank)]
    attributes: dict = {"mode": mode}
    if version == 1:
        attributes |= {"axes": axes, "align_corners": int(rng.random() < 0.5)}
    else:
        attributes |= {"coordinate_transformation_mode": rng.choice(COORDINATES)}
        if mode == "nearest":
            attributes["nearest_mode"] = rng.choice(NEAREST)
        if mode in ("cubic", "bicubic_pillow") and rng.random() < 0.5:
            attributes["cube_coeff"] = -0.5
    if rng.random() < 0.5:
        attributes["antialias"] = 1
    x = elements(rng, rng.choice(TYPES), shape)
    sizes, factors = [rng.randint(1, 4) for _ in axes], [scale(rng, 0.5) for _ in axes]
    extents = [shape[axis] for axis in axes]
    if mode == "linear" and attributes.get("antialias"):  # all grow, or all shrink
        sizes = [rng.randint(1, n) for n in extents]
        factors = [min(factor, 1.0) for factor in factors]
    if version == 1:
        return Call("Interpolate", 1, [x, ints(sizes)], attributes, "openvino")
    by_scales = rng.random() < 0.5 and all(math.floor(n * s) > 0 for n, s in zip(extents, factors))
    attributes["shape_calculation_mode"] = "scales" if by_scales else "sizes"
    if version == 4:
        return Call("Interpolate", 4, [x, ints(sizes), floats(factors), ints(axes)], attributes, "openvino")
    return Call("Interpolate", 11, [x, floats(factors) if by_scales else ints(sizes), ints(axes)], attributes, "openvino")
