# SPDX-License-Identifier: Apache-2.0
"""Sources of Zarr arrays, version 2 and 3, sharded or not."""

from __future__ import annotations

import functools
import hashlib
import json
import math
import os
import pathlib
from typing import Any

import numpy as np

from ... import _core, _types
from ..boxes import Extents, covering, slices, within
from ..formats import package
from ..labels import Axis, named
from ..workers import WORKERS, Workers
from . import ome
from .base import Reading, Source, axes_of_images, identity_of

# Of a chunk there are its bytes in the file and its elements, and filters make another copy.
_COPIES = 3


class ZarrSource(Source):
    """path: of the array's folder; None if it lies elsewhere, and then name says where."""

    def __init__(self, array: Any, path: str | None, dtype: Any = None, name: str = "the array", axes: tuple[Axis, ...] | None = None,
                 workers: int = WORKERS):
        self.array = array
        self.shape, self.dtype = tuple(array.shape), np.dtype(array.dtype)
        if dtype is not None and _types.read_dtype(dtype) != self.dtype:
            raise _core.ElementTypeError(f"'{path}' holds {self.dtype}, which cannot be taken as {dtype}")
        self.chunks = tuple(max(extent, 1) for extent in array.chunks)
        self.axes, self.image_axes = axes, axes_of_images(axes)
        self.working_bytes = max(workers, 1) * _COPIES * math.prod(self.chunks) * self.dtype.itemsize
        self._path = path
        self._name = name if path is None else f"'{path}'"
        self._workers = Workers(workers)

    @functools.cached_property
    def identity(self) -> Any:  # type: ignore[override]
        """Found when it is asked for, since it takes a look at every file of a folder."""
        if self._path is None:
            return None
        if os.path.isfile(self._path):
            return identity_of(self._path)
        return {"zarr": os.path.abspath(self._path), "files": _digest(self._path)}

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


def open_path(path: str, reading: Reading) -> Source:
    """The array of a folder or a .zip file; of an OME-Zarr image the largest one. Errors: IoError, ParseError, UnsupportedError (no
    array; the package is missing), PathError."""
    zarr = package("zarr", "zarr", reading.where)
    identity_of(path)  # whether it is there
    opened, axes = _opened(zarr, path, ""), None
    if isinstance(opened, zarr.Group):
        inside, axes = _base(path, opened)
        opened = _opened(zarr, path, inside)
        path = path if os.path.isfile(path) else os.path.join(path, inside)
    if not isinstance(opened, zarr.Array):
        raise _core.ParseError(f"'{path}' is a group of Zarr where an array is expected")
    _refuse_pickles(path, opened)
    if axes is None and opened.metadata.zarr_format == 3 and all(opened.metadata.dimension_names or (None,)):
        axes = tuple(map(named, opened.metadata.dimension_names))
    if axes is not None and len(axes) != opened.ndim:
        raise _core.ParseError(f"'{path}' names {len(axes)} axes, and its array has {opened.ndim}")
    return ZarrSource(opened, path, reading.dtype, axes=axes, workers=reading.workers)


def _opened(zarr: Any, path: str, inside: str) -> Any:
    try:
        store = zarr.storage.ZipStore(path, mode="r") if os.path.isfile(path) else path
        return zarr.open(store, mode="r", path=inside)
    except Exception as error:  # of many kinds, for damaged metadata
        if "object_codec_id': 'pickle'" in str(error):  # of arrays that are refused by the package, too
            raise _pickled(path) from None
        where = os.path.join(path, inside) if inside else path
        raise _core.ParseError(f"'{where}' is not a readable Zarr array: {type(error).__name__}: {error}"[:300]) from None


def _base(path: str, group: Any) -> tuple[str, tuple[Axis, ...] | None]:
    """Where a group has its largest array, and its axes. Errors: ParseError, UnsupportedError, PathError."""
    found = ome.base_of(path, dict(group.attrs))
    if found is None:
        members = ", ".join(sorted(group.keys())[:8])
        hint = f"; name one of its members: {members}" if members else ""
        raise _core.UnsupportedError(f"'{path}' is a group of Zarr without an image{hint}"[:300])
    inside, axes = found
    if os.path.isabs(inside) or ".." in pathlib.PurePosixPath(inside).parts:
        raise _core.PathError(f"'{path}' names the array '{inside}', which is not inside it"[:300])
    return inside, None if axes is None else tuple(axes)


def _refuse_pickles(path: str, array: Any) -> None:
    """A codec that unpickles would run code of the file."""
    if '"pickle"' in json.dumps(array.metadata.to_dict(), default=str).lower().replace("numcodecs.", ""):
        raise _pickled(path)


def _pickled(path: str) -> _core.UnsupportedError:
    return _core.UnsupportedError(f"'{path}' is compressed with the codec pickle, which could run any code")
