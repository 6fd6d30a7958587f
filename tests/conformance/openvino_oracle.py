# SPDX-License-Identifier: Apache-2.0
"""OpenVINO's Tile-1 and Interpolate-1, -4 and -11 from their specifications, in exact or double arithmetic and as simple
as possible. Written independently of the C++ code and of OpenVINO's."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction

import numpy as np


@dataclass
class TileCase:
    x: np.ndarray
    repeats: list[int]
    repeats_type: str = "i64"
    constant: bool = True
    type: str = "f32"


@dataclass
class InterpolateCase:
    version: int
    x: np.ndarray
    type: str
    mode: str
    axes: list[int]
    sizes: list[int] | None = None  # one of the two
    scales: list[float] | None = None
    coordinates: str = "half_pixel"
    nearest: str = "round_prefer_floor"
    antialias: bool = False
    cube: float = -0.75
    align_corners: bool = True  # version 1
    explicit_axes: bool = True
    constant: bool = True
    attributes: dict = field(default_factory=dict)


def tile(x: np.ndarray, repeats: list[int]) -> np.ndarray:
    rank = max(x.ndim, len(repeats))
    x = x.reshape((1,) * (rank - x.ndim) + x.shape)
    repeats = [1] * (rank - len(repeats)) + list(repeats)
    for axis, times in enumerate(repeats):
        x = np.concatenate([x] * times, axis) if times else x.take([], axis)
    return x


def extents(case: InterpolateCase) -> list[int]:
    out = list(case.x.shape)
    for k, axis in enumerate(case.axes):
        if case.sizes is not None:
            out[axis] = case.sizes[k]
        else:
            scale = np.float32(case.scales[k])
            if scale != 1:
                out[axis] = math.floor(np.float32(out[axis]) * (scale + np.float32(1e-6)))
    return out


def as_version_4(case: InterpolateCase) -> tuple[str, str, str]:
    """mode, coordinate mode and nearest mode; for version 1, their equivalents in version 4."""
    if case.version > 1:
        return case.mode, case.coordinates, case.nearest
    rank = case.x.ndim
    mode = {"linear": "linear" if rank == 5 else "linear_onnx"}.get(case.mode, case.mode)
    if case.align_corners:
        coordinates = "align_corners"
    elif case.mode == "linear" and not (rank == 4 and sorted(case.axes) == [2, 3]):
        coordinates = "half_pixel"
    else:
        coordinates = "asymmetric"
    return mode, coordinates, "simple"


def position(coordinates: str, i: int, s, n: int, m: int):
    """In the arithmetic of s: a Fraction or a float."""
    half = Fraction(1, 2) if isinstance(s, Fraction) else 0.5
    one = Fraction(1) if isinstance(s, Fraction) else 1.0
    if s == 1 or n == m:
        return i * one
    if coordinates == "half_pixel" or (coordinates == "pytorch_half_pixel" and m > 1):
        return (i + half) / s - half
    if coordinates == "pytorch_half_pixel":
        return 0 * one
    if coordinates == "asymmetric":
        return i / s
    if coordinates == "tf_half_pixel_for_nn":
        return (i + half) / s
    return 0 * one if m == 1 else i * (n - 1) * one / (m - 1)  # align_corners


def pick(mode: str, x, s) -> int:
    if mode == "simple":
        mode = "ceil" if s < 1 else "floor"
    if mode == "floor":
        return math.floor(x)
    if mode == "ceil":
        return math.ceil(x)
    return math.ceil(x - Fraction(1, 2)) if mode == "round_prefer_floor" else math.floor(x + Fraction(1, 2))


def keys(a: float, t: float) -> float:
    t = abs(t)
    if t <= 1:
        return ((a + 2) * t - (a + 3)) * t * t + 1
    return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a if t < 2 else 0.0


def triangle(t: float) -> float:
    return max(0.0, 1 - abs(t))


def matrix(case: InterpolateCase, mode: str, coordinates: str, nearest: str, k: int, n: int, m: int) -> np.ndarray:
    """[m, n]: the weight of each input for each output of an axis."""
    s = Fraction(m, n) if case.sizes is not None or mode.endswith("_pillow") else float(np.float32(case.scales[k]))
    if mode.endswith("_pillow"):
        coordinates = "half_pixel"
    weights = np.zeros((m, n))
    for i in range(m):
        x = position(coordinates, i, s, n, m)
        if mode == "nearest":
            weights[i, min(max(pick(nearest, x, s), 0), n - 1)] = 1
        elif mode == "linear_onnx":
            x = min(max(float(x), 0.0), n - 1.0)
            low = min(int(x), n - 1)
            weights[i, low] += 1 - (x - low)
            weights[i, min(low + 1, n - 1)] += x - low
        elif mode == "cubic":
            low = math.floor(x)
            for j in range(low - 1, low + 3):
                weights[i, min(max(j, 0), n - 1)] += keys(case.cube if case.version > 1 else -0.75, float(x - j))
        else:
            stretched = mode.endswith("_pillow") or case.antialias
            a = min(float(s), 1.0) if stretched and n != m else 1.0
            kernel = (lambda t: keys(case.cube, t)) if mode == "bicubic_pillow" else triangle
            row = np.array([kernel(a * float(x - j)) for j in range(n)])
            weights[i] = row / row.sum()
    return weights


def interpolate(case: InterpolateCase, between=lambda y: y) -> np.ndarray:
    """In doubles, not rounded to the element type. between: applied after each pass, the last axis first."""
    mode, coordinates, nearest = as_version_4(case)
    y = case.x.astype(np.float64)
    out = extents(case)
    for k, axis in sorted(enumerate(case.axes), key=lambda entry: -entry[1]):
        n, m = case.x.shape[axis], out[axis]
        table = matrix(case, mode, coordinates, nearest, k, n, m)
        y = between(np.moveaxis(np.tensordot(table, y, (1, axis)), 0, axis))
    return y
