# SPDX-License-Identifier: Apache-2.0
"""What is computed for a region: one operator, a chain of them, or a constant."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from .. import _core, _types
from .._plan import Plan
from .boxes import Extents

_MOST_POSITIONS = 1024  # regions along an axis that are asked for their inputs; of more, so many evenly spread ones


class Part(NamedTuple):
    """A box of the output that is computed from one box of the input."""

    x_lo: Extents
    x_shape: Extents
    lo: Extents
    shape: Extents


class Operation:
    """input_shape, dtype: of x; None for constants. description: equal for calls with equal results on equal inputs."""

    input_shape: Extents
    dtype: np.dtype
    output_shape: Extents
    output_dtype: np.dtype
    description: str
    whole_axes: tuple[int, ...] = ()  # those that a region must not cut
    reads_itself = False  # compute gets no x

    def parts(self, lo: Extents, shape: Extents) -> Iterator[Part]:
        """The boxes that the region is computed by."""
        yield Part(*self.input_region(lo, shape), lo, shape)

    def input_region(self, lo: Extents, shape: Extents) -> tuple[Extents, Extents]:
        raise NotImplementedError

    def compute(self, x: np.ndarray | None, part: Part, y: np.ndarray, threads: int) -> None:
        """Writes the part into y, an array of its shape. x: the box of the input."""
        raise NotImplementedError

    def working_bytes(self, lo: Extents, shape: Extents, threads: int) -> int:
        """What compute needs beside x and y."""
        raise NotImplementedError

    def most_input(self, step: Extents) -> Extents:
        """The largest extents of the input that regions of `step` need, axis by axis."""
        counts = [-(-extent // size) for extent, size in zip(self.output_shape, step)]
        tried = min(max(counts, default=1), _MOST_POSITIONS)
        most = [0] * len(self.input_shape)
        for position in range(tried):
            lo = tuple(_spread(position, tried, count) * size for count, size in zip(counts, step))
            shape = tuple(min(size, extent - first) for size, extent, first in zip(step, self.output_shape, lo))
            for part in self.parts(lo, shape):
                most = [max(pair) for pair in zip(most, part.x_shape)]
        # Windows of one resize differ by one element or two.
        slack = 2 if max(counts, default=1) > tried else 0
        return tuple(min(extent + slack, whole) for extent, whole in zip(most, self.input_shape))


def _spread(position: int, tried: int, count: int) -> int:
    """Which of `count` regions is tried at this position; the last among them."""
    return min(position, count - 1) if count <= tried else position * (count - 1) // (tried - 1)


class Single(Operation):
    """One plan."""

    def __init__(self, plan: Plan):
        self.plan = plan
        self.whole_axes = (len(plan.output_shape) - 1,) if plan.parameters.get("alpha") is not None else ()
        self.input_shape, self.dtype = plan.input_shape, plan.dtype
        self.output_shape, self.output_dtype = plan.output_shape, plan.output_dtype
        self.description = f"{plan!r} version {plan.since_version}"
        for dtype in (plan.dtype, plan.output_dtype):
            refuse_dtype(dtype)

    def input_region(self, lo: Extents, shape: Extents) -> tuple[Extents, Extents]:
        return self.plan._core.input_region(lo, shape)

    def compute(self, x: np.ndarray | None, part: Part, y: np.ndarray, threads: int) -> None:
        assert x is not None
        if self.plan._moves_bytes:
            self.plan._core.run_region(_types.as_plain(x), part.x_lo, _types.as_plain(y), part.lo, threads)
        else:
            y[...] = self.plan._run_box(x, part.x_lo, part.lo, part.shape, threads)

    def working_bytes(self, lo: Extents, shape: Extents, threads: int) -> int:
        scratch = self.plan._core.scratch_bytes(lo, shape) * threads
        if self.plan._moves_bytes:
            return scratch
        # The input in native byte order or converted, and the result.
        x_shape = self.input_region(lo, shape)[1]
        return scratch + 2 * (math.prod(x_shape) * self.dtype.itemsize + math.prod(shape) * 2 * self.output_dtype.itemsize)


class Tiling(Single):
    """A plan of Tile. A region across the border of two copies has two parts: one box would be all that lies between."""

    def parts(self, lo: Extents, shape: Extents) -> Iterator[Part]:
        cuts = [self._cut(*axis) for axis in zip(lo, shape, self.input_shape)]
        for corner in np.ndindex(*map(len, cuts)):
            chosen = [axis[i] for axis, i in zip(cuts, corner)]
            box = tuple(piece[0] for piece in chosen), tuple(piece[1] for piece in chosen)
            yield Part(*self.input_region(*box), *box)

    def most_input(self, step: Extents) -> Extents:
        return tuple(min(pair) for pair in zip(step, self.input_shape))

    @staticmethod
    def _cut(lo: int, extent: int, period: int) -> list[tuple[int, int]]:
        border = -(-(lo + 1) // max(period, 1)) * period
        if extent >= period or border >= lo + extent:
            return [(lo, extent)]
        return [(lo, border - lo), (border, lo + extent - border)]


class Constant(Operation):
    """ConstantOfShape."""

    def __init__(self, plan: Plan):
        self.input_shape, self.dtype = (), plan.dtype
        self.output_shape, self.output_dtype = plan.output_shape, plan.dtype
        refuse_dtype(plan.dtype)
        parameters = plan.parameters
        # The plan of one element, of which every region is made.
        self._element = Plan("constant_of_shape", (1,), **parameters)(num_threads=1)
        bits = self._element.tobytes().hex()
        self.description = f"constant_of_shape {self.output_shape} {self.output_dtype} {bits} version {plan.since_version}"

    def parts(self, lo: Extents, shape: Extents) -> Iterator[Part]:
        yield Part((), (), lo, shape)

    def compute(self, x: np.ndarray | None, part: Part, y: np.ndarray, threads: int) -> None:
        y[...] = self._element[0]

    def working_bytes(self, lo: Extents, shape: Extents, threads: int) -> int:
        return 0

    def most_input(self, step: Extents) -> Extents:
        return ()


class Chain(Operation):
    """Nodes of a model, each on the result of the one before. plans: of the C interface."""

    def __init__(self, plans: list[Any], description: str):
        self._plans = plans
        self.input_shape, self.output_shape = plans[0].input_shape, plans[-1].output_shape
        self.dtype, self.output_dtype = _types.dtype_of(plans[0].dtype), _types.dtype_of(plans[-1].dtype)
        self.description = description
        refuse_dtype(self.dtype)

    def _regions(self, lo: Extents, shape: Extents) -> list[tuple[Extents, Extents]]:
        """The input of each plan and the output of the last."""
        regions = [(lo, shape)]
        for plan in reversed(self._plans):
            regions.insert(0, plan.input_region(*regions[0]))
        return regions

    def input_region(self, lo: Extents, shape: Extents) -> tuple[Extents, Extents]:
        return self._regions(lo, shape)[0]

    def compute(self, x: np.ndarray | None, part: Part, y: np.ndarray, threads: int) -> None:
        regions = self._regions(part.lo, part.shape)
        assert x is not None
        for number, plan in enumerate(self._plans):
            (x_lo, _), (lo, shape) = regions[number], regions[number + 1]
            last = number + 1 == len(self._plans)
            result = y if last else np.empty(shape, self.output_dtype)
            plan.run_region(_types.as_plain(x), x_lo, _types.as_plain(result), lo, threads)
            x = result

    def working_bytes(self, lo: Extents, shape: Extents, threads: int) -> int:
        regions = self._regions(lo, shape)
        between = [math.prod(extents) * self.dtype.itemsize for _, extents in regions[1:-1]]
        scratch = [plan.scratch_bytes(*region) for plan, region in zip(self._plans, regions[1:])]
        # Of results in between two are held at a time.
        return 2 * max(between, default=0) + max(scratch) * threads


def refuse_dtype(dtype: np.dtype) -> None:
    """Errors: ElementTypeError, for elements that have no fixed number of whole bytes."""
    if _types.code_of(dtype) == _types.STRING or _types.packed_bits(_types.code_of(dtype)):
        raise _core.ElementTypeError(f"stream: an array holds {dtype}; expected elements of whole bytes")


def of_plan(plan: Plan) -> Operation:
    """The operation of a plan."""
    return {"constant_of_shape": Constant, "tile": Tiling}.get(plan.operator, Single)(plan)


