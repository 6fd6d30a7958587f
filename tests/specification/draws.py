# SPDX-License-Identifier: Apache-2.0
"""Elements and shapes of the specification's vectors. Only random.Random draws, whose numbers do not depend on versions of
numpy."""

from __future__ import annotations

import math
import random

import numpy as np
from vectors import NUMPY_TYPES

TYPES_15 = ("bool complex64 complex128 double float float16 int8 int16 int32 int64 string uint8 uint16 uint32 uint64").split()
TYPES_16 = [*TYPES_15, "bfloat16"]
FLOAT_BITS = {"float16": (11, -14), "bfloat16": (8, -126), "float": (24, -126), "double": (53, -1022)}
PARTS = {"complex64": "float", "complex128": "double"}
WORDS = [b"", b"a", b"bc", b"\x00z", "ñ".encode(), b"tesela"]


def elements(rng: random.Random, dtype: str, shape: list[int]) -> np.ndarray:
    """Ordinary elements in most tensors, extremes in others, and both in some."""
    count = math.prod(shape)
    numpy_type = np.dtype(NUMPY_TYPES[dtype])
    if dtype == "string":
        array = np.empty(count, dtype=object)
        array[:] = [rng.choice(WORDS) for _ in range(count)]
    elif dtype == "bool":
        array = np.array([rng.choice([0, 1, 1, 0, 7]) for _ in range(count)], np.uint8).view(np.bool_)
    elif numpy_type.kind in "iu":
        array = _integers(rng, numpy_type, count)
    elif dtype in PARTS:
        array = np.empty(count, numpy_type)
        array.real, array.imag = _floats(rng, PARTS[dtype], count), _floats(rng, PARTS[dtype], count)
    elif dtype in FLOAT_BITS:
        array = _floats(rng, dtype, count)
    else:
        array = _codes(rng, dtype, count)
    return array.reshape(shape)


def _integers(rng: random.Random, numpy_type: np.dtype, count: int) -> np.ndarray:
    low, high = int(np.iinfo(numpy_type).min), int(np.iinfo(numpy_type).max)
    extremes = [low, low + 1, high - 1, high, 0, 1, high // 2 + 3]
    kind = rng.choice(["any", "small", "small", "extreme"])
    draw = {"any": lambda: rng.randint(low, high), "small": lambda: rng.randint(max(low, -9), 12),
            "extreme": lambda: rng.choice(extremes)}[kind]
    return np.array([draw() for _ in range(count)], dtype=numpy_type)


def _floats(rng: random.Random, dtype: str, count: int) -> np.ndarray:
    bits, lowest = FLOAT_BITS[dtype]
    largest = (2 - 2.0 ** (1 - bits)) * 2.0 ** (1 - lowest)
    tiny = 2.0 ** (lowest - bits + 1)
    edges = [0.0, -0.0, 2.0**lowest, tiny, -3 * tiny, largest, -largest]
    specials = [*edges, math.inf, -math.inf, math.nan]
    kind = rng.choice(["normal"] * 5 + ["whole"] * 2 + ["edge", "mixed", "mixed"])
    normal, whole = lambda: rng.gauss(0, 1), lambda: float(rng.randint(-9, 99))
    draw = {"normal": normal, "whole": whole, "edge": lambda: rng.choice(edges),
            "mixed": lambda: rng.choice(specials) if rng.random() < 0.25 else normal()}[kind]
    with np.errstate(over="ignore", under="ignore"):
        return np.array([draw() for _ in range(count)], dtype=np.float64).astype(NUMPY_TYPES[dtype])


def _codes(rng: random.Random, dtype: str, count: int) -> np.ndarray:
    """Codes of the types that are only moved; those of less than a byte as ml_dtypes keeps them."""
    bits = {"int4": 4, "uint4": 4, "float4e2m1": 4, "int2": 2, "uint2": 2}.get(dtype, 8)
    codes = np.array([rng.randrange(1 << bits) for _ in range(count)], np.uint8)
    if dtype.startswith("int"):
        codes = np.where(codes >> (bits - 1), codes | (0xFF << bits) & 0xFF, codes).astype(np.uint8)
    return codes.view(NUMPY_TYPES[dtype])


def binary32(value: float) -> float:
    return float(np.float32(value))


def floats(values) -> np.ndarray:
    return np.array(values, dtype=np.float32)


def ints(values) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def scale(rng: random.Random, lowest: float = 0.2) -> float:
    """A binary32 scale: simple fractions, decimals, near 1, and any."""
    drawn = rng.choice([rng.randint(1, 11) / rng.randint(1, 7), rng.randint(2, 30) / 10, rng.randint(1, 9) / 4, 1.0,
                        1 + rng.choice([-1, 1]) * 2.0 ** -rng.randint(8, 23), rng.uniform(0.25, 3)])
    return max(binary32(drawn), binary32(lowest))
