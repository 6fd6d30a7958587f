# SPDX-License-Identifier: Apache-2.0
"""The accessor `.tesela` of xarray's DataArray and Dataset. `import tesela.xarray` registers it. `import tesela` registers it, too,
if xarray was imported first.

    import tesela.xarray
    small = dataset.tesela.resize({"y": 256, "x": 256}, mode="linear", antialias=True)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import xarray

from . import _core, _operators, _parameters

__all__ = ["ArrayAccessor", "DatasetAccessor"]


class ArrayAccessor:
    """`array.tesela`: the operators, with dims by name."""

    def __init__(self, x: xarray.DataArray):
        self._x = x

    def resize(self, sizes: Any = None, *, scales: Any = None, axes: Any = None, **parameters: Any) -> xarray.DataArray:
        """As tesela.resize. sizes or scales may be a mapping from dims: {"y": 256}."""
        given = _entries("resize", sizes, scales)
        if given is not None:
            _refuse_axes(axes)
            axes, entries = list(given), list(given.values())
            sizes, scales = (entries, None) if sizes is not None else (None, entries)
        return _operators.resize(self._x, sizes, scales=scales, axes=axes, **parameters)

    def tile(self, repeats: Any, **parameters: Any) -> xarray.DataArray:
        """As tesela.tile. repeats may be a mapping from dims; the others are not repeated."""
        if isinstance(repeats, Mapping):
            _refuse_dims("tile", repeats, self._x.dims)
            repeats = [repeats.get(dim, 1) for dim in self._x.dims]
        return _operators.tile(self._x, repeats, **parameters)


class DatasetAccessor:
    """`dataset.tesela`: the operators on every variable that has one of the dims; the others are kept."""

    def __init__(self, x: xarray.Dataset):
        self._x = x

    def resize(self, sizes: Any = None, *, scales: Any = None, axes: Any = None, roi: Any = None, **parameters: Any) -> xarray.Dataset:
        """As tesela.resize. sizes or scales: a mapping from dims, or one entry for each dim that `axes` names."""
        given = _entries("resize", sizes, scales)
        if given is None:
            given = _named("sizes" if scales is None else "scales", sizes if scales is None else scales, axes)
        else:
            _refuse_axes(axes)
        _refuse_dims("resize", given, self._x.dims)
        if parameters.get("keep_aspect_ratio_policy") not in (None, "stretch") and not self._all_have(given):
            raise _core.UnsupportedError("resize: keep_aspect_ratio_policy would give variables without all of the dims other "
                                         "extents; resize those with all of them, or leave it out")
        which = "sizes" if scales is None else "scales"

        def resized(x: xarray.DataArray, dims: list[Any]) -> xarray.DataArray:
            call = parameters | {which: [given[dim] for dim in dims], "axes": dims, "roi": _roi_of(roi, list(given), dims)}
            return _operators.resize(x, **call)

        return self._map(given, resized)

    def tile(self, repeats: Any, **parameters: Any) -> xarray.Dataset:
        """As tesela.tile. repeats: a mapping from dims."""
        if not isinstance(repeats, Mapping):
            _parameters.refuse("tile", "repeats", repeats, "a mapping from dims of the Dataset, such as {'x': 2}")
        _refuse_dims("tile", repeats, self._x.dims)
        return self._map(repeats, lambda x, dims: ArrayAccessor(x).tile({dim: repeats[dim] for dim in dims}, **parameters))

    def _all_have(self, given: Mapping[Any, Any]) -> bool:
        return all(set(given) <= set(x.dims) or set(given).isdisjoint(x.dims) for x in self._x.data_vars.values())

    def _map(self, given: Mapping[Any, Any], operator: Callable[[xarray.DataArray, list[Any]], xarray.DataArray]) -> xarray.Dataset:
        """The variables with one of the dims through the operator; coordinates follow them. A dim that only coordinates have is
        changed through a variable of ones."""
        variables = {}
        for name, x in self._x.data_vars.items():
            dims = [dim for dim in given if dim in x.dims]
            variables[name] = x if not dims else _named_errors(name, lambda: operator(x, dims))  # noqa: B023
        changed = [name for name, coord in self._x.coords.items() if not set(given).isdisjoint(coord.dims)]
        kept = self._x.coords.to_dataset().drop_vars(changed).coords
        result = xarray.Dataset(variables, attrs=self._x.attrs)
        lone = [dim for dim in given if dim not in result.dims]
        for dim in lone:
            coords = {name: coord for name, coord in self._x.coords.items() if coord.dims == (dim,)}
            ones = xarray.DataArray(np.ones(self._x.sizes[dim], np.float32), dims=dim, coords=coords)
            result = result.assign_coords(operator(ones, [dim]).coords)
        return result.assign_coords(kept)


def _named_errors(name: Any, call: Callable[[], xarray.DataArray]) -> xarray.DataArray:
    """The call's result. Its errors name the variable."""
    try:
        return call()
    except _core.Error as error:
        raise type(error)(f"variable {_parameters.shown(name)}: {error}"[:300]) from None


def _entries(where: str, sizes: Any, scales: Any) -> dict[Any, Any] | None:
    """The mapping from dims among sizes and scales, or None."""
    if sizes is not None and scales is not None and (isinstance(sizes, Mapping) or isinstance(scales, Mapping)):
        raise _core.ArgumentError(f"{where}: sizes and scales are both given; expected one of them")
    given = scales if sizes is None else sizes
    return dict(given) if isinstance(given, Mapping) else None


def _named(what: str, entries: Any, axes: Any) -> dict[Any, Any]:
    """A mapping from dims of entries and the names in axes."""
    names = [axes] if isinstance(axes, str) else axes
    expected = "a mapping from dims of the Dataset, such as {'x': 256}, or an entry for each dim that axes names"
    if not isinstance(names, (list, tuple)) or np.ndim(entries) != 1 or len(names) != len(entries):
        _parameters.refuse("resize", what, entries, expected)
    return dict(zip(names, entries))


def _refuse_axes(axes: Any) -> None:
    if axes is not None:
        _parameters.refuse("resize", "axes", axes, "None, because sizes or scales name the dims")


def _refuse_dims(where: str, given: Mapping[Any, Any], dims: Any) -> None:
    for dim in given:
        if dim not in dims:
            known = ", ".join(map(str, dims))
            _parameters.refuse(where, "a dim", dim, f"one of the dims {known}"[:200], _core.InvalidValueError)


def _roi_of(roi: Any, all_dims: list[Any], dims: list[Any]) -> Any:
    """The starts and ends of some dims, of a region of interest over all of them."""
    if roi is None or len(dims) == len(all_dims):
        return roi
    where = [all_dims.index(dim) for dim in dims]
    return [roi[i] for i in where] + [roi[i + len(all_dims)] for i in where]


if not hasattr(xarray.DataArray, "tesela"):  # a second copy of the package, after a reload say, changes nothing
    xarray.register_dataarray_accessor("tesela")(ArrayAccessor)
    xarray.register_dataset_accessor("tesela")(DatasetAccessor)
