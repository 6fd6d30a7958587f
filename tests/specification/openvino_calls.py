# SPDX-License-Identifier: Apache-2.0
"""Calls of OpenVINO's Tile-1 and Interpolate."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

import numpy as np
from calls import Call
from draws import binary32, elements, floats, ints, scale
from vectors import NUMPY_TYPES

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


def directed(rng: random.Random) -> Iterator[Call]:
    """Calls that plausible wrong implementations fail, each with the rule that it holds."""
    x, image = floats([1, 2, 4, 8]), np.arange(16, dtype=np.float32).reshape(1, 1, 4, 4)
    for dtype in ("int4", "uint4", "uint2", "int8", "uint16", "int32", "uint64"):  # OV-TILE-1
        yield Call("Tile", 1, [np.array([3, 4], np.int8), np.array([2]).astype(NUMPY_TYPES[dtype])], domain="openvino")
    by_sizes, by_scales = {"shape_calculation_mode": "sizes"}, {"shape_calculation_mode": "scales"}
    nearest, linear = {"mode": "nearest"}, {"mode": "linear"}
    for version, inputs, attributes in (
        (4, [x, ints([2]), floats([[-1, math.nan]])], nearest | by_sizes),  # OV-SIZE-1: scales have no effect
        (4, [x, ints([[-3, 5]]), floats([2])], nearest | by_scales),
        (11, [floats([[[1, 2], [3, 4]], [[5, 6], [7, 8]]]), ints([3, 1, 3])], linear | by_sizes),  # OV-AXES-1: all axes
        (11, [floats(5), ints([])], linear | by_sizes),
        (11, [x, ints([0])], {"mode": "cubic"} | by_sizes),
        (1, [image, ints([0, 3])], linear | {"axes": [1, 3]}),
        (1, [x, ints([])], nearest | {"axes": []}),
        (11, [np.arange(6, dtype=np.uint8), floats([4.666665554046631])], nearest | by_scales),  # OV-SIZE-2
        (11, [np.arange(25, dtype=np.uint8), floats([0.7999989986419678])], nearest | by_scales),
        (11, [np.arange(3, dtype=np.uint8), floats([19.999998092651367])], nearest | by_scales),  # the sum is rounded, then the product
        (11, [np.arange(21, dtype=np.uint8), floats([1.9999989271163940])], nearest | by_scales),
        (11, [np.zeros((0, 2_000_000), np.int8), floats([1, 1])], nearest | by_scales),  # a scale of 1 keeps the extent
        (11, [np.array([5.0, 5.0, 2.0]), np.array([20 / 3])], linear | by_scales),  # scales are rounded to binary32
        (11, [np.array([1.0, 1.0, 2.0]), np.array([7 / 3])], linear | by_scales),
        (1, [x, ints([7])], linear | {"axes": [0]}),  # OV-POS-2: align_corners is the default
        (1, [image, ints([7, 5])], linear | {"axes": [2, 3], "align_corners": 0}),
        (1, [image, ints([7, 5])], linear | {"axes": [3, 2], "align_corners": 0}),
        (1, [image, ints([5, 4])], linear | {"axes": [1, 3], "align_corners": 0}),
        (1, [image[0], ints([7, 5])], linear | {"axes": [1, 2], "align_corners": 0}),
        (1, [image[None], ints([7, 5])], linear | {"axes": [2, 3], "align_corners": 0}),
        (1, [image, ints([3])], linear | {"axes": [2], "align_corners": 0}),
        (1, [image, ints([3, 6])], nearest | {"axes": [3, 2], "align_corners": 0}),
        (4, [np.array([9.125, 0.7, 4.5]), ints([5]), floats([1])], {"mode": "cubic", "cube_coeff": binary32(-0.6)} | by_sizes),
        (1, [image, ints([7, 3])], {"mode": "cubic", "axes": [3, 2], "align_corners": 0, "antialias": 1}),
        (1, [image, ints([2, 8])], linear | {"axes": [2, 3], "antialias": 1}),  # OV-MODE-2: no effect below rank 5
        (11, [image, ints([2, 8]), ints([2, 3])], {"mode": "linear_onnx", "antialias": 1} | by_sizes),
        (4, [x, ints([2]), floats([1])], nearest | by_sizes | {"pads_begin": [0, 0, 0], "pads_end": [0]}),  # OV-MODE-3
        (11, [image[0, 0], floats([0.6, 0.7])], {"mode": "bilinear_pillow", "cube_coeff": math.nan} | by_scales),
        (11, [image, ints([2, 4]), ints([2, 3])],
         {"mode": "bicubic_pillow", "coordinate_transformation_mode": "align_corners"} | by_sizes),
    ):
        yield Call("Interpolate", version, inputs, attributes, "openvino")


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
