# SPDX-License-Identifier: Apache-2.0
"""NumPy arrays: memory for results, and the byte order of inputs."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import _core


def empty(shape, dtype: np.dtype) -> np.ndarray:
    """Like numpy.empty. Large arrays use Tesela's memory, which is kept for later arrays when they are freed."""
    size = math.prod(shape) * dtype.itemsize
    if size < _core.POOLED_BYTES:
        return np.empty(shape, dtype)
    memory: Any = _core.Memory(size)  # the stubs do not declare the buffer protocol
    return np.ndarray(shape, dtype, memory)


def aligned(shape, dtype: np.dtype) -> np.ndarray:
    """Like empty, aligned to 64 bytes, so that libraries that need this alignment use it without a copy."""
    memory: Any = _core.Memory(max(math.prod(shape) * dtype.itemsize, 1))
    return np.ndarray(shape, dtype, memory)


def native(x: np.ndarray) -> np.ndarray:
    """x in native byte order; a copy if its byte order differs."""
    if not x.dtype.isnative:
        x = x.astype(x.dtype.newbyteorder("="))
    return x
