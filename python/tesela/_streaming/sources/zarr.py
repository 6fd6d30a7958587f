# SPDX-License-Identifier: Apache-2.0
"""Sources of Zarr arrays, version 2 and 3, sharded or not."""

from __future__ import annotations

import hashlib
import math
import os
from typing import Any

import numpy as np

from ... import _core, _types
from ..boxes import Extents, covering, slices, within
from ..formats import package
from ..scratch import Scratch
from ..workers import WORKERS, Workers
from .base import Source

# Of a chunk there are its bytes in the file and its elements, and filters make another copy.
_COPIES = 3


class ZarrSource(Source):
    """path: of the array's folder; None if it lies elsewhere, and then name says where."""

    def __init__(self, array: Any, path: str | None, dtype: Any = None, name: str = "the array"):
        self.array = array
        self.shape, self.dtype = tuple(array.shape), np.dtype(array.dtype)
        if dtype is not None and _types.read_dtype(dtype) != self.dtype:
            raise _core.ElementTypeError(f"'{path}' holds {self.dtype}, which cannot be taken as {dtype}")
        self.chunks = tuple(max(extent, 1) for extent in array.chunks)
        self.working_bytes = WORKERS * _COPIES * math.prod(self.chunks) * self.dtype.itemsize
        self.identity = None if path is None else {"zarr": os.path.abspath(path), "files": _digest(path)}
        self._name = name if path is None else f"'{path}'"
        self._workers = Workers()

    def read(self, lo: Extents, box: np.ndarray) -> None:
        def read_chunk(piece: tuple[Extents, Extents]) -> None:
            first, extents = piece
            try:
                box[slices(within(first, lo), extents)] = self.array[slices(first, extents)]
            except OSError:
                raise
            except Exception as error:  # codecs raise errors of many kinds
                message = f"{self._name}: the chunk at {first} cannot be read: {type(error).__name__}: {error}"
                raise _core.ParseError(message[:300]) from None

        self._workers.each(read_chunk, covering(lo, box.shape, self.chunks))

    def close(self) -> None:
        self._workers.close()


def _digest(path: str) -> str:
    """What changes when a chunk or the metadata do: the names, sizes and times of change of all files. Takes seconds for a million."""
    found = hashlib.sha256()
    folders = [path]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                if entry.is_dir():
                    folders.append(entry.path)
                else:
                    info = entry.stat()
                    found.update(f"{os.path.relpath(entry.path, path)} {info.st_size} {info.st_mtime_ns}\n".encode(errors="surrogateescape"))
    return found.hexdigest()


def open_path(path: str, dtype: Any, scratch: Scratch | None = None) -> Source:
    """Errors: IoError, ParseError, UnsupportedError (no array; the package is missing)."""
    zarr = package("zarr", "zarr")
    if not os.path.isdir(path):
        raise _core.IoError(f"cannot open '{path}': No such directory")
    try:
        array = zarr.open(path, mode="r")
    except Exception as error:  # of many kinds
        raise _core.ParseError(f"'{path}' is not a readable Zarr array: {type(error).__name__}: {error}"[:300]) from None
    if not isinstance(array, zarr.Array):
        names = ", ".join(sorted(name for name, _ in array.arrays())[:8])
        raise _core.UnsupportedError(f"'{path}' is a group of Zarr; name one of its arrays: {names}"[:300])
    return ZarrSource(array, path, dtype)
