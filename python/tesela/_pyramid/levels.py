# SPDX-License-Identifier: Apache-2.0
"""A pyramid whose levels are computed when they are read."""

from __future__ import annotations

import operator
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from .. import _core, _parameters
from .._plan import Plan
from .axes import Axis
from .sources import Source

Box = tuple[tuple[int, ...], tuple[int, ...]]  # lo, shape


class Level:
    """A level: level[slices] and numpy.asarray(level) compute elements, which are equal in every bit however they are cut.

    shape, dtype, ndim. axes: with the scale and translation of this level. factors: how much smaller than the base each axis is.
    source: what it is computed from.
    """

    def __init__(self, source: Source | Level, plan: Plan | None, axes: tuple[Axis, ...], factors: tuple[float, ...]):
        self.source = source
        self._plan = plan  # None: the base
        self.axes = axes
        self.factors = factors
        self.shape: tuple[int, ...] = source.shape if plan is None else plan.output_shape
        self.dtype: np.dtype = source.dtype

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def chunks(self) -> tuple[int, ...] | None:
        return self.source.chunks if self._plan is None else None

    @property
    def scale(self) -> tuple[float, ...]:
        """The distance of elements along each axis, in its unit."""
        return tuple(axis.scale for axis in self.axes)

    @property
    def translation(self) -> tuple[float, ...]:
        """The position of the centre of the first element."""
        return tuple(axis.translation for axis in self.axes)

    def over(self, source: Source) -> Level:
        """The same level, computed from another copy of what it is computed from."""
        return Level(source, self._plan, self.axes, self.factors)

    def region(self, lo: Sequence[int], shape: Sequence[int]) -> Box:
        """The box of the source that a box needs."""
        return (tuple(lo), tuple(shape)) if self._plan is None else self._plan.input_region(lo, shape)

    def region_bytes(self, lo: Sequence[int], shape: Sequence[int]) -> int:
        extents = self.region(lo, shape)[1]
        return _count(extents) * self.dtype.itemsize

    def read(self, lo: Sequence[int], shape: Sequence[int], budget: int | None = None) -> np.ndarray:
        """The box [lo, lo + shape). budget: the most bytes of the source that are read at once. Errors: LimitError."""
        if self._plan is None:
            return self.source.read(lo, shape)
        whole = np.empty(tuple(shape), self.dtype)
        for part_lo, part_shape in self._parts(tuple(lo), tuple(shape), budget):
            x_lo, x_shape = self._plan.input_region(part_lo, part_shape)
            x = self.source.read(x_lo, x_shape, budget)  # a level above that is not stored is computed for each box
            slices = tuple(slice(a - b, a - b + extent) for a, b, extent in zip(part_lo, lo, part_shape))
            whole[slices] = self._plan.run_region(np.ascontiguousarray(x), x_lo, part_lo, part_shape, num_threads=1)
        return whole

    def _parts(self, lo: tuple[int, ...], shape: tuple[int, ...], budget: int | None) -> Iterator[Box]:
        needed = self.region_bytes(lo, shape)
        if budget is None or needed <= budget:
            yield lo, shape
            return
        axis = int(np.argmax(shape))
        if shape[axis] == 1:
            raise _core.LimitError(f"pyramid: one element of a level is computed from {needed} bytes, and the limit of memory leaves {budget} "
                                   "for each thread; compute each level from the one above, or give more memory")
        half = shape[axis] // 2
        yield from self._parts(lo, shape[:axis] + (half,) + shape[axis + 1:], budget)
        yield from self._parts(lo[:axis] + (lo[axis] + half,) + lo[axis + 1:], shape[:axis] + (shape[axis] - half,) + shape[axis + 1:],
                               budget)

    def __getitem__(self, key: Any) -> np.ndarray:
        ranges, dropped = _ranges(key, self.shape)
        lo = tuple(min(r[0], r[-1]) if len(r) else 0 for r in ranges)
        extents = tuple(abs(r[-1] - r[0]) + 1 if len(r) else 0 for r in ranges)
        box = self.read(lo, extents) if _count(extents) else np.empty(extents, self.dtype)
        box = box[tuple(slice(None, None, r.step) for r in ranges)]
        return box.reshape([extent for axis, extent in enumerate(box.shape) if axis not in dropped])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        whole = self[...]
        return whole if dtype is None else whole.astype(dtype, copy=False)

    def __len__(self) -> int:
        return self.shape[0]

    def __repr__(self) -> str:
        return f"<level of {'x'.join(map(str, self.shape))} {self.dtype}, scale {self.scale}, translation {self.translation}>"


def _count(extents: Sequence[int]) -> int:
    count = 1
    for extent in extents:
        count *= int(extent)
    return count


def _ranges(key: Any, shape: tuple[int, ...]) -> tuple[list[range], set[int]]:
    """A range for each axis, and the axes that an index drops."""
    entries = list(key) if isinstance(key, tuple) else [key]
    missing = len(shape) - sum(entry is not Ellipsis for entry in entries)
    if missing < 0:
        raise IndexError(f"{len(shape) - missing} indices; the level has {len(shape)} axes")
    if not any(entry is Ellipsis for entry in entries):
        entries.append(Ellipsis)
    at = next(index for index, entry in enumerate(entries) if entry is Ellipsis)
    entries[at:at + 1] = [slice(None)] * missing
    ranges, dropped = [], set()
    for axis, (entry, extent) in enumerate(zip(entries, shape)):
        if isinstance(entry, slice):
            ranges.append(range(*entry.indices(extent)))
            continue
        try:
            index = operator.index(entry)
        except TypeError:
            raise IndexError(f"index {_parameters.shown(entry)}; expected whole numbers and slices") from None
        if not -extent <= index < extent:
            raise IndexError(f"index {index} is outside the {extent} elements of axis {axis}")
        ranges.append(range(index % extent, index % extent + 1))
        dropped.add(axis)
    return ranges, dropped
