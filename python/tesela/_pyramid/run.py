# SPDX-License-Identifier: Apache-2.0
"""Computes levels box by box, in threads and within a limit of memory."""

from __future__ import annotations

import itertools
import math
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from .. import _core, _parameters
from .._streaming import memory as memories
from .levels import Box, Level
from .sources import Source

_LEAST_MEMORY = 32 << 20
# A thread holds the region as it was read and as it was stored, sums in the compute type, and its output.
_COPIES = 6
_MOST_BOXES = 1 << 32  # of a level
_MOST_THREADS = 32  # by default


@dataclass(frozen=True)
class Resources:
    """memory: bytes. threads: that compute. progress: called with the share that is done."""

    memory: int
    threads: int
    progress: Callable[[float], None] | None = None

    @property
    def budget(self) -> int:
        """The most bytes of a region that a thread reads."""
        return self.memory // (self.threads * _COPIES)


def resources(memory: Any, num_threads: int | None, progress: Callable[[float], None] | None) -> Resources:
    """memory: bytes, text with a unit, or None for a quarter of the machine's. Errors: InvalidValueError, LimitError."""
    threads = min(len(os.sched_getaffinity(0)), _MOST_THREADS) if num_threads is None else _parameters.whole(
        "pyramid", "num_threads", num_threads, 1, 1024)
    limit = memories.read(memory, "pyramid")
    if limit < _LEAST_MEMORY:
        _parameters.refuse("pyramid", "memory", memory, f"{memories.shown(_LEAST_MEMORY)} or more", _core.LimitError)
    return Resources(limit, threads, progress)


def for_source(given: Resources, source: Source) -> Resources:
    """Fewer threads if chunks of the input are so large that not every thread can hold one. Errors: LimitError."""
    if source.chunks is None:
        return given
    stored = 2 * math.prod(source.chunks) * source.dtype.itemsize  # compressed and not
    if stored > given.memory:
        raise _core.LimitError(f"pyramid: reading a chunk of x, {source.chunks} of {source.dtype}, takes {memories.shown(stored)}, and memory is "
                               f"limited to {memories.shown(given.memory)}; give more memory, or store x in smaller chunks")
    return replace(given, threads=min(given.threads, given.memory // stored))


def step(level: Level, unit: Sequence[int], budget: int) -> tuple[int, ...]:
    """The extents of the boxes in which a level is computed: whole units of the output. They grow to the chunks that are read, as
    memory allows, so that few of those are read more than once."""
    chosen, stored = list(unit), level.source.chunks
    if stored is None:
        return tuple(unit)
    for axis in reversed(range(len(chosen))):
        factor = level.source.shape[axis] / level.shape[axis]
        wanted = math.ceil(stored[axis] / factor / unit[axis]) * unit[axis]
        while chosen[axis] < min(wanted, level.shape[axis]):
            grown = chosen[:axis] + [min(chosen[axis] * 2, wanted)] + chosen[axis + 1:]
            if level.region_bytes((0,) * len(grown), [min(a, b) for a, b in zip(grown, level.shape)]) > budget:
                break
            chosen = grown
    return tuple(chosen)


def boxes(shape: Sequence[int], extents: Sequence[int]) -> Iterator[Box]:
    """The boxes of a grid, the last axis first. Errors: LimitError."""
    count = math.prod(-(-extent // by) for extent, by in zip(shape, extents))
    if count > _MOST_BOXES:
        raise _core.LimitError(f"pyramid: a level of {tuple(shape)} has {count} chunks; expected {_MOST_BOXES} or fewer: give larger chunks")
    for lo in itertools.product(*(range(0, extent, by) for extent, by in zip(shape, extents))):
        yield lo, tuple(min(by, extent - start) for by, extent, start in zip(extents, shape, lo))


class Counter:
    """Reports the share of all elements that is done."""

    def __init__(self, levels: Sequence[Level], progress: Callable[[float], None] | None):
        self._total = sum(math.prod(level.shape) for level in levels) or 1
        self._done = 0
        self._progress = progress

    def add(self, elements: int) -> None:
        self._done += elements
        if self._progress is not None:
            self._progress(self._done / self._total)
