# SPDX-License-Identifier: Apache-2.0
"""The arithmetic of a linear or cubic resize, operation by operation, in NumPy.

`oracle` defines the value of a result; this module defines its bits. Every implementation must equal it
in every bit, except that computed NaNs count as equal to each other.

Positions. With `sizes` they are exact rationals, here pairs of integers, and so is every decision
about them. With `scales`, and always under tf_crop_and_resize, they are doubles.

Weights, in doubles, one output of one axis at a time: exclude_outside drops taps outside; where
antialias widens the filter, or under exclude_outside, each weight is divided by the sum of those
left, added in ascending order; taps that clamp to the same sample are added up, ascending; each is
rounded once to the compute type; zeros are dropped. Linear weights of exact positions do all that
on integers, with one division at the end. If nothing is left, the sample at floor(x) counts fully.

Passes. First the axes that shrink, outermost to innermost; then the others, likewise, but with the
last two of these swapped. In a pass an output is w0*x0, then + w1*x1, and so on in ascending input
order, each product and each sum rounded to the compute type: binary32, or binary64 for 32-bit and
64-bit integers, double, complex128, and for every type where a window exceeds 1,024 taps. Results
are rounded to the element type once, at the very end.

Readings
--------
Where the rules are ambiguous, this module takes the most literal reading:

* Rational cubic distances: t < 1, t = 1 and t < 2 are decided on the rational; the polynomial is
  evaluated on the double nearest to it.
* Double cubic distances: decided on the doubles 1+r, r, 1-r, 2-r, or under antialias on |j-x| * k,
  with |j-x| rounded first. Antialias has as candidates all j with |j-x| * k < support, evaluated
  likewise.
* k under tf_crop_and_resize with sizes is the double nearest to m/n, or to the policy's scale;
  whether the scale is below 1 and how wide the window is stays an exact question.
* Double linear weights are 1-r and r, under antialias 1 - |j-x| * k.
* Formulas are evaluated left to right: n/2 * (1 - m/L) + (i+0.5)/s - 0.5 is
  ((n/2) * (1 - (m/L)) + ((i+0.5)/s)) - 0.5, and 5a, 8a and 4a are products of doubles.
* tf_crop_and_resize moves a position within 4 * eps64 * max(1, n) of 0 or n-1 onto that bound,
  also in the centre formula for m = 1. A NaN position is outside. Taps of an extrapolated output
  do not matter.
* align_corners, pytorch_half_pixel and the centre of a crop ask whether m is 1, not the length.
* A sum of zero is a sum that is zero in doubles (on integers where these are used). "No tap
  remains" is judged after the weights are rounded to the compute type.
* exclude_outside normalises also where it has dropped nothing.
* Antialias asks whether the scale is below 1, not whether m < n: under a policy, and with scales
  just below 1, an axis may keep its extent and be filtered all the same. It is then no axis that
  shrinks.
* The sum of weights that share a sample may cancel to zero: that tap is dropped, too.
* A plan with an empty output computes no positions: a string under tf_crop_and_resize is legal.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from case import ATTRIBUTES, NUMPY_TYPES, Axis, ResizeCase, compute_type, is_widened, resolve

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


def _nearest_index(case: ResizeCase, axis: Axis, i: int) -> int:
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


# --- Passes --------------------------------------------------------------------------------------


def pass_order(axes: list[Axis]) -> list[int]:
    """The dimensions that make a pass, in the order of the passes."""
    shrinking = [d for d, axis in enumerate(axes) if axis.m < axis.n]
    others = [d for d, axis in enumerate(axes) if axis.m >= axis.n and not axis.is_identity]
    if len(others) >= 2:
        others[-2], others[-1] = others[-1], others[-2]
    return shrinking + others


def run_pass(values: np.ndarray, d: int, table: Table) -> np.ndarray:
    """Resamples dimension d. values: of the compute type."""
    rows = np.moveaxis(values, d, 0)
    shape = (len(table.count),) + rows.shape[1:]
    rows = rows.reshape(rows.shape[0], -1)
    with np.errstate(all="ignore"):
        sums = table.weight[:, :1] * rows[table.index[:, 0]]
        for t in range(1, table.index.shape[1]):
            more = sums + table.weight[:, t : t + 1] * rows[table.index[:, t]]
            # A padded tap does not change the sum, even at an Inf or NaN.
            sums = np.where((t < table.count)[:, None], more, sums)
    return np.moveaxis(sums.reshape(shape), 0, d)


def emulate(case: ResizeCase) -> np.ndarray:
    """The output of a valid Resize or Upsample case, in every bit."""
    axes = resolve(case)
    shape = tuple(axis.m for axis in axes)
    if 0 in shape:
        return np.empty(shape, dtype=case.x.dtype)
    order = pass_order(axes)
    if not order:
        return case.x.copy()
    if case.filter == "nearest":
        result = case.x
        for d in order:
            index = [
                0 if is_outside(case, axes[d], i) else _nearest_index(case, axes[d], i)
                for i in range(axes[d].m)
            ]
            result = np.take(result, index, axis=d)
    else:
        result = _resample(case, axes, order)
    for d in order:
        marks = [i for i in range(axes[d].m) if is_outside(case, axes[d], i)]
        if marks:
            np.moveaxis(result, d, 0)[marks] = fill_element(case)
    return result


def _resample(case: ResizeCase, axes: list[Axis], order: list[int]) -> np.ndarray:
    compute = compute_type(case, axes)
    tables = {d: make_table(case, axes[d], compute) for d in order}

    def run(values: np.ndarray) -> np.ndarray:
        for d in order:
            values = run_pass(values, d, tables[d])
        return values

    x = case.x
    if x.dtype.kind == "c":
        result = np.empty([axis.m for axis in axes], dtype=x.dtype)
        with np.errstate(over="ignore", under="ignore", invalid="ignore"):
            result.real = run(x.real.astype(compute))
            result.imag = run(x.imag.astype(compute))
        return result
    if x.dtype == bool:
        # A byte above 1 is true as well.
        x = x.view(np.uint8) != 0
    with np.errstate(invalid="ignore"):
        values = x.astype(compute)
    return round_out(run(values), case.dtype)


# --- Rounding out --------------------------------------------------------------------------------


def round_out(values: np.ndarray, dtype: str) -> np.ndarray:
    """Computed values as elements of a type, each rounded once."""
    numpy_type = NUMPY_TYPES[dtype]
    with np.errstate(all="ignore"):
        if dtype == "bool":
            return values > 0.5
        if dtype == "bfloat16":
            return _to_bfloat16(values.astype(np.float64))
        if numpy_type.kind not in "iu":
            return values.astype(numpy_type)
        return _to_integer(values.astype(np.float64), numpy_type)


def _to_integer(values: np.ndarray, numpy_type: np.dtype) -> np.ndarray:
    limits = np.iinfo(numpy_type)
    # The maximum of a 64-bit type is not a double, but the number above it is.
    top = float(limits.max) if limits.bits < 64 else float(limits.max + 1)
    whole = np.rint(values)
    is_above, is_below = whole >= top, whole <= float(limits.min)
    is_between = ~(is_above | is_below | np.isnan(whole))
    result = np.where(is_between, whole, 0.0).astype(numpy_type)
    result[is_above] = limits.max
    result[is_below] = limits.min
    return result


def _to_bfloat16(values: np.ndarray) -> np.ndarray:
    """One rounding from binary64; a conversion through binary32 would round twice."""
    # Below 2^-126 the grid is 2^-133 everywhere.
    small = np.rint(values * 2.0**133) * 2.0**-133
    # Elsewhere a carry out of the significand moves into the exponent, which is right.
    bits = np.ascontiguousarray(values).view(np.uint64)
    dropped = np.uint64(53 - 8)
    odd = (bits >> dropped) & np.uint64(1)
    bits = bits + odd + ((np.uint64(1) << (dropped - np.uint64(1))) - np.uint64(1))
    large = ((bits >> dropped) << dropped).view(np.float64)
    result = np.where(np.abs(values) < 2.0**-126, small, large)
    result = np.where(np.isfinite(values), result, values)
    return result.astype(np.float32).astype(NUMPY_TYPES["bfloat16"])


def fill_element(case: ResizeCase) -> np.ndarray:
    """extrapolation_value as one element (rank 0)."""
    value = np.full([1], case.extrapolation_value, dtype=np.float32)
    if case.x.dtype.kind == "c":
        return value.astype(case.x.dtype)[0]
    return round_out(value, case.dtype)[0]


# --- Whole calls ---------------------------------------------------------------------------------


def output_shape(case: ResizeCase) -> tuple[int, ...]:
    """The output extents of a valid case."""
    return tuple(axis.m for axis in resolve(case))


def same_bits(expected: np.ndarray, actual: np.ndarray) -> bool:
    """Equal in shape, type and every bit, where NaNs are equal to each other."""
    if expected.shape != actual.shape or expected.dtype != actual.dtype:
        return False
    if expected.dtype == object:
        return expected.reshape(-1).tolist() == actual.reshape(-1).tolist()
    if expected.dtype.kind == "c":
        return same_bits(expected.real, actual.real) and same_bits(expected.imag, actual.imag)
    if expected.tobytes() == actual.tobytes():
        return True
    if expected.dtype.kind in "iub":
        return False
    both_nan = np.isnan(expected) & np.isnan(actual)
    unsigned = f"u{expected.dtype.itemsize}"
    same = np.ascontiguousarray(expected).view(unsigned) == np.ascontiguousarray(actual).view(
        unsigned
    )
    return bool(np.all(both_nan | same.reshape(expected.shape)))


# Only version 11 defines tf_half_pixel_for_nn, but files use it with every version; the rule is the same.
COORDINATE_MODES = {
    11: {
        "half_pixel",
        "pytorch_half_pixel",
        "align_corners",
        "asymmetric",
        "tf_half_pixel_for_nn",
        "tf_crop_and_resize",
    },
}
COORDINATE_MODES[13] = COORDINATE_MODES[11]
COORDINATE_MODES[18] = COORDINATE_MODES[13]
COORDINATE_MODES[19] = COORDINATE_MODES[18] | {"half_pixel_symmetric"}
VERSIONS = {"Resize": {10, *COORDINATE_MODES}, "Upsample": {1, 7, 9}}
NEAREST_MODES = {"round_prefer_floor", "round_prefer_ceil", "floor", "ceil"}
POLICIES = {"stretch", "not_larger", "not_smaller"}
UPSAMPLE_1_TYPES = {"bool", "int32", "int64", "float16", "float", "double"}
# Attributes and inputs, and the first Resize version that has them.
FIRST_VERSIONS = {name: first for name, (_, first) in ATTRIBUTES.items()}
FIRST_VERSIONS |= {"roi": 11, "sizes": 11, "axes": 18}


def validate(case: ResizeCase) -> None:
    """Raises ValueError if the case is invalid."""
    _validate_attributes(case)
    _validate_inputs(case)
    if case.dtype == "string" and case.crops:
        axes = resolve(case)
        is_empty = any(axis.m == 0 for axis in axes)
        for axis in axes:
            if not is_empty and any(is_outside(case, axis, i) for i in range(axis.m)):
                raise ValueError("strings have no extrapolation value")


def _require(condition: bool, text: str) -> None:
    if not condition:
        raise ValueError(text)


def _validate_attributes(case: ResizeCase) -> None:
    version = case.since_version
    _require(version in VERSIONS.get(case.op, ()), f"no {case.op}-{version}")
    modes = {"nearest", "bilinear" if case.op == "Upsample" and version == 1 else "linear"}
    if not case.is_simple:
        modes.add("cubic")
    _require(case.mode in modes, f"mode {case.mode!r}")
    for name, first in FIRST_VERSIONS.items():
        if case.op == "Upsample" or version < first:
            default = getattr(ResizeCase, name)
            _require(getattr(case, name) == default, f"{case.op}-{version} has no {name}")
    if not case.is_simple:
        coordinates = case.coordinate_transformation_mode
        _require(coordinates in COORDINATE_MODES[version], f"coordinate mode {coordinates!r}")
    _require(case.nearest_mode in NEAREST_MODES, f"nearest_mode {case.nearest_mode!r}")
    _require(case.keep_aspect_ratio_policy in POLICIES, "keep_aspect_ratio_policy")
    _require(case.antialias in (0, 1) and case.exclude_outside in (0, 1), "flags are 0 or 1")
    _require(not (case.antialias and case.filter == "nearest"), "antialias with nearest")
    if case.filter == "cubic":
        _require(math.isfinite(case.cubic_coeff_a), "cubic_coeff_a is not finite")


def _validate_inputs(case: ResizeCase) -> None:
    rank, version = case.x.ndim, case.since_version
    _require(case.x.dtype == NUMPY_TYPES[case.dtype], f"x is {case.x.dtype}, not {case.dtype}")
    if case.op == "Upsample" and version == 1:
        _require(case.dtype in UPSAMPLE_1_TYPES, f"Upsample-1 has no {case.dtype}")
        _require(rank == 4 and case.scales[:2] == [1.0, 1.0], "Upsample-1 is N, C, H, W")
    has_bfloat16 = case.op == "Resize" and version >= 13
    _require(case.dtype != "bfloat16" or has_bfloat16, f"{case.op}-{version} has no bfloat16")
    _require(case.dtype != "string" or case.filter == "nearest", f"{case.mode} of strings")
    listed = case.listed_axes()
    _require(all(0 <= d < rank for d in listed), "axes out of range")
    _require(len(set(listed)) == len(listed), "axes repeat")
    scales, sizes = case.scales or [], case.sizes or []
    _require(not (scales and sizes), "scales and sizes")
    _require(len(scales or sizes) == len(listed), "count of scales or sizes")
    lowest = 1.0 if case.op == "Upsample" else 0.0
    for scale in scales:
        _require(math.isfinite(scale) and scale > 0 and scale >= lowest, f"scale {scale}")
        _require(float(np.float32(scale)) == scale, f"scale {scale} is not binary32")
    policy = case.keep_aspect_ratio_policy
    _require(policy == "stretch" or not scales, "policy with scales")
    for size, d in zip(sizes, listed):
        _require(size >= 0, f"size {size}")
        _require(size == 0 or case.x.shape[d] > 0, f"size {size} from an empty axis")
    if case.crops and case.roi is not None and case.roi.size:
        _require(case.roi.shape == (2 * len(listed),), "count of roi")
        _require(bool(np.isfinite(case.roi).all()), "roi is not finite")
