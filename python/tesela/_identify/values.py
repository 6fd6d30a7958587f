# SPDX-License-Identifier: Apache-2.0
"""Conversions of values before and after a resize: of dtypes, of the range 0 to 255 to 0 to 1, and roundings."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import ml_dtypes
import numpy as np


class Conversion(NamedTuple):
    """dtype: what x is converted to before the resize. divides: whether x is divided by 255 then. after: a key of _AFTER.
    gain: what the result is multiplied by on the way, 1, 1/255 or 255."""

    dtype: np.dtype
    divides: bool
    after: str
    result: np.dtype
    gain: float

    def before(self, x: np.ndarray) -> np.ndarray:
        converted = x.astype(self.dtype, copy=False)
        return converted / converted.dtype.type(255) if self.divides else converted

    def finish(self, y: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return _AFTER[self.after].apply(y, self.result)

    def call(self, call: str, x: str, source: np.dtype) -> str:
        """The text of a call with its conversions. call: with {x} for the array."""
        if self.dtype != source:
            x += f".astype({_name(self.dtype)})"
        if self.divides:
            x += " / 255"
        limits = np.iinfo(self.result) if self.result.kind in "iu" else None
        return _AFTER[self.after].text.format(call.format(x=x), _name(self.result), *((limits.min, limits.max) if limits else ()))

    def words(self, source: np.dtype) -> dict[str, str | None]:
        before = f"{self.dtype.name}{' / 255' if self.divides else ''}" if self.dtype != source or self.divides else None
        return {"before": before, "after": _AFTER[self.after].words.format(self.result.name) or None}


class _After(NamedTuple):
    text: str
    words: str
    apply: Callable[[np.ndarray, np.dtype], np.ndarray]


def _saturated(y: np.ndarray, dtype: np.dtype) -> np.ndarray:
    limits = np.iinfo(dtype)
    return np.clip(y, limits.min, limits.max).astype(dtype)


_AFTER = {
    "": _After("{0}", "", lambda y, dtype: y),
    "cast": _After("{0}.astype({1})", "converted to {}", lambda y, dtype: y.astype(dtype)),
    "divide": _After("{0}.astype({1}) / 255", "converted to {} and divided by 255",
                     lambda y, dtype: y.astype(dtype) / dtype.type(255)),
    "cut": _After("numpy.trunc({0}).clip({2}, {3}).astype({1})", "cut to {}", lambda y, dtype: _saturated(np.trunc(y), dtype)),
    "half_up": _After("numpy.floor({0} + 0.5).clip({2}, {3}).astype({1})", "rounded half up to {}",
                      lambda y, dtype: _saturated(np.floor(y + y.dtype.type(0.5)), dtype)),
    "half_even": _After("numpy.rint({0}).clip({2}, {3}).astype({1})", "rounded half to even to {}",
                        lambda y, dtype: _saturated(np.rint(y), dtype)),
    "times_cut": _After("numpy.trunc({0} * 255).clip({2}, {3}).astype({1})", "multiplied by 255 and cut to {}",
                        lambda y, dtype: _saturated(np.trunc(y * y.dtype.type(255)), dtype)),
    "times_round": _After("numpy.rint({0} * 255).clip({2}, {3}).astype({1})", "multiplied by 255 and rounded to {}",
                          lambda y, dtype: _saturated(np.rint(y * y.dtype.type(255)), dtype)),
}


def _name(dtype: np.dtype) -> str:
    return f'"{dtype.name}"'


def is_float(dtype: np.dtype) -> bool:
    return dtype.kind == "f" or dtype == ml_dtypes.bfloat16


def is_number(dtype: np.dtype) -> bool:
    return dtype.kind in "biufc" or dtype == ml_dtypes.bfloat16


def conversions(source: np.dtype, result: np.dtype) -> list[Conversion]:
    """What may have happened to values of `source` that became `result`, the likely first."""
    wide = np.dtype(np.float64 if source.itemsize > 2 and not is_float(source) else np.float32)
    found = []
    if source == result:
        found.append(Conversion(source, False, "", result, 1))
        if result.kind in "iu":
            found += [Conversion(wide, False, after, result, 1) for after in ("cut", "half_up")]
    elif is_float(result) and source.kind in "biu":
        found += [Conversion(result, False, "", result, 1), Conversion(result, True, "", result, 1 / 255),
                  Conversion(source, False, "divide", result, 1 / 255), Conversion(result, False, "divide", result, 1 / 255),
                  Conversion(source, False, "cast", result, 1)]
    elif is_float(source) and result.kind in "iu":
        found += [Conversion(source, False, after, result, 1) for after in ("half_even", "cut", "half_up")]
        found += [Conversion(source, False, after, result, 255) for after in ("times_round", "times_cut")]
    elif is_number(source) and is_number(result):
        found += [Conversion(result, False, "", result, 1), Conversion(source, False, "cast", result, 1)]
        if result.kind in "iu":
            found += [Conversion(wide, False, after, result, 1) for after in ("cut", "half_even")]
    return found


def precision(dtype: np.dtype) -> float:
    if is_float(dtype):
        return float(ml_dtypes.finfo(dtype).eps)
    return 1.2e-7 if dtype == np.complex64 else 2.3e-16
