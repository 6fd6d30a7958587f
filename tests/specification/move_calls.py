# SPDX-License-Identifier: Apache-2.0
"""Calls of Tile and ConstantOfShape."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
from calls import Call
from draws import TYPES_15, TYPES_16, elements, ints

FILL_TYPES = {  # version: the types that it adds
    9: [name for name in TYPES_15 if name not in ("string", "complex64", "complex128")],
    20: ["bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"],
    21: ["int4", "uint4"],
    23: ["float4e2m1"],
    24: ["float8e8m0"],
    25: ["int2", "uint2"],
}


def tiles(rng: random.Random) -> Iterator[Call]:
    for version, types in ((6, TYPES_15), (13, TYPES_16)):
        for dtype in types:
            for shape, repeats in (([3], [2]), ([2, 1, 2], [1, 2, 2])):
                yield Call("Tile", version, [elements(rng, dtype, shape), ints(repeats)])
    x = elements(rng, "uint8", [2, 3])
    for repeats in ([0, 1], [1, 0], [1, 1], [3, 1], [1, 3], [2, 2], [0, 2**61]):
        yield Call("Tile", 13, [x, ints(repeats)])
    yield Call("Tile", 13, [elements(rng, "float", []), ints([])])
    yield Call("Tile", 13, [elements(rng, "float", [0, 2]), ints([2**62, 3])])
    for _ in range(20):
        shape = [rng.randint(1, 3) for _ in range(rng.randint(1, 5))]
        yield Call("Tile", 13, [elements(rng, "int8", shape), ints([rng.randint(0 if rng.random() < 0.1 else 1, 2) for _ in shape])])
    yield from _first_tiles(rng)


def _first_tiles(rng: random.Random) -> Iterator[Call]:
    for dtype in ("float16", "float", "double"):
        x = elements(rng, dtype, [2, 2])
        for tiles_, axis in ((2, 0), (3, -1), (0, 1), (1, -2)):
            yield Call("Tile", 1, [x, np.array([tiles_], x.dtype), np.array(axis, x.dtype)])
            yield Call("Tile", 1, [x, np.array(tiles_), np.array([axis])])


def fills(rng: random.Random) -> Iterator[Call]:
    types: list[str] = []
    for version, added in FILL_TYPES.items():
        types = types + added
        for dtype in types:
            yield Call("ConstantOfShape", version, [ints([2, 2])], {"value": elements(rng, dtype, [1])})
    for shape in ([], [0], [3], [2, 0, 3], [0, 2**30, 2**30], [1, 1, 1, 1, 1, 1, 1, 2]):
        yield Call("ConstantOfShape", 25, [ints(shape)])
        yield Call("ConstantOfShape", 25, [ints(shape)], {"value": elements(rng, "int4", [1])})
    for bits in (0x7F800001, 0xFFC12345, 0x80000000, 1):  # a signalling and a quiet NaN, -0.0, the smallest denormal
        yield Call("ConstantOfShape", 9, [ints([2])], {"value": np.array([bits], np.uint32).view(np.float32)})
    for rank in ([], [1, 1, 1]):
        yield Call("ConstantOfShape", 9, [ints([3])], {"value": elements(rng, "int16", rank)})
