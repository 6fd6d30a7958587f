"""Memory for inputs and outputs: aligned to huge pages and backed by them where the system has some, touched once."""

import mmap

import ml_dtypes
import numpy as np

HUGE = 2 << 20


def empty(shape, dtype) -> np.ndarray:
    """An array whose pages are there already."""
    dtype = np.dtype(dtype)
    if dtype == object:
        return np.empty(shape, dtype)
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


def copy(array: np.ndarray) -> np.ndarray:
    """A copy in such memory."""
    result = empty(array.shape, array.dtype)
    np.copyto(result, array)
    return result


def random(shape, dtype: str, numpy_type, seed: int = 0) -> np.ndarray:
    """Values like those of images, floats in [0, 1). Of 8 bits no extremes: peers that round between two passes also
    clip there, which is not what is compared."""
    generator = np.random.default_rng(seed)
    count = int(np.prod(shape, dtype=np.int64))
    if dtype == "string":
        words = np.array([b"%06d" % i for i in range(1000)], dtype=object)
        return words[generator.integers(0, 1000, count)].reshape(shape)
    if dtype == "bool":
        values = generator.integers(0, 2, count).astype(bool)
    elif numpy_type in (np.dtype(ml_dtypes.int4), np.dtype(ml_dtypes.uint4)):
        values = generator.integers(0, 8, count)
    elif numpy_type.itemsize == 1:
        values = generator.integers(48, 208, count)
    elif np.issubdtype(numpy_type, np.integer):
        limits = np.iinfo(numpy_type)
        values = generator.integers(max(limits.min, -30000), min(limits.max, 30000), count, endpoint=True)
    else:
        values = generator.random(count, dtype=np.float32)
    return copy(values.astype(numpy_type).reshape(shape))
