# SPDX-License-Identifier: Apache-2.0
"""Boxes of arrays: (lo, shape), the first element and the extents along each axis."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import TypeAlias

Extents: TypeAlias = tuple[int, ...]


def slices(lo: Extents, shape: Extents) -> tuple[slice, ...]:
    """The box as an index of the whole array."""
    return tuple(slice(first, first + extent) for first, extent in zip(lo, shape))


def within(lo: Extents, of: Extents) -> Extents:
    """Where lo is in a box that begins at `of`."""
    return tuple(first - start for first, start in zip(lo, of))


def covering(lo: Extents, shape: Extents, chunks: Extents) -> Iterator[tuple[Extents, Extents]]:
    """The parts of a box that lie in one chunk each, in order."""
    if 0 in shape:
        return
    ranges = [range(first // chunk, (first + extent - 1) // chunk + 1) for first, extent, chunk in zip(lo, shape, chunks)]
    for index in itertools.product(*ranges):
        start = tuple(max(first, i * chunk) for first, i, chunk in zip(lo, index, chunks))
        end = tuple(min(first + extent, (i + 1) * chunk) for first, extent, i, chunk in zip(lo, shape, index, chunks))
        yield start, within(end, start)


class Grid:
    """Cuts `shape` into regions of `step`, the last along each axis shorter. Regions are counted in row-major order."""

    def __init__(self, shape: Extents, step: Extents):
        self.shape, self.step = shape, step
        self.counts = tuple(-(-extent // size) for extent, size in zip(shape, step))

    def __len__(self) -> int:
        return math.prod(self.counts)

    def __getitem__(self, number: int) -> tuple[Extents, Extents]:
        index = []
        for count in reversed(self.counts):
            number, i = divmod(number, count)
            index.append(i)
        lo = tuple(i * size for i, size in zip(reversed(index), self.step))
        return lo, tuple(min(size, extent - first) for size, extent, first in zip(self.step, self.shape, lo))
