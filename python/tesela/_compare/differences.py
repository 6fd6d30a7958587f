# SPDX-License-Identifier: Apache-2.0
"""How two outputs differ: how many values, by how much, and where."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from .nodes import Node

_UNITS = 8  # of the type, and for each position of the longest axis of float32
_MOST_LISTED = 64  # indices of an axis


@dataclass(frozen=True)
class Difference:
    """Where an output differs from Tesela's.

    shape: the other output's, if it is not Tesela's; then the rest is empty. compared, differ: values. largest: absolute; None if
    there is none (strings, or where only one is NaN or infinite). unit: what units are counted in, 0 for types without. bound: up
    to where differences are rounding. first, worst: indices of the first and of the largest difference, with `ours` and `theirs`
    there. axes: for each axis the indices at which values differ, and how many. map: the size of each difference, None without one.
    """

    compared: int
    differ: int
    largest: float | None
    unit: float
    bound: float
    first: tuple[int, ...] = ()
    worst: tuple[int, ...] = ()
    ours: str = ""
    theirs: str = ""
    axes: tuple[dict[int, int], ...] = ()
    shape: tuple[int, ...] | None = None
    map: np.ndarray | None = None

    @property
    def units(self) -> float | None:
        return None if self.largest is None or not self.unit else self.largest / self.unit

    @property
    def is_equal(self) -> bool:
        return self.shape is None and self.differ == 0

    @property
    def is_rounding(self) -> bool:
        return self.shape is None and self.largest is not None and self.largest <= self.bound

    def as_dict(self) -> dict[str, Any]:
        return {"compared": self.compared, "differ": self.differ, "largest": self.largest, "largest_units": self.units,
                "bound": self.bound, "first": list(self.first), "worst": list(self.worst), "ours": self.ours, "theirs": self.theirs,
                "axes": [{"index_counts": [[index, count] for index, count in list(axis.items())[:_MOST_LISTED]],
                          "indices": len(axis)} for axis in self.axes],
                "shape": None if self.shape is None else list(self.shape)}


def difference(node: Node, ours: np.ndarray, theirs: np.ndarray, tolerance: float | None) -> Difference:
    """tolerance: units that are rounding; None chooses them: none of copies and integers, and of floats what positions in float32
    can make of an output."""
    unit = _unit(node, ours)
    bound = _bound(node, ours, unit) if tolerance is None else tolerance * unit
    if theirs.shape != ours.shape:
        return Difference(ours.size, ours.size, None, unit, bound, shape=theirs.shape)
    differs = _differs(ours, theirs)
    count = int(np.count_nonzero(differs))
    if count == 0:
        return Difference(ours.size, 0, 0.0 if unit else None, unit, bound)
    sizes = _sizes(ours, theirs, differs)
    first = tuple(int(i) for i in np.unravel_index(int(np.argmax(differs)), ours.shape))
    worst = tuple(int(i) for i in np.unravel_index(int(np.argmax(sizes)), ours.shape))
    largest = float(sizes[worst])
    return Difference(ours.size, count, largest if unit and np.isfinite(largest) else None, unit, bound, first, worst, str(ours[worst]),
                      str(theirs[worst]), tuple(_along(differs, axis) for axis in range(ours.ndim)), None, sizes)


def _differs(ours: np.ndarray, theirs: np.ndarray) -> np.ndarray:
    if ours.dtype == object or theirs.dtype == object:
        return np.array([str(a) != str(b) for a, b in zip(ours.reshape(-1), theirs.reshape(-1))], bool).reshape(ours.shape)
    with np.errstate(invalid="ignore"):
        return ~((ours == theirs) | ((ours != ours) & (theirs != theirs)))


def _sizes(ours: np.ndarray, theirs: np.ndarray, differs: np.ndarray) -> np.ndarray:
    """The size of each difference; an infinity where only one is a number."""
    if ours.dtype == object or ours.dtype.kind == "b":
        return differs.astype(float)
    wide = np.clongdouble if ours.dtype.kind == "c" else np.longdouble
    with np.errstate(all="ignore"):
        # ml_dtypes have no conversion to long double.
        gaps = np.abs(_plain(ours).astype(wide) - _plain(theirs).astype(wide)).astype(float)
    return np.where(differs, np.where(np.isnan(gaps), np.inf, gaps), 0.0)


def _plain(array: np.ndarray) -> np.ndarray:
    return array.astype(np.float64) if array.dtype.isbuiltin == 2 else array


def _along(differs: np.ndarray, axis: int) -> dict[int, int]:
    counts = np.count_nonzero(differs, axis=tuple(k for k in range(differs.ndim) if k != axis))
    return {int(index): int(counts[index]) for index in np.flatnonzero(counts)}


def _unit(node: Node, ours: np.ndarray) -> float:
    """1 of integers; of floats the distance of neighbours at the largest value."""
    if ours.dtype == object or ours.dtype.kind == "b":
        return 0.0
    if ours.dtype.kind in "iu" or ours.dtype.name in ("int4", "uint4", "int2", "uint2"):
        return 1.0
    return _epsilon(ours.dtype) * _magnitude(node, ours)


def _magnitude(node: Node, ours: np.ndarray) -> float:
    values = [ours] if node.operator == "ConstantOfShape" else [ours, node.x]
    with np.errstate(invalid="ignore"):
        sizes = [np.abs(_plain(array)) for array in values]
    largest = max((float(np.max(entries[np.isfinite(entries)], initial=0)) for entries in sizes), default=0.0)
    return math.ldexp(1.0, math.frexp(largest)[1] - 1) if largest > 0 else 1.0


def _epsilon(dtype: np.dtype) -> float:
    return float(ml_dtypes.finfo(np.dtype(dtype.type(0).real.dtype) if dtype.kind == "c" else dtype).eps)


def _bound(node: Node, ours: np.ndarray, unit: float) -> float:
    if node.is_copy or ours.dtype.kind not in "fc" and ours.dtype.name != "bfloat16":
        return 0.0
    # Where no extent changes, a scale other than 1 still moves positions.
    longest = max((max(n, m) for n, m in zip(node.x.shape, ours.shape) if n != m), default=max(ours.shape, default=0))
    return _UNITS * (unit + longest * float(np.finfo(np.float32).eps) * _magnitude(node, ours))
