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

`check` compares a result: copies in every bit, floats within

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
from case import (
    NUMPY_TYPES,
    Axis,
    FillCase,
    ResizeCase,
    TileCase,
    compute_type,
    is_widened,
    resolve,
    window,
)

EPS64 = 2.0**-52
# A weight smaller than this share of its terms may be zero in doubles.
DOUBT = 2.0**-44

# element type -> (significand bits, exponent of the smallest normal)
FLOAT_FORMATS = {
    "float16": (11, -14),
    "bfloat16": (8, -126),
    "float": (24, -126),
    "complex64": (24, -126),
    "double": (53, -1022),
    "complex128": (53, -1022),
}


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


# --- Judging -------------------------------------------------------------------------------------


def rounded(value: float, dtype: str) -> np.ndarray:
    """A binary32 value as one element (rank 0) of a type: half to even, saturated, NaN -> 0."""
    numpy_type = NUMPY_TYPES[dtype]
    if dtype == "bool":
        return np.array(value > 0.5)
    if numpy_type.kind not in "iu":
        with np.errstate(over="ignore"):
            return np.array(np.float32(value)).astype(numpy_type)
    if math.isnan(value):
        return np.array(0, dtype=numpy_type)
    limits = np.iinfo(numpy_type)
    if math.isinf(value):
        return np.array(limits.max if value > 0 else limits.min, dtype=numpy_type)
    return np.array(min(max(round(Fraction(value)), limits.min), limits.max), dtype=numpy_type)


def element_bytes(array: np.ndarray) -> list[bytes]:
    """The bytes of each element, row-major."""
    if array.dtype == object:
        return list(array.reshape(-1))
    data, size = array.tobytes(), array.dtype.itemsize
    return [data[k * size : (k + 1) * size] for k in range(array.size)]


def check(case: ResizeCase, actual: np.ndarray, limit: int = 5) -> list[str]:
    """Errors of `actual` as the output of a valid case; empty if there are none.

    At most `limit` elements are named, after faults of shape and type.
    """
    truth = resize(case)
    if tuple(actual.shape) != truth.shape:
        return [f"shape {tuple(actual.shape)}; expected {truth.shape}"]
    if actual.dtype != case.x.dtype:
        return [f"type {actual.dtype}; expected {case.x.dtype}"]
    faults = _moved_faults(case, truth, actual)
    if truth.parts is not None:
        is_complex = actual.dtype.kind == "c"
        for exact, part in zip(truth.parts, [actual.real, actual.imag] if is_complex else [actual]):
            faults += _computed_faults(case, truth, exact, part, limit)
    return faults[:limit]


def _moved_faults(case: ResizeCase, truth: Truth, actual: np.ndarray) -> list[str]:
    """Errors among copied or extrapolated elements."""
    faults = []
    indices = list(np.ndindex(*truth.shape))
    if truth.outside.any():
        fill = rounded(case.extrapolation_value, case.dtype)
        for index in map(tuple, np.argwhere(truth.outside)):
            if not _same_value(actual[index], fill[()]):
                faults.append(f"{index}: {actual[index]}; expected extrapolation {fill}")
    if truth.moved is not None:
        pairs = zip(indices, element_bytes(actual), element_bytes(truth.moved))
        for index, found, expected in pairs:
            if found != expected and not truth.outside[index]:
                faults.append(f"{index}: {found!r}; expected the bytes {expected!r}")
    return faults


def _same_value(a, b) -> bool:
    """Equal in bits, or both NaN."""
    if isinstance(a, (complex, np.complexfloating)):
        return _same_value(a.real, b.real) and _same_value(a.imag, b.imag)
    return bool(a != a and b != b) or np.asarray(a).tobytes() == np.asarray(b).tobytes()


def _computed_faults(
    case: ResizeCase, truth: Truth, exact: Exact, actual: np.ndarray, limit: int
) -> list[str]:
    kind = case.x.dtype.kind
    if case.dtype == "bool":
        judge = _judge_bool
    elif kind in "iu":
        judge = _judge_integer
    else:
        judge = _judge_float
    faults = []
    with np.errstate(over="ignore"):
        bounds = truth.bound_factor * exact.magnitude
    for index in np.ndindex(*truth.shape):
        if truth.outside[index] or exact.unsettled[index]:
            continue
        fault = judge(case.dtype, exact, index, actual[index], float(bounds[index]))
        if fault:
            faults.append(f"{index}: {actual[index]!r}; {fault}")
            if len(faults) == limit:
                break
    return faults


def _judge_float(dtype: str, exact: Exact, index: tuple, found, bound: float) -> str:
    found = float(found)
    special = float(exact.special[index])
    if special != 0:
        return "" if found == special or found != found and special != special else str(special)
    bits, smallest = FLOAT_FORMATS[dtype]
    value = exact.ratio(index)
    largest = (2**bits - 1) * Fraction(2) ** (2 - smallest - bits)
    magnitude = max(min(abs(value), largest), Fraction(2) ** smallest)
    # frexp's exponent is one above that of the leading bit.
    half_ulp = Fraction(2) ** (math.frexp(float(magnitude))[1] - 1 - bits)
    if math.isinf(found):
        reach = abs(value) + Fraction(bound)
        is_right = reach >= largest + half_ulp and (found > 0) == (value > 0)
    else:
        is_right = not math.isnan(found) and abs(Fraction(found) - value) <= bound + half_ulp
    if is_right:
        return ""
    return f"exact {_text(value)}, bound {bound:.3g} + half an ulp {float(half_ulp):.3g}"


def _judge_integer(dtype: str, exact: Exact, index: tuple, found, bound: float) -> str:
    limits = np.iinfo(NUMPY_TYPES[dtype])

    def rounds_to(number: Fraction) -> int:
        return min(max(round(number), limits.min), limits.max)

    value = exact.ratio(index)
    found = int(found)
    nearest = rounds_to(value)
    if found == nearest:
        return ""
    is_far = limits.bits == 64 or exact.magnitude[index] > 16.0 * limits.max
    is_wide = bound >= 0.5 and is_far
    slack = Fraction(bound)
    is_near = rounds_to(value - slack) <= found <= rounds_to(value + slack)
    if is_near and (is_wide or abs(found - nearest) == 1):
        return ""
    return f"exact {_text(value)}, bound {bound:.3g}"


def _judge_bool(dtype: str, exact: Exact, index: tuple, found, bound: float) -> str:
    value = exact.ratio(index)
    half = Fraction(1, 2)
    is_right = value + Fraction(bound) > half if found else value - Fraction(bound) <= half
    return "" if is_right else f"exact {_text(value)}, bound {bound:.3g}"


def _text(value: Fraction) -> str:
    try:
        return repr(float(value))
    except OverflowError:
        return "beyond binary64"


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
