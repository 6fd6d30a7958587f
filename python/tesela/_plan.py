"""Reusable plans: what has to be done, in numbers, for one operator and one shape."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _arrays, _core, _requests, _types, presets


class AxisTable(NamedTuple):
    """Which input elements the outputs of one axis take, and how much of each.

    first: [outputs] leftmost input element. count: [outputs] taps that are used, 0 where the output lies outside and
    takes the extrapolation value. weights: [outputs, taps], None where elements are only moved (nearest, tile).
    """

    first: np.ndarray
    count: np.ndarray  # type: ignore[assignment]  # tuples have a method of this name
    weights: np.ndarray | None


class Plan:
    """A plan is immutable: any number of threads may call it at the same time. It can be pickled and printed.

    `plan(x)` computes the output, an array of x's library. `print(plan)` says what is done, axis by axis.
    """

    __slots__ = ("_core", "_moves_bytes", "_operator", "_output_bytes", "_parameters", "code", "dtype", "input_shape",
                 "output_shape")
    dtype: np.dtype
    input_shape: tuple[int, ...]
    output_shape: tuple[int, ...]

    def __init__(self, operator: str, shape: Sequence[int], dtype: Any = "float32", **parameters: Any):
        if parameters.get("like") is not None:
            parameters = presets.expand(operator, tuple(shape), _types.read_dtype(dtype), parameters)
        parameters.pop("like", None)
        if operator == "constant_of_shape":
            request = _requests.constant_of_shape(shape=shape, **parameters)
            shape = tuple(np.atleast_1d(_requests.whole_numbers(shape, "shape")).tolist())
            dtype = np.dtype(np.float32) if parameters.get("value") is None else np.asarray(parameters["value"]).dtype
        elif operator in _requests.BY_NAME:
            dtype = _types.read_dtype(dtype)
            shape = tuple(int(extent) for extent in shape)
            request = _requests.BY_NAME[operator](_types.code_of(dtype), shape, **parameters)
        else:
            names = ", ".join([*_requests.BY_NAME, "constant_of_shape"])
            raise _core.UnsupportedError(f"operator '{operator}' is unknown; expected one of {names}")
        self._operator = operator
        self._parameters = parameters
        self._core = _core.Plan(request.type, request.opset, "", request.attributes, request.inputs)
        self.code = self._core.dtype
        self.dtype = dtype
        self.input_shape = shape if operator == "constant_of_shape" else self._core.input_shape
        self.output_shape = self._core.output_shape
        self._output_bytes = math.prod(self.output_shape) * dtype.itemsize
        # Most types: the array's own memory is what the library reads and writes.
        self._moves_bytes = self.code != _types.STRING and dtype.isnative and not _types.packed_bits(self.code)

    def __call__(self, x: Any = None, *, out: Any = None, num_threads: int | None = None) -> Any:
        """Computes the output of x, which has the plan's shape and dtype (nothing for constant_of_shape)."""
        if self._operator == "constant_of_shape":
            return self.fill(out, num_threads or 0)
        return _arrays.in_library_of(x, self.run(self._read(x, self.input_shape), out, num_threads or 0))

    def run(self, x: np.ndarray, out: Any, threads: int) -> np.ndarray:
        """Computes into out, or a new array; x is of the plan's shape and dtype."""
        if out is not None:
            y = _arrays.as_output(out, self.output_shape, self.dtype)
            _arrays.refuse_overlap(x, y)
            if not self._moves_bytes:
                np.copyto(y, self.run(x, None, threads))
                return out
            self._core.run(x, y, threads)
            return out
        if self._moves_bytes:
            y = _arrays.empty(self.output_shape, self.dtype)
            self._core.run(x, y, threads)
            return y
        zeros = (0,) * len(self.input_shape)
        return self._run_box(x, zeros, (0,) * len(self.output_shape), self.output_shape, threads)

    def fill(self, out: Any, threads: int) -> Any:
        """The output of constant_of_shape."""
        if out is not None:
            y = _arrays.as_output(out, self.output_shape, self.dtype)
            if self._moves_bytes:
                self._core.run(None, y, threads)
            else:
                np.copyto(y, self.fill(None, threads))
            return out
        if not _types.packed_bits(self.code):
            y = _arrays.empty(self.output_shape, self.dtype.newbyteorder("="))
            self._core.run(None, y, threads)
            return y if self.dtype.isnative else y.astype(self.dtype)
        count = int(np.prod(self.output_shape, dtype=np.int64))
        raw = np.empty(-(-count * _types.packed_bits(self.code) // 8), np.uint8)
        self._core.run(None, raw, threads)
        return _types.unpack(raw, self.code, self.output_shape)

    def input_region(self, lo: Sequence[int], shape: Sequence[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """(lo, shape) of the box of the input that suffices for the box of the output [lo, lo + shape)."""
        return self._core.input_region(lo, shape)

    def run_region(self, x: Any, x_lo: Sequence[int], lo: Sequence[int], shape: Sequence[int], *,
                   num_threads: int | None = None) -> Any:
        """The box [lo, lo + shape) of the output from x, the box of the input that begins at x_lo and contains what
        input_region names. It has the bits that it has in the whole output."""
        result = self._run_box(self._read(x, None), x_lo, lo, tuple(shape), num_threads or 0)
        return _arrays.in_library_of(x, result)

    def axis(self, axis: int, lo: int = 0, count: int | None = None) -> AxisTable:
        """The table of one axis of the output, or of a range of it."""
        rank = len(self.output_shape)
        if not -rank <= axis < rank:
            raise _core.InvalidValueError(f"axis {axis} is not one of the {rank} axes of the output")
        axis %= rank
        extent = self.output_shape[axis] - lo if count is None else count
        return AxisTable(*self._core.axis_table(axis, lo, extent))

    @property
    def axes(self) -> tuple[AxisTable, ...]:
        """The tables of all axes."""
        return tuple(self.axis(axis) for axis in range(len(self.output_shape)))

    @property
    def since_version(self) -> int:
        """The version of the operator that was taken."""
        return self._core.since_version

    @property
    def parameters(self) -> dict[str, Any]:
        """What the plan was made from, a preset spelled out."""
        return dict(self._parameters)

    def describe(self) -> dict[str, Any]:
        """What print(plan) says, for programs."""
        import json

        return json.loads(self._core.describe(True))

    def __str__(self) -> str:
        return self._core.describe(False).rstrip("\n")

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self._parameters.items() if value is not None)
        return f"tesela.plan({self._operator!r}, {self.input_shape}, {str(self.dtype)!r}{given})"

    def __reduce__(self):
        return _rebuild, (self._operator, self.input_shape, self.dtype, self._parameters)

    def _read(self, x: Any, shape: tuple[int, ...] | None) -> np.ndarray:
        array = _arrays.as_array(x)
        if shape is not None and array.shape != shape:
            raise _core.ShapeError(f"the input has the shape {array.shape}; the plan was made for {shape}")
        same = array.dtype == self.dtype or (_types.code_of(array.dtype) == self.code == _types.STRING)
        if not same:
            raise _core.ElementTypeError(f"the input holds {array.dtype}; the plan was made for {self.dtype}")
        return array

    def _run_box(self, x, x_lo, lo, shape, threads) -> np.ndarray:
        if self.code == _types.STRING:
            indices = np.empty(shape, np.int64)
            self._core.run_indices(x.shape, x_lo, indices, lo, threads)
            return x.reshape(-1)[indices.reshape(-1)].reshape(shape)
        if not x.dtype.isnative:
            y = _arrays.empty(shape, x.dtype.newbyteorder("="))
            self._core.run_region(_arrays.native(x), x_lo, y, lo, threads)
            return y.astype(x.dtype)
        y = _arrays.empty(shape, x.dtype)
        self._core.run_region(x, x_lo, y, lo, threads)
        return y


def _rebuild(operator: str, shape, dtype, parameters) -> Plan:
    return Plan(operator, shape, dtype, **parameters)


def plan(operator: str, x: Any, dtype: Any = None, **parameters: Any) -> Plan:
    """A plan of "resize", "tile", "upsample" or "constant_of_shape" for inputs like x.

    x: an array, whose shape and dtype are taken, or a shape, with its dtype (float32 unless given). For
    constant_of_shape: the shape. The parameters are those of the function of that name.

    >>> tesela.plan("resize", (1, 3, 480, 640), scales=(1, 1, 0.5, 0.5), mode="linear").output_shape
    (1, 3, 240, 320)
    """
    if operator != "constant_of_shape" and hasattr(x, "shape"):
        if _arrays.is_foreign(x):
            x = _arrays.as_array(x)
        return Plan(operator, x.shape, dtype or x.dtype, **parameters)
    return Plan(operator, x, dtype or "float32", **parameters)
