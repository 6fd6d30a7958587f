# SPDX-License-Identifier: Apache-2.0
"""Cuts the output into regions of whole chunks that fit into the memory."""

from __future__ import annotations

import math
from typing import NamedTuple

from .. import _core
from .boxes import Extents, Grid
from .memory import shown
from .operation import Operation

DEPTH = 2  # buffers of inputs, and of outputs: one is computed while another is read or written
# Larger regions gain nothing, and let reading and writing wait for each other.
_LARGEST_BYTES = 512 << 20


class Needs(NamedTuple):
    """Bytes of one buffer each, and of all that is needed at a time."""

    input: int
    output: int
    total: int


class Planner:
    """source_bytes, sink_bytes: what reading and writing need beside the buffers."""

    def __init__(self, operation: Operation, chunks: Extents, other_bytes: int, threads: int):
        self._operation, self._other_bytes, self._threads = operation, other_bytes, threads
        self._shape = operation.output_shape
        self.unit = tuple(extent if axis in operation.whole_axes else min(chunk, extent)
                           for axis, (chunk, extent) in enumerate(zip(chunks, self._shape)))

    def needs(self, step: Extents) -> Needs:
        x = math.prod(self._operation.most_input(step)) * self._operation.dtype.itemsize
        y = math.prod(step) * self._operation.output_dtype.itemsize
        middle = tuple((extent - size) // 2 for extent, size in zip(self._shape, step))
        working = self._operation.working_bytes(middle, step, self._threads)
        return Needs(x, y, DEPTH * (x + y) + working + self._other_bytes)

    def plan(self, memory: int) -> Grid:
        """Regions that grow along the last axis first, so that files are read and written in long runs. Errors: LimitError."""
        if 0 in self._shape:
            return Grid(self._shape, tuple(max(extent, 1) for extent in self._shape))
        least = self.needs(self.unit).total
        if least > memory:
            extents = "x".join(map(str, self.unit))
            raise _core.LimitError(f"stream: memory is {shown(memory)}; a region of {extents} outputs needs {shown(least)}, "
                                   f"which is the minimum")
        most = max(min(memory, _LARGEST_BYTES), least)
        step = self.unit
        for axis in reversed(range(len(step))):
            step = self._grown(step, axis, most)
            if step[axis] < self._shape[axis]:
                break
        return Grid(self._shape, step)

    def planned(self, step: Extents, memory: int) -> Grid:
        """The regions of work that continues. Errors: LimitError."""
        least = 0 if 0 in self._shape else self.needs(tuple(step)).total
        if least > memory:
            raise _core.LimitError(f"stream: memory is {shown(memory)}; the interrupted call was planned for {shown(least)}")
        return Grid(self._shape, tuple(step))

    def _grown(self, step: Extents, axis: int, most: int) -> Extents:
        """The step with as many whole chunks along an axis as fit."""
        def of(count: int) -> Extents:
            return (*step[:axis], min(count * self.unit[axis], self._shape[axis]), *step[axis + 1:])

        low, high = 1, -(-self._shape[axis] // self.unit[axis])
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self.needs(of(middle)).total <= most else (low, middle - 1)
        return of(low)
