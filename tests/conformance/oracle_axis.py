# SPDX-License-Identifier: Apache-2.0
"""Positions and weights of one axis, exactly, as `oracle` defines them."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from case import Axis, ResizeCase, is_widened

EPS64 = 2.0**-52
# A weight smaller than this share of its terms may be zero in doubles.
DOUBT = 2.0**-44


# --- Positions -----------------------------------------------------------------------------------


def position(case: ResizeCase, axis: Axis, i: int) -> Fraction | float:
    """The position of output i: exact, or the contract's double, which may be NaN.

    One formula serves both: with Fractions it is exact, with floats it is evaluated left to right.
    Source: ONNX Resize-19, attribute coordinate_transformation_mode.
    """
    number = Fraction if axis.is_exact else float
    half = number(1) / 2
    i, n, m = number(i), number(axis.n), number(axis.m)
    s, length = number(axis.scale), number(axis.length)
    mode = case.coordinates
    if mode == "half_pixel":
        return (i + half) / s - half
    if mode == "pytorch_half_pixel":
        return (i + half) / s - half if m > 1 else number(0)
    if mode == "align_corners":
        return i * (n - 1) / (length - 1) if m > 1 else number(0)
    if mode == "asymmetric":
        return i / s
    if mode == "tf_half_pixel_for_nn":
        return (i + half) / s
    if mode == "half_pixel_symmetric":
        return n / 2 * (1 - m / length) + (i + half) / s - half
    assert mode == "tf_crop_and_resize", mode
    start, end = axis.start, axis.end
    if m > 1:
        x = start * (n - 1) + ((i * (end - start)) * (n - 1)) / (length - 1)
    else:
        x = (0.5 * (start + end)) * (n - 1)
    # A full crop must reach the last sample despite rounding.
    slack = 4 * EPS64 * max(1.0, n)
    for bound in (0.0, n - 1):
        if abs(x - bound) <= slack:
            return bound
    return x


def is_outside(case: ResizeCase, axis: Axis, x: Fraction | float) -> bool:
    """Whether tf_crop_and_resize gives this position the extrapolation value. NaN is outside."""
    return case.crops and not 0 <= x <= axis.n - 1


def nearest_index(rounding: str, axis: Axis, x: Fraction) -> int:
    """The sample that x rounds to, ties by direction, then clamped."""
    down = math.floor(x)
    rest = x - down
    if rest == 0:
        up = False
    elif rounding == "round_prefer_floor":
        up = rest > Fraction(1, 2)
    elif rounding == "round_prefer_ceil":
        up = rest >= Fraction(1, 2)
    elif rounding == "simple":
        up = axis.scale < 1
    else:
        up = rounding == "ceil"
    return _clamp(down + up, axis.n)


# --- Weights of one axis -------------------------------------------------------------------------


@dataclass
class Taps:
    """The exact weights of one output: sum of numerator[j] / denominator * X[j].

    sizes: what |weight| counts in the error bound, a float for each j. doubtful: the j whose
    weight may be zero or not in doubles. is_unsettled: doubles cannot evaluate this output.
    """

    numerators: dict[int, int]
    denominator: int
    sizes: dict[int, float]
    doubtful: set[int]
    is_unsettled: bool = False


@dataclass
class RawWeights:
    """Kernel values K(|j-x| * k) = weights[j] / unit, and the sizes of the terms they consist of.

    A term size of 0 means that doubles give this weight without doubt.
    """

    weights: dict[int, int]
    terms: dict[int, int]
    unit: int


def raw_weights(case: ResizeCase, axis: Axis, x: Fraction) -> RawWeights:
    """The kernel around x, before anything is dropped, divided or clamped.

    With x = xa/xb and k = p/q all distances |j-x|*k share the denominator d = xb*q, so triangle
    weights are integers over d, and Keys weights with a = A/c are integers over c*d^3.
    """
    k = Fraction(axis.scale) if is_widened(case, axis) else Fraction(1)
    a = Fraction(case.cubic_coeff_a)
    is_linear = case.filter == "linear"
    support = 1 if is_linear else 2
    d = x.denominator * k.denominator
    raw = RawWeights({}, {}, d if is_linear else a.denominator * d**3)
    # Whether doubles decide t = 1 and t = support as this function does.
    is_decided = axis.is_exact or (k == 1 and x.denominator == 1)
    for j in range(math.floor(x - support / k), math.ceil(x + support / k) + 1):
        t = abs(j * x.denominator - x.numerator) * k.numerator
        raw.weights[j], raw.terms[j] = _triangle(t, d) if is_linear else _keys(t, d, a)
        # Linear weights of exact positions are correctly rounded quotients of integers.
        if is_decided and (t == d or t >= support * d or (is_linear and axis.is_exact)):
            raw.terms[j] = 0
    return raw


def taps_at(case: ResizeCase, axis: Axis, x: Fraction, eps: float) -> Taps:
    """The weights of an output that looks at x. eps: of the compute type."""
    raw = raw_weights(case, axis, x)
    inside = [j for j in raw.weights if 0 <= j < axis.n or not case.exclude_outside]
    divisor, divisor_terms = raw.unit, 0
    if is_widened(case, axis) or case.exclude_outside:
        divisor = sum(raw.weights[j] for j in inside)
        divisor_terms = sum(raw.terms[j] for j in inside)
    folded, terms = {}, {}
    for j in inside:
        c = _clamp(j, axis.n)
        folded[c] = folded.get(c, 0) + raw.weights[j]
        terms[c] = terms.get(c, 0) + raw.terms[j]

    c = _clamp(math.floor(x), axis.n)
    fallback = Taps({c: 1}, 1, {c: 1.0}, set())
    if divisor_terms > 0 and abs(divisor) <= DOUBT * divisor_terms:
        fallback.is_unsettled = True
        return fallback
    if divisor == 0 or not any(folded.values()):
        return fallback
    if divisor < 0:
        divisor, folded = -divisor, {j: -w for j, w in folded.items()}
    common = math.gcd(divisor, *folded.values())
    taps = Taps({}, divisor // common, {}, set())
    for j, w in folded.items():
        weight = abs(w) / divisor
        # Dividing by a sum adds that sum's own uncertainty.
        term = terms[j] / divisor + weight * (divisor_terms / divisor)
        if term > 0 and weight <= DOUBT * term:
            taps.doubtful.add(j)
        if w != 0 or j in taps.doubtful:
            taps.numerators[j] = w // common
            taps.sizes[j] = weight + EPS64 / eps * term
    return taps


def _clamp(j: int, n: int) -> int:
    return min(max(j, 0), n - 1)


def _triangle(t: int, d: int) -> tuple[int, int]:
    """max(0, 1 - t/d) as a numerator over d, and the size of its terms."""
    return max(0, d - t), (d + t if t <= d * (1 + DOUBT) else 0)


def _keys(t: int, d: int, a: Fraction) -> tuple[int, int]:
    """Keys' kernel at t/d as a numerator over a.denominator * d^3, and the size of its terms.

    Source: ONNX Resize-19, attribute cubic_coeff_a; R. Keys, 1981.
    """
    big_a, c = a.numerator, a.denominator
    if t < d:
        terms = [(big_a + 2 * c) * t**3, -(big_a + 3 * c) * t**2 * d, c * d**3]
    elif t < 2 * d * (1 + DOUBT):
        terms = [big_a * t**3, -5 * big_a * t**2 * d, 8 * big_a * t * d**2, -4 * big_a * d**3]
    else:
        terms = []
    return (sum(terms) if t < 2 * d else 0), sum(map(abs, terms))
