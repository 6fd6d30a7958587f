# SPDX-License-Identifier: Apache-2.0
"""Positions, nearest samples and weights of one axis in the arithmetic that `emulation` describes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from case import Axis, ResizeCase, is_widened

EPS64 = 2.0**-52


# --- Positions -----------------------------------------------------------------------------------


def exact_position(case: ResizeCase, axis: Axis, i: int) -> tuple[int, int]:
    """x(i) as numerator and positive denominator, for axes with exact positions."""
    n, m, mode = axis.n, axis.m, case.coordinates
    p, q = Fraction(axis.scale).as_integer_ratio()
    # The length is u/v.
    u, v = Fraction(axis.length).as_integer_ratio()
    if mode == "half_pixel" or mode == "pytorch_half_pixel" and m > 1:
        return (2 * i + 1) * q - p, 2 * p
    if mode == "align_corners" and m > 1:
        return i * (n - 1) * v, u - v
    if mode == "asymmetric":
        return i * q, p
    if mode == "tf_half_pixel_for_nn":
        return (2 * i + 1) * q, 2 * p
    if mode == "half_pixel_symmetric":
        return n * (u - m * v) * p + ((2 * i + 1) * q - p) * u, 2 * u * p
    assert mode in ("pytorch_half_pixel", "align_corners"), mode
    return 0, 1


def double_position(case: ResizeCase, axis: Axis, i: int) -> float:
    """x(i) as a double, for all other axes; NaN is possible under tf_crop_and_resize."""
    n, m, mode = float(axis.n), float(axis.m), case.coordinates
    s, length = float(axis.scale), float(axis.length)
    if mode == "tf_crop_and_resize":
        return _crop_position(axis, i, length)
    if mode == "half_pixel" or mode == "pytorch_half_pixel" and m > 1.0:
        return (i + 0.5) / s - 0.5
    if mode == "align_corners" and m > 1.0:
        return (i * (n - 1.0)) / (length - 1.0)
    if mode == "asymmetric":
        return i / s
    if mode == "tf_half_pixel_for_nn":
        return (i + 0.5) / s
    if mode == "half_pixel_symmetric":
        return ((n / 2.0) * (1.0 - m / length) + (i + 0.5) / s) - 0.5
    assert mode in ("pytorch_half_pixel", "align_corners"), mode
    return 0.0


def _crop_position(axis: Axis, i: int, length: float) -> float:
    start, end, last = axis.start, axis.end, axis.n - 1.0
    if axis.m > 1:
        x = start * last + ((i * (end - start)) * last) / (length - 1.0)
    else:
        x = (0.5 * (start + end)) * last
    slack = 4.0 * EPS64 * max(1, axis.n)
    if abs(x) <= slack:
        return 0.0
    if abs(x - last) <= slack:
        return last
    return x


def is_outside(case: ResizeCase, axis: Axis, i: int) -> bool:
    """Whether output i of the axis takes the extrapolation value."""
    if not case.crops or axis.is_identity:
        return False
    return not 0.0 <= double_position(case, axis, i) <= axis.n - 1.0


def nearest_index(case: ResizeCase, axis: Axis, i: int) -> int:
    if axis.is_exact:
        numerator, denominator = exact_position(case, axis, i)
        down, rest = divmod(numerator, denominator)
        whole = denominator
    else:
        x = double_position(case, axis, i)
        down = math.floor(x)
        rest, whole = x - down, 1.0
    up = {
        "round_prefer_floor": 2 * rest > whole,
        "round_prefer_ceil": 2 * rest >= whole,
        "floor": False,
        "ceil": rest > 0,
        "simple": rest > 0 and axis.scale < 1,
    }
    return _clamp(down + up[case.rounding], axis.n)


def _clamp(j: int, n: int) -> int:
    return min(max(j, 0), n - 1)


# --- Weights -------------------------------------------------------------------------------------


@dataclass
class Table:
    """The taps of one axis. index, weight: [m, taps], ascending, padded. count: [m]."""

    index: np.ndarray
    weight: np.ndarray
    count: np.ndarray


def make_table(case: ResizeCase, axis: Axis, compute: np.dtype) -> Table:
    """Weights that turn axis.n samples into axis.m, rounded to the compute type."""
    rows = [_entry(case, axis, i, compute) for i in range(axis.m)]
    taps = max(len(row) for row in rows)
    index = np.zeros((axis.m, taps), dtype=np.int64)
    weight = np.zeros((axis.m, taps), dtype=compute)
    for i, row in enumerate(rows):
        for t, (j, w) in enumerate(row):
            index[i, t], weight[i, t] = j, w
    return Table(index, weight, np.array([len(row) for row in rows]))


def _entry(case: ResizeCase, axis: Axis, i: int, compute: np.dtype) -> list[tuple]:
    """The surviving (index, weight) pairs of output i, ascending."""
    if is_outside(case, axis, i):
        return [(0, compute.type(1))]
    if axis.is_exact:
        numerator, denominator = exact_position(case, axis, i)
        floor = numerator // denominator
        if case.filter == "linear":
            weights = _exact_linear_weights(case, axis, numerator, denominator)
        else:
            taps = _exact_cubic_taps(case, axis, numerator, denominator)
            weights = _finish(case, axis, taps)
    else:
        x = double_position(case, axis, i)
        floor = math.floor(x)
        if is_widened(case, axis):
            taps = _double_wide_taps(case, axis, x)
        else:
            taps = _double_taps(case, x)
        weights = _finish(case, axis, taps)
    with np.errstate(over="ignore", under="ignore"):
        rounded = [(j, compute.type(w)) for j, w in weights]
    return [pair for pair in rounded if pair[1] != 0] or [(_clamp(floor, axis.n), compute.type(1))]


def _exact_linear_weights(case: ResizeCase, axis: Axis, x: int, per: int) -> list[tuple]:
    """Folded linear weights of position x/per: integers, then one division each."""
    widened = is_widened(case, axis)
    p, q = axis.scale.as_integer_ratio() if widened else (1, 1)
    whole = per * q
    # The integers j with |j - x/per| * p/q < 1.
    first = (x * p - whole) // (per * p) + 1
    last = -((-x * p - whole) // (per * p)) - 1
    taps = [(j, whole - abs(j * per - x) * p) for j in range(first, last + 1)]
    if case.exclude_outside:
        taps = [(j, w) for j, w in taps if 0 <= j < axis.n]
    if widened or case.exclude_outside:
        whole = sum(w for _, w in taps)
    return [(j, w / whole) for j, w in _fold(taps, axis.n)]


def _exact_cubic_taps(case: ResizeCase, axis: Axis, x: int, per: int) -> list[tuple]:
    """Raw cubic weights around position x/per; their distances are integers over `whole`."""
    p, q = axis.scale.as_integer_ratio() if is_widened(case, axis) else (1, 1)
    whole = per * q
    first = (x * p - 2 * whole) // (per * p) + 1
    last = -((-x * p - 2 * whole) // (per * p)) - 1
    taps = []
    for j in range(first, last + 1):
        distance = abs(j * per - x) * p
        if distance == whole:
            taps.append((j, 0.0))
        else:
            taps.append((j, _keys(distance / whole, distance < whole, case.cubic_coeff_a)))
    return taps


def _double_taps(case: ResizeCase, x: float) -> list[tuple]:
    """Raw weights around a double position, without antialias."""
    f = math.floor(x)
    r = x - f
    if case.filter == "linear":
        return [(f, 1.0 - r), (f + 1, r)]
    distances = [1.0 + r, r, 1.0 - r, 2.0 - r]
    a = case.cubic_coeff_a
    return [(f - 1 + t, _double_keys(distance, a)) for t, distance in enumerate(distances)]


def _double_wide_taps(case: ResizeCase, axis: Axis, x: float) -> list[tuple]:
    """Raw weights around a double position, under antialias."""
    k = float(axis.scale)
    support = 1.0 if case.filter == "linear" else 2.0
    # One more on either side; the comparison below decides.
    reach = math.ceil(support / k) + 1
    f = math.floor(x)
    taps = []
    for j in range(f - reach, f + reach + 2):
        distance = abs(j - x) * k
        if not distance < support:
            continue
        if case.filter == "linear":
            taps.append((j, 1.0 - distance))
        else:
            taps.append((j, _double_keys(distance, case.cubic_coeff_a)))
    return taps


def _double_keys(t: float, a: float) -> float:
    return 0.0 if t == 1.0 or t >= 2.0 else _keys(t, t < 1.0, a)


def _keys(t: float, is_inner: bool, a: float) -> float:
    """Keys' kernel at t, in the order of its formula."""
    if is_inner:
        return ((a + 2.0) * t - (a + 3.0)) * t * t + 1.0
    return ((a * t - 5.0 * a) * t + 8.0 * a) * t - 4.0 * a


def _finish(case: ResizeCase, axis: Axis, taps: list[tuple]) -> list[tuple]:
    """Drops, normalises and folds raw double weights; empty if they leave no sum."""
    if case.exclude_outside:
        taps = [(j, w) for j, w in taps if 0 <= j < axis.n]
    if is_widened(case, axis) or case.exclude_outside:
        total = 0.0
        for _, w in taps:
            total += w
        if total == 0.0:
            return []
        taps = [(j, w / total) for j, w in taps]
    return _fold(taps, axis.n)


def _fold(taps: list[tuple], n: int) -> list[tuple]:
    """Adds up, ascending, the weights that share a clamped index."""
    folded = {}
    for j, w in taps:
        c = _clamp(j, n)
        folded[c] = folded[c] + w if c in folded else w
    return list(folded.items())
