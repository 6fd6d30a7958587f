# SPDX-License-Identifier: Apache-2.0
"""Finds the settings of a function by calling it with inputs that tell settings apart."""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core, _parameters, _types
from .pairs import Pair
from .report import Identification
from .search import Search
from .values import is_float, is_number

_SHAPES = ((17, 23), (17, 23, 3), (1, 3, 17, 23))
# Extents before and after of rows and columns, for functions that take sizes: smaller, larger, both, ties, one output, and long.
_RESIZES = (((17, 23), (11, 9)), ((9, 7), (14, 18)), ((7, 20), (17, 6)), ((4, 10), (10, 4)), ((6, 5), (1, 3)), ((12, 6), (12, 1)),
            ((10, 14), (20, 28)), ((64, 101), (100, 33)), ((300, 2), (3, 5)))

Function = Callable[[np.ndarray, tuple[int, ...]], np.ndarray]


def identify_function(function: Any, shape: Any, dtype: Any, progress: Callable[[float], None]) -> Identification:
    """The settings of a function. Errors: ArgumentError, ShapeError, and what the function raises."""
    if not callable(function):
        raise _core.ArgumentError(f"identify: x is {_parameters.shown(function)} and y is not given; expected both arrays, or a function")
    kind = np.dtype(np.float32) if dtype is None else _types.read_dtype(dtype)
    if not is_number(kind):
        raise _core.ElementTypeError(f"identify: dtype is {kind}; expected a dtype of numbers")
    shapes = _SHAPES if shape is None else (tuple(_parameters.whole_numbers("identify", "shape", shape).tolist()),)
    takes_sizes = _takes_sizes(function)
    call = _Caller(function, takes_sizes)
    first, x = _accepted(call, shapes, kind)
    pairs = [Pair(x, first)]
    if takes_sizes:
        pairs += _resized(call, x.shape, kind)
    else:
        pairs += [Pair(more, call(more, ())) for more in itertools.islice(_inputs(x.shape, kind), 1, None)]
    from . import nearest, told

    search = Search(pairs, lambda done: progress(0.1 + 0.3 * done))
    return told(search, search.usual() or search.solved() or nearest.near(search) or nearest.nearest(search), None, progress)


class _Caller:
    """Calls the function and reads what it returns."""

    def __init__(self, function: Any, takes_sizes: bool):
        self.function, self.takes_sizes = function, takes_sizes

    def __call__(self, x: np.ndarray, sizes: tuple[int, ...]) -> np.ndarray:
        from . import read

        result = self.function(x.copy(), sizes) if self.takes_sizes else self.function(x.copy())
        y = read("the result of the function", result)
        if y.ndim != x.ndim:
            raise _core.RankError(f"identify: the function gives {y.ndim} axes for {x.ndim}; expected as many")
        return np.ascontiguousarray(y)


def _takes_sizes(function: Any) -> bool:
    """Whether a function has two parameters without defaults."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # a built-in function
        return False
    needed = [p for p in parameters if p.default is p.empty and p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    return len(needed) >= 2


def _accepted(call: _Caller, shapes: tuple[tuple[int, ...], ...], dtype: np.dtype) -> tuple[np.ndarray, np.ndarray]:
    """The first output, and its input, of a shape that the function accepts."""
    for number, shape in enumerate(shapes):
        x = next(iter(_inputs(shape, dtype)))
        try:
            return call(x, _RESIZES[0][1]), x
        except Exception:  # whatever a function raises for a shape that it does not accept
            if number == len(shapes) - 1:
                raise
    raise AssertionError(shapes)


def _image_axes(shape: tuple[int, ...]) -> tuple[int, ...]:
    rank = len(shape)
    if rank >= 3 and shape[-1] <= 4:
        return rank - 3, rank - 2
    return tuple(range(rank))[-2:]


def _resized(call: _Caller, shape: tuple[int, ...], dtype: np.dtype) -> list[Pair]:
    """Pairs of many extents."""
    axes = _image_axes(shape)
    pairs = []
    for number, (before, after) in enumerate(_RESIZES):
        extents = list(shape)
        for axis, extent in zip(axes, before[-len(axes):]):
            extents[axis] = extent
        x = next(itertools.islice(_inputs(tuple(extents), dtype), number % 2, None))
        pairs.append(Pair(x, call(x, after[-len(axes):])))
    return pairs


def _inputs(shape: tuple[int, ...], dtype: np.dtype):
    """Random values, random extremes, separate ones, and a ramp."""
    rng = np.random.default_rng(sum(shape))
    low, high = 0, 1
    if dtype.kind in "iu":
        low, high = max(int(np.iinfo(dtype).min), -(2**30)), min(int(np.iinfo(dtype).max), 2**30)
    continuous = is_float(dtype) or dtype.kind == "c"
    yield (rng.random(shape) if continuous else rng.integers(low, high, shape, endpoint=True)).astype(dtype)
    yield np.where(rng.random(shape) < 0.5, low, high).astype(dtype)
    yield np.where(rng.random(shape) < 0.03, high, low).astype(dtype)
    count = max(int(np.prod(shape)) - 1, 1)
    ramp = np.arange(count + 1, dtype=np.float64)[: int(np.prod(shape))].reshape(shape) / count
    yield (low + ramp * (high - low)).astype(dtype)
