# SPDX-License-Identifier: Apache-2.0
"""Memory for inputs and outputs: aligned to huge pages, backed by them if available, and touched once."""

import mmap

import numpy as np

HUGE = 2 << 20


def empty(shape, dtype, order=()) -> np.ndarray:
    """An array whose pages are already mapped. order: the axes in memory, outermost first; () is the order of the shape."""
    if order:
        return empty([shape[axis] for axis in order], dtype).transpose(np.argsort(order))
    dtype = np.dtype(dtype)
    count = int(np.prod(shape, dtype=np.int64))
    size = count * dtype.itemsize
    if size < HUGE:
        return aligned(np.zeros(size + 64, np.uint8), 64, size).view(dtype).reshape(shape)
    memory = mmap.mmap(-1, size + HUGE)
    memory.madvise(mmap.MADV_HUGEPAGE)
    raw = np.frombuffer(memory, np.uint8)
    raw[:: mmap.PAGESIZE] = 0
    return aligned(raw, HUGE, size).view(dtype).reshape(shape)


def aligned(raw: np.ndarray, alignment: int, size: int) -> np.ndarray:
    start = -raw.ctypes.data % alignment
    return raw[start : start + size]


def copy(array: np.ndarray, order=()) -> np.ndarray:
    """A copy in such memory. Arrays of objects are returned unchanged."""
    if array.dtype == object:
        return array
    result = empty(array.shape, array.dtype, order)
    np.copyto(result, array)
    return result
