# SPDX-License-Identifier: Apache-2.0
"""Features of nearest: which input an output copies, and how exactly positions are computed."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np

from .._compare.nodes import Node
from .case import Call, Feature
from .drafts import NEAREST_MODES, Random, ends, floats, image, pick, resize, upsample, version
from .fairness import rounded

_ROUNDS = ("round_prefer_floor", "round_prefer_ceil")
_COORDINATES = ("half_pixel", "asymmetric")


def _modes(rng: Random) -> Node:
    x = floats(rng, image(rng, 3))
    return resize(version(rng), x, mode="nearest", nearest_mode=pick(rng, NEAREST_MODES), coordinate_transformation_mode=pick(rng, _COORDINATES),
                  **ends(rng, x.shape))


def _ties(rng: Random) -> Node:
    """Positions of a half that every format holds: growing by 2 asymmetrically, shrinking by an even number with half_pixel."""
    rounding = pick(rng, _ROUNDS)
    h, w = (int(extent) for extent in rng.integers(3, 8, 2))
    if rng.random() < 0.5:
        x, coordinates, scale = floats(rng, (1, 2, h, w)), "asymmetric", 2.0
    else:
        factor = pick(rng, (2, 4))
        x, coordinates, scale = floats(rng, (1, 2, h * factor, w * factor)), "half_pixel", 1 / factor
    given: dict[str, Any] = {"scales": [1.0, 1.0, scale, scale]}
    if rng.random() < 0.5:
        given = {"sizes": [1.0, 2.0, x.shape[2] * scale, x.shape[3] * scale]}
    return resize(version(rng), x, mode="nearest", nearest_mode=rounding, coordinate_transformation_mode=coordinates, **given)


def exact(coordinates: str, extent: int, out: int) -> tuple[np.ndarray, int]:
    """Where outputs land, with sizes: numerators over one denominator."""
    i = np.arange(out)
    if coordinates == "half_pixel":
        return (2 * i + 1) * extent - out, 2 * out
    return (i * extent, out) if coordinates == "asymmetric" else (i * (extent - 1), out - 1)


def indices(nearest_mode: str, down: np.ndarray, rest: np.ndarray, whole: float) -> np.ndarray:
    """The input below is `down`, and the position is rest / whole above it."""
    up = {"round_prefer_floor": 2 * rest > whole, "round_prefer_ceil": 2 * rest >= whole, "floor": rest < 0, "ceil": rest > 0}
    return down + up[nearest_mode]


def _exact_positions(rng: Random) -> Call:
    """A position at which float32 or double copies another input than exact arithmetic."""
    dtype = pick(rng, (np.float32, np.float32, np.float64))
    while True:
        coordinates, rounding = pick(rng, ("half_pixel", "asymmetric", "align_corners")), pick(rng, NEAREST_MODES)
        extent, out = int(rng.integers(3, 60)), int(rng.integers(2, 60))
        numerators, denominator = exact(coordinates, extent, out)
        computed = rounded(dtype, coordinates, extent, out)
        right = indices(rounding, numerators // denominator, numerators % denominator, denominator)
        other = indices(rounding, np.floor(computed), computed - np.floor(computed), 1)
        wrong = np.flatnonzero((right != other) & (numerators > 0) & (numerators < (extent - 1) * denominator))
        if extent != out and wrong.size:
            break
    i = int(wrong[0])
    x = floats(rng, (1, 1, int(rng.integers(1, 3)), extent))
    call = resize(version(rng), x, mode="nearest", nearest_mode=rounding, coordinate_transformation_mode=coordinates, sizes=[*x.shape[:3], out])
    where = Fraction(int(numerators[i]), denominator)
    return Call(call, f"Output {i} lands at {where} exactly; {np.dtype(dtype).name} can miss that.")


def _double_positions(rng: Random) -> Call:
    """A scale with which positions in float32 copy another input than those in double."""
    while True:
        coordinates, rounding = pick(rng, _COORDINATES), pick(rng, NEAREST_MODES)
        extent = int(rng.integers(3, 40))
        scale = np.float32(rng.integers(1, 40) / rng.integers(1, 30))
        out = int(np.floor(extent * float(scale)))
        if not 2 <= out <= 60 or out != int(np.floor(np.float32(extent) * scale)):
            continue
        double, single = (_by_scale(dtype, coordinates, scale, out) for dtype in (np.float64, np.float32))
        both = [indices(rounding, np.floor(where), where - np.floor(where), 1) for where in (double, single)]
        wrong = np.flatnonzero((both[0] != both[1]) & (double > 0) & (double < extent - 1))
        if wrong.size:
            break
    i = int(wrong[0])
    x = floats(rng, (1, 1, int(rng.integers(1, 3)), extent))
    call = resize(version(rng), x, mode="nearest", nearest_mode=rounding, coordinate_transformation_mode=coordinates, scales=[1, 1, 1, scale])
    return Call(call, f"Output {i} lands at {double[i]}; in float32 at {single[i]}.")


def _by_scale(dtype: type, coordinates: str, scale: np.float32, out: int) -> np.ndarray:
    i: np.ndarray = np.arange(out).astype(dtype)
    half = dtype(0.5 if coordinates == "half_pixel" else 0)
    return (i + half) / dtype(scale) - half


def _just_above(rng: Random) -> Call:
    """Positions that are an integer exactly, and that double arithmetic puts one ulp above or below: windows must not shift."""
    while True:
        extent, out = int(rng.integers(3, 40)), int(rng.integers(3, 60))
        numerators, denominator = exact("half_pixel", extent, out)
        computed = rounded(np.float64, "half_pixel", extent, out)
        whole = numerators // denominator
        found = np.flatnonzero((numerators % denominator == 0) & (computed != whole) & (whole > 0) & (whole < extent - 1))
        if extent != out and found.size:
            break
    i = int(found[0])
    x = floats(rng, (1, 1, 1, extent))
    call = resize(version(rng), x, mode=pick(rng, ("linear", "cubic")), sizes=[1, 1, 1, out])
    return Call(call, f"Output {i} lands at {whole[i]} exactly, and in double at {computed[i]}.")


def _resize_10(mode: str):
    def draw(rng: Random) -> Node:
        x = floats(rng, image(rng, 3))
        return resize(10, x, mode=mode, scales=[1.0, 1.0, *(pick(rng, (0.4, 0.6, 0.75, 1.5, 1.7, 2.0, 3.0)) for _ in range(2))])
    return draw


def _shrinking_10(rng: Random) -> Node:
    x = floats(rng, image(rng, 4))
    return resize(10, x, mode="nearest", scales=[1.0, 1.0, *(pick(rng, (0.4, 0.6, 0.7, 0.75, 0.8)) for _ in range(2))])


def _upsample(mode: str):
    def draw(rng: Random) -> Node:
        x = floats(rng, image(rng, 1, 8))
        return upsample(pick(rng, (7, 9)), x, [1.0, 1.0, *(pick(rng, (1.0, 1.5, 1.7, 2.0, 2.6, 3.0)) for _ in range(2))], mode)
    return draw


def _upsample_1(rng: Random) -> Node:
    x = floats(rng, image(rng, 1, 8))
    return upsample(1, x, [1.0, 1.0, *(pick(rng, (1.0, 1.5, 2.0, 3.0)) for _ in range(2))], pick(rng, ("nearest", "linear")))


_SIMPLE = "Positions are i / scale; nearest takes the integer below, or above where the axis shrinks."

FEATURES = (
    Feature("nearest-modes", "Resize", "nearest_mode: floor, ceil, or the nearest integer; then the index is clamped to the input.", _modes),
    Feature("nearest-ties", "Resize", "nearest_mode: round_prefer_floor takes the lower of two equally near inputs, round_prefer_ceil the "
            "upper.", _ties, fair=False),
    Feature("nearest-exact-positions", "Resize", "With sizes a position is a quotient of integers, and nearest decides by its exact value.",
            _exact_positions, fair=False),
    Feature("nearest-double-positions", "Resize", "With scales a position is computed in double from the float32 scale.", _double_positions,
            fair=False),
    Feature("window-of-integers", "Resize", "A window begins at the integer at or below the exact position.", _just_above, fair=False),
    Feature("resize-10-nearest", "Resize", "Version 10. " + _SIMPLE, _resize_10("nearest")),
    Feature("resize-10-nearest-shrinking", "Resize", "Version 10. " + _SIMPLE, _shrinking_10),
    Feature("resize-10-linear", "Resize", "Version 10. Positions are i / scale.", _resize_10("linear")),
    Feature("upsample-nearest", "Upsample", _SIMPLE, _upsample("nearest")),
    Feature("upsample-linear", "Upsample", "Positions are i / scale; between the last input and the border the last input is repeated.",
            _upsample("linear")),
    Feature("upsample-1", "Upsample", "Version 1 takes height_scale and width_scale, and calls linear bilinear.", _upsample_1),
)
