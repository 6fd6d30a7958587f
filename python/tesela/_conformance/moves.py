# SPDX-License-Identifier: Apache-2.0
"""Features of Tile and ConstantOfShape."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _types
from .._compare.nodes import Node, Slot
from .case import Call, Feature
from .drafts import Random, fill, floats, node, pick, tile
from .elements import plain

_TYPES = ("uint8", "int8", "int16", "uint16", "int32", "uint32", "int64", "uint64", "bool", "float16", "float32", "float64", "complex64",
          "complex128", "string")
_FILL_9 = ("float32", "uint8", "int8", "uint16", "int16", "int32", "int64", "bool", "float16", "float64", "uint32", "uint64")
# Types that came later, and the opset since which they are allowed.
_FLOAT8 = {"bfloat16": 20, "float8_e4m3fn": 20, "float8_e4m3fnuz": 20, "float8_e5m2": 20, "float8_e5m2fnuz": 20, "float8_e8m0fnu": 24}
_PACKED = {"uint4": 21, "int4": 21, "float4_e2m1fn": 23, "uint2": 25, "int2": 25}


def _shape(rng: Random, rank: int | None = None, least: int = 1) -> tuple[int, ...]:
    rank = int(rng.integers(1, 5)) if rank is None else rank
    return tuple(int(entry) for entry in rng.integers(least, 5, rank))


def _repeats(rng: Random, rank: int, least: int = 1) -> list[int]:
    return [int(entry) for entry in rng.integers(least, 4, rank)]


def _order(rng: Random) -> Node:
    shape = _shape(rng, int(rng.integers(1, 4)), 2)
    return tile(pick(rng, (6, 13)), floats(rng, shape), [int(entry) for entry in rng.integers(2, 4, len(shape))])


def _some_axes(rng: Random) -> Node:
    """One axis, so that an exchange of two is seen."""
    shape = _shape(rng, int(rng.integers(2, 6)), 2)
    repeats = [1] * len(shape)
    repeats[int(rng.integers(len(shape)))] = int(rng.integers(2, 5))
    return tile(pick(rng, (6, 13)), floats(rng, shape), repeats)


def _of_types(rng: Random) -> Node:
    name = pick(rng, (*_TYPES, "bfloat16"))
    x = plain(rng, name, _shape(rng))
    return tile(13 if name == "bfloat16" else pick(rng, (6, 13)), x, _repeats(rng, x.ndim))


def _of_zero(rng: Random) -> Node:
    x = floats(rng, _shape(rng))
    repeats = _repeats(rng, x.ndim)
    repeats[int(rng.integers(x.ndim))] = 0
    return tile(pick(rng, (6, 13)), x, repeats)


def _of_empty(rng: Random) -> Node:
    shape = list(_shape(rng, least=1))
    shape[int(rng.integers(len(shape)))] = 0
    return tile(pick(rng, (6, 13)), floats(rng, shape), _repeats(rng, len(shape)))


def _of_scalar(rng: Random) -> Node:
    return tile(pick(rng, (6, 13)), np.array(rng.uniform(-4, 4), np.float32), [])


def _of_ranks(rng: Random) -> Node:
    x = floats(rng, [int(entry) for entry in rng.integers(1, 3, int(rng.integers(5, 9)))])
    return tile(13, x, [int(entry) for entry in rng.integers(1, 3, x.ndim)])


def _wide(rng: Random) -> Node:
    x = rng.choice(np.array([2**63 - 1, -(2**63), 2**53 + 1], np.int64), _shape(rng))
    return tile(13, x, _repeats(rng, x.ndim))


def _bits(rng: Random) -> Node:
    x = rng.choice(np.array([0.0, -0.0, np.nan, np.inf, 1e-45], np.float32), _shape(rng))
    return tile(13, x, _repeats(rng, x.ndim))


def _run_time(rng: Random) -> Node:
    x = floats(rng, _shape(rng))
    return tile(13, x, _repeats(rng, x.ndim), run_time=True)


def _version_1(rng: Random) -> Node:
    dtype = pick(rng, (np.float32, np.float16, np.float64))
    x = floats(rng, _shape(rng, least=2), dtype)
    shape = pick(rng, ((), (1,)))
    tiles, axis = (np.full(shape, entry, dtype) for entry in (rng.integers(1, 4), rng.integers(x.ndim)))
    return node("Tile", 1, {"input": Slot("input", x, False), "tiles": Slot("tiles", tiles, True), "axis": Slot("axis", axis, True)}, {})


def _fill_of(types: tuple[str, ...] | dict[str, int]) -> Any:
    def draw(rng: Random) -> Node:
        name = pick(rng, tuple(types))
        dtype = _types.read_dtype(name)
        opset = max(types[name] if isinstance(types, dict) else 9, pick(rng, (9, 20, 21, 23, 24, 25)))
        return fill(opset, _shape(rng, int(rng.integers(0, 4))), _value(rng, dtype))
    return draw


def _value(rng: Random, dtype: np.dtype) -> np.ndarray:
    """Of one element, which is not 0."""
    if dtype.kind == "b":
        return np.array([True])
    if dtype.name in ("int4", "int2"):
        return np.array([int(rng.integers(-8, 0)) if dtype.name == "int4" else pick(rng, (-2, -1))], np.int8).astype(dtype)
    if dtype.name in ("uint4", "uint2"):
        return np.array([int(rng.integers(1, 16 if dtype.name == "uint4" else 4))], np.uint8).astype(dtype)
    if dtype.kind in "iu":
        limits = np.iinfo(dtype)
        return np.array([pick(rng, (limits.max, limits.min or 1, limits.max - 1, 7))], dtype)
    return np.array([pick(rng, (0.5, 1.0, 2.0, 4.0, 1.5 if dtype.name != "float8_e8m0fnu" else 8.0))], np.float32).astype(dtype)


def _default(rng: Random) -> Node:
    return fill(pick(rng, (9, 20, 21, 23, 24, 25)), _shape(rng, int(rng.integers(0, 5))), None)


def _scalar(rng: Random) -> Node:
    return fill(pick(rng, (9, 20, 25)), [], _value(rng, np.dtype(pick(rng, ("float32", "int64", "int32")))))


def _fill_empty(rng: Random) -> Node:
    shape = list(_shape(rng))
    shape[int(rng.integers(len(shape)))] = 0
    return fill(pick(rng, (9, 20, 25)), shape, _value(rng, np.dtype(pick(rng, ("float32", "int64", "int32")))))


def _fill_bits(rng: Random) -> Call:
    value = np.array([pick(rng, (-0.0, np.nan, np.inf, -np.inf))], np.dtype(pick(rng, ("float32", "float64", "float16"))))
    return Call(fill(pick(rng, (9, 20, 25)), _shape(rng), value))


def _fill_run_time(rng: Random) -> Node:
    return fill(pick(rng, (9, 20, 25)), _shape(rng), _value(rng, np.dtype("float32")), run_time=True)


_REPEATS = "Output [i, ...] is input [i mod extent, ...]: copies of the whole, one after the other."

FEATURES = (
    Feature("tile-order", "Tile", _REPEATS, _order),
    Feature("tile-axes", "Tile", "Entry d of repeats belongs to axis d.", _some_axes),
    Feature("tile-types", "Tile", "Elements of every type are copied.", _of_types),
    Feature("tile-wide-integers", "Tile", "64-bit integers are copied in every bit.", _wide),
    Feature("tile-bits", "Tile", "NaN, infinities, -0.0 and denormal numbers are copied.", _bits, bits=True),
    Feature("tile-zero", "Tile", "A repeat of 0 makes the axis empty.", _of_zero),
    Feature("tile-empty", "Tile", "An empty axis stays empty.", _of_empty),
    Feature("tile-scalar", "Tile", "A scalar with repeats of no entries is copied.", _of_scalar),
    Feature("tile-ranks", "Tile", "A tensor may have many axes.", _of_ranks),
    Feature("tile-run-time", "Tile", "Repeats may be an input of the model.", _run_time),
    Feature("tile-1", "Tile", "Version 1: `tiles` copies along `axis`, both tensors of one element.", _version_1),
    Feature("fill-types", "ConstantOfShape", "Every element of the output is the one of value, and its type is the output's.",
            _fill_of(_FILL_9)),
    Feature("fill-float8", "ConstantOfShape", "bfloat16 and the 8-bit floats are allowed since their versions.", _fill_of(_FLOAT8)),
    Feature("fill-packed", "ConstantOfShape", "Types of 2 and 4 bits share bytes, the first element in the lowest bits.", _fill_of(_PACKED)),
    Feature("fill-default", "ConstantOfShape", "Without value the output is float32 zeros.", _default),
    Feature("fill-scalar", "ConstantOfShape", "A shape of no entries makes a scalar.", _scalar),
    Feature("fill-empty", "ConstantOfShape", "An entry of 0 makes the output empty.", _fill_empty),
    Feature("fill-bits", "ConstantOfShape", "NaN, infinities and -0.0 are copied.", _fill_bits, bits=True),
    Feature("fill-run-time", "ConstantOfShape", "The shape may be an input of the model.", _fill_run_time),
)
