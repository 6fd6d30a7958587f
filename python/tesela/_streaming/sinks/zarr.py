# SPDX-License-Identifier: Apache-2.0
"""Sinks of Zarr arrays, version 2 and 3, sharded or not."""

from __future__ import annotations

import ctypes
import math
import os
from typing import Any

import numpy as np

from ... import _core, _parameters
from ..boxes import Extents, covering, slices, within
from ..durable import give_name
from ..formats import package
from ..sources import Source
from ..workers import WORKERS, Workers
from .array import check
from .base import Layout, Sink, compression_of

# Of a chunk there are its elements, a copy in the order of the file, and its encoded bytes.
_COPIES = 3
_CHUNK_BYTES = 1 << 20  # of a chunk, where nothing says how large


class ZarrSink(Sink):
    """array: an open one, or None until `begin` makes it."""

    def __init__(self, layout: Layout, chunks: Extents, unit: Extents):
        self._layout, self._inner = layout, chunks
        self.chunks = unit
        self.working_bytes = WORKERS * _COPIES * math.prod(unit) * layout.dtype.itemsize
        self._array: Any = None
        self._workers = Workers()

    def write(self, lo: Extents, box: np.ndarray) -> None:
        def write_chunk(piece: tuple[Extents, Extents]) -> None:
            first, extents = piece
            self._array[slices(first, extents)] = box[slices(within(first, lo), extents)]

        self._workers.each(write_chunk, covering(lo, box.shape, self.chunks))

    def close(self) -> None:
        self._workers.close()


class ZarrFolderSink(ZarrSink):
    """An array in a folder that is `partial` until it is whole."""

    def __init__(self, path: str, layout: Layout):
        chunks, shards = _chunks(layout), layout.shards
        like = _array_of(layout.source)
        if shards is None and layout.chunks is None and like is not None and like.shards and _fits(like, layout):
            shards = tuple(like.shards)
        super().__init__(layout, chunks, chunks if shards is None else shards)
        _check_shards(chunks, shards)
        self.target, self.partial = path, f"{path}.partial"
        self._settings = _settings(like, layout) | {"chunks": chunks, "shards": shards}
        compression = compression_of(layout, "zarr", None)
        if compression is not None:
            self._settings["compressors"] = None if compression == "none" else "auto"
        self.kind = {"format": "zarr", "shape": layout.shape, "dtype": str(layout.dtype)} | {
            name: repr(value) for name, value in self._settings.items()}

    def begin(self) -> None:
        self._refuse_existing()
        zarr = package("zarr", "zarr")
        try:
            self._array = zarr.create_array(self.partial, shape=self._layout.shape, dtype=self._layout.dtype, overwrite=True,
                                            **self._settings)
        except (TypeError, ValueError) as error:
            raise _core.UnsupportedError(f"stream: '{self.target}' cannot be made: {error}"[:300]) from None

    def _refuse_existing(self) -> None:
        if os.path.lexists(str(self.target)):
            raise _core.PathError(f"stream: '{self.target}' exists; delete it or name another one")

    def resume(self, mark: Any) -> None:
        self._refuse_existing()
        try:
            self._array = package("zarr", "zarr").open_array(self.partial, mode="r+")
        except (OSError, ValueError, KeyError):
            raise _core.PathError(f"stream: '{self.partial}' is missing or damaged; to start again, delete it and "
                                  f"'{self.target}.journal'") from None

    def sync(self) -> None:
        """One call for all the files of chunks."""
        folder = os.open(self.partial, os.O_RDONLY | os.O_DIRECTORY)
        try:
            if ctypes.CDLL(None, use_errno=True).syncfs(folder) != 0:
                raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), self.partial)
        finally:
            os.close(folder)

    def finish(self) -> None:
        assert self.target is not None
        give_name(self.partial, self.target)


class ZarrArraySink(ZarrSink):
    """An array that the caller opened."""

    def __init__(self, array: Any, layout: Layout):
        check(array, layout)
        super().__init__(layout, array.chunks, tuple(array.shards or array.chunks))
        self._array = array


def of_path(path: str, layout: Layout) -> ZarrSink:
    package("zarr", "zarr")
    return ZarrFolderSink(path, layout)


def of_array(array: Any, layout: Layout) -> ZarrSink:
    return ZarrArraySink(array, layout)


def _array_of(source: Source | None) -> Any:
    return getattr(source, "array", None)


def _fits(array: Any, layout: Layout) -> bool:
    return array.ndim == len(layout.shape)


def _settings(like: Any, layout: Layout) -> dict[str, Any]:
    """The version of the format and the compression of the input, if that is Zarr."""
    if like is None or not _fits(like, layout):
        return {}
    settings: dict[str, Any] = {"zarr_format": like.metadata.zarr_format}
    if like.dtype == layout.dtype:
        settings["compressors"] = like.compressors or None
    names = getattr(like.metadata, "dimension_names", None)
    return settings | ({"dimension_names": names} if names else {})


def _chunks(layout: Layout) -> Extents:
    """Those asked for, those of the input, or halves of the longest axes until they are small."""
    like = _array_of(layout.source)
    if layout.chunks is not None:
        if len(layout.chunks) != len(layout.shape):
            expected = f"{len(layout.shape)} entries, one for each axis of the output"
            _parameters.refuse("stream", "chunks", layout.chunks, expected, _core.RankError)
        return tuple(layout.chunks)
    if like is not None and _fits(like, layout):
        return tuple(like.chunks)
    chunks = [max(extent, 1) for extent in layout.shape]
    while math.prod(chunks) * layout.dtype.itemsize > _CHUNK_BYTES and max(chunks) > 1:
        axis = chunks.index(max(chunks))
        chunks[axis] = -(-chunks[axis] // 2)
    return tuple(chunks)


def _check_shards(chunks: Extents, shards: Extents | None) -> None:
    if shards is None:
        return
    if len(shards) != len(chunks) or any(shard % chunk for shard, chunk in zip(shards, chunks)):
        _parameters.refuse("stream", "shards", shards, f"a multiple of the chunks {chunks} along each axis", _core.ShapeError)
