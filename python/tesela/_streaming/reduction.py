# SPDX-License-Identifier: Apache-2.0
"""Regions whose windows do not fit into the memory: their inputs are read in parts, and sums are carried from part to part."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np

from .. import _core
from .._plan import Plan
from .boxes import Extents, Grid
from .operation import Operation, Part, Single
from .planning import Planner
from .sources import Source


class Reduction(Operation):
    """A plan whose input is read by `compute`, in parts of `part` elements along each resampled axis."""

    reads_itself = True

    def __init__(self, single: Single, source: Source):
        self._plan: Plan = single.plan
        self._source = source
        self.input_shape, self.dtype = single.input_shape, single.dtype
        self.output_shape, self.output_dtype = single.output_shape, single.output_dtype
        self.description = single.description
        self.part = tuple(min(pair) for pair in zip(source.chunks, self.input_shape))

    def parts(self, lo: Extents, shape: Extents) -> Iterator[Part]:
        yield Part((), (), lo, shape)

    def compute(self, x: np.ndarray | None, part: Part, y: np.ndarray, threads: int) -> None:
        y[...] = self._plan.accumulate(self._read, self.part, part.lo, part.shape, num_threads=threads)

    def _read(self, lo: Extents, shape: Extents) -> np.ndarray:
        x = self._source.empty(shape)
        self._source.read(lo, x)
        return x

    def working_bytes(self, lo: Extents, shape: Extents, threads: int) -> int:
        """The sums of each pass, their rounded results, and a part with its copy in the type that is computed in."""
        box, total = list(shape), math.prod(shape) * self.output_dtype.itemsize
        for step in reversed(self._plan.passes):
            total += 2 * math.prod(box) * step.accumulator_dtype.itemsize
            box[step.axis] = min(self.part[step.axis], self.input_shape[step.axis])
        return total + 2 * math.prod(box) * max(self.dtype.itemsize, self.output_dtype.itemsize)

    def most_input(self, step: Extents) -> Extents:
        return (0,)

    def grow(self, fits: Callable[[], bool]) -> None:
        """Makes parts longer while they fit, along the axis that is fastest in the file first, so that it is read in long runs."""
        axes = range(len(self.part))
        for axis in axes if self._source.reversed_axes else reversed(axes):
            while self.part[axis] < self.input_shape[axis]:
                before = self.part
                self.part = (*before[:axis], min(2 * before[axis], self.input_shape[axis]), *before[axis + 1:])
                if not fits():
                    self.part = before
                    return


def of(operation: Operation, source: Source | None) -> Reduction | None:
    """None if the operation has no sums that can be carried."""
    if type(operation) is not Single or source is None:
        return None
    try:
        return Reduction(operation, source) if operation.plan.passes else None
    except _core.UnsupportedError:  # sums in an order of another library
        return None


def plan(reduction: Reduction, planner: Planner, memory: int, step: Extents | None) -> Grid:
    """The regions, those of `step` if work continues, and longer parts in the rest of the memory. Errors: LimitError."""
    if step is None:
        least = planner.needs(planner.unit).total
        grid = planner.plan(memory if least > memory // 2 else memory // 2)
    else:
        grid = planner.planned(step, memory)
    reduction.grow(lambda: planner.needs(grid.step).total <= memory)
    return grid
