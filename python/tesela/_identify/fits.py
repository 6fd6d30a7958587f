# SPDX-License-Identifier: Apache-2.0
"""Solves for numbers that settings can have: cubic_coeff_a, and scales that are not out / in."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

import ml_dtypes
import numpy as np

from . import settings
from .pairs import distance_from
from .settings import Rule, Setting
from .values import Conversion, is_float

if TYPE_CHECKING:
    from .pairs import Box, Pair
    from .search import Search

_LEAST_A, _MOST_A = -4.0, 2.0
_DIGITS = 7
_ERRORS = 4.0  # standard errors of a solved coefficient
_MOST_NEAR = 24
_KEPT = 0.8  # of the values; the others may come from passes that saturate
_BOXES, _FEW_BOXES = 10, 3  # for least squares
_DECIMAL_SCALES = 12  # of an axis
_LIKELY_SCALES = {1: 16, 2: 4}  # of each of so many axes, of more two
_SIDE = 6  # outputs of a box
_PASSES = 2
_KERNELS = ({"mode": "nearest", "nearest_mode": "floor"}, {"mode": "nearest"}, {"mode": "nearest", "nearest_mode": "ceil"},
            {"mode": "linear"}, {"mode": "linear", "antialias": 1})
_DIFFERENT = ("half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric", "tf_half_pixel_for_nn")


def coefficients(search: Search, rule: Rule) -> Iterator[list[Setting]]:
    """Cubic settings, each with the coefficients that fit y best: from few decimals to the nearest float32."""
    if search.pair.x.dtype.kind == "c":
        return
    for setting in settings.filters(rule, (-0.7,)):
        if setting.get("mode") == "cubic" and (values := _fitting(search, setting)):
            yield [setting.replaced(cubic_coeff_a=a) for a in values]


def _fitting(search: Search, setting: Setting) -> list[float]:
    """The coefficients that may be y's, those with few decimals first."""
    found: list[float] = []
    for gain in dict.fromkeys(conversion.gain for conversion in search.conversions):
        solved = _solve(search, setting, gain)
        if solved is None or search.apart(setting.replaced(cubic_coeff_a=solved)) is None:
            continue
        intervals = [_interval(search, setting, gain, solved, low, high) for low, high in ((-0.5, 0.5), (0.0, 1.0))]  # rounded, and cut
        for interval in intervals:
            found += [] if interval is None else shortest(*interval, 3)
        if not any(intervals) and search.pair.y.dtype.itemsize == 1:  # weights of fixed point, or rounded passes
            found += _near(solved, _spread(search, setting, gain, solved))
        found += [*(round(solved, digits) for digits in range(1, _DIGITS)), solved]
    of_each_float32: dict[np.float32, float] = {}
    for a in sorted(found, key=lambda a: len(repr(a))):
        of_each_float32.setdefault(np.float32(a), a)
    return list(of_each_float32.values())


def _solve(search: Search, setting: Setting, gain: float) -> float | None:
    """The least-squares coefficient, by Gauss's and Newton's method: from few boxes, and if these are near from more."""
    a = -0.6
    for boxes, steps in ((_FEW_BOXES, 4), (_BOXES, 8)):
        for _ in range(steps):
            found = _residual(search, setting, gain, a, boxes, _KEPT)
            if found is None:
                return None
            power = float(found.slope @ found.slope)
            if power == 0 or not math.isfinite(power):
                return None
            step = float(found.slope @ found.apart) / power
            a = min(max(a - step, _LEAST_A), _MOST_A)
            if abs(step) < 1e-9:
                break
        found = _residual(search, setting, gain, a, boxes, _KEPT)
        if found is None or float(np.median(np.abs(found.apart))) > search.tolerance(gain):
            return None
    return a


def _interval(search: Search, setting: Setting, gain: float, a: float, low: float, high: float) -> tuple[float, float] | None:
    """The coefficients whose exact values are from y + low to y + high in all boxes, in units of y; None if there are none."""
    for _ in range(3):
        found = _residual(search, setting, gain, a, None, 1)
        if found is None or not found.slope.any():
            return None
        moves = np.abs(found.slope) > 1e-6 * np.abs(found.slope).max()
        apart, slope, unit = found.apart[moves], found.slope[moves], found.unit[moves]
        ends = np.stack([(low * unit - apart) / slope, (high * unit - apart) / slope])
        least, most = float(ends.min(axis=0).max()), float(ends.max(axis=0).min())
        if least > most + 1e-4:
            return None
        a += (least + most) / 2
    return a - abs(most - least) / 2, a + abs(most - least) / 2


def _spread(search: Search, setting: Setting, gain: float, a: float) -> float:
    """How far a solved coefficient may be from that of rounded weights and passes."""
    found = _residual(search, setting, gain, a, None, 1)
    if found is None or not found.slope.any():
        return 0.0
    return _ERRORS * float(np.sqrt(np.mean(found.apart**2) / (found.slope @ found.slope)))


def _near(a: float, spread: float) -> list[float]:
    """Up to `_MOST_NEAR` numbers with at most three decimals, the nearest first."""
    numbers: dict[float, None] = {}
    for digits in (2, 3):
        near = sorted(range(math.ceil((a - spread) * 10**digits), math.floor((a + spread) * 10**digits) + 1),
                      key=lambda number: abs(number / 10**digits - a))
        numbers |= dict.fromkeys(number / 10**digits for number in near[:_MOST_NEAR])
    return list(numbers)[:_MOST_NEAR]


def shortest(low: float, high: float, count: int) -> list[float]:
    """Up to `count` numbers from low to high with few decimals, and the middle."""
    middle = (low + high) / 2
    found: dict[float, None] = {}
    for digits in range(1, 9):
        first = math.ceil(low * 10**digits - 1e-9)
        for number in range(first, min(first + count, math.floor(high * 10**digits + 1e-9) + 1)):
            found[number / 10**digits] = None
        if len(found) >= count:
            break
    return [*list(found)[:count], middle]


class _Residual(NamedTuple):
    """apart: exact values minus y. slope: of them, by the coefficient. unit: the distance of y's neighbours."""

    apart: np.ndarray
    slope: np.ndarray
    unit: np.ndarray


def _residual(search: Search, setting: Setting, gain: float, a: float, most_boxes: int | None, kept: float) -> _Residual | None:
    """Of the share of values with the smallest differences; without values where y is saturated, which say nothing."""
    step = 1e-4
    parts: list[np.ndarray] = []
    pair, kind = search.pair, np.dtype(np.float64)
    plans = [setting.replaced(cubic_coeff_a=value).plan(pair.x.shape, pair.y.shape, pair.axes, kind) for value in (a, a + step)]
    exact = Conversion(kind, False, "", kind, 1)
    for box in pair.boxes[:most_boxes]:
        y = pair.expected(box)
        both = [pair.compute(plan, exact, box) * gain for plan in plans if plan is not None]
        if len(both) < 2:
            return None
        given, unit = y.astype(kind), _unit(y)
        apart, slope = both[0] - given, (both[1] - both[0]) / step
        counts = np.isfinite(apart) & np.isfinite(slope)
        if y.dtype.kind in "iu":
            limits = np.iinfo(y.dtype)
            counts &= (y > limits.min) & (y < limits.max)
        parts.append(np.stack([apart[counts], slope[counts], unit[counts]]))
    joined = np.concatenate(parts, axis=1)
    if not joined.size:
        return None
    small = np.abs(joined[0]) <= np.quantile(np.abs(joined[0]), kept)
    return _Residual(*joined[:, small])


def _unit(y: np.ndarray) -> np.ndarray:
    """The distance of neighbours of y in its dtype, at least that of sums in float32."""
    if not is_float(y.dtype):
        return np.ones(y.shape)
    magnitude = np.abs(y.astype(np.float64))
    with np.errstate(all="ignore"):
        exponent = np.floor(np.log2(np.where(magnitude > 0, magnitude, 1e-30)))
    return float(ml_dtypes.finfo(y.dtype).eps) * np.exp2(exponent) + 1e-6 * magnitude.max(initial=0.0)


def ratios(search: Search) -> Iterator[Rule]:
    """Of each axis out / in, or (out + 1) / in where it is rounded down."""
    before, after = _extents(search.pair)
    if 0 not in before:
        ends = [[1.0] if n == m else list(range_) for range_, n, m in zip(_ranges(before, after), before, after)]
        yield from _rules(itertools.product(*ends), before, after)


def scales(search: Search) -> Iterator[Rule]:
    """`ratios`, scales with few decimals that are equal for all axes, and then others with few decimals."""
    pair = search.pair
    before, after = _extents(pair)
    if 0 in before:
        return
    yield from ratios(search)
    ranges = _ranges(before, after)
    low, high = max(low for low, _ in ranges), min(high for _, high in ranges)
    found: dict[tuple[float, ...], None] = {}
    if low < high:
        found |= dict.fromkeys((scale,) * len(before) for scale in shortest(low, high, 6)[:-1])
    likely = [[(least + most) / 2] for least, most in ranges]
    for _ in range(_PASSES if len(before) > 1 else 1):  # the order of an axis depends on the scales of the others
        for number in range(len(before)):
            likely[number] = _likely_scales(search, ranges, likely, number)
    found |= dict.fromkeys(itertools.product(*likely))
    yield from _rules(found, before, after)


def _extents(pair: Pair) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return tuple(pair.x.shape[axis] for axis in pair.axes), tuple(pair.y.shape[axis] for axis in pair.axes)


def _ranges(before: tuple[int, ...], after: tuple[int, ...]) -> list[tuple[float, float]]:
    """The scales of each axis."""
    return [(m / n, (m + 1) / n) for n, m in zip(before, after)]


def _rules(scales: Iterable[tuple[float, ...]], before: tuple[int, ...], after: tuple[int, ...]) -> Iterator[Rule]:
    """Those that give these extents."""
    for chosen in scales:
        rule = Rule("scales", tuple(float(np.float32(scale)) for scale in chosen))
        if rule.parameters(before, after) is not None:
            yield rule


def _likely_scales(search: Search, ranges: list[tuple[float, float]], others: list[list[float]], number: int) -> list[float]:
    """Scales of one axis with few decimals, those first with which y is nearest to a resize with the first scales of others."""
    pair = search.pair
    axis = pair.axes[number]
    if pair.x.shape[axis] == pair.y.shape[axis]:
        return [1.0]
    low, high = ranges[number]
    candidates = [low, high, *shortest(low, high, _DECIMAL_SCALES)[:-1]]
    most = _LIKELY_SCALES.get(search.passes, 2)
    if len(candidates) <= most or not search.numbers:
        return candidates[:most]
    boxes = list(_along(pair, axis))

    def apart(scale: float) -> float:
        chosen = tuple(float(np.float32(scale if other == number else others[other][0])) for other in range(len(ranges)))
        return min((_mean(search, setting, boxes) for setting in _samples(Rule("scales", chosen))), default=math.inf)

    return sorted(candidates, key=apart)[:most]


def _along(pair: Pair, axis: int) -> Iterator[Box]:
    """Boxes in the middle and at the end of an axis, and at the beginning of the others, where their scales change little."""
    extents = [min(m, _SIDE) for m in pair.y.shape]
    for end in (pair.y.shape[axis], (pair.y.shape[axis] + extents[axis]) // 2):
        yield tuple(end - extents[axis] if other == axis else 0 for other in range(pair.y.ndim)), tuple(extents)


def _samples(rule: Rule) -> Iterator[Setting]:
    """A few settings of coordinate modes that differ."""
    for coordinates in _DIFFERENT:
        for kernel in _KERNELS:
            yield Setting("resize", tuple((kernel | {"coordinate_transformation_mode": coordinates}).items()), rule)


def _mean(search: Search, setting: Setting, boxes: list[Box]) -> float:
    """The mean difference of y from exact values in boxes."""
    pair, kind = search.pair, search.exact
    plan = search.plan(setting, kind)
    if plan is None:
        return math.inf
    exact = Conversion(kind, False, "", kind, 1)
    computed = [(pair.compute(plan, exact, box), pair.expected(box)) for box in boxes]
    return min(sum(float(distance_from(values * np.float64(gain), y).mean()) for values, y in computed) / gain
               for gain in dict.fromkeys(conversion.gain for conversion in search.conversions))
