# SPDX-License-Identifier: Apache-2.0
"""One axis of a resize: its positions and their nearest elements (resize.md, RESIZE-POS to RESIZE-NEAR)."""

import math
from dataclasses import dataclass
from fractions import Fraction

Number = Fraction | float
CROP = "tf_crop_and_resize"


@dataclass
class Rules:
    """What all attributes of a call come to."""

    mode: str  # nearest, linear or cubic
    coordinates: str
    nearest: str  # a nearest_mode, or simple (RESIZE-OLD-1)
    a: float = -0.75
    exclude_outside: bool = False
    antialias: bool = False
    extrapolation: float = 0.0

    @property
    def crop(self) -> bool:
        return self.coordinates == CROP


@dataclass
class Axis:
    """scale: s, always exact. length: L; a float unless positions are exact."""

    n: int
    m: int
    scale: Fraction
    length: Number
    exact: bool
    identity: bool
    start: float = 0.0
    end: float = 1.0


def kept(n: int) -> Axis:
    """An axis that is not resized."""
    return Axis(n, n, Fraction(1), Fraction(n), exact=True, identity=True)


def positions(axis: Axis, rules: Rules) -> list[Number]:
    return [crop_position(axis, i) if rules.crop else position(axis, rules.coordinates, i) for i in range(axis.m)]


def position(axis: Axis, coordinates: str, output: int) -> Number:
    """RESIZE-POS-1 and RESIZE-POS-3. One text for both kinds of numbers."""
    number = Fraction if axis.exact else float
    if axis.m == 1 and coordinates in ("pytorch_half_pixel", "align_corners"):
        return number(0)
    i, n, m, half = number(output), number(axis.n), number(axis.m), number(0.5)
    s, length = number(axis.scale), axis.length
    if coordinates == "align_corners":
        return i * (n - 1) / (length - 1)
    if coordinates == "asymmetric":
        return i / s
    if coordinates == "tf_half_pixel_for_nn":
        return (i + half) / s
    if coordinates == "half_pixel_symmetric":
        return n / 2 * (1 - m / length) + (i + half) / s - half
    assert coordinates in ("half_pixel", "pytorch_half_pixel")
    return (i + half) / s - half


def crop_position(axis: Axis, i: int) -> float:
    """RESIZE-POS-1, RESIZE-POS-3 and RESIZE-POS-4."""
    start, end, last = axis.start, axis.end, float(axis.n) - 1
    if axis.m == 1:
        x = (0.5 * (start + end)) * last
    else:
        x = (start * last) + (((i * (end - start)) * last) / (float(axis.length) - 1))
    tolerance = 4 * 2.0**-52 * float(axis.n)
    if abs(x) <= tolerance:
        return 0.0
    return last if abs(x - last) <= tolerance else x


def is_outside(axis: Axis, rules: Rules, x: Number) -> bool:
    """RESIZE-FILL-1; NaN is outside."""
    return rules.crop and not 0 <= x <= axis.n - 1


def clamp(j: int, n: int) -> int:
    return min(max(j, 0), n - 1)


def nearest_index(axis: Axis, rules: Rules, x: Number) -> int:
    """RESIZE-NEAR-1, RESIZE-NEAR-2 and RESIZE-OLD-1."""
    rounding = rules.nearest
    if rounding == "simple":
        rounding = "ceil" if axis.scale < 1 else "floor"
    f = math.floor(x)
    r = x - f
    up = {"round_prefer_floor": r > 0.5, "round_prefer_ceil": r >= 0.5, "floor": False, "ceil": r > 0}[rounding]
    return clamp(f + 1 if up else f, axis.n)
