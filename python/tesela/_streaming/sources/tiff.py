# SPDX-License-Identifier: Apache-2.0
"""Sources of TIFF and OME-TIFF files: the first series of images, at full resolution."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import numpy as np

from ... import _core, _types
from ..boxes import Extents
from ..failures import io_error
from ..formats import package
from ..labels import Axis, named, unit_name
from .base import Reading, Source, identity_of
from .npy import NpySource
from .zarr import ZarrSource

_NAMES = {"S": "c"}  # of tifffile's letters: samples are channels
_MOST_XML = 64 << 20  # bytes


class TiffSource(Source):
    """A file whose pages are read through `inner`."""

    def __init__(self, path: str, file: Any, inner: Source, letters: str):
        self._file, self._inner = file, inner
        self.letters = letters
        self.shape, self.dtype, self.chunks = inner.shape, inner.dtype, inner.chunks
        self.working_bytes, self.reversed_axes = inner.working_bytes, inner.reversed_axes
        self.image_axes = (letters.index("Y"), letters.index("X")) if "Y" in letters and "X" in letters else None
        self.axes = _axes(file, letters)
        self.identity = identity_of(path)

    def read(self, lo: Extents, box: np.ndarray) -> None:
        self._inner.read(lo, box)

    def close(self) -> None:
        self._inner.close()
        self._file.close()


def open_path(path: str, reading: Reading) -> Source:
    """Errors: IoError, ParseError, UnsupportedError (a package is missing)."""
    tifffile = package("tifffile", "tiff", reading.where)
    try:
        file = tifffile.TiffFile(path)
        series = file.series[0]
        made = TiffSource(path, file, _inner(path, file, series, reading), series.axes)
        made.is_rgb = "S" in made.letters and series.keyframe.photometric == tifffile.PHOTOMETRIC.RGB and made.shape[made.letters.index("S")] == 3
    except OSError as error:
        raise io_error("open", f"'{path}'", error) from None
    except _core.Error:
        raise
    except Exception as error:  # of many kinds
        raise _core.ParseError(f"'{path}' is not a readable TIFF file: {type(error).__name__}: {error}"[:300]) from None
    if reading.dtype is not None and _types.read_dtype(reading.dtype) != made.dtype:
        raise _core.ElementTypeError(f"'{path}' holds {made.dtype}, which cannot be taken as {reading.dtype}")
    return made


def _inner(path: str, file: Any, series: Any, reading: Reading) -> Source:
    if series.dataoffset is not None:  # uncompressed, and one piece
        return NpySource(path, series.dataoffset, series.shape, series.dtype.newbyteorder(file.byteorder))
    array = package("zarr", "tiff", reading.where).open(series.aszarr(level=0), mode="r")
    return ZarrSource(array, None, name=f"'{path}'", workers=reading.workers)


def _axes(file: Any, letters: str) -> tuple[Axis, ...] | None:
    """None if a letter is none of those of images, such as Q for unknown: what it is is for the caller to say."""
    sizes = _physical_sizes(file.ome_metadata) if file.is_ome else {}
    axes = tuple(sizes.get(letter, named(_NAMES.get(letter, letter.lower()))) for letter in letters)
    names = [axis.name for axis in axes]
    return axes if len(set(names)) == len(names) and set(names) <= set("tczyx") else None


def _physical_sizes(text: str | None) -> dict[str, Axis]:
    """Axes with the physical sizes of the first image of OME-XML, by letter."""
    if not text or len(text) > _MOST_XML or re.search(r"<!(DOCTYPE|ENTITY)", text):
        return {}
    pixels = next((node for node in ElementTree.fromstring(text).iter() if node.tag.rpartition("}")[2] == "Pixels"), None)
    found = {}
    for letter, attribute, usual in (("X", "PhysicalSizeX", "µm"), ("Y", "PhysicalSizeY", "µm"), ("Z", "PhysicalSizeZ", "µm"),
                                     ("T", "TimeIncrement", "s")):
        if pixels is not None and attribute in pixels.attrib and float(pixels.attrib[attribute]) > 0:
            unit = unit_name(pixels.attrib.get(f"{attribute}Unit", usual))
            found[letter] = replace(named(letter.lower()), scale=float(pixels.attrib[attribute]), unit=unit)
    return found
