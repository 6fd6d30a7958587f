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

import emulation_axis
import numpy as np
from case import NUMPY_TYPES, Axis, ResizeCase, compute_type, resolve
from emulation_axis import Table, make_table, nearest_index

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
                0 if emulation_axis.is_outside(case, axes[d], i) else nearest_index(case, axes[d], i)
                for i in range(axes[d].m)
            ]
            result = np.take(result, index, axis=d)
    else:
        result = _resample(case, axes, order)
    for d in order:
        marks = [i for i in range(axes[d].m) if emulation_axis.is_outside(case, axes[d], i)]
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
