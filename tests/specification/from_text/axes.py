# SPDX-License-Identifier: Apache-2.0
"""Axes of Resize: scale, length, positions and the nearest index (resize.md)."""

import dataclasses
import math
from fractions import Fraction


@dataclasses.dataclass
class Settings:
    """The attributes that act; `nearest` is a nearest_mode or simple (RESIZE-OLD-1)."""

    mode: str
    coordinates: str
    nearest: str = "round_prefer_floor"
    a: float = -0.75
    exclude_outside: bool = False
    antialias: bool = False
    extrapolation: float = 0.0


@dataclasses.dataclass
class Axis:
    """n, m: extents; scale: exact; length: a Fraction, or a float where positions are binary64."""

    n: int
    m: int
    scale: Fraction = Fraction(1)
    length: Fraction | float = Fraction(1)
    exact: bool = True
    start: float = 0.0
    end: float = 1.0
    identity: bool = True


def is_identity(axis: Axis, crop: bool) -> bool:
    """RESIZE-SCALE-4."""
    return axis.scale == 1 and axis.m == axis.n and (not crop or (axis.start == 0 and axis.end == 1))


def position(axis: Axis, coordinates: str, i: int) -> Fraction | float:
    """RESIZE-POS-1 to RESIZE-POS-4: one formula for rational numbers and for binary64."""
    number = Fraction if axis.exact else float
    if coordinates == "tf_crop_and_resize":
        return crop_position(axis, i)
    if axis.m == 1 and coordinates in ("pytorch_half_pixel", "align_corners"):
        return number(0)
    n, m, s, length, half = number(axis.n), number(axis.m), number(axis.scale), number(axis.length), number(0.5)
    i = number(i)
    if coordinates == "align_corners":
        return i * (n - 1) / (length - 1)
    if coordinates == "asymmetric":
        return i / s
    if coordinates == "tf_half_pixel_for_nn":
        return (i + half) / s
    if coordinates == "half_pixel_symmetric":
        return n / 2 * (1 - m / length) + (i + half) / s - half
    return (i + half) / s - half


def crop_position(axis: Axis, i: int) -> float:
    last, start, end = float(axis.n) - 1, axis.start, axis.end
    if axis.m == 1:
        x = 0.5 * (start + end) * last
    else:
        x = start * last + i * (end - start) * last / (float(axis.length) - 1)
    tolerance = 4 * 2.0**-52 * axis.n
    if abs(x) <= tolerance:
        return 0.0
    return last if abs(x - last) <= tolerance else x


def is_outside(axis: Axis, x: float) -> bool:
    """RESIZE-FILL-1; NaN is outside."""
    return not 0 <= x <= axis.n - 1


def clamp(axis: Axis, j: int) -> int:
    return min(max(j, 0), axis.n - 1)


def nearest_index(axis: Axis, rounding: str, x: Fraction | float) -> int:
    """RESIZE-NEAR-1, RESIZE-NEAR-2 and RESIZE-OLD-1."""
    if rounding == "simple":
        rounding = "ceil" if axis.scale < 1 else "floor"
    f = math.floor(x)
    r = x - f
    up = {"round_prefer_floor": r > 0.5, "round_prefer_ceil": r >= 0.5, "floor": False, "ceil": r > 0}[rounding]
    return clamp(axis, f + up)
