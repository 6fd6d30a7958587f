# SPDX-License-Identifier: Apache-2.0
"""Definitions of Resize, Upsample, Tile and ConstantOfShape in exact arithmetic.

Implementations are compared with these definitions. Positions, weights and sums are exact rationals;
only the result is rounded. The one exception is part of the definition: with `scales`, and always under
tf_crop_and_resize, a position is a double, evaluated left to right in the order of the formula, and the
weights follow exactly from that double.

An axis with input extent n is resized to output extent m as follows. Output i has position x(i)
among the input samples, which are at 0 .. n-1. Every integer j near x gets the weight K(|j-x| * k),
where K is the triangle (linear) or Keys' kernel (cubic), and k is 1, or the scale where antialias
widens the filter. Under exclude_outside integers outside 0 .. n-1 lose their weight; otherwise it
goes to the nearest sample. Under antialias and exclude_outside the weights are divided by their
sum. Axes combine by multiplication. Nearest instead takes the one sample that x rounds to.

`oracle_check.check` compares a result: copies in every bit, floats within

    4 * passes * taps * eps * sum |w * x|  +  half an ulp of the element type,

integers equal, or one apart where the exact value lies within that bound of a half.

Readings
--------
* The bound takes |w| for the size of a weight. A weight that is a difference of larger terms (a
  cubic weight near a zero of the kernel, 1-r near r=1, a sum that nearly cancels) is known to
  eps64 times those terms at best, and in a binary64 plan that is more than eps * |w|. So |w| in
  the bound has (eps64 / eps) * (sum of the terms' sizes) added. In binary32 plans this is nothing.
* Input that counts as 0 in the bound counts as the smallest normal number instead, because
  products may underflow.
* Where a computed partial sum could overflow, or an Inf or NaN lies under a weight so close to
  zero that doubles cannot tell whether it is zero, the element is unsettled: any value passes.
* "64-bit integers above 2^53: within the bound" is taken for all 64-bit integers where the bound
  reaches a half, and for other integers where, too, sum |w * x| is far beyond the type (a large
  cubic_coeff_a): nothing promises that such results are only one apart.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from case import FillCase, ResizeCase, TileCase, compute_type, resolve, window
from oracle_axis import Taps, is_outside, nearest_index, position, taps_at

# --- Values --------------------------------------------------------------------------------------


@dataclass
class Exact:
    """Exact results, one entry per output element: numerator / denominator * 2^exponent.

    numerator, denominator: object arrays of ints. magnitude: sum |w * x| with the additions of
    this module's readings. special: inf, -inf or nan where the result is that, else 0.
    unsettled: no value can be promised.
    """

    numerator: np.ndarray
    denominator: np.ndarray
    exponent: int
    magnitude: np.ndarray
    special: np.ndarray
    unsettled: np.ndarray

    def ratio(self, index: tuple) -> Fraction:
        return Fraction(self.numerator[index], self.denominator[index] << -self.exponent)


@dataclass
class Truth:
    """The result of a Resize or Upsample case.

    moved: the output itself where elements only move, else None. parts: the exact values
    otherwise, two of them (real, imaginary) for complex types. outside: elements that take the
    extrapolation value. bound_factor: 4 * passes * taps * eps.
    """

    shape: tuple[int, ...]
    outside: np.ndarray
    moved: np.ndarray | None = None
    parts: list[Exact] | None = None
    bound_factor: float = 0.0

    def values(self) -> np.ndarray:
        """Exact real values as an object array of Fractions (floats where Inf or NaN)."""
        result = np.empty(self.shape, dtype=object)
        for index in np.ndindex(*self.shape):
            special = self.parts[0].special[index]
            result[index] = float(special) if special != 0 else self.parts[0].ratio(index)
        return result


def resize(case: ResizeCase) -> Truth:
    """The exact result of a valid Resize or Upsample case."""
    axes = resolve(case)
    shape = tuple(axis.m for axis in axes)
    outside = np.zeros(shape, dtype=bool)
    if 0 in shape:
        return Truth(shape, outside, moved=np.empty(shape, dtype=case.x.dtype))
    passes = [d for d, axis in enumerate(axes) if not axis.is_identity]
    positions = {d: [position(case, axes[d], i) for i in range(axes[d].m)] for d in passes}
    for d in passes:
        marks = np.array([is_outside(case, axes[d], x) for x in positions[d]])
        outside |= _along(marks, d, len(shape))
        # An extrapolated output needs no position.
        positions[d] = [
            Fraction(0) if mark else Fraction(x) for mark, x in zip(marks, positions[d])
        ]
    if not passes or case.filter == "nearest":
        moved = case.x
        for d in passes:
            index = [nearest_index(case.rounding, axes[d], x) for x in positions[d]]
            moved = np.take(moved, index, axis=d)
        return Truth(shape, outside, moved=moved)

    limits = np.finfo(compute_type(case, axes))
    tables = {}
    for d in passes:
        known = {x: taps_at(case, axes[d], x, float(limits.eps)) for x in set(positions[d])}
        tables[d] = [known[x] for x in positions[d]]
    x = case.x
    real_parts = [x.real, x.imag] if x.dtype.kind == "c" else [x]
    parts = [_combine(_load(part, limits), tables, limits) for part in real_parts]
    widest = max(window(case, axes[d]) for d in passes)
    return Truth(shape, outside, None, parts, 4 * len(passes) * widest * float(limits.eps))


def _along(entries: np.ndarray, d: int, rank: int) -> np.ndarray:
    """A vector as an array of this rank that varies along axis d alone."""
    return entries.reshape([-1 if axis == d else 1 for axis in range(rank)])


def _load(x: np.ndarray, limits: np.finfo) -> Exact:
    """Real elements as integers times one power of two, which is at most 1."""
    exponent = 0
    special = np.zeros(x.shape)
    if x.dtype == bool:
        numbers = x.view(np.uint8) != 0
        size = numbers.astype(np.float64)
    elif x.dtype.kind in "iu":
        numbers = x
        size = np.abs(x.astype(np.float64))
    else:
        with np.errstate(invalid="ignore"):
            value = x.astype(np.float64)
        special = np.where(np.isnan(value), np.nan, np.where(np.isinf(value), value, 0.0))
        value = np.where(np.isfinite(value), value, 0.0)
        fraction, exponents = np.frexp(value)
        exponent = int(exponents.min(initial=0)) - 53
        numbers = (fraction * 2.0**53).astype(np.int64).astype(object)
        numbers = numbers << (exponents - 53 - exponent).astype(object)
        size = np.abs(value)
    ones = np.ones(x.shape, dtype=np.int64).astype(object)
    size = np.maximum(size, float(limits.tiny))
    unsettled = np.zeros(x.shape, dtype=bool)
    return Exact(numbers.astype(object), ones, exponent, size, special, unsettled)


def _combine(exact: Exact, tables: dict[int, list[Taps]], limits: np.finfo) -> Exact:
    """Applies all axes. The order does not matter; those that shrink come first, which is less work."""
    order = sorted(tables, key=lambda d: len(tables[d]) / exact.numerator.shape[d])
    peak = _peak(exact.magnitude, {d: tables[d] for d in order})
    for d in order:
        exact = _apply_axis(exact, d, tables[d])
    # The negation also catches a NaN.
    exact.unsettled |= ~(peak < float(limits.max) * (1 - 2.0**-8))
    return exact


def _peak(sizes: np.ndarray, tables: dict[int, list[Taps]]) -> np.ndarray:
    """For each output a bound on every partial sum, whatever the order of the axes."""
    with np.errstate(over="ignore"):
        for d, table in tables.items():
            rows = np.moveaxis(sizes, d, 0)
            growth = [max(1.0, sum(taps.sizes.values())) for taps in table]
            peaks = [rows[list(taps.sizes)].max(axis=0) * g for taps, g in zip(table, growth)]
            sizes = np.moveaxis(np.array(peaks), 0, d)
    return sizes


def _apply_axis(exact: Exact, d: int, table: list[Taps]) -> Exact:
    """Replaces axis d of extent n by the len(table) weighted sums along it."""
    shape = exact.numerator.shape
    m, width = len(table), exact.numerator.size // shape[d]

    def rows(array: np.ndarray) -> np.ndarray:
        return np.moveaxis(array, d, 0).reshape(shape[d], width)

    def back(array: np.ndarray) -> np.ndarray:
        return np.moveaxis(array.reshape((m,) + shape[:d] + shape[d + 1 :]), 0, d)

    numerator, magnitude, special = map(rows, (exact.numerator, exact.magnitude, exact.special))
    unsettled, denominator = rows(exact.unsettled), rows(exact.denominator)
    sums = np.zeros((m, width), dtype=object)
    denominators = np.empty((m, width), dtype=object)
    sizes, specials = np.zeros((m, width)), np.zeros((m, width))
    doubts = np.zeros((m, width), dtype=bool)
    has_special, has_doubt = np.count_nonzero(special) > 0, unsettled.any()
    with np.errstate(over="ignore", invalid="ignore"):
        for i, taps in enumerate(table):
            # Denominators belong to outputs of axes already done: they do not vary along d.
            denominators[i] = denominator[0] * taps.denominator
            doubts[i] = taps.is_unsettled
            for j, w in taps.numerators.items():
                sums[i] += numerator[j] * w
                sizes[i] += magnitude[j] * taps.sizes[j]
                if has_doubt:
                    doubts[i] |= unsettled[j]
                if has_special and j in taps.doubtful:
                    doubts[i] |= special[j] != 0
                elif has_special:
                    # inf - inf is nan, and nan stays: adding the signed entries says it all.
                    sign = 1 if w > 0 else -1
                    specials[i] += np.where(special[j] != 0, special[j] * sign, 0.0)
    done = [back(array) for array in (sums, denominators, sizes, specials, doubts)]
    return Exact(*done[:2], exact.exponent, *done[2:])


# --- Tile and ConstantOfShape --------------------------------------------------------------------


def tile(case: TileCase) -> np.ndarray:
    """The output of a valid Tile case, element by element: Y[j] = X[j mod extent]."""
    repeats = case.repeats
    if case.since_version == 1:
        repeats = [1] * case.x.ndim
        repeats[case.axis] = case.tiles
    result = case.x
    for d, count in enumerate(repeats):
        extent = case.x.shape[d]
        result = np.take(result, [j % extent for j in range(extent * count)], axis=d)
    return result


def fill(case: FillCase) -> np.ndarray:
    """The output of a valid ConstantOfShape case."""
    value = np.zeros(1, dtype=np.float32) if case.value is None else case.value.reshape(1)
    count = math.prod(case.shape)
    return np.take(value, np.zeros(count, dtype=np.int64)).reshape(case.shape)
