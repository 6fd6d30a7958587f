# SPDX-License-Identifier: Apache-2.0
"""Taps and weights of modes linear and cubic (resize.md, RESIZE-TAP to RESIZE-WEIGHT)."""

import math
from fractions import Fraction

import numpy as np

from .axes import Axis, Settings, clamp

Number = Fraction | float
Taps = list[tuple[int, Number]]


def is_stretched(axis: Axis, settings: Settings) -> bool:
    return settings.antialias and axis.scale < 1  # RESIZE-TAP-1


def window(axis: Axis, settings: Settings) -> int:
    """RESIZE-PASS-3."""
    half = 2 if settings.mode == "cubic" else 1
    return 2 * math.ceil(half / axis.scale) if is_stretched(axis, settings) else 2 * half


def kernel(a: float, t: Number) -> float:
    """RESIZE-CUBIC-1; t is compared as it is, exact or not, and then made a double."""
    if t == 1 or t >= 2:
        return 0.0
    inner, t = t < 1, float(t)
    if inner:
        return ((a + 2) * t - (a + 3)) * t * t + 1
    return ((a * t - 5 * a) * t + 8 * a) * t - 4 * a


def raw_taps(axis: Axis, settings: Settings, x: Number) -> Taps:
    """RESIZE-TAP-2 to RESIZE-TAP-4 and RESIZE-CUBIC-2 to RESIZE-CUBIC-4."""
    cubic, f = settings.mode == "cubic", math.floor(x)
    stretched = is_stretched(axis, settings)
    if not axis.exact and not stretched:
        r = x - f
        if not cubic:
            return [(f, 1 - r), (f + 1, r)]
        return [(f + j, kernel(settings.a, t)) for j, t in ((-1, 1 + r), (0, r), (1, 1 - r), (2, 2 - r))]
    number = Fraction if axis.exact else float
    k = number(axis.scale) if stretched else number(1)
    radius = 2 if cubic else 1
    reach = math.ceil(radius / k) + 2  # a little more than the filter: t decides
    taps = [(j, abs(number(j) - x) * k) for j in range(f - reach, f + reach + 1)]
    return [(j, kernel(settings.a, t) if cubic else 1 - t) for j, t in taps if t < radius]


def weights(axis: Axis, settings: Settings, x: Number, dtype: type) -> list[tuple[int, np.floating]]:
    """RESIZE-WEIGHT-1 to RESIZE-WEIGHT-6: the taps of one output in the compute type."""
    only = [(clamp(axis, math.floor(x)), dtype(1))]
    taps = raw_taps(axis, settings, x)
    if settings.exclude_outside:
        taps = [(j, w) for j, w in taps if 0 <= j < axis.n]
    if settings.exclude_outside or is_stretched(axis, settings):
        total = added([w for _, w in taps])
        if total == 0:
            return only
        taps = [(j, w / total) for j, w in taps]
    by_index: dict[int, list[Number]] = {}
    for j, w in taps:
        by_index.setdefault(clamp(axis, j), []).append(w)
    rounded = [(j, dtype(float(added(shared)))) for j, shared in sorted(by_index.items())]
    return [(j, w) for j, w in rounded if w != 0] or only


def added(values: list[Number]) -> Number:
    """The sum in the order of the list; it starts with the first value."""
    if not values:
        return 0
    total = values[0]
    for value in values[1:]:
        total = total + value
    return total
