# SPDX-License-Identifier: Apache-2.0
"""The pyramid of an array: its levels, and how they are stored."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .. import _core, _parameters
from .._plan import Plan
from .._streaming import formats, memory as memories
from .._streaming.formats import package
from .._streaming.sources import Reading
from . import axes as _axes, files, sources
from .factors import level_shapes
from .levels import Level
from .sources import Source

_MODES = ("linear", "cubic", "nearest")
_FROM = ("above", "base")


@dataclass(frozen=True)
class Method:
    """mode: of Resize. labels: whether elements are names, not quantities. levels_from: what each level is computed from."""

    mode: str
    labels: bool
    levels_from: str

    @property
    def parameters(self) -> dict[str, Any]:
        """Parameters of tesela.resize."""
        return {"mode": self.mode} if self.mode == "nearest" else {"mode": self.mode, "antialias": True}


class Pyramid(Sequence):
    """The levels of an array, the base first: pyramid[k] is a level. axes: of the base, in the order of OME-Zarr."""

    def __init__(self, source: Source, method: Method, levels: tuple[Level, ...]):
        self.source = source
        self.method = method
        self.levels = levels
        self.axes = levels[0].axes

    def __getitem__(self, index: Any) -> Any:
        return self.levels[index]

    def __len__(self) -> int:
        return len(self.levels)

    def __repr__(self) -> str:
        return f"<pyramid of {len(self)} levels, axes {', '.join(axis.name for axis in self.axes)}: {list(self.levels)}>"

    def write(self, path: str | os.PathLike[str], *, overwrite: bool = False, memory: int | str | None = None, num_threads: int | None = None,
              progress: Callable[[float], None] | None = None, **layout: Any) -> dict[str, Any]:
        """Writes OME-Zarr, or TIFF if the path ends in .tif or .tiff, and returns what was written.

        overwrite: replaces what is there. memory: about the most bytes to hold in memory, by default a quarter of the machine's.
        For OME-Zarr: version ("0.5", "0.4" or "0.6"), chunks, shards (not 0.4), compression ("zstd" or "none"), name.
        For TIFF: tile (its side), compression ("zlib" or "none"), overviews ("subifds" for OME-TIFF, or "pages").
        The output appears only when it is complete. Errors: tesela.Error.
        """
        from . import run, store, tiff

        resources = run.for_source(run.resources(memory, num_threads, progress), self.source)
        format = formats.OF_ENDING.get(formats.ending_of(os.fspath(path)))
        writer = tiff if format is not None and format.module == "tiff" else store
        _parameters.refuse_unknown("pyramid", layout, writer.LAYOUT)
        return writer.write(self, os.fspath(path), overwrite, resources, layout)

    def dask(self, chunks: Any = None) -> list[Any]:
        """The levels as lazy dask arrays, the base first. chunks: as in dask.array.from_array, for inputs that are not dask arrays."""
        da = package("dask.array", "dask", "pyramid")
        array = self.source.array
        if type(array).__module__.partition(".")[0] != "dask":
            return [da.from_array(level, chunks=level.chunks or "auto" if chunks is None else chunks) for level in self.levels]
        from .._operators import resize

        made = [da.transpose(array, self.source.permutation)]
        for level in self.levels[1:]:
            above = made[-1] if self.method.levels_from == "above" else made[0]
            made.append(resize(above, sizes=level.shape, **self.method.parameters))
        return made


def pyramid(x: Any, *, factors: Any = 2, levels: int | None = None, axes: Any = None, units: Any = None, scale: Any = None,
            translation: Any = None, labels: bool = False, mode: str | None = None, levels_from: str | None = None) -> Pyramid:
    """The levels of an image or volume of 2 to 5 axes, each at a lower resolution, computed when they are read or written.

    x: an array of any library, or the path of a .npy, PNG, JPEG, Zarr or TIFF file. Arrays of dask, xarray and Zarr stay lazy.
    factors: one number says how much smaller each level is than the one above, along the axes of space; a dictionary has one
    number for each axis. A list has an entry for each level below the base: how much smaller than the base that level is. Numbers
    need not be whole.
    levels: with one factor, the number of levels, including the base; by default until no axis of space is longer than 256.
    axes, units, scale, translation: those of the base; by default those of the input, or yx, zyx, czyx, tczyx and 1 and 0.
    labels: elements are names, not quantities: mode nearest, and each level is computed from the base. mode: "linear" (the default),
    "cubic" or "nearest"; linear and cubic use antialias. levels_from: "above" or "base".

    >>> p = tesela.pyramid(np.zeros((1000, 1500), np.uint8), scale=0.5, units="micrometer")
    >>> [level.shape for level in p], p[1].scale, p[1].translation
    ([(1000, 1500), (500, 750), (250, 375), (125, 188)], (1.0, 1.0), (0.25, 0.25))
    """
    method = _method(labels, mode, levels_from)
    source = x if isinstance(x, Source) else opened(x) if isinstance(x, (str, os.PathLike)) else sources.of_array(x)
    if labels and source.dtype.kind not in "iu":
        raise _core.ElementTypeError(f"pyramid: labels have the dtype {source.dtype}; expected integers")
    settled = _axes.settle(source.shape, source.axes, {"axes": axes, "units": units, "scale": scale, "translation": translation})
    # Per-axis values are in the order of the input, until here.
    permutation = _axes.order(settled)
    shapes = [tuple(shape[axis] for axis in permutation) for shape in level_shapes(source.shape, settled, factors, levels)]
    source = source.ordered(permutation)
    return Pyramid(source, method, _levels(source, shapes, tuple(settled[axis] for axis in permutation), method))


def opened(path: str | os.PathLike[str], folder: str | None = None, memory: Any = None,
           progress: Callable[[float], None] | None = None) -> Source:
    """A file. folder: where the elements of an image are, in a file without a name; None for the system's folder of temporary files.
    progress: called with the share of an image that is decoded."""
    # Regions are read by several threads, each of which decodes its own chunks.
    return files.open_file(path, Reading(None, folder, memories.read(memory, "pyramid"), 0, progress, "pyramid"))


def _levels(source: Source, shapes: list[tuple[int, ...]], axes: tuple[_axes.Axis, ...], method: Method) -> tuple[Level, ...]:
    made = [Level(source, None, axes, (1.0,) * len(axes))]
    for shape in shapes[1:]:
        above: Level = made[-1] if method.levels_from == "above" else made[0]
        plan = Plan("resize", above.shape, source.dtype, sizes=shape, **method.parameters)
        factors = tuple(whole / extent for whole, extent in zip(shapes[0], shape))
        made.append(Level(above, plan, tuple(map(_smaller, axes, shapes[0], shape)), factors))
    return tuple(made)


def _smaller(axis: _axes.Axis, whole: int, extent: int) -> _axes.Axis:
    """The axis of a level. The outer edges of its elements are those of the base, whose centres are half an element inside."""
    if whole == extent:
        return axis
    shift = (whole - extent) / (2 * extent)
    return replace(axis, scale=axis.scale * whole / extent, translation=math.fsum((axis.translation, shift * axis.scale)))


def _method(labels: bool, mode: str | None, levels_from: str | None) -> Method:
    labels = bool(_parameters.flag("pyramid", "labels", labels))
    if labels and mode not in (None, "nearest"):
        _parameters.refuse("pyramid", "mode", mode, "'nearest' for labels", _core.InvalidValueError)
    chosen = mode if mode is not None else "nearest" if labels else "linear"
    if chosen not in _MODES:
        _parameters.refuse("pyramid", "mode", mode, f"one of {', '.join(_MODES)}", _core.InvalidValueError)
    # Nearest elements of nearest ones would lie ever farther from the centres.
    origin = levels_from if levels_from is not None else "base" if chosen == "nearest" else "above"
    if origin not in _FROM:
        _parameters.refuse("pyramid", "levels_from", levels_from, f"one of {', '.join(_FROM)}", _core.InvalidValueError)
    return Method(chosen, labels, origin)
