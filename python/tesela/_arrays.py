"""NumPy arrays: memory for results, and the byte order of inputs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _core


def empty(shape, dtype: np.dtype) -> np.ndarray:
    """As numpy.empty. The memory of large arrays is Tesela's, which keeps it for the next when they are gone."""
    size = math.prod(shape) * dtype.itemsize
    if size < _core.POOLED_BYTES:
        return np.empty(shape, dtype)
    memory: Any = _core.Memory(size)  # stubs know no buffers
    return np.ndarray(shape, dtype, memory)


def aligned(shape, dtype: np.dtype) -> np.ndarray:
    """As empty; begins at a multiple of 64 bytes, so that libraries that ask for that take it without a copy."""
    memory: Any = _core.Memory(max(math.prod(shape) * dtype.itemsize, 1))
    return np.ndarray(shape, dtype, memory)


def native(x: np.ndarray) -> np.ndarray:
    """x in this machine's byte order, by a copy where it has another."""
    if not x.dtype.isnative:
        x = x.astype(x.dtype.newbyteorder("="))
    return x
