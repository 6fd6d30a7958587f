# SPDX-License-Identifier: Apache-2.0
"""xarray: dims, attrs and name are kept; coordinates follow the elements."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray

from .. import _core
from .base import Call, Wrapper, refuse


class Labelled(Wrapper):
    def read(self, x: Any) -> np.ndarray:
        from . import read

        return read(_checked(x).data)

    def inside(self, x: Any, call: Call) -> tuple[Any, dict[str, Any]]:
        axes = call.parameters.get("axes")
        names = [axes] if isinstance(axes, str) else axes
        if isinstance(names, (list, tuple)) and any(isinstance(name, str) for name in names):
            return _checked(x).data, call.parameters | {"axes": [_axis(x, name) for name in names]}
        return _checked(x).data, call.parameters

    def compute(self, x: Any, call: Call) -> tuple[Any, Any]:
        if isinstance(call.chunks, Mapping):  # dims that it does not name have chosen chunks
            given = {_axis(_checked(x), dim): entry for dim, entry in call.chunks.items()}
            call = call._replace(chunks=tuple(given.get(axis, "auto") for axis in range(x.ndim)))
        return super().compute(x, call)

    def wrap(self, x: Any, result: Any, plan: Any, call: Call) -> Any:
        if result.ndim != x.ndim:
            return result  # the new axes have no names
        if isinstance(x, xarray.Variable):
            return xarray.Variable(x.dims, result, x.attrs)
        sources = {dim: plan.centres(axis) for axis, dim in enumerate(x.dims) if plan._changes(axis)}
        changed = {name: coord.variable for name, coord in x.coords.items() if not sources.keys().isdisjoint(coord.dims)}
        plain = xarray.indexes.PandasIndex
        moved = {name: _resampled(variable, sources, type(x.xindexes.get(name, None)) in (plain, type(None)))
                 for name, variable in changed.items()}
        kept = x.coords.to_dataset().drop_vars(list(changed)).coords
        labelled = type(x)(result, dims=x.dims, coords=kept, name=x.name, attrs=x.attrs)
        return labelled.assign_coords({name: variable for name, variable in moved.items() if variable is not None})

    def open(self, out: Any) -> np.ndarray:
        raise _core.UsageError(f"out is a {type(out).__name__} of xarray, whose labels would not be written; pass out.data")


def _checked(x: Any) -> Any:
    if isinstance(x, xarray.Dataset):
        refuse(x, "has several arrays", "pass one of them, or call x.tesela.resize(...) of tesela.xarray or x.map(tesela.resize, ...)")
    if not isinstance(x, (xarray.DataArray, xarray.Variable)):
        refuse(x, "is not an array", "pass an xarray.DataArray")
    return x


def _axis(x: Any, name: Any) -> Any:
    if not isinstance(name, str):
        return name
    if name not in x.dims:
        raise _core.InvalidValueError(f"axes or chunks has the entry '{name}'; expected one of the dims {', '.join(map(str, x.dims))}")
    return x.dims.index(name)


def _resampled(variable: Any, sources: dict[Any, np.ndarray], is_plain: bool) -> Any:
    """A coordinate at the positions of the outputs, or None. sources: by dim, the position of each output in input elements.
    is_plain: the coordinate is not a level of a MultiIndex."""
    indices = {dim: centres.astype(np.int64) for dim, centres in sources.items()
               if dim in variable.dims and _are_elements(centres, variable.sizes[dim])}
    if len(indices) == sum(dim in sources for dim in variable.dims):
        return variable.isel(indices).to_base_variable()  # elements of any dtype
    if not is_plain or variable.ndim != 1 or variable.dtype.kind not in "iufmM" or variable.size < 2:
        return None
    (dim,) = variable.dims
    return xarray.Variable(dim, _between(np.asarray(variable.values), sources[dim]), variable.attrs)


def _are_elements(centres: np.ndarray, extent: int) -> bool:
    return bool(np.all((centres >= 0) & (centres < extent) & (centres == np.floor(centres))))


def _between(values: np.ndarray, centres: np.ndarray) -> np.ndarray:
    """Values at these positions, by linear interpolation, or extrapolation from the last two values at each end."""
    below = np.clip(np.floor(centres), 0, values.size - 2).astype(np.int64)
    fraction = centres - below
    if values.dtype.kind in "mM":
        steps = values[below + 1] - values[below]
        counts = np.where(np.isnat(steps), 0, steps.astype(np.int64))
        return values[below] + np.where(np.isnat(steps), steps, np.rint(counts * fraction).astype(np.int64).astype(steps.dtype))
    numbers = values.astype(np.float64)
    result = numbers[below] + (numbers[below + 1] - numbers[below]) * fraction
    return result.astype(values.dtype) if values.dtype.kind == "f" else result


LIBRARY = Labelled()
