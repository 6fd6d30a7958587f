# SPDX-License-Identifier: Apache-2.0
"""Sinks of TIFF and OME-TIFF files: tiles without compression, whose places in the file are known before they are written."""

from __future__ import annotations

import math
import os
from typing import Any

import numpy as np

from ... import _core
from ..boxes import Extents, covering, within
from ..formats import package
from ..raw_file import transfer
from .base import FileSink, Layout, refuse_options

_TILE = (256, 256)
_CLASSIC_BYTES = (1 << 32) - (1 << 25)  # larger files need the 64-bit offsets of BigTIFF
_OME_AXES = set("TCZYXS")


class TiffSink(FileSink):
    """Pages of tiles; a last axis of 3 or 4 bytes or words is the colours of one pixel."""

    def __init__(self, path: str, layout: Layout):
        super().__init__(path, layout)
        self._tifffile = package("tifffile", "tiff")
        _check(path, layout)
        refuse_options(layout, "a TIFF file", chunks=True)
        axes = getattr(layout.source, "axes", "")
        self._axes = axes if len(axes) == len(layout.shape) else ""
        samples = layout.shape[-1]
        self._colours = (len(layout.shape) > 2 and samples in (3, 4) and layout.dtype in (np.uint8, np.uint16)
                         and (not self._axes or self._axes.endswith("S")))
        tile = _TILE if layout.chunks is None else _tile_of(layout.chunks, len(layout.shape), self._colours)
        pages = len(layout.shape) - (3 if self._colours else 2)
        self.chunks = (1,) * pages + tile + ((samples,) if self._colours else ())
        self._pages = pages
        self._ome = path.lower().endswith((".ome.tif", ".ome.tiff"))
        self.kind = {"format": "tiff", "shape": layout.shape, "dtype": str(layout.dtype), "tile": tile, "ome": self._ome}

    def create(self) -> None:
        size = math.prod(self.layout.shape) * self.layout.dtype.itemsize
        metadata = {"axes": self._axes} if self._axes and not (self._ome and set(self._axes) - _OME_AXES) else {}
        tile = self.chunks[self._pages:self._pages + 2]
        try:
            with self._tifffile.TiffWriter(self.partial, bigtiff=size > _CLASSIC_BYTES, ome=self._ome) as writer:
                # Without data every tile has its place, and no elements.
                writer.write(None, shape=self.layout.shape, dtype=self.layout.dtype.newbyteorder("="), tile=tile, metadata=metadata,
                             photometric="rgb" if self._colours else "minisblack")
        except OSError as error:
            os.unlink(self.partial)
            error.filename = self.partial
            raise
        except (TypeError, ValueError) as error:
            raise _core.UnsupportedError(f"stream: '{self.target}' cannot be made: {error}"[:300]) from None

    def opened(self, descriptor: int) -> int:
        with self._tifffile.TiffFile(self.partial) as file:
            # Pages of a series are alike, so those of the first say where tiles lie within one.
            self._offsets = [np.array(page.dataoffsets, np.int64) for page in file.pages]
        self._across = tuple(-(-extent // chunk) for extent, chunk in zip(self.layout.shape, self.chunks))
        return os.fstat(descriptor).st_size

    def write(self, lo: Extents, box: np.ndarray) -> None:
        whole = self.chunks[self._pages:]
        for first, extents in covering(lo, box.shape, self.chunks):
            part = box[tuple(slice(a, a + n) for a, n in zip(within(first, lo), extents))].reshape(extents[self._pages:])
            if part.shape != whole:  # tiles at the edge are as large as others
                padded = np.zeros(whole, box.dtype)
                padded[tuple(map(slice, part.shape))] = part
                part = padded
            part = np.ascontiguousarray(part, part.dtype.newbyteorder("="))
            transfer(os.pwritev, self._descriptor(), part.reshape(-1).view(np.uint8), self._offset(first), self.partial)

    def _descriptor(self) -> int:
        assert self.descriptor is not None
        return self.descriptor

    def _offset(self, first: Extents) -> int:
        index = [start // chunk for start, chunk in zip(first, self.chunks)]
        page = tile = 0
        for axis, i in enumerate(index):
            if axis < self._pages:
                page = page * self._across[axis] + i
            else:
                tile = tile * self._across[axis] + i
        return int(self._offsets[page][tile])


def _check(path: str, layout: Layout) -> None:
    if len(layout.shape) < 2 or 0 in layout.shape:
        raise _core.ShapeError(f"stream: '{path}' cannot hold an array of shape {layout.shape}; expected two axes or more, none of them 0")
    if layout.dtype.kind not in "iufc" or layout.dtype.isbuiltin == 2:
        raise _core.UnsupportedError(f"stream: '{path}' cannot hold {layout.dtype}; expected integers, floats or complex numbers of NumPy")


def _tile_of(chunks: Extents, rank: int, colours: bool) -> tuple[int, int]:
    """Errors: RankError, InvalidValueError."""
    if len(chunks) != rank and len(chunks) != 2:
        raise _core.RankError(f"stream: chunks has {len(chunks)} entries; expected 2 (the tile), or {rank} (the rank of the output)")
    tile: Any = tuple(chunks) if len(chunks) == 2 else tuple(chunks[:-1] if colours else chunks)[-2:]
    if any(extent % 16 for extent in tile):
        raise _core.InvalidValueError(f"stream: chunks is {chunks}; expected multiples of 16 for the tiles of a TIFF file")
    return tile


def of_path(path: str, layout: Layout) -> TiffSink:
    return TiffSink(path, layout)
