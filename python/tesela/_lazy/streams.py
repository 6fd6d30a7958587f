# SPDX-License-Identifier: Apache-2.0
"""An output chunk in one task that holds one input chunk at a time: all passes at once, each with the sums of what the next one
adds. For engines whose tasks do not hand partial sums to each other."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator

import numpy as np

from .._plan import Plan
from .chains import Chain, chains
from .layout import Chunks, Grid, checked, joined, starts_of


class Stream(Grid):
    """The chains of a plan, from chunks of one length along each axis."""

    def __init__(self, plan: Plan, steps: list[Chain]):
        self.plan = plan
        self.chunks_in = steps[0].chunks_in
        self.chunks_out = steps[-1].chunks_out
        self._steps = steps

    def blocks(self, index: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The input chunks in the order in which they are added: the axis of the first pass runs fastest."""
        outer = [step.step.axis for step in reversed(self._steps)]
        for places in itertools.product(*[step.links(index[axis]) for step, axis in zip(reversed(self._steps), outer)]):
            where = list(index)
            for axis, place in zip(outer, places):
                where[axis] = place
            yield tuple(where)

    def compute(self, index: tuple[int, ...], values: Iterable[np.ndarray]) -> np.ndarray:
        starts_in = [starts_of(axis) for axis in self.chunks_in]
        coming = zip(self.blocks(index), values)

        def read(lo: tuple[int, ...], shape: tuple[int, ...]) -> np.ndarray:
            where, block = next(coming)
            block = checked(block, where, self.chunks_in, self.plan.dtype)
            corner = [starts[i] for starts, i in zip(starts_in, where)]
            return block[tuple(slice(first - start, first - start + extent) for first, start, extent in zip(lo, corner, shape))]

        lo = [starts_of(axis)[i] for axis, i in zip(self.chunks_out, index)]
        shape = [axis[i] for axis, i in zip(self.chunks_out, index)]
        y = self.plan.accumulate(read, [max(axis) for axis in self.chunks_in], lo, shape, num_threads=1)
        return y.astype(joined(y.dtype), copy=False)

    def working_bytes(self, chunk_bytes: int) -> int:
        """Most memory of a task beyond the chunk that it reads and the one that it writes: the sums of each pass and what they
        become, the elements that a pass reads in its numbers, and Zarr's compressed bytes."""
        total = 3 * chunk_bytes
        for step in self._steps:
            elements = math.prod(max(axis) for axis in step.chunks_out)
            read = math.prod(max(axis) for axis in step.chunks_in)
            total += 2 * elements * step.step.accumulator_dtype.itemsize + read * step.step.accumulator_dtype.itemsize
        return total + math.prod(max(axis) for axis in self.chunks_out) * self.plan.output_dtype.itemsize


def stream(plan: Plan, chunks_in: Chunks, chunks_out: Chunks) -> Stream | None:
    """A stream from one array of chunks to another, or None if the plan has no passes."""
    steps = chains(plan, chunks_in, chunks_out)
    return Stream(plan, steps) if steps else None
