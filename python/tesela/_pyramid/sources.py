# SPDX-License-Identifier: Apache-2.0
"""Inputs of pyramids: arrays of any library, of which boxes are read."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _core, _libraries
from .._streaming.labels import Axis, named, unit_name


class Source:
    """An array of which boxes are read. array: anything with shape, dtype and slices. axes: what is known of them, in the array's
    order, or None. chunks: the boxes that are stored together, or None. path: the file, for messages. is_rgb: the channels are red,
    green and blue."""

    def __init__(self, array: Any, axes: Sequence[Axis] | None = None, chunks: Sequence[int] | None = None, path: str = ""):
        self.array = array
        self.axes = None if axes is None else tuple(axes)
        self.path = path
        self.is_rgb = False
        self.shape = tuple(map(int, array.shape))
        self.dtype = np.dtype(array.dtype).newbyteorder("=")
        self.chunks = None if chunks is None else tuple(map(int, chunks))
        self.permutation = tuple(range(len(self.shape)))
        if self.dtype.kind not in "biufc" and self.dtype.name != "bfloat16":
            raise _core.ElementTypeError(f"pyramid: x has the dtype {self.dtype}; expected numbers")
        if not math.prod(self.shape):
            raise _core.ShapeError(f"pyramid: x has the shape {self.shape}; expected at least one element")

    def ordered(self, permutation: tuple[int, ...]) -> Source:
        """The same with its axes in another order."""
        made = Source(self.array, self.axes, self.chunks, self.path)
        made.is_rgb = self.is_rgb
        made.permutation = permutation
        made.shape = tuple(self.shape[axis] for axis in permutation)
        made.chunks = None if self.chunks is None else tuple(self.chunks[axis] for axis in permutation)
        return made

    def read(self, lo: Sequence[int], shape: Sequence[int], budget: int | None = None) -> np.ndarray:
        """A box, which is read at once whatever the budget is. Errors: IoError if a file cannot be read or its data are damaged."""
        slices: list[slice] = [slice(None)] * len(self.shape)
        for axis, start, extent in zip(self.permutation, lo, shape):
            slices[axis] = slice(start, start + extent)
        try:
            box = np.asarray(self.array[tuple(slices)])
        except (_core.Error, MemoryError):
            raise
        except Exception as error:  # of a codec, of which every package has its own
            if not self.path:
                raise
            raise _core.IoError(f"cannot read '{self.path}': {type(error).__name__}: {error}") from None
        box = box.transpose(self.permutation)
        if box.shape != tuple(shape):
            raise _core.IoError(f"cannot read '{self.path}': a box has the shape {box.shape}; expected {tuple(shape)}")
        return box.astype(self.dtype, copy=False)


def of_array(x: Any) -> Source:
    """An array of any library; dask's, xarray's and Zarr's stay lazy."""
    package = type(x).__module__.partition(".")[0]
    if package == "xarray":
        return _labelled(x)
    if package == "dask":
        if any(math.isnan(extent) for extent in x.shape):
            raise _core.ShapeError("pyramid: a dask array has chunks of unknown extent; call compute_chunk_sizes() first")
        return Source(x, chunks=x.chunksize)
    if package in ("zarr", "tensorstore") or isinstance(x, np.memmap):
        return Source(x, chunks=getattr(x, "chunks", None) if package == "zarr" else None)
    return Source(_libraries.read(x))


def _labelled(x: Any) -> Source:
    """A DataArray: dims name axes, evenly spaced coordinates give scale and translation, their attribute units the unit."""
    if not hasattr(x, "coords"):
        raise _core.ArgumentError(f"pyramid: x is a {type(x).__name__}; expected an xarray.DataArray")
    axes = [_labelled_axis(x, str(dim), dim) for dim in x.dims]
    if type(x.data).__module__.partition(".")[0] == "dask":
        return Source(x.data, axes, x.data.chunksize)
    return Source(x.variable if not isinstance(x.data, np.ndarray) else x.data, axes)


def _labelled_axis(x: Any, name: str, dim: Any) -> Axis:
    axis = named(name)
    if dim not in x.coords:
        return axis
    coordinate = x.coords[dim]
    unit = unit_name(str(coordinate.attrs["units"])) if "units" in coordinate.attrs else None
    values = coordinate.values
    if values.dtype.kind not in "iuf" or values.ndim != 1 or axis.kind == "channel":
        return Axis(name, axis.kind, unit)
    step = float(values[-1] - values[0]) / (values.size - 1) if values.size > 1 else 1.0
    if not math.isfinite(step) or step <= 0 or np.abs(np.diff(values.astype(float)) - step).max(initial=0) > 1e-3 * step:
        raise _core.InvalidValueError(f"pyramid: the coordinate '{name}' of x is not evenly spaced and ascending, so no scale describes it; "
                                      f"drop it, or sort or interpolate x")
    return Axis(name, axis.kind, unit, step, float(values[0]))
