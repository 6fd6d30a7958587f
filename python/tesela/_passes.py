# SPDX-License-Identifier: Apache-2.0
"""The passes of a plan: sums that are carried from box to box, for windows that need not be in memory at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _arrays, _core, _libraries, _parameters, _types

if TYPE_CHECKING:
    from ._plan import Plan

Box = tuple[tuple[int, ...], tuple[int, ...]]


class Pass:
    """One resampled axis of a plan. Passes run in the order of `plan.passes`: each reads what the one before wrote.

        accumulator = step.partial(lo, shape)
        for x, x_lo in boxes:  # in ascending order along step.axis
            step.add(accumulator, lo, x, x_lo)
        y = step.finish(accumulator, lo)

    y equals that box of the pass's output in every bit. axis: the axis. input_shape, output_shape: they differ along the axis only.
    input_dtype: for the first pass the plan's dtype, for the others accumulator_dtype: float32, float64, complex64 or complex128.
    output_dtype: for the last pass the plan's output dtype. window: the largest number of inputs of one output. A Pass can be pickled.
    """

    __slots__ = ("_index", "_plan", "accumulator_dtype", "axis", "input_dtype", "input_shape", "output_dtype", "output_shape",
                 "window")

    def __init__(self, plan: Plan, index: int):
        self._plan = plan
        self._index = index
        axis, input_shape, output_shape, input_code, accumulator_code, output_code, window = _core.pass_info(plan._core, index)
        self.axis: int = axis
        self.input_shape: tuple[int, ...] = input_shape
        self.output_shape: tuple[int, ...] = output_shape
        self.accumulator_dtype = _types.dtype_of(accumulator_code)
        self.input_dtype = plan.dtype if index == 0 else _types.dtype_of(input_code)
        is_last = self._is_last()
        self.output_dtype = plan.output_dtype if is_last else _types.dtype_of(output_code)
        self.window: int = window

    def input_region(self, lo: Sequence[int], shape: Sequence[int]) -> Box:
        """(lo, shape) of the box of the pass's input that is needed for the box [lo, lo + shape) of its output."""
        return _core.pass_input_region(self._plan._core, self._index, self._position("lo", lo), self._extents(shape))

    def partial(self, lo: Sequence[int], shape: Sequence[int]) -> np.ndarray:
        """A new accumulator for the box [lo, lo + shape) of the pass's output, an array of accumulator_dtype. It holds -0.0:
        adding x to it gives x, also for -0.0."""
        self.input_region(lo, shape)  # refuses a box outside the output
        accumulator = _arrays.empty(self._extents(shape), self.accumulator_dtype)
        _core.pass_begin(self._plan._core, self._index, accumulator)
        return accumulator

    def add(self, accumulator: np.ndarray, lo: Sequence[int], x: Any, x_lo: Sequence[int], *,
            num_threads: int | None = None) -> None:
        """Adds to the accumulator, the box of the output that begins at lo, the taps whose inputs are in x, the box of the input
        that begins at x_lo. Boxes may be of any size and end anywhere; sums without inputs in x stay as they are. For each sum the
        boxes with its inputs must come in ascending order along the axis, each input once: this is not checked."""
        threads = _parameters.threads(self._plan.operator, num_threads)
        self._check_accumulator(accumulator)
        _libraries.find(x).refuse_unless_plain(x, "add")
        array = _libraries.read(x)
        if array.dtype != self.input_dtype:
            raise _core.ElementTypeError(f"x has dtype {array.dtype}; the pass reads {self.input_dtype}")
        if self._index == 0 and self._plan._conversion is not None:
            array = self._plan._conversion.before(array)
        _core.pass_add(self._plan._core, self._index, _arrays.native(array), self._position("x_lo", x_lo), accumulator,
                       self._position("lo", lo), threads)

    def finish(self, accumulator: np.ndarray, lo: Sequence[int], *, num_threads: int | None = None) -> np.ndarray:
        """The box of the pass's output that begins at lo, from complete sums, as a new array: numbers for the next pass, or
        elements, rounded and saturated, with extrapolation values."""
        threads = _parameters.threads(self._plan.operator, num_threads)
        self._check_accumulator(accumulator)
        y = _arrays.empty(accumulator.shape, self.output_dtype.newbyteorder("="))
        _core.pass_finish(self._plan._core, self._index, accumulator, y, self._position("lo", lo), threads)
        return y.astype(self.output_dtype, copy=False)

    def __repr__(self) -> str:
        return f"{self._plan!r}.passes[{self._index}]"

    def __reduce__(self):
        return Pass, (self._plan, self._index)

    def _is_last(self) -> bool:
        return self._index + 1 == _core.pass_count(self._plan._core)

    def _position(self, name: str, entries: Any) -> tuple[int, ...]:
        return self._plan._read_box(name, entries, len(self.output_shape))

    def _extents(self, shape: Any) -> tuple[int, ...]:
        extents = self._position("shape", shape)
        if min(extents, default=0) < 0:
            _parameters.refuse(self._plan.operator, "shape", shape, "extents of at least 0", _core.ShapeError)
        return extents

    def _check_accumulator(self, accumulator: Any) -> None:
        if not isinstance(accumulator, np.ndarray) or accumulator.dtype != self.accumulator_dtype:
            has = accumulator.dtype if isinstance(accumulator, np.ndarray) else _parameters.shown(accumulator)
            raise _core.ElementTypeError(f"the accumulator is {has}; expected a NumPy array of {self.accumulator_dtype}, as partial returns")


def of(plan: Plan) -> tuple[Pass, ...]:
    """The passes of a plan. Errors: UnsupportedError if its sums have another order than that of the inputs."""
    if plan._conversion is not None and plan._conversion.alpha:
        raise _core.UnsupportedError("Resize: plan field 'alpha' is 'premultiplied'; passes have no colours multiplied by alpha")
    return tuple(Pass(plan, index) for index in range(_core.pass_count(plan._core)))


Read = Callable[[tuple[int, ...], tuple[int, ...]], Any]


def accumulate(plan: Plan, read: Read, box: Box, chunks: tuple[int, ...], threads: int) -> np.ndarray:
    """A box of the output from parts of the input, see Plan.accumulate."""
    passes = plan.passes

    def output_of(count: int, lo: tuple[int, ...], shape: tuple[int, ...]) -> Any:
        """A box of what the first `count` passes make."""
        if count == 0:
            return _read_checked(read, lo, shape)
        step = passes[count - 1]
        accumulator = step.partial(lo, shape)
        for x_lo, x_shape in _cut(step.input_region(lo, shape), step.axis, chunks[step.axis]):
            step.add(accumulator, lo, output_of(count - 1, x_lo, x_shape), x_lo, num_threads=threads)
        return step.finish(accumulator, lo, num_threads=threads)

    if passes:
        return output_of(len(passes), *box)
    x_lo, x_shape = plan.input_region(*box)
    return plan.run_region(_read_checked(read, x_lo, x_shape), x_lo, *box, num_threads=threads)


def _read_checked(read: Read, lo: tuple[int, ...], shape: tuple[int, ...]) -> Any:
    part = read(lo, shape)
    if np.shape(part) != tuple(shape):
        raise _core.ShapeError(f"read({lo}, {shape}) returned a part of shape {np.shape(part)}; expected {tuple(shape)}")
    return part


def _cut(box: Box, axis: int, chunk: int):
    """The parts of a box between multiples of `chunk` along an axis, in ascending order."""
    lo, shape = box
    at, end = lo[axis], lo[axis] + shape[axis]
    while at < end:
        to = min(at - at % chunk + chunk, end)
        yield (*lo[:axis], at, *lo[axis + 1:]), (*shape[:axis], to - at, *shape[axis + 1:])
        at = to
