# SPDX-License-Identifier: Apache-2.0
"""The operators as functions of arrays."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, NamedTuple, NoReturn, SupportsIndex, Unpack, overload

import numpy as np
from numpy.typing import NDArray

from . import _core, _libraries, _parameters
from ._core import PlanCache
from ._plan import Plan
from ._typing import Array, Dialect, Integers, Lists, PresetCall, ResizeCall, Running, Scalar

plan_cache = PlanCache(256)
# The result of a call like one before, or None; see PlanCache.
_run_known = plan_cache.run


# Marks an array in a key; no caller's value can equal it.
_ARRAY = object()
_DEEPEST = 3  # levels of nested lists


class _Running(NamedTuple):
    """How a call runs: its threads, and the chunks of a lazy result."""

    num_threads: int | None
    chunks: Any


class _NoKey(Exception):
    """The parameter cannot be a key: equal-looking values may differ."""


def _key_of(value: Any, depth: int = 0) -> Any:
    """A hashable key for a parameter, made of built-in types. Values that differ in type or bits have different keys."""
    kind = type(value)
    if value is None or kind in (bool, int, float, str):
        return value
    if kind in (tuple, list) and depth < _DEEPEST:
        return tuple([_key_of(entry, depth + 1) for entry in value])
    if (kind is np.ndarray or isinstance(value, np.generic)) and not value.dtype.hasobject:
        return (_ARRAY, str(value.dtype), value.shape, value.tobytes())
    raise _NoKey


def _plan_for(operator: str, dtype: np.dtype, shape: tuple[int, ...], parameters: dict[str, Any]) -> Plan:
    """A cached plan for this call, or a new one, which is then cached."""
    try:
        key = (dtype, shape, operator, *map(_key_of, parameters.values()))
    except _NoKey:
        return Plan(operator, shape, dtype, **parameters)
    plan = plan_cache.find(*key)
    if plan is None:
        plan = Plan(operator, shape, dtype, **parameters)
        plan_cache.add(plan, *key)
    return plan


def _run_planned(operator: str, x: Any, parameters: dict[str, Any], out: Any, running: _Running) -> Any:
    threads = _parameters.threads(operator, running.num_threads)
    return _libraries.compute(x, _libraries.Call(operator, parameters, out, threads, _plan_for, running.chunks))


def _refuse(function: str, unknown: dict[str, Any]) -> NoReturn:
    """Raises ArgumentError for the first unknown parameter and suggests the closest name."""
    known = [p.name for p in inspect.signature(globals()[function]).parameters.values() if p.kind is not p.VAR_KEYWORD]
    _parameters.refuse_unknown(function, unknown, known)
    raise AssertionError(unknown)


@overload
def resize(x: NDArray[Scalar], sizes: Integers | SupportsIndex | None = None, **parameters: Unpack[ResizeCall]) -> NDArray[Scalar]: ...
@overload
def resize(x: NDArray[Any], sizes: Integers | SupportsIndex | None = None, **parameters: Unpack[PresetCall]) -> NDArray[Any]: ...
@overload
def resize(x: Lists, sizes: Integers | SupportsIndex | None = None, **parameters: Unpack[ResizeCall]) -> NDArray[Any]: ...
@overload
def resize(x: Lists, sizes: Integers | SupportsIndex | None = None, **parameters: Unpack[PresetCall]) -> NDArray[Any]: ...
@overload
def resize(x: Array, sizes: Integers | SupportsIndex | None = None, **parameters: Unpack[ResizeCall]) -> Array: ...
@overload
def resize(x: Array, sizes: Integers | SupportsIndex | None = None, **parameters: Unpack[PresetCall]) -> Array: ...
def resize(  # type: ignore[misc]  # mypy does not match the names with the overloads
    x: Any,
    sizes: Any = None,
    *,
    scales: Any = None,
    axes: Any = None,
    roi: Any = None,
    mode: str | None = None,
    coordinate_transformation_mode: str | None = None,
    nearest_mode: str | None = None,
    cubic_coeff_a: float | None = None,
    antialias: bool | int | None = None,
    exclude_outside: bool | int | None = None,
    extrapolation_value: float | None = None,
    keep_aspect_ratio_policy: str | None = None,
    extents: str | None = None,
    opset: int | None = None,
    like: str | None = None,
    out: Any = None,
    num_threads: int | None = None,
    chunks: Any = None,
    **unknown: Any,
) -> Any:
    """Resizes x: [d0, d1, ...] -> [d0', d1', ...], exactly as defined by ONNX's Resize.

    sizes or scales: the new extents, or their factors (as float32), for `axes` or for every axis.
    axes: the axes to resize; negative numbers count from the end.
    mode: "nearest" (the default), "linear" or "cubic". The other parameters are ONNX's attributes; None selects the
    operator's default: half_pixel, round_prefer_floor, -0.75, no antialias, 0, 0.0 and stretch.
    extents: how `scales` give extents. "standard" (the default): extent * scale in double, rounded down; "host": in
    float32, as in ONNX Runtime; "openvino": as in OpenVINO. Only the shape changes: 48 times float32(40 / 48) gives 39 or 40.
    opset: the opset to follow; None is the newest.
    like: the name of a preset, such as "pytorch:bilinear". Sizes, scales (as float64) and the result's dtype then follow
    that library, and sizes may be a single integer if the library accepts one; see tesela.presets.
    out: an array for the result. num_threads: None uses every available core, 1 only the calling thread.
    chunks: for arrays of dask and cubed, the chunks of the result: a length for every axis, or for each axis a length, a
    tuple of lengths, -1 for the whole axis or "auto". None chooses them.

    x is any array-like. The result is an array of the same library with x's dtype. dask and cubed arrays stay lazy; xarray
    labels and masks follow the elements.
    Errors: tesela.Error, each also a ValueError, TypeError, MemoryError or OSError.

    >>> tesela.resize(np.array([10.0, 20.0]), sizes=(4,), mode="linear")
    array([10. , 12.5, 17.5, 20. ])
    """
    if unknown:
        _refuse("resize", unknown)
    if out is None and chunks is None:
        y = _run_known(x, num_threads, "resize", sizes, scales, axes, roi, mode, coordinate_transformation_mode,
                       nearest_mode, cubic_coeff_a, antialias, exclude_outside, extrapolation_value,
                       keep_aspect_ratio_policy, extents, opset, like)
        if y is not None:
            return y
    parameters = dict(
        sizes=sizes, scales=scales, axes=axes, roi=roi, mode=mode,
        coordinate_transformation_mode=coordinate_transformation_mode, nearest_mode=nearest_mode,
        cubic_coeff_a=cubic_coeff_a, antialias=antialias, exclude_outside=exclude_outside,
        extrapolation_value=extrapolation_value, keep_aspect_ratio_policy=keep_aspect_ratio_policy,
        extents=extents, opset=opset, like=like,
    )
    return _run_planned("resize", x, parameters, out, _Running(num_threads, chunks))


@overload
def tile(x: NDArray[Scalar], repeats: Integers, *, opset: SupportsIndex | None = None, dialect: Dialect | None = None,
         **running: Unpack[Running]) -> NDArray[Scalar]: ...
@overload
def tile(x: Lists, repeats: Integers, *, opset: SupportsIndex | None = None, dialect: Dialect | None = None,
         **running: Unpack[Running]) -> NDArray[Any]: ...
@overload
def tile(x: Array, repeats: Integers, *, opset: SupportsIndex | None = None, dialect: Dialect | None = None,
         **running: Unpack[Running]) -> Array: ...
def tile(  # type: ignore[misc]  # mypy does not match the names with the overloads
    x: Any,
    repeats: Any,
    *,
    opset: int | None = None,
    dialect: str | None = None,
    out: Any = None,
    num_threads: int | None = None,
    chunks: Any = None,
    **unknown: Any,
) -> Any:
    """Repeats x: [d0, d1, ...] -> [d0 * repeats[0], d1 * repeats[1], ...], exactly as defined by ONNX's Tile.

    repeats: one entry for each axis of x.
    dialect: with "openvino", the shorter of x's shape and repeats is padded with leading ones, as in OpenVINO's Tile-1,
    a negative repeat counts as 0, and every element type is supported.
    opset, out, num_threads, chunks and x: as in tesela.resize.

    >>> tesela.tile(np.array([[1, 2]]), (2, 2))
    array([[1, 2, 1, 2],
           [1, 2, 1, 2]])
    """
    if unknown:
        _refuse("tile", unknown)
    if out is None and dialect is None and chunks is None:
        y = _run_known(x, num_threads, "tile", repeats, opset)
        if y is not None:
            return y
    if dialect is not None and (not isinstance(dialect, str) or dialect not in ("onnx", "openvino")):
        _parameters.refuse("tile", "dialect", dialect, "'onnx' or 'openvino'", _core.InvalidValueError)
    running = _Running(num_threads, chunks)
    if dialect == "openvino":
        return _tile_openvino(x, repeats, out, running)
    return _run_planned("tile", x, dict(repeats=repeats, opset=opset), out, running)


def _tile_openvino(x: Any, repeats: Any, out: Any, running: _Running) -> Any:
    shape, dtype, parameters = _libraries.describe(x, _libraries.Call("tile", {"repeats": repeats}, None, 0, _plan_for))
    counts = _parameters.whole_numbers("Tile-1", "repeats", parameters["repeats"])
    if counts.ndim != 1:
        raise _core.RankError(f"Tile-1: input 'repeats' has {counts.ndim} axes; expected 1")
    rank = max(len(shape), counts.size)
    counts = [1] * (rank - counts.size) + np.maximum(counts, 0).tolist()
    # ONNX's Tile does not support ml_dtypes' types of 8 bits and below. They are tiled as bytes.
    as_bytes = dtype.itemsize == 1 and dtype.isbuiltin != 1
    if rank == len(shape) and not as_bytes:
        return _run_planned("tile", x, dict(repeats=counts), out, running)
    library = _libraries.find(x)
    longer = library.promoted(x, rank, f"dialect 'openvino' from {len(shape)} to {rank} axes of {dtype}")
    target = out
    if out is not None and as_bytes and isinstance(longer, np.ndarray):
        extents = tuple(extent * count for extent, count in zip(longer.shape, counts))
        target = _libraries.open_output(out, extents, dtype, longer).view(np.uint8)
    result = _run_planned("tile", longer.view(np.uint8) if as_bytes else longer, dict(repeats=counts), target, running)
    if out is not None:
        return out
    return library.give_back(x, result.view(dtype) if as_bytes else result)


@overload
def constant_of_shape(shape: Integers | SupportsIndex, value: None = None, *, opset: SupportsIndex | None = None,
                      **running: Unpack[Running]) -> NDArray[np.float32]: ...
@overload
def constant_of_shape(shape: Integers | SupportsIndex, value: Scalar | NDArray[Scalar], *, opset: SupportsIndex | None = None,
                      **running: Unpack[Running]) -> NDArray[Scalar]: ...
@overload
def constant_of_shape(shape: Integers | SupportsIndex, value: complex | Sequence[complex], *, opset: SupportsIndex | None = None,
                      **running: Unpack[Running]) -> NDArray[Any]: ...
def constant_of_shape(  # type: ignore[misc]  # mypy does not match the names with the overloads
    shape: Any,
    value: Any = None,
    *,
    opset: int | None = None,
    out: Any = None,
    num_threads: int | None = None,
    chunks: Any = None,
    engine: Any = "dask",
    **unknown: Any,
) -> Any:
    """Returns an array of this shape filled with `value`, exactly as defined by ONNX's ConstantOfShape.

    value: a scalar or an array of one element; the result has its dtype. None is a float32 zero.
    chunks: if given, the result is lazy, with these chunks; "auto" chooses them.
    engine: whose array a lazy result is: "dask" (the default), "cubed" or a cubed.Spec.

    >>> tesela.constant_of_shape((2, 3), np.int8(7))
    array([[7, 7, 7],
           [7, 7, 7]], dtype=int8)
    """
    if unknown:
        _refuse("constant_of_shape", unknown)
    threads = _parameters.threads("ConstantOfShape", num_threads)
    plan = Plan("constant_of_shape", shape, value=value, opset=opset)
    if chunks is None:
        return plan.fill(out, threads)
    if out is not None:
        raise _core.UsageError("out is not supported for lazy arrays; leave out 'chunks', or store the result instead")
    from ._lazy import fills

    return fills.make(plan, chunks, engine)
