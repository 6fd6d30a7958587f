# SPDX-License-Identifier: Apache-2.0
"""Arrays of other libraries: one module for each library, which contains everything specific to it."""

from __future__ import annotations

import importlib
import weakref
from typing import Any

import numpy as np

from .. import _core
from .base import Call, Library, Wrapper

# The packages whose arrays have a module here.
_MODULES = {
    "PIL": "pillow",
    "cubed": "cubed",
    "dask": "dask",
    "jax": "jax",
    "jaxlib": "jax",
    "keras": "keras",
    "pandas": "pandas",
    "scipy": "scipy",
    "tensorflow": "tensorflow",
    "torch": "torch",
    "xarray": "xarray",
}

__all__ = ["Call", "Library", "compute", "describe", "find", "is_array", "open_output", "read"]


_known: weakref.WeakKeyDictionary[type, Library] = weakref.WeakKeyDictionary()


def _of_class(cls: type) -> Library:
    if issubclass(cls, (np.ndarray, np.generic)):
        return _library("masked" if issubclass(cls, np.ma.MaskedArray) else "numpy")
    for base in cls.__mro__:  # a subclass may be defined in any module
        package = base.__module__.partition(".")[0]
        if package in _MODULES and _library(_MODULES[package]).claims(cls):
            return _library(_MODULES[package])
    return _library("dlpack" if hasattr(cls, "__dlpack__") else "numpy")


def _library(name: str) -> Library:
    return importlib.import_module(f"{__name__}.{name}").LIBRARY


def find(x: Any) -> Library:
    """The library of x; NumPy if no other claims it."""
    cls = type(x)
    library = _known.get(cls)
    if library is None:
        library = _known[cls] = _of_class(cls)
    return library


def read(x: Any) -> np.ndarray:
    """Any array-like as a plain NumPy array, without a copy if possible.

    Errors: ElementTypeError or UsageError, with a suggestion, if x has no elements that can be read.
    """
    return x if type(x) is np.ndarray else find(x).read(x)


def compute(x: Any, call: Call) -> Any:
    """The result of a call, as an array of x's library, or the call's `out`."""
    return find(x).compute(x, call)[0]


def is_array(x: Any) -> bool:
    """Whether x is an array, and not a list, which may be a shape."""
    return hasattr(x, "shape") or isinstance(find(x), Wrapper)


def describe(x: Any, call: Call) -> tuple[tuple[int, ...], np.dtype, dict[str, Any]]:
    """The shape and dtype of an array, and the call's parameters for it."""
    return find(x).describe(x, call)


def open_output(out: Any, shape: tuple[int, ...], dtype: np.dtype, x: np.ndarray | None) -> np.ndarray:
    """The caller's output as a NumPy array. Notifies its library that the elements will change.

    Errors: ShapeError, ElementTypeError, UsageError, also if it overlaps x.
    """
    library = find(out)
    array = library.open(out)
    if array.shape != shape:
        raise _core.ShapeError(f"out has the shape {array.shape}; expected {shape}")
    if array.dtype != dtype:
        raise _core.ElementTypeError(f"out holds {array.dtype}; expected {dtype}")
    if not array.flags.writeable:
        raise _core.UsageError("out is read-only; pass an array that can be written, or leave out 'out'")
    if _overlaps_itself(array):
        raise _core.UsageError("out has elements that share memory; pass a copy of it")
    if x is not None:
        _refuse_overlap(x, array)
    library.written(out)
    return array


_MOST_OFFSETS = 1 << 20


def _overlaps_itself(array: np.ndarray) -> bool:
    """Whether elements share memory. For large arrays with unordered strides: whether they may."""
    axes = sorted((abs(stride), extent) for stride, extent in zip(array.strides, array.shape) if extent > 1)
    reach = array.itemsize
    for stride, extent in axes:
        if stride < reach:
            break
        reach += stride * (extent - 1)
    else:
        return False
    if array.size == 0 or array.size > _MOST_OFFSETS:
        return array.size > 0
    offsets = np.zeros(1, np.int64)
    for stride, extent in axes:
        offsets = np.add.outer(offsets, stride * np.arange(extent)).reshape(-1)
    return bool(np.any(np.diff(np.sort(offsets)) < array.itemsize))


def _refuse_overlap(x: np.ndarray, out: np.ndarray) -> None:
    if np.may_share_memory(x, out):
        try:
            shared = np.shares_memory(x, out, max_work=10_000)  # type: ignore[arg-type]  # NumPy's stubs allow only two values
        except np.exceptions.TooHardError:
            shared = True
        if shared:
            raise _core.UsageError("out overlaps the input")
