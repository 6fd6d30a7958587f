# SPDX-License-Identifier: Apache-2.0
"""Sinks of TIFF and OME-TIFF files: tiles whose places are known before they are written, or compressed ones, which are appended."""

from __future__ import annotations

import math
import os
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

from ... import _core
from ..boxes import Extents, covering, within
from ..formats import package
from ..raw_file import transfer
from ..workers import WORKERS, Workers
from .base import FileSink, Layout, compression_of, refuse_options

_TILE = (256, 256)
_CLASSIC_BYTES = (1 << 32) - (1 << 25)  # larger files need the 64-bit offsets of BigTIFF
_TABLE_TYPES = {3: "u2", 4: "u4", 16: "u8"}  # of tags
_OME_AXES = set("TCZYXS")


class TiffSink(FileSink):
    """Pages of tiles; a last axis of 3 or 4 bytes or words is the colours of one pixel."""

    _scheme: str | None = None  # tifffile's name of the compression

    def __init__(self, path: str, layout: Layout):
        super().__init__(path, layout)
        self._tifffile = package("tifffile", "tiff")
        _check(path, layout)
        refuse_options(layout, "a TIFF file", chunks=True)
        letters = "" if layout.source is None else layout.source.letters
        self._axes = letters if len(letters) == len(layout.shape) else ""
        samples = layout.shape[-1]
        self._colours = (len(layout.shape) > 2 and samples in (3, 4) and layout.dtype in (np.uint8, np.uint16)
                         and (not self._axes or self._axes.endswith("S")))
        tile = _TILE if layout.chunks is None else _tile_of(layout.chunks, len(layout.shape), self._colours)
        pages = len(layout.shape) - (3 if self._colours else 2)
        self.chunks = (1,) * pages + tile + ((samples,) if self._colours else ())
        self._pages = pages
        self._across = tuple(-(-extent // chunk) for extent, chunk in zip(layout.shape, self.chunks))
        self._ome = path.lower().endswith((".ome.tif", ".ome.tiff"))
        self._compression = compression_of(layout, "tiff", "none")
        self.kind = {"format": "tiff", "shape": layout.shape, "dtype": str(layout.dtype), "tile": tile, "ome": self._ome,
                     "compression": self._compression}

    def create(self) -> None:
        size = math.prod(self.layout.shape) * self.layout.dtype.itemsize
        metadata = {"axes": self._axes} if self._axes and not (self._ome and set(self._axes) - _OME_AXES) else {}
        tile = self.chunks[self._pages:self._pages + 2]
        try:
            with self._tifffile.TiffWriter(self.partial, bigtiff=size > _CLASSIC_BYTES, ome=self._ome) as writer:
                writer.write(self._no_tiles(), shape=self.layout.shape, dtype=self.layout.dtype.newbyteorder("="), tile=tile,
                             metadata=metadata, photometric="rgb" if self._colours else "minisblack", compression=self._scheme)
        except OSError as error:
            os.unlink(self.partial)
            error.filename = self.partial
            raise
        except (TypeError, ValueError) as error:
            raise _core.UnsupportedError(f"stream: '{self.target}' cannot be made: {error}"[:300]) from None

    def _no_tiles(self) -> Any:
        """Without data every tile has its place, and no elements."""
        return None

    def opened(self, descriptor: int) -> int:
        with self._tifffile.TiffFile(self.partial) as file:
            # Pages of a series are alike, so those of the first say where tiles lie within one.
            self._offsets = [np.array(page.dataoffsets, np.int64) for page in file.pages]
        return os.fstat(descriptor).st_size

    def write(self, lo: Extents, box: np.ndarray) -> None:
        for first, part in self._tiles(lo, box):
            page, tile = self._place(first)
            transfer(os.pwritev, self._descriptor(), part, int(self._offsets[page][tile]), f"'{self.partial}'")

    def _tiles(self, lo: Extents, box: np.ndarray) -> Iterator[tuple[Extents, np.ndarray]]:
        """The first element of each tile, and its bytes."""
        whole = self.chunks[self._pages:]
        for first, extents in covering(lo, box.shape, self.chunks):
            part = box[tuple(slice(a, a + n) for a, n in zip(within(first, lo), extents))].reshape(extents[self._pages:])
            if part.shape != whole:  # tiles at the edge are as large as others
                padded = np.zeros(whole, box.dtype)
                padded[tuple(map(slice, part.shape))] = part
                part = padded
            yield first, np.ascontiguousarray(part, part.dtype.newbyteorder("=")).reshape(-1).view(np.uint8)

    def _descriptor(self) -> int:
        assert self.descriptor is not None
        return self.descriptor

    def _place(self, first: Extents) -> tuple[int, int]:
        """The page and the number of a tile."""
        index = [start // chunk for start, chunk in zip(first, self.chunks)]
        page = tile = 0
        for axis, i in enumerate(index):
            if axis < self._pages:
                page = page * self._across[axis] + i
            else:
                tile = tile * self._across[axis] + i
        return page, tile


class CompressedTiffSink(TiffSink):
    """Tiles are appended in the order of regions, and then the file's tables say where they are. mark: where the last one ends."""

    _scheme = "zlib"

    def __init__(self, path: str, layout: Layout):
        super().__init__(path, layout)
        self.working_bytes = 2 * (WORKERS + 1) * math.prod(self.chunks) * layout.dtype.itemsize
        self._workers = Workers()
        self._end = 0

    def _no_tiles(self) -> Any:
        return (b"" for _ in range(math.prod(self._across)))

    def opened(self, descriptor: int) -> int:
        with self._tifffile.TiffFile(self.partial) as file:
            order = file.byteorder
            self._tables = [[_Table(page.tags[name], order) for name in ("TileOffsets", "TileByteCounts")] for page in file.pages]
        self._end = os.fstat(descriptor).st_size
        return self._end

    def resume(self, mark: Any) -> None:
        super().resume(mark)
        if mark is None:  # no region was kept: the file as it was begun
            self.close_file()
            self.begin()
            return
        if self._end < mark:
            raise _core.TruncatedError(f"stream: '{self.partial}' has {self._end} bytes; expected {mark} or more; to start again, delete it "
                                       f"and '{self.target}.journal'")
        # Tiles of regions that were not kept are computed again, and appended at the same places.
        os.ftruncate(self._descriptor(), mark)
        self._end = mark

    def write(self, lo: Extents, box: np.ndarray) -> None:
        def packed(tile: tuple[Extents, np.ndarray]) -> tuple[Extents, bytes]:
            return tile[0], zlib.compress(tile[1].data)

        for first, data in self._workers.in_order(packed, self._tiles(lo, box)):
            transfer(os.pwritev, self._descriptor(), np.frombuffer(data, np.uint8), self._end, f"'{self.partial}'")
            page, tile = self._place(first)
            for table, value in zip(self._tables[page], (self._end, len(data))):
                transfer(os.pwritev, self._descriptor(), table.entry(value), table.position(tile), f"'{self.partial}'")
            self._end += len(data)

    def mark(self) -> Any:
        return self._end

    def close(self) -> None:
        self._workers.close()
        super().close()


class _Table:
    """The values of a tag, one for each tile."""

    def __init__(self, tag: Any, byteorder: str):
        self._dtype = np.dtype(f"{byteorder}{_TABLE_TYPES[int(tag.dtype)]}")
        self._begin = tag.valueoffset

    def position(self, tile: int) -> int:
        return self._begin + tile * self._dtype.itemsize

    def entry(self, value: int) -> np.ndarray:
        return np.array([value], self._dtype).view(np.uint8)


def _check(path: str, layout: Layout) -> None:
    if len(layout.shape) < 2 or 0 in layout.shape:
        raise _core.ShapeError(f"stream: '{path}' cannot hold an array of shape {layout.shape}; expected two axes or more, none of them 0")
    if layout.dtype.kind not in "iufc" or layout.dtype.isbuiltin == 2:
        raise _core.UnsupportedError(f"stream: '{path}' cannot hold {layout.dtype}; expected integers, floats or complex numbers of NumPy")


def _tile_of(chunks: Extents, rank: int, colours: bool) -> tuple[int, int]:
    """Errors: RankError, InvalidValueError."""
    if len(chunks) != rank and len(chunks) != 2:
        raise _core.RankError(f"stream: chunks has length {len(chunks)}; expected 2 (the tile), or {rank} (the rank of the output)")
    tile: Any = tuple(chunks) if len(chunks) == 2 else tuple(chunks[:-1] if colours else chunks)[-2:]
    if any(extent % 16 for extent in tile):
        raise _core.InvalidValueError(f"stream: chunks is {chunks}; expected multiples of 16 for the tiles of a TIFF file")
    return tile


def of_path(path: str, layout: Layout) -> TiffSink:
    kind = TiffSink if compression_of(layout, "tiff", "none") == "none" else CompressedTiffSink
    return kind(path, layout)
