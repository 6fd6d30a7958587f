# SPDX-License-Identifier: Apache-2.0
"""Sources of .npy files and of mapped memory."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ... import _core, _types
from ..boxes import Extents
from ..raw_file import RawFile
from .base import Reading, Source, identity_of, open_file


class NpySource(Source):
    """A file of elements, one after the other. fortran: the first axis runs fastest."""

    def __init__(self, path: str, offset: int, shape: Extents, dtype: np.dtype, fortran: bool = False):
        self.shape, self.dtype, self.reversed_axes = shape, dtype, fortran
        self.chunks = (1,) * len(shape)
        self._descriptor = open_file(path)
        self._file = RawFile(f"'{path}'", self._descriptor, offset, shape[::-1] if fortran else shape, dtype)
        size = os.fstat(self._descriptor).st_size
        needed = offset + int(np.prod(shape, dtype=object)) * dtype.itemsize
        if size < needed:
            self.close()
            raise _core.TruncatedError(f"'{path}' has {size} bytes; its array needs {needed}")
        self.identity = identity_of(path)

    def read(self, lo: Extents, box: np.ndarray) -> None:
        if self.reversed_axes:
            lo, box = lo[::-1], box.T
        self._file.read(lo, box)

    def close(self) -> None:
        os.close(self._descriptor)


def open_path(path: str, reading: Reading) -> Source:
    """Errors: IoError, ParseError, TruncatedError, ElementTypeError."""
    with os.fdopen(open_file(path), "rb") as file:
        try:
            version = np.lib.format.read_magic(file)
            read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
            shape, fortran, found = read(file)
        except ValueError as error:
            raise _core.ParseError(f"'{path}' is not a readable .npy file: {error}"[:300]) from None
        offset = file.tell()
    return NpySource(path, offset, shape, _dtype_of(path, found, reading.dtype), fortran and len(shape) > 1)


def _dtype_of(path: str, found: np.dtype, wanted: Any) -> np.dtype:
    if found.hasobject:
        raise _core.UnsupportedError(f"'{path}' holds Python objects; expected numbers or booleans")
    if wanted is None:
        if found.kind == "V":
            raise _core.UnsupportedError(f"'{path}' does not say which type its {found.itemsize} bytes are; name the type")
        return found
    dtype = _types.read_dtype(wanted)
    if dtype.itemsize != found.itemsize:
        raise _core.ElementTypeError(f"elements of '{path}' are {found}, which cannot be taken as {dtype}")
    return dtype


def of_memmap(array: Any) -> Source:
    """A mapped array that is dense, read from its file."""
    from .array import ArraySource

    if not (array.flags.c_contiguous or array.flags.f_contiguous):
        return ArraySource(array)
    start = array.__array_interface__["data"][0] - np.frombuffer(array.base, np.uint8).__array_interface__["data"][0]
    begin = array.offset - array.offset % 4096  # a mapping begins at a page
    return NpySource(os.fspath(array.filename), begin + start, array.shape, array.dtype, not array.flags.c_contiguous)
