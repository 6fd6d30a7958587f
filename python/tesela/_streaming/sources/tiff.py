# SPDX-License-Identifier: Apache-2.0
"""Sources of TIFF and OME-TIFF files: the first series of images, at full resolution."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core, _types
from ..boxes import Extents
from ..formats import package
from ..scratch import Scratch
from .base import Source, identity_of, io_error
from .npy import NpySource
from .zarr import ZarrSource


class TiffSource(Source):
    """A file whose pages are read through `inner`."""

    def __init__(self, path: str, file: Any, inner: Source, axes: str):
        self._file, self._inner = file, inner
        self.axes = axes
        self.shape, self.dtype, self.chunks = inner.shape, inner.dtype, inner.chunks
        self.working_bytes, self.reversed_axes = inner.working_bytes, inner.reversed_axes
        self.image_axes = (axes.index("Y"), axes.index("X")) if "Y" in axes and "X" in axes else None
        self.identity = identity_of(path)

    def read(self, lo: Extents, box: np.ndarray) -> None:
        self._inner.read(lo, box)

    def close(self) -> None:
        self._inner.close()
        self._file.close()


def open_path(path: str, dtype: Any, scratch: Scratch | None = None) -> Source:
    """Errors: IoError, ParseError, UnsupportedError (a package is missing)."""
    tifffile = package("tifffile", "tiff")
    try:
        file = tifffile.TiffFile(path)
        series = file.series[0]
        inner = _inner(path, file, series)
    except OSError as error:
        raise io_error("open", path, error) from None
    except _core.Error:
        raise
    except Exception as error:  # of many kinds
        raise _core.ParseError(f"'{path}' is not a readable TIFF file: {type(error).__name__}: {error}"[:300]) from None
    if dtype is not None and _types.read_dtype(dtype) != inner.dtype:
        raise _core.ElementTypeError(f"'{path}' holds {inner.dtype}, which cannot be taken as {dtype}")
    return TiffSource(path, file, inner, series.axes)


def _inner(path: str, file: Any, series: Any) -> Source:
    if series.dataoffset is not None:  # uncompressed, and one piece
        return NpySource(path, series.dataoffset, series.shape, series.dtype.newbyteorder(file.byteorder))
    return ZarrSource(package("zarr", "tiff").open(series.aszarr(level=0), mode="r"), None, name=f"'{path}'")
