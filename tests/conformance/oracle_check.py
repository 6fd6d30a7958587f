# SPDX-License-Identifier: Apache-2.0
"""Whether a result is within the bounds of `oracle`."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np
from case import NUMPY_TYPES, ResizeCase
from oracle import Exact, Truth, resize

# element type -> (significand bits, exponent of the smallest normal)
FLOAT_FORMATS = {
    "float16": (11, -14),
    "bfloat16": (8, -126),
    "float": (24, -126),
    "complex64": (24, -126),
    "double": (53, -1022),
    "complex128": (53, -1022),
}


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
