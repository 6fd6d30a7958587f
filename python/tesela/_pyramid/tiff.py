# SPDX-License-Identifier: Apache-2.0
"""Writes a pyramid as TIFF: OME-TIFF with SubIFDs, or reduced-resolution pages, which GDAL reads as overviews."""

from __future__ import annotations

import concurrent.futures
import os
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy as np

from .. import _core, _parameters
from .._streaming.formats import COMPRESSIONS, package
from .._streaming.workers import in_order
from . import places, run, store
from .levels import Box, Level
from .sources import Source

LAYOUT = ("tile", "compression", "overviews")
_OVERVIEWS = ("subifds", "pages")
_TILE = 256
_SYMBOLS = {"micrometer": "µm", "nanometer": "nm", "millimeter": "mm", "centimeter": "cm", "meter": "m", "picometer": "pm", "angstrom": "Å",
            "kilometer": "km", "inch": "in", "foot": "ft", "yard": "yd", "mile": "mi", "decimeter": "dm", "parsec": "pc"}


def write(pyramid: Any, path: str, overwrite: bool, resources: run.Resources, layout: dict[str, Any]) -> dict[str, Any]:
    tifffile = package("tifffile", "tiff", "pyramid")
    overviews = layout.get("overviews") or _OVERVIEWS[0]
    if overviews not in _OVERVIEWS:
        _parameters.refuse("pyramid", "overviews", overviews, f"one of {', '.join(_OVERVIEWS)}", _core.InvalidValueError)
    tile = _parameters.whole("pyramid", "tile", _TILE if layout.get("tile") is None else layout["tile"], 16, 1 << 14)
    if tile % 16:
        _parameters.refuse("pyramid", "tile", tile, "a multiple of 16", _core.InvalidValueError)
    compression = store._compression(layout.get("compression"), COMPRESSIONS["tiff"])
    _check(pyramid, overviews)
    options = {"tile": (tile, tile), "compression": None if compression == "none" else compression, "dtype": pyramid.source.dtype}
    options |= {"maxworkers": resources.threads}
    with places.place(path, overwrite, pyramid.source.path) as part, tempfile.TemporaryDirectory(
            prefix=f"{os.path.basename(path)}.", suffix=".part", dir=os.path.dirname(path) or ".") as folder:
        with tifffile.TiffWriter(part, bigtiff=True, ome=overviews == "subifds") as file:
            _write_levels(pyramid, file, overviews, options, _Work(folder, resources, run.Counter(pyramid.levels, resources.progress)))
    rows = [{"path": str(number), "shape": list(level.shape), "chunks": [1] * (len(level.shape) - 2) + [tile, tile], "shards": None,
             "factors": list(level.factors), "scale": list(level.scale), "translation": list(level.translation)}
            for number, level in enumerate(pyramid)]
    form = "OME-TIFF" if overviews == "subifds" else "TIFF"
    return {"output": path, "format": form, **store.described(pyramid), "levels": rows}


class _Work:
    """folder: for the levels that others are computed from."""

    def __init__(self, folder: str, resources: run.Resources, counter: run.Counter):
        self.folder = folder
        self.resources = resources
        self.counter = counter


def _check(pyramid: Any, overviews: str) -> None:
    if pyramid.source.dtype.name == "bfloat16":
        raise _core.ElementTypeError("pyramid: TIFF has no bfloat16; expected another dtype")
    kinds = [axis.kind for axis in pyramid.axes]
    if overviews == "pages" and (kinds[-2:] != ["space"] * 2 or len(kinds) > 3 or kinds[0] == "time" or kinds.count("space") > 2):
        raise _core.RankError(f"pyramid: overviews in pages are for images of one plane with channels or without; x has the axes "
                              f"{', '.join(axis.name for axis in pyramid.axes)}; use subifds")
    for level in pyramid.levels[1:]:
        if overviews == "subifds" and level.shape[:-2] != pyramid.levels[0].shape[:-2]:
            raise _core.ShapeError("pyramid: the levels of an OME-TIFF differ along its last two axes only; give factors of 1 for the others, "
                                   "such as --factors 1x2x2, or write OME-Zarr")


def _write_levels(pyramid: Any, file: Any, overviews: str, options: dict[str, Any], work: _Work) -> None:
    above: Source = pyramid.source
    for number, level in enumerate(pyramid):
        source: Level | Source = level
        if number and pyramid.method.levels_from == "above":
            source = level = level.over(above)
            if number + 1 < len(pyramid):  # it is read twice
                source = above = _stored(level, number, work)
        placed: dict[str, Any] = {"subfiletype": 1, "metadata": None}
        if not number:
            placed = {"metadata": _described(pyramid), "subifds": len(pyramid) - 1} if overviews == "subifds" else {"metadata": None}
        file.write(_tiles(source, level, options["tile"], work), shape=level.shape, **_photometric(level, overviews), **options, **placed)


def _photometric(level: Level, overviews: str) -> dict[str, Any]:
    """Channels are planes of their own; of pages, one page has them all."""
    if overviews == "subifds" or level.ndim == 2:
        return {"photometric": "minisblack"}
    rgb = level.shape[0] in (3, 4) and level.dtype in (np.uint8, np.uint16)
    return {"photometric": "rgb" if rgb else "minisblack", "planarconfig": "separate"}


def _described(pyramid: Any) -> dict[str, Any]:
    """What tifffile writes as OME-XML."""
    described: dict[str, Any] = {"axes": "".join(axis.name.upper()[:1] for axis in pyramid.axes)}
    for axis in pyramid.axes:
        if axis.kind == "space" and axis.unit in _SYMBOLS:
            described[f"PhysicalSize{axis.name.upper()}"] = axis.scale
            described[f"PhysicalSize{axis.name.upper()}Unit"] = _SYMBOLS[axis.unit]
        elif axis.kind == "time" and axis.unit == "second":
            described |= {"TimeIncrement": axis.scale, "TimeIncrementUnit": "s"}
    return described


def _stored(level: Level, number: int, work: _Work) -> Source:
    """The level in a temporary file."""
    array = np.lib.format.open_memmap(os.path.join(work.folder, f"{number}.npy"), "w+", level.dtype, level.shape)
    unit = tuple(min(extent, 1024 if axis >= level.ndim - 2 else 1) for axis, extent in enumerate(level.shape))

    def compute(box: Box) -> None:
        lo, shape = box
        array[tuple(slice(start, start + extent) for start, extent in zip(lo, shape))] = level.read(lo, shape, work.resources.budget)

    with concurrent.futures.ThreadPoolExecutor(work.resources.threads) as executor:
        for _ in in_order(compute, run.boxes(level.shape, unit), work.resources.threads, executor):
            pass
    return Source(array)


def _tiles(source: Level | Source, level: Level, tile: tuple[int, int], work: _Work) -> Iterator[np.ndarray]:
    """Tiles in the file's order. Those of a band are computed together, in threads, since they read the same rows."""
    threads, budget = work.resources.threads, work.resources.budget
    height, width = level.shape[-2:]
    wide = tile[1]
    while wide < width and level.region_bytes((0,) * level.ndim, (1,) * (level.ndim - 2) + (min(tile[0], height), min(wide * 2, width))) <= budget:
        wide *= 2

    extents = (1,) * (level.ndim - 2) + (tile[0], wide)
    with concurrent.futures.ThreadPoolExecutor(threads) as executor:
        for block in in_order(lambda box: source.read(*box, budget), run.boxes(level.shape, extents), threads, executor):
            work.counter.add(block.size)
            plane: np.ndarray = block.reshape(block.shape[-2:])
            for start in range(0, plane.shape[1], tile[1]):
                yield _padded(plane[:, start:start + tile[1]], tile)


def _padded(block: np.ndarray, tile: tuple[int, int]) -> np.ndarray:
    if block.shape == tile:
        return np.ascontiguousarray(block)
    whole = np.zeros(tile, block.dtype)
    whole[:block.shape[0], :block.shape[1]] = block
    return whole
