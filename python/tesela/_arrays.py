"""What callers give, as NumPy arrays over the same memory; and results as arrays of the caller's library."""

from __future__ import annotations

import math
import sys
from typing import Any

import numpy as np

from . import _core, _types


def empty(shape, dtype: np.dtype) -> np.ndarray:
    """As numpy.empty. The memory of large arrays is Tesela's, which keeps it for the next when they are gone."""
    size = math.prod(shape) * dtype.itemsize
    if size < _core.POOLED_BYTES:
        return np.empty(shape, dtype)
    memory: Any = _core.Memory(size)  # stubs know no buffers
    return np.ndarray(shape, dtype, memory)


def is_lazy(x) -> bool:
    """Whether x is a dask array."""
    return hasattr(x, "__dask_graph__") and hasattr(x, "chunks")


def is_foreign(x) -> bool:
    """Whether x is a tensor of another array library, to be exchanged by DLPack."""
    return hasattr(x, "__dlpack__") and not isinstance(x, (np.ndarray, np.generic))


def as_array(x) -> np.ndarray:
    """Any array-like as a NumPy array, without a copy where it holds one; tensors by DLPack."""
    if isinstance(x, np.ndarray):
        return x
    if is_foreign(x):
        if getattr(x, "requires_grad", False):
            raise _core.UsageError("a tensor requires a gradient, which Tesela does not compute; pass x.detach()")
        code, plain = _core.from_dlpack(x)
        return plain.view(_types.dtype_of(code))
    return np.asarray(x)


def in_library_of(x, result: np.ndarray):
    """The result as an array of the library that x came from, without a copy."""
    if not is_foreign(x):
        return result
    library = sys.modules[type(x).__module__.partition(".")[0]]
    if library.__name__ in ("jaxlib", "jax"):
        import jax.dlpack

        library = jax.dlpack
    code = _types.code_of(result.dtype)
    plain = result if result.dtype == np.complex128 else result.view(f"u{result.itemsize}")
    return library.from_dlpack(_core.to_dlpack(plain, code))


def native(x: np.ndarray) -> np.ndarray:
    """x in this machine's byte order, by a copy where it has another."""
    if not x.dtype.isnative:
        x = x.astype(x.dtype.newbyteorder("="))
    return x


def as_output(out, shape: tuple[int, ...], dtype: np.dtype) -> np.ndarray:
    """The caller's output as an array that can be written. Raises ShapeError, ElementTypeError, UsageError."""
    array = as_array(out) if is_foreign(out) else out
    if not isinstance(array, np.ndarray):
        raise _core.ElementTypeError(f"out is a {type(out).__name__}; expected an array")
    if array.shape != shape:
        raise _core.ShapeError(f"out has the shape {array.shape}; expected {shape}")
    if array.dtype != dtype:
        raise _core.ElementTypeError(f"out holds {array.dtype}; expected {dtype}")
    if not array.flags.writeable:
        raise _core.UsageError("out is read-only")
    if any(stride == 0 and extent > 1 for stride, extent in zip(array.strides, array.shape)):
        raise _core.UsageError("out has elements that share memory")
    return array


def refuse_overlap(x: np.ndarray, out: np.ndarray) -> None:
    if np.may_share_memory(x, out):
        try:
            shared = np.shares_memory(x, out, max_work=10_000)  # type: ignore[arg-type]  # NumPy's stubs know two values
        except np.exceptions.TooHardError:
            shared = True
        if shared:
            raise _core.UsageError("out overlaps the input")
