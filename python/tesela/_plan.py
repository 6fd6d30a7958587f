# SPDX-License-Identifier: Apache-2.0
"""Reusable plans for one operator, shape and dtype."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal, NamedTuple, Unpack, overload

import numpy as np

from . import _arrays, _conversions, _core, _explain, _libraries, _parameters, _passes, _preset_calls, _requests, _types
from ._typing import FillParameters, ResizeParameters, TileParameters, UpsampleParameters


class AxisTable(NamedTuple):
    """The input elements that each output of an axis uses, and their weights.

    first: [outputs] the leftmost input element. count: [outputs] number of taps, 0 if the output is outside the region and
    gets the extrapolation value. weights: [outputs, taps], None if elements are only copied (nearest, tile).
    """

    first: np.ndarray
    count: np.ndarray  # type: ignore[assignment]  # tuple has a method of this name
    weights: np.ndarray | None


class Plan:
    """A plan is immutable: any number of threads may call it at the same time. It can be pickled and printed.

    `plan(x)` computes the output, an array of x's library. `print(plan)` describes the computation, axis by axis.
    """

    __slots__ = ("_conversion", "_core", "_moves_bytes", "_operator", "_output_bytes", "_parameters", "_preset", "code", "dtype",
                 "input_shape", "output_dtype", "output_shape")
    dtype: np.dtype
    input_shape: tuple[int, ...]
    output_dtype: np.dtype
    output_shape: tuple[int, ...]

    def __init__(self, operator: str, shape: Sequence[int], dtype: Any = "float32", **parameters: Any):
        if not isinstance(operator, str) or operator not in _requests.BY_NAME:
            near = _parameters.suggestion(operator, _requests.BY_NAME) if isinstance(operator, str) else ""
            names = ", ".join(_requests.BY_NAME)
            raise _core.UnsupportedError(f"operator {_parameters.shown(operator)} is unknown; expected one of {names}{near}")
        fills = operator == "constant_of_shape"
        conversion: _conversions.Conversion | None = None
        self._preset = ""
        _requests.check_names(operator, {"shape": shape} | parameters if fills else parameters)
        if fills:
            request = _requests.constant_of_shape(shape=shape, **parameters)
            shape = tuple(request.inputs["input"][1].tolist())
            value = parameters.get("value")
            dtype = np.dtype(np.float32) if value is None else _requests.value_array(value).dtype
        else:
            shape = _read_shape(operator, shape)
            dtype = _types.read_dtype(dtype)
            if parameters.get("like") is not None:
                parameters["like"] = _parameters.text(operator, "like", parameters["like"])
                self._preset = parameters["like"]
                parameters = _preset_calls.expand(shape, dtype, parameters)
            parameters.pop("like", None)
            conversion = _conversions.read(shape, dtype, parameters)
            computed = dtype if conversion is None else conversion.dtype
            request = _requests.BY_NAME[operator](_types.code_of(computed), shape, **parameters)
        self._operator = operator
        self._conversion = conversion
        self._parameters = parameters
        self._core = _make_core(request, shape, parameters)
        self.code = self._core.dtype
        self.dtype = dtype
        self.output_dtype = dtype if conversion is None else conversion.dtype
        self.input_shape = shape if fills else self._core.input_shape
        self.output_shape = self._core.output_shape
        self._output_bytes = math.prod(self.output_shape) * self.output_dtype.itemsize
        # For most types the library reads and writes the array's memory directly.
        self._moves_bytes = (conversion is None and self.code != _types.STRING and dtype.isnative
                             and not _types.packed_bits(self.code))

    def __call__(self, x: Any = None, *, out: Any = None, num_threads: int | None = None) -> Any:
        """Computes the output for x, which must have the plan's shape and dtype. Plans of constant_of_shape have no input."""
        threads = _parameters.threads(self._operator, num_threads)
        if self._operator == "constant_of_shape":
            if x is not None:
                raise _core.ArgumentError(f"ConstantOfShape: x is {_parameters.shown(x)}; expected nothing: the plan has no input")
            return self.fill(out, threads)
        if type(x) is np.ndarray:  # a fast path: small calls take about a microsecond
            self._check(x.dtype, x.shape)
            return self.run(x, out, threads)
        return _libraries.compute(x, _libraries.Call(self._operator, self._parameters, out, threads, self._for_input))

    def run(self, x: np.ndarray, out: Any, threads: int) -> np.ndarray:
        """Computes into out, or into a new array. x has the plan's shape and dtype."""
        if out is not None:
            y = _libraries.open_output(out, self.output_shape, self.output_dtype, x)
            if not self._moves_bytes:
                np.copyto(y, self.run(x, None, threads))
                return out
            self._core.run(x, y, threads)
            return out
        if self._moves_bytes:
            y = _arrays.empty(self.output_shape, x.dtype)
            self._core.run(x, y, threads)
            return y
        zeros = (0,) * len(self.input_shape)
        return self._run_box(x, zeros, (0,) * len(self.output_shape), self.output_shape, threads)

    def fill(self, out: Any, threads: int) -> Any:
        """The output of constant_of_shape."""
        if out is not None:
            y = _libraries.open_output(out, self.output_shape, self.dtype, None)
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
        """(lo, shape) of the input box that is needed for the output box [lo, lo + shape)."""
        rank = len(self.output_shape)
        return self._core.input_region(self._read_box("lo", lo, rank), self._read_box("shape", shape, rank))

    def run_region(self, x: Any, x_lo: Sequence[int], lo: Sequence[int], shape: Sequence[int], *,
                   num_threads: int | None = None) -> Any:
        """Computes the output box [lo, lo + shape) from x, the input box that begins at x_lo. x must contain the box that
        input_region returns. The result is equal in every bit to that part of the whole output."""
        threads = _parameters.threads(self._operator, num_threads)
        rank = len(self.output_shape)
        x_lo = self._read_box("x_lo", x_lo, len(self._core.input_shape))
        lo, shape = self._read_box("lo", lo, rank), self._read_box("shape", shape, rank)
        if min(shape, default=0) < 0:
            _parameters.refuse(self._operator, "shape", shape, "extents of at least 0", _core.ShapeError)
        library = _libraries.find(x)
        library.refuse_unless_plain(x, "run_region")
        array = library.read(x)
        self._check(array.dtype, None)
        return library.give_back(x, self._run_box(array, x_lo, lo, shape, threads))

    @property
    def passes(self) -> tuple[_passes.Pass, ...]:
        """The resampled axes in the order in which they are summed; empty if elements are only copied. Each pass takes its input
        in parts. Errors: UnsupportedError for a plan with the results of another library that adds in another order."""
        return _passes.of(self)

    def accumulate(self, read: _passes.Read, chunks: Sequence[int], lo: Sequence[int] | None = None,
                   shape: Sequence[int] | None = None, *, num_threads: int | None = None) -> np.ndarray:
        """The output box [lo, lo + shape), by default the whole output, from an input that is read in parts: read(lo, shape)
        returns a box of the input. A part is at most chunks[axis] long along each resampled axis, begins and ends at multiples of
        that or at the ends of what is needed, and is read once. Memory holds one part and the sums of each pass at a time. The
        result is equal in every bit to that part of the whole output."""
        if self._operator == "constant_of_shape":
            raise _core.ArgumentError("ConstantOfShape: the plan has no input that could be read in parts")
        rank = len(self.output_shape)
        threads = _parameters.threads(self._operator, num_threads)
        lo = (0,) * rank if lo is None else self._read_box("lo", lo, rank)
        shape = tuple(n - a for n, a in zip(self.output_shape, lo)) if shape is None else self._read_box("shape", shape, rank)
        chunks = self._read_box("chunks", chunks, rank)
        if min(chunks, default=1) < 1:
            _parameters.refuse(self._operator, "chunks", chunks, "extents of at least 1", _core.InvalidValueError)
        return _passes.accumulate(self, read, (lo, shape), chunks, threads)

    def axis(self, axis: int, lo: int = 0, count: int | None = None) -> AxisTable:
        """The table of one output axis, for `count` outputs from `lo` on; by default for all outputs."""
        rank = len(self.output_shape)
        if rank == 0:
            _parameters.refuse(self._operator, "axis", axis, "no axis: the output is a scalar", _core.InvalidValueError)
        axis = _parameters.whole(self._operator, "axis", axis, -rank, rank - 1) % rank
        lo = _parameters.whole(self._operator, "lo", lo, 0, self.output_shape[axis])
        most = self.output_shape[axis] - lo
        count = most if count is None else _parameters.whole(self._operator, "count", count, 0, most)
        return AxisTable(*self._core.axis_table(axis, lo, count))

    @property
    def axes(self) -> tuple[AxisTable, ...]:
        """The tables of all axes."""
        return tuple(self.axis(axis) for axis in range(len(self.output_shape)))

    @property
    def since_version(self) -> int:
        """The operator version that the plan follows."""
        return self._core.since_version

    @property
    def operator(self) -> str:
        """The name of the operator, such as "resize"."""
        return self._operator

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters that the plan was made from, with a preset expanded."""
        return dict(self._parameters)

    def describe(self) -> dict[str, Any]:
        """The description that print(plan) shows, as a dictionary."""
        import json

        return json.loads(self._core.describe(True))

    def __str__(self) -> str:
        return self._core.describe(False).rstrip("\n")

    def __repr__(self) -> str:
        given = "".join(f", {name}={value!r}" for name, value in self._parameters.items() if value is not None)
        return f"tesela.plan({self._operator!r}, {self.input_shape}, {str(self.dtype)!r}{given})"

    def __reduce__(self):
        return _rebuild, (self._operator, self.input_shape, self.dtype, self._parameters, self._preset)

    def explain(self, axis: int | Sequence[int] | None = None, outputs: tuple[int, int] | None = None) -> _explain.Explanation:
        """Where the outputs of each axis land and which inputs weigh how much, with borders and ties marked.

        axis: one or more axes, by default each that changes. outputs: the first output and the one after the last; by
        default all outputs of a short axis, and the first and last ones of a long axis.
        """
        return _explain.Explanation(self._core, f"like={self._preset}" if self._preset else "", axis, outputs)

    def centres(self, axis: int) -> np.ndarray:
        """[outputs] the position of each output of an axis, in input elements, whose centres are at 0, 1, ... Positions
        outside the input are below 0 or above the last centre."""
        outputs = np.arange(self.output_shape[axis])
        if self._operator == "tile":
            return outputs % max(self.input_shape[axis], 1)
        for rule in self.describe()["passes"]:
            if rule["axis"] == axis:
                last = max(outputs.size - 1, 1)
                return (rule["first_centre"] * (last - outputs) + rule["last_centre"] * outputs) / last
        return outputs

    def _changes(self, axis: int) -> bool:
        """Whether the outputs of an axis differ from its inputs or their order."""
        return not np.array_equal(self.centres(axis), np.arange(self.input_shape[axis]))

    def _moving(self, dtype: np.dtype) -> Plan:
        """A plan for another dtype that copies the same elements. Extrapolated elements are zero."""
        parameters = {name: value for name, value in self._parameters.items() if name not in ("alpha", "extrapolation_value", "result")}
        return Plan(self._operator, self.input_shape, dtype, **parameters)

    def _for_input(self, operator: str, dtype: np.dtype, shape: tuple[int, ...], parameters: dict[str, Any]) -> Plan:
        self._check(dtype, shape)
        return self

    def _check(self, dtype: np.dtype, shape: tuple[int, ...] | None) -> None:
        if shape is not None and shape != self.input_shape:
            raise _core.ShapeError(f"the input has shape {shape}; the plan was made for {self.input_shape}")
        if dtype != self.dtype and not _types.code_of(dtype) == self.code == _types.STRING:
            raise _core.ElementTypeError(f"the input has dtype {dtype}; the plan was made for {self.dtype}")

    def _read_box(self, name: str, entries: Any, rank: int) -> tuple[int, ...]:
        numbers = _parameters.whole_numbers(self._operator, name, entries)
        if numbers.shape != (rank,):
            _parameters.refuse(self._operator, name, entries, f"{rank} entries, one for each axis", _core.RankError)
        return tuple(numbers.tolist())

    def _run_box(self, x, x_lo, lo, shape, threads) -> np.ndarray:
        if self._conversion is None:
            return self._run_plain(x, x_lo, lo, shape, threads)
        if self._conversion.alpha and not x.shape[-1] == shape[-1] == self.output_shape[-1]:
            has = f"{lo[-1]} to {lo[-1] + shape[-1]}"
            raise _core.ShapeError(f"Resize: a region of an image with alpha has the channels {has}; expected all")
        return self._conversion.after(self._run_plain(self._conversion.before(x), x_lo, lo, shape, threads))

    def _run_plain(self, x, x_lo, lo, shape, threads) -> np.ndarray:
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


def _read_shape(operator: str, shape: Any) -> tuple[int, ...]:
    extents = _parameters.whole_numbers(operator, "the shape of x", shape)
    if extents.ndim != 1:
        _parameters.refuse(operator, "the shape of x", shape, "one extent for each axis")
    return tuple(extents.tolist())


def _make_core(request: _requests.Request, shape: tuple[int, ...], parameters: dict[str, Any]) -> Any:
    try:
        return _core.Plan(request.type, request.opset, "", request.attributes, request.inputs)
    except _core.CountError as error:
        raise _core.CountError(f"{error}{_hint_of_axes(shape, parameters)}") from None


def _hint_of_axes(shape: tuple[int, ...], parameters: dict[str, Any]) -> str:
    """A hint for images with channels: which axes to pass with two sizes."""
    wanted = parameters.get("sizes") if parameters.get("sizes") is not None else parameters.get("scales")
    if wanted is None or parameters.get("axes") is not None or np.size(wanted) != 2 or len(shape) not in (3, 4):
        return ""
    last = shape[-1] in (1, 2, 3, 4)
    first_axis = len(shape) - (3 if last else 2)
    layout = ("N x " if len(shape) == 4 else "") + ("H x W x C" if last else "C x H x W")
    return f"; for {layout} pass axes=({first_axis}, {first_axis + 1})"


def _rebuild(operator: str, shape, dtype, parameters, preset: str = "") -> Plan:
    made = Plan(operator, shape, dtype, **parameters)
    made._preset = preset
    return made


@overload
def plan(operator: Literal["resize"], x: Any, dtype: Any = None, **parameters: Unpack[ResizeParameters]) -> Plan: ...
@overload
def plan(operator: Literal["tile"], x: Any, dtype: Any = None, **parameters: Unpack[TileParameters]) -> Plan: ...
@overload
def plan(operator: Literal["upsample"], x: Any, dtype: Any = None, **parameters: Unpack[UpsampleParameters]) -> Plan: ...
@overload
def plan(operator: Literal["constant_of_shape"], x: Any, dtype: Any = None, **parameters: Unpack[FillParameters]) -> Plan: ...
def plan(operator: str, x: Any, dtype: Any = None, **parameters: Any) -> Plan:
    """Returns a plan of "resize", "tile", "upsample" or "constant_of_shape" for inputs like x.

    x: an array with the shape and dtype of the inputs, or the shape itself; dtype is then float32 by default. For
    constant_of_shape: the shape of the output. The parameters are those of the function of that name.

    >>> tesela.plan("resize", (1, 3, 480, 640), scales=(1, 1, 0.5, 0.5), mode="linear").output_shape
    (1, 3, 240, 320)
    """
    if operator != "constant_of_shape" and _libraries.is_array(x):
        def plan_for(operator: str, dtype: np.dtype, shape: tuple[int, ...], parameters: dict[str, Any]) -> Plan:
            return Plan(operator, shape, dtype, **parameters)

        shape, own, parameters = _libraries.describe(x, _libraries.Call(operator, parameters, None, 0, plan_for))
        return Plan(operator, shape, own if dtype is None else dtype, **parameters)
    return Plan(operator, x, "float32" if dtype is None else dtype, **parameters)
