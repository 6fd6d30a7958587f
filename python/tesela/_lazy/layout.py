# SPDX-License-Identifier: Apache-2.0
"""Which chunks of the input each chunk of the output reads, axis by axis, and how it is computed from them. No engine is named
here."""

from __future__ import annotations

import bisect
import itertools
import math
from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from .. import _core, _libraries, _types
from .._plan import Plan

Chunks = tuple[tuple[int, ...], ...]


class Segment(NamedTuple):
    """Outputs of an axis, [lo, lo + extent), and the inputs that they use, [x_lo, x_lo + x_extent)."""

    lo: int
    extent: int
    x_lo: int
    x_extent: int


class Cover(NamedTuple):
    """What an output chunk needs along an axis: its segments, and the indices of the input's chunks, ascending."""

    segments: tuple[Segment, ...]
    chunks: tuple[int, ...]


def starts_of(chunks: tuple[int, ...]) -> list[int]:
    """The first element of each chunk, and the extent."""
    return [0, *itertools.accumulate(chunks)]


class AxisRegions:
    """The input regions of one axis. A region's axes do not depend on each other, so the plan is asked about one axis, with the
    first element of all others."""

    def __init__(self, plan: Plan, axis: int):
        self._plan = plan
        self._axis = axis
        self._lo = [0] * len(plan.output_shape)
        self._shape = [min(1, extent) for extent in plan.output_shape]

    def of(self, lo: int, extent: int) -> tuple[int, int]:
        """(lo, extent) of the inputs that the outputs [lo, lo + extent) use."""
        self._lo[self._axis], self._shape[self._axis] = lo, extent
        x_lo, x_shape = self._plan._core.input_region(self._lo, self._shape)
        return x_lo[self._axis], x_shape[self._axis]


class Grid:
    """The chunks of an output. An index has an entry for each axis; see Chain for those with one more."""

    chunks_out: Chunks

    def indices(self) -> Iterator[tuple[int, ...]]:
        """All of them."""
        return itertools.product(*[range(len(axis)) for axis in self.chunks_out])

    def count(self) -> int:
        """The number of indices."""
        return math.prod(map(len, self.chunks_out))

    def __contains__(self, index: tuple[int, ...]) -> bool:
        return len(index) == len(self.chunks_out) and all(0 <= i < len(axis) for i, axis in zip(index, self.chunks_out))

    def before(self, index: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        """The indices of this grid that an index continues."""
        return ()

    def blocks(self, index: tuple[int, ...]) -> Iterable[tuple[int, ...]]:
        """The indices of the input chunks that an index needs."""
        raise NotImplementedError

    def compute(self, index: tuple[int, ...], values: Iterable[np.ndarray]) -> np.ndarray:
        """The chunk of an index, from what `before` and `blocks` name."""
        raise NotImplementedError


class Layout(Grid):
    """A plan between an input in chunks and an output in chunks. It is pickled without what it has worked out."""

    def __init__(self, plan: Plan, chunks_in: Chunks, chunks_out: Chunks):
        self.plan = plan
        self.chunks_in = chunks_in
        self.chunks_out = chunks_out
        self.shape_in = tuple(map(sum, chunks_in))
        self._starts_in = [starts_of(axis) for axis in chunks_in]
        self._starts_out = [starts_of(axis) for axis in chunks_out]
        self._regions = [AxisRegions(plan, axis) for axis in range(len(chunks_out))]
        self._covers: list[dict[int, Cover]] = [{} for _ in chunks_out]

    def __reduce__(self):
        return Layout, (self.plan, self.chunks_in, self.chunks_out)

    def __dask_tokenize__(self):
        return "tesela.Layout", repr(self.plan), self.chunks_in, self.chunks_out

    def cover(self, axis: int, index: int) -> Cover:
        """What the output chunk `index` of an axis needs of the input."""
        found = self._covers[axis].get(index)
        if found is None:
            found = self._covers[axis][index] = self._make_cover(axis, index)
        return found

    def blocks(self, index: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """The indices of the input chunks that an output chunk needs, in row-major order."""
        return itertools.product(*[self.cover(axis, i).chunks for axis, i in enumerate(index)])

    def compute(self, index: tuple[int, ...], values: Iterable[np.ndarray]) -> np.ndarray:
        """An output chunk from its blocks. One is read at a time, so an iterator keeps few of them in memory."""
        covers = [self.cover(axis, i) for axis, i in enumerate(index)]
        parts = list(itertools.product(*[cover.segments for cover in covers]))
        held = self._gather(index, parts, iter(values))
        results = [self._run(part, *box) for part, box in zip(parts, held)]
        if len(parts) == 1:
            return results[0]
        lo = [starts[i] for starts, i in zip(self._starts_out, index)]
        y = np.empty([axis[i] for axis, i in zip(self.chunks_out, index)], results[0].dtype)
        for part, result in zip(parts, results):
            y[tuple(slice(s.lo - first, s.lo - first + s.extent) for s, first in zip(part, lo))] = result
        return y

    def _make_cover(self, axis: int, index: int) -> Cover:
        lo, extent = self._starts_out[axis][index], self.chunks_out[axis][index]
        segments = tuple(Segment(first, count, *self._regions[axis].of(first, count))
                         for first, count in self._whole_copies(axis, lo, extent))
        indices: set[int] = set()
        for segment in segments:
            indices.update(self._chunks_of(axis, segment))
        return Cover(segments, tuple(sorted(indices)))

    def _whole_copies(self, axis: int, lo: int, extent: int) -> list[tuple[int, int]]:
        """(lo, extent) of the pieces of an output chunk of Tile that lie in one copy of the input each. The box around the end
        of a copy and the begin of the next is the whole axis."""
        period = self.shape_in[axis]
        if self.plan.operator != "tile" or extent >= period or not extent or (lo % period) + extent <= period:
            return [(lo, extent)]
        first = period - lo % period
        return [(lo, first), (lo + first, extent - first)]

    def _chunks_of(self, axis: int, segment: Segment) -> Iterable[int]:
        """The chunks of the input that a segment uses; one for an empty segment, because a task needs an input."""
        if segment.x_extent == 0:
            return (0,)
        starts = self._starts_in[axis]
        first = bisect.bisect_right(starts, segment.x_lo) - 1
        last = bisect.bisect_left(starts, segment.x_lo + segment.x_extent)
        return (chunk for chunk in range(first, last) if self.chunks_in[axis][chunk])

    def _gather(self, index, parts, blocks: Iterator[np.ndarray]) -> list[tuple[np.ndarray, tuple[int, ...]]]:
        """(box, x_lo) for each part."""
        wanted = list(self.blocks(index))
        if len(wanted) == 1:
            block = self._checked(wanted[0], next(blocks))
            return [(block, self._corner(wanted[0]))] * len(parts)
        held: list[tuple[np.ndarray, tuple[int, ...]]] = []
        for where, block in zip(wanted, blocks):
            block = self._checked(where, block)
            if not held:
                # Strings may be longer in other chunks.
                dtype = np.dtype(object) if self.plan.code == _types.STRING else block.dtype
                held = [(np.empty([s.x_extent for s in part], dtype), tuple(s.x_lo for s in part)) for part in parts]
            for box, x_lo in held:
                _paste(box, x_lo, block, self._corner(where))
        return held

    def _corner(self, block_index: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(starts[i] for starts, i in zip(self._starts_in, block_index))

    def _checked(self, where: tuple[int, ...], block: np.ndarray) -> np.ndarray:
        return checked(block, where, self.chunks_in, None if self.plan.code == _types.STRING else self.plan.dtype)

    def _run(self, part: tuple[Segment, ...], box: np.ndarray, x_lo: tuple[int, ...]) -> np.ndarray:
        # Engines run tasks in parallel already.
        result = self.plan._run_box(box, x_lo, tuple(s.lo for s in part), tuple(s.extent for s in part), 1)
        return result.astype(joined(result.dtype), copy=False)


def _paste(box: np.ndarray, x_lo: tuple[int, ...], block: np.ndarray, corner: tuple[int, ...]) -> None:
    """Copies what a block has of a box."""
    to, of = [], []
    for lo, extent, start, size in zip(x_lo, box.shape, corner, block.shape):
        first, last = max(lo, start), min(lo + extent, start + size)
        if first >= last:
            return
        to.append(slice(first - lo, last - lo))
        of.append(slice(first - start, last - start))
    box[tuple(to)] = block[tuple(of)]


def checked(block: np.ndarray, where: tuple[int, ...], chunks: Chunks, dtype: np.dtype | None) -> np.ndarray:
    """A block as the engine declared it. dtype: None for strings, which may be longer. Errors: ShapeError, ElementTypeError."""
    block = _libraries.read(block)
    shape = tuple(axis[i] for axis, i in zip(chunks, where))
    if block.shape != shape:
        raise _core.ShapeError(f"chunk {where} of x has the shape {block.shape}; its chunks say {shape}")
    if dtype is None:
        return block
    if joined(block.dtype) != joined(dtype):
        raise _core.ElementTypeError(f"chunk {where} of x holds {block.dtype}; x says {dtype}")
    return block.astype(dtype, copy=False)


def joined(dtype: np.dtype) -> np.dtype:
    """The dtype of joined chunks: NumPy returns native byte order."""
    return dtype.newbyteorder("=")


def most_read(layout: Layout, samples: int) -> tuple[int, int]:
    """(chunks, elements): at most so many chunks and elements of the input are read for an output chunk, by `samples` chunks of
    each axis, the longest among them."""
    chunks, elements = 1, 1
    for axis, sizes in enumerate(layout.chunks_out):
        seen = {*range(0, len(sizes), max(len(sizes) // samples, 1)), len(sizes) - 1, sizes.index(max(sizes))}
        covers = [layout.cover(axis, i) for i in seen]
        chunks *= max(len(cover.chunks) for cover in covers)
        elements *= max(sum(layout.chunks_in[axis][i] for i in cover.chunks) for cover in covers)
    return chunks, elements
