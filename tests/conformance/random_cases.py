# SPDX-License-Identifier: Apache-2.0
"""Random valid cases, each from one seed, and one small case for every cell of the standard.

A cell is an (operator, version, element type, mode). The entry points are `case(seed)` and `all_cells()`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from case import (
    NUMPY_TYPES,
    FillCase,
    ResizeCase,
    TileCase,
    compute_type,
    resolve,
    window,
)
from case_rules import COORDINATE_MODES, NEAREST_MODES, UPSAMPLE_1_TYPES, validate

MAX_OUTPUTS = 4000
MAX_INPUTS = 4000
MAX_PRODUCTS = 60_000

TYPES_15 = (
    "bool complex64 complex128 double float float16 int8 int16 int32 int64 string "
    "uint8 uint16 uint32 uint64"
).split()
TYPES_16 = [*TYPES_15, "bfloat16"]

VERSIONS = {
    # (operator, version): weight in the draw
    ("Resize", 19): 30,
    ("Resize", 18): 20,
    ("Resize", 13): 12,
    ("Resize", 11): 14,
    ("Resize", 10): 8,
    ("Upsample", 9): 6,
    ("Upsample", 7): 6,
    ("Upsample", 1): 4,
}


def case(seed: int) -> ResizeCase:
    """The random case of a seed."""
    return random_case(np.random.default_rng(seed))


def random_case(rng: np.random.Generator) -> ResizeCase:
    """A valid Resize or Upsample case, nearly always of at most MAX_OUTPUTS elements."""
    while True:
        candidate = _draw(rng)
        try:
            validate(candidate)
        except ValueError:
            # Everything is valid as drawn, except that strings may turn out extrapolated.
            if candidate.dtype != "string":
                raise
            continue
        # Empty outputs test little, so most of them are drawn again.
        is_empty = any(axis.m == 0 for axis in resolve(candidate))
        if _is_small(candidate) and (not is_empty or rng.random() < 0.3):
            return candidate


def _is_small(candidate: ResizeCase) -> bool:
    axes = resolve(candidate)
    outputs = math.prod(axis.m for axis in axes)
    if outputs > MAX_OUTPUTS:
        return False
    if outputs == 0 or candidate.filter == "nearest":
        return all(axis.m <= MAX_OUTPUTS for axis in axes)
    # Work of each pass, were it the first: rows * outputs * taps.
    inputs = math.prod(axis.n for axis in axes)
    products = [inputs // axis.n * axis.m * window(candidate, axis) for axis in axes]
    return max(products, default=0) <= MAX_PRODUCTS


# --- Drawing -------------------------------------------------------------------------------------


def _draw(rng: np.random.Generator) -> ResizeCase:
    op, version = _pick(rng, VERSIONS)
    is_long = rng.random() < 0.1
    mode = _pick(rng, {"nearest": 22, "linear": 38, "cubic": 40})
    if mode == "cubic" and (op == "Upsample" or version == 10):
        mode = "linear"
    shape = _long_shape(rng) if is_long else _shape(rng)
    if op == "Upsample" and version == 1:
        shape = [*shape, 1, 2, 3, 1][:4]
    dtype = _dtype(rng, op, version, mode)
    drawn = ResizeCase(values(rng, dtype, shape), dtype, op, version, mode)
    if op == "Upsample" or version == 10:
        drawn.scales = [_scale(rng, n, 1.0 if op == "Upsample" else 0.0, is_long) for n in shape]
        drawn.extents = _extents(rng)
        if op == "Upsample" and version == 1:
            drawn.scales[:2] = [1.0, 1.0]
            drawn.mode = "bilinear" if mode == "linear" else mode
        return drawn
    _draw_attributes(rng, drawn)
    if version >= 18 and rng.random() < 0.45:
        drawn.axes = _axes(rng, len(shape))
    listed = drawn.listed_axes()
    extents = [shape[d] for d in listed]
    if rng.random() < 0.5:
        drawn.scales = [_scale(rng, n, 0.0, is_long) for n in extents]
        drawn.extents = _extents(rng)
    else:
        drawn.sizes = [_size(rng, n, is_long) for n in extents]
        if version >= 18 and rng.random() < 0.35:
            drawn.keep_aspect_ratio_policy = str(rng.choice(["not_larger", "not_smaller"]))
    if not listed and rng.random() < 0.3:
        drawn.scales = drawn.sizes = None
    if rng.random() < (0.9 if drawn.crops else 0.15):
        drawn.roi = _roi(rng, len(listed))
    return drawn


def _draw_attributes(rng: np.random.Generator, drawn: ResizeCase) -> None:
    version = drawn.since_version
    modes = sorted(COORDINATE_MODES[version])
    drawn.coordinate_transformation_mode = str(rng.choice([*modes, "tf_crop_and_resize"]))
    drawn.nearest_mode = str(rng.choice(sorted(NEAREST_MODES)))
    drawn.exclude_outside = int(rng.random() < 0.35)
    if version >= 18 and drawn.mode != "nearest":
        is_long = max(drawn.x.shape, default=0) >= 100
        drawn.antialias = int(rng.random() < (0.9 if is_long else 0.65))
    # a = 4 has a root of the kernel at t = 1/2, a = 0 zeroes the outer lobe.
    plain = [-0.75, -0.75, -0.75, -0.5, -0.5, -1.0, 0.0, 0.5, 4.0, -3.0]
    odd = [rng.normal(), rng.normal() * 10, 1e-20, 1e15]
    drawn.cubic_coeff_a = _float32(rng.choice(plain if rng.random() < 0.85 else odd))
    fills = [0.0, -0.0, 0.5, 1.5, 2.5, -1.0, 300.0, 70000.0, 1e30, -1e-40, math.inf, math.nan]
    drawn.extrapolation_value = _float32(rng.choice([*fills, rng.normal()]))


def _pick(rng: np.random.Generator, weights: dict):
    keys = list(weights)
    chances = np.array([weights[key] for key in keys], dtype=np.float64)
    return keys[int(rng.choice(len(keys), p=chances / chances.sum()))]


def _float32(value: float) -> float:
    return float(np.float32(value))


def _dtype(rng: np.random.Generator, op: str, version: int, mode: str) -> str:
    types = TYPES_16 if op == "Resize" and version >= 13 else TYPES_15
    if op == "Upsample" and version == 1:
        types = sorted(UPSAMPLE_1_TYPES)
    if mode != "nearest":
        types = [name for name in types if name != "string"]
    if rng.random() < 0.25:
        return str(rng.choice(["float", "double"]))
    return str(rng.choice(types))


def _shape(rng: np.random.Generator) -> list[int]:
    rank = _pick(rng, {0: 2, 1: 20, 2: 28, 3: 18, 4: 18, 5: 8, 6: 6})
    largest = {1: 40, 2: 14, 3: 8, 4: 6, 5: 4, 6: 3}.get(rank, 1)
    shape = [int(rng.integers(1, largest + 1)) for _ in range(rank)]
    for d in range(rank):
        if rng.random() < 0.12:
            shape[d] = 1
        if rng.random() < 0.012:
            shape[d] = 0
    return shape


def _long_shape(rng: np.random.Generator) -> list[int]:
    """One long axis, or one of extent 1 that will become long, between short ones."""
    extent = int(rng.choice([1, 1, 2, 3, 600, 700, 1100, 1301, 1700, 2100, 2500, 3000]))
    shape = [extent]
    for _ in range(int(rng.integers(0, 3))):
        shape.insert(int(rng.integers(0, len(shape) + 1)), int(rng.integers(1, 3)))
    return shape


def _axes(rng: np.random.Generator, rank: int) -> list[int]:
    count = int(rng.integers(0, rank + 1))
    chosen = [int(d) for d in rng.permutation(rank)[:count]]
    return [d - rank if rng.random() < 0.4 else d for d in chosen]


def _extents(rng: np.random.Generator) -> str:
    return "host" if rng.random() < 0.25 else "standard"


def _scale(rng: np.random.Generator, n: int, lowest: float, is_long: bool) -> float:
    if is_long and n >= 100:
        scale = rng.choice([1, 1, 1, 2, 3, 7, 50]) / n * rng.choice([1.0, 1.001, 1.3])
    elif is_long and rng.random() < 0.5:
        scale = rng.choice([1000.0, 1500.5, 301.0, 3001.0])
    else:
        scale = {
            "fraction": rng.integers(1, 12) / rng.integers(1, 8),
            "tenths": rng.integers(1, 40) / 10,
            "dyadic": rng.integers(1, 16) / 4,
            "power": 2.0 ** rng.integers(-3, 3),
            "same": 1.0,
            "almost": 1 + rng.choice([-1, 1]) * 2.0 ** -rng.integers(8, 24),
            "shrink": rng.uniform(0.15, 1.0),
            "any": rng.uniform(0.1, 4.0),
        }[_pick(rng, _SCALE_KINDS)]
    if scale < lowest:
        scale = 1 / scale
    return max(_float32(scale), lowest)


_SCALE_KINDS = {
    "fraction": 20,
    "tenths": 20,
    "dyadic": 10,
    "power": 10,
    "same": 15,
    "almost": 5,
    "shrink": 15,
    "any": 20,
}


def _size(rng: np.random.Generator, n: int, is_long: bool) -> int:
    if n == 0 or rng.random() < 0.01:
        return 0
    if is_long and n >= 100:
        return int(rng.choice([1, 1, 1, 1, 2, 3, 49]))
    if is_long and rng.random() < 0.5:
        return int(rng.choice([997, 1500, 2048, 3001]))
    near = [n, n, 2 * n, 3 * n, n + 1, max(1, n - 1), max(1, n // 2), 1]
    return int(rng.choice(near)) if rng.random() < 0.6 else int(rng.integers(1, 2 * n + 4))


def _roi(rng: np.random.Generator, count: int) -> np.ndarray:
    """Regions inside, reversed, beyond and around [0, 1], as float16, 32 or 64."""
    starts, ends = np.zeros(count), np.ones(count)
    for k in range(count):
        kind = _pick(
            rng, {"whole": 3, "inside": 4, "reversed": 2, "beyond": 3, "far": 1, "point": 1}
        )
        low, high = np.sort(rng.uniform(0, 1, 2).round(int(rng.integers(1, 4))))
        starts[k], ends[k] = {
            "whole": (0.0, 1.0),
            "inside": (low, high),
            "reversed": (1.0, 0.0) if rng.random() < 0.5 else (high, low),
            "beyond": (-low / 2, 1 + high / 2),
            "far": (rng.normal() * 100, rng.normal() * 100),
            "point": (low, low),
        }[kind]
    dtype = rng.choice(["float16", "float32", "float64"])
    return np.concatenate([starts, ends]).astype(str(dtype))


# --- Values --------------------------------------------------------------------------------------


def values(rng: np.random.Generator, dtype: str, shape: list[int]) -> np.ndarray:
    """Difficult elements (extremes, denormals, NaN, Inf, -0.0) among ordinary ones."""
    numpy_type = NUMPY_TYPES[dtype]
    count = math.prod(shape)
    if dtype == "string":
        words = [b"", b"a", b"tesela", "añil".encode(), "平".encode(), b"x" * 40]
        array = np.empty(count, dtype=object)
        array[:] = [words[k] + b"%d" % rng.integers(0, 50) for k in rng.integers(0, 6, count)]
    elif dtype == "bool":
        highest = 256 if rng.random() < 0.1 else 2
        array = rng.integers(0, highest, count).astype(np.uint8).view(np.bool_)
    elif numpy_type.kind in "iu":
        array = _integers(rng, numpy_type, count)
    elif numpy_type.kind == "c":
        part = "float" if dtype == "complex64" else "double"
        array = np.empty(count, dtype=numpy_type)
        array.real, array.imag = _floats(rng, part, count), _floats(rng, part, count)
    else:
        array = _floats(rng, dtype, count)
    return array.reshape(shape)


def _integers(rng: np.random.Generator, numpy_type: np.dtype, count: int) -> np.ndarray:
    limits = np.iinfo(numpy_type)
    anything = rng.integers(limits.min, limits.max, count, dtype=numpy_type, endpoint=True)
    small = rng.integers(max(limits.min, -9), 10, count).astype(numpy_type)
    pool = [limits.min, limits.min + 1, limits.max - 1, limits.max, 0, 1]
    if limits.bits == 64:
        pool += [2**53 - 1, 2**53 + 1, 2**62 + 1]
    extremes = np.array(pool, dtype=numpy_type)[rng.integers(0, len(pool), count)]
    return [anything, small, extremes][int(rng.integers(0, 3))]


def _floats(rng: np.random.Generator, dtype: str, count: int) -> np.ndarray:
    numpy_type = NUMPY_TYPES[dtype]
    bits, lowest = {
        "float16": (11, -14),
        "bfloat16": (8, -126),
        "float": (24, -126),
        "double": (53, -1022),
    }[dtype]
    largest = (2 - 2.0 ** (1 - bits)) * 2.0 ** (1 - lowest)
    tiny, denormal = 2.0**lowest, 2.0 ** (lowest - bits + 1)
    finite = [0.0, -0.0, 1.0, -1.0, tiny, -tiny, denormal, -3 * denormal, largest, -largest]
    kind = _pick(rng, {"normal": 36, "whole": 12, "wide": 14, "edge": 10, "mixed": 24, "raw": 4})
    if kind == "raw":
        return np.frombuffer(rng.bytes(count * numpy_type.itemsize), dtype=numpy_type).copy()
    array = {
        "normal": lambda: rng.normal(size=count),
        "whole": lambda: rng.integers(-9, 100, count).astype(np.float64),
        "wide": lambda: (
            rng.normal(size=count) * 2.0 ** rng.integers(lowest - 8, -lowest - 3, count)
        ),
        "edge": lambda: rng.choice(finite, count),
        "mixed": lambda: rng.normal(size=count),
    }[kind]()
    if kind == "mixed":
        odd = rng.random(count) < 0.1
        array[odd] = rng.choice([*finite, math.inf, -math.inf, math.nan], int(odd.sum()))
    return array.astype(numpy_type)


# --- Cells ---------------------------------------------------------------------------------------


@dataclass
class Cell:
    """One cell of the standard with a small case. mode: None where the operator has none.

    is_refused: the operator supports the type and the mode, but not together (linear or cubic of strings).
    """

    op: str
    since_version: int
    dtype: str
    mode: str | None
    is_refused: bool
    case: ResizeCase | TileCase | FillCase


TILE_TYPES = {1: ["float16", "float", "double"], 6: TYPES_15, 13: TYPES_16}
FILL_TYPES_9 = [name for name in TYPES_15 if name not in ("string", "complex64", "complex128")]
# version: the types that it adds
FILL_ADDITIONS = {
    9: FILL_TYPES_9,
    20: ["bfloat16", "float8e4m3fn", "float8e4m3fnuz", "float8e5m2", "float8e5m2fnuz"],
    21: ["int4", "uint4"],
    23: ["float4e2m1"],
    24: ["float8e8m0"],
    25: ["int2", "uint2"],
}


def all_cells() -> Iterator[Cell]:
    """The cells of Tile, ConstantOfShape, Resize and Upsample, those that are refused among them."""
    yield from _tile_cells()
    yield from _fill_cells()
    yield from _resize_cells()


def _tile_cells() -> Iterator[Cell]:
    for version, types in TILE_TYPES.items():
        for dtype in types:
            x = values(np.random.default_rng(version), dtype, [2, 3])
            tile = TileCase(x, dtype, version, repeats=[2, 3])
            if version == 1:
                tile = TileCase(x, dtype, version, tiles=3, axis=1)
            yield Cell("Tile", version, dtype, None, False, tile)


def _fill_cells() -> Iterator[Cell]:
    types = []
    for version, added in FILL_ADDITIONS.items():
        types = types + added
        for dtype in types:
            # Every type has 1, but the extremes of the signed 2-bit and 4-bit types test more.
            number = -2 if dtype in ("int2", "int4") else 1
            value = np.array([number], dtype=np.float32).astype(NUMPY_TYPES[dtype])
            fill = FillCase([2, 3], value, dtype, version)
            yield Cell("ConstantOfShape", version, dtype, None, False, fill)


def _resize_cells() -> Iterator[Cell]:
    modes = {("Resize", 10): ["nearest", "linear"], ("Upsample", 1): ["nearest", "bilinear"]}
    modes |= {("Resize", version): ["nearest", "linear", "cubic"] for version in COORDINATE_MODES}
    modes |= {("Upsample", version): ["nearest", "linear"] for version in (7, 9)}
    for (op, version), names in modes.items():
        types = TYPES_16 if op == "Resize" and version >= 13 else TYPES_15
        if (op, version) == ("Upsample", 1):
            types = [name for name in TYPES_15 if name in UPSAMPLE_1_TYPES]
        for dtype in types:
            x = values(np.random.default_rng(version), dtype, [1, 1, 3, 4])
            for mode in names:
                resize = ResizeCase(x, dtype, op, version, mode, scales=[1.0, 1.0, 2.0, 1.5])
                is_refused = dtype == "string" and mode != "nearest"
                yield Cell(op, version, dtype, mode, is_refused, resize)


# --- Description ---------------------------------------------------------------------------------


def features(drawn: ResizeCase) -> set[str]:
    """The features of a case, to check that random cases cover all of them."""
    axes = resolve(drawn)
    words = {f"{drawn.op}-{drawn.since_version} {drawn.mode}", drawn.dtype, drawn.coordinates}
    words |= {f"rank {drawn.x.ndim}", drawn.keep_aspect_ratio_policy}
    if drawn.extents != "standard" and resolve(replace(drawn, extents="standard")) != axes:
        words.add("extents of a host")
    if 0 in drawn.x.shape:
        words.add("empty input")
    if any(axis.m == 0 for axis in axes):
        return words | {"empty output"}
    if drawn.filter == "nearest":
        return words | {drawn.rounding}
    if drawn.antialias and any(axis.scale < 1 for axis in axes):
        words.add(f"antialias {drawn.filter} exclude_outside={drawn.exclude_outside}")
    if compute_type(drawn, axes) == np.float64:
        words.add(f"{drawn.dtype} in binary64")
    if drawn.crops and drawn.roi is not None:
        words.add(f"roi {drawn.roi.dtype.name}")
    return words
