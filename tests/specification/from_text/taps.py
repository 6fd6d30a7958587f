# SPDX-License-Identifier: Apache-2.0
"""The taps of one output of an axis (resize.md, RESIZE-TAP to RESIZE-WEIGHT)."""

import math
from collections.abc import Iterable
from fractions import Fraction
from functools import reduce
from operator import add

import numpy as np

from .axes import Axis, Number, Rules, clamp

Taps = list[tuple[int, Number]]


def is_stretched(axis: Axis, rules: Rules) -> bool:
    """RESIZE-TAP-1."""
    return rules.antialias and axis.scale < 1


def radius(rules: Rules) -> int:
    return 2 if rules.mode == "cubic" else 1


def window(axis: Axis, rules: Rules) -> int:
    """RESIZE-PASS-3."""
    return 2 * math.ceil(radius(rules) / axis.scale) if is_stretched(axis, rules) else 2 * radius(rules)


def kernel(a: float, t: Number) -> float:
    """RESIZE-CUBIC-1: an exact t is compared as it is, and the polynomial is that of its double (RESIZE-CUBIC-2)."""
    d = float(t)
    if t < 1:
        return ((a + 2) * d - (a + 3)) * d * d + 1
    if t == 1 or t >= 2:
        return 0.0
    return ((a * d - 5 * a) * d + 8 * a) * d - 4 * a


def weight(rules: Rules, t: Number) -> Number:
    return kernel(rules.a, t) if rules.mode == "cubic" else 1 - t


def raw_taps(axis: Axis, rules: Rules, x: Number) -> Taps:
    """In ascending order."""
    f = math.floor(x)
    if not axis.exact and not is_stretched(axis, rules):
        r = x - f
        if rules.mode == "linear":  # RESIZE-TAP-3
            return [(f, 1 - r), (f + 1, r)]
        return [(f - 1 + tap, kernel(rules.a, t)) for tap, t in enumerate([1 + r, r, 1 - r, 2 - r])]  # RESIZE-CUBIC-3
    # RESIZE-TAP-2, RESIZE-TAP-4, RESIZE-CUBIC-2 and RESIZE-CUBIC-4.
    number = Fraction if axis.exact else float
    k = number(axis.scale if is_stretched(axis, rules) else 1)
    reach = window(axis, rules) // 2 + 2
    distances = [(j, abs(number(j) - x) * k) for j in range(f - reach, f + reach + 1)]
    return [(j, weight(rules, t)) for j, t in distances if t < radius(rules)]


def total(values: Iterable) -> Number:
    """In their order, from the first value on."""
    return reduce(add, values)


def taps_of(axis: Axis, rules: Rules, x: Number, compute: type) -> list[tuple[int, np.floating]]:
    """RESIZE-WEIGHT-1 to RESIZE-WEIGHT-6; compute: the type of the weights."""
    alone = [(clamp(math.floor(x), axis.n), compute(1))]
    taps = raw_taps(axis, rules, x)
    if rules.exclude_outside:
        taps = [(j, w) for j, w in taps if 0 <= j <= axis.n - 1]
        if not taps:
            return alone
    if rules.exclude_outside or is_stretched(axis, rules):
        norm = total(w for _, w in taps)
        if norm == 0:
            return alone
        taps = [(j, w / norm) for j, w in taps]
    shared: dict[int, list[Number]] = {}
    for j, w in taps:
        shared.setdefault(clamp(j, axis.n), []).append(w)
    narrow = [(j, compute(float(total(weights)))) for j, weights in shared.items()]
    return [(j, w) for j, w in narrow if w != 0] or alone
