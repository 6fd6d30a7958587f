# SPDX-License-Identifier: Apache-2.0
"""Chains of partial sums: a pass of a plan over an input in chunks. The sums of an output chunk go from one input chunk to the
next along the axis that shrinks, in ascending order, which the arithmetic demands; chains stand side by side along the others.
A tree would change the order, and so the bits."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from .. import _core
from .._plan import Plan
from .layout import Chunks, Grid, checked, joined, starts_of

Index = tuple[int, ...]


class Chain(Grid):
    """One pass between chunks. The index of a partial sum has one more entry, the number of the
    link. step: a Pass of the plan."""

    def __init__(self, step: Any, chunks_in: Chunks, chunks_out: Chunks):
        self.step = step
        self.chunks_in = chunks_in
        self.chunks_out = chunks_out
        self._starts_in = [starts_of(axis) for axis in chunks_in]
        self._starts_out = [starts_of(axis) for axis in chunks_out]
        self._links: dict[int, tuple[int, ...]] = {}

    def __reduce__(self):
        return Chain, (self.step, self.chunks_in, self.chunks_out)

    def __dask_tokenize__(self):
        return "tesela.Chain", repr(self.step), self.chunks_in, self.chunks_out

    def links(self, i: int) -> tuple[int, ...]:
        """The input chunks along the axis that the output chunk i reads, in order; one if its outputs are all outside."""
        found = self._links.get(i)
        if found is None:
            axis = self.step.axis
            lo, shape = [0] * len(self.chunks_out), [min(1, extent) for extent in self.step.output_shape]
            lo[axis], shape[axis] = self._starts_out[axis][i], self.chunks_out[axis][i]
            x_lo, x_shape = self.step.input_region(lo, shape)
            first, end = x_lo[axis], x_lo[axis] + x_shape[axis]
            starts, sizes = self._starts_in[axis], self.chunks_in[axis]
            found = tuple(c for c, size in enumerate(sizes) if size and starts[c] < end and starts[c] + size > first) or (0,)
            self._links[i] = found
        return found

    def indices(self) -> Iterator[Index]:
        """Those of the partial sums and of the chunks."""
        axis = self.step.axis
        for index in itertools.product(*[range(len(sizes)) for sizes in self.chunks_out]):
            yield from ((*index, link) for link in range(len(self.links(index[axis])) - 1))
            yield index

    def count(self) -> int:
        axis = self.step.axis
        links = sum(len(self.links(i)) for i in range(len(self.chunks_out[axis])))
        for other, sizes in enumerate(self.chunks_out):
            links *= 1 if other == axis else len(sizes)
        return links

    def __contains__(self, index: Index) -> bool:
        rank = len(self.chunks_out)
        if len(index) not in (rank, rank + 1) or not all(0 <= i < len(sizes) for i, sizes in zip(index, self.chunks_out)):
            return False
        return len(index) == rank or 0 <= index[-1] < len(self.links(index[self.step.axis])) - 1

    def before(self, index: Index) -> tuple[Index, ...]:
        """The partial sum that an index continues, if it is not the first of its chain."""
        chunk, link = self._link_of(index)
        return ((*chunk, link - 1),) if link else ()

    def blocks(self, index: Index) -> tuple[Index, ...]:
        """The input chunk that an index adds."""
        chunk, link = self._link_of(index)
        axis = self.step.axis
        return ((*chunk[:axis], self.links(chunk[axis])[link], *chunk[axis + 1:]),)

    def compute(self, index: Index, values: Iterable[np.ndarray]) -> np.ndarray:
        """A partial sum, or the chunk, from the sum before and a block."""
        *before, block = values
        (where,), (chunk, _) = self.blocks(index), self._link_of(index)
        lo = [starts[i] for starts, i in zip(self._starts_out, chunk)]
        x_lo = [starts[i] for starts, i in zip(self._starts_in, where)]
        block = checked(block, where, self.chunks_in, self.step.input_dtype)
        # A task may run again, after a worker is lost say, so it leaves its inputs as they are.
        sums = before[0].copy() if before else self.step.partial(lo, [sizes[i] for sizes, i in zip(self.chunks_out, chunk)])
        self.step.add(sums, lo, block, x_lo, num_threads=1)
        if len(index) > len(self.chunks_out):
            return sums
        y = self.step.finish(sums, lo, num_threads=1)
        return y.astype(joined(y.dtype), copy=False)

    def _link_of(self, index: Index) -> tuple[Index, int]:
        """(chunk, number of the link); the last link makes the chunk itself."""
        rank = len(self.chunks_out)
        if len(index) > rank:
            return index[:rank], index[rank]
        return index, len(self.links(index[self.step.axis])) - 1


def chains(plan: Plan, chunks_in: Chunks, chunks_out: Chunks) -> list[Chain]:
    """The chains of a plan's passes, each of which reads the chunks of the one before; empty if the plan has no passes."""
    try:
        steps = plan.passes
    except _core.UnsupportedError:  # its sums have other orders
        return []
    found = []
    for step in steps:
        after = tuple(chunks_out[axis] if axis == step.axis else sizes for axis, sizes in enumerate(chunks_in))
        found.append(Chain(step, chunks_in, after))
        chunks_in = after
    # Axes without a pass are only cut otherwise.
    return found if chunks_in == chunks_out else []
