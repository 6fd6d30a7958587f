# SPDX-License-Identifier: Apache-2.0
"""Reads, computes and writes regions at the same time: a thread that reads, the caller's, which computes, and one that writes."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from . import planning
from .boxes import Extents, Grid, slices, within
from .channel import Channel, Closed
from .operation import Operation, Part

# Work that may be lost when the process is killed. What is written is made durable so often.
_KEPT_BYTES, _KEPT_SECONDS = 256 << 20, 5.0


class Buffer:
    """Memory that is used for one box after another."""

    def __init__(self, dtype: np.dtype):
        self._dtype = dtype
        self._bytes = np.empty(0, np.uint8)

    def box(self, shape: Extents) -> np.ndarray:
        """A dense array of undefined elements, which the next call ends."""
        size = math.prod(shape) * self._dtype.itemsize
        if self._bytes.size < size:
            self._bytes = np.empty(0, np.uint8)  # before there is more
            self._bytes = np.empty(size, np.uint8)
        return self._bytes[:size].view(self._dtype).reshape(shape)


class Pipeline:
    """done: regions that are written. keep: called with their number when they are durable. progress: with the share."""

    def __init__(self, operation: Operation, grid: Grid, source: Any, sink: Any, threads: int):
        self.operation, self.grid, self.source, self.sink, self.threads = operation, grid, source, sink, threads
        self._inputs = Channel(Buffer(operation.dtype) for _ in range(planning.DEPTH))
        self._outputs = Channel(Buffer(operation.output_dtype) for _ in range(planning.DEPTH))
        self._read, self._computed = Channel(), Channel()
        self._failure: BaseException | None = None

    def run(self, done: int, keep: Callable[[int], None], progress: Callable[[float], None] | None) -> None:
        """Computes the regions from `done` on. Errors: those of the source, the sink, keep and progress."""
        # Events, because an interrupted join of Python 3.11 takes a thread that runs for ended.
        has_read, has_written = threading.Event(), threading.Event()
        for work, ended in ((lambda: self._read_all(done), has_read), (lambda: self._write(done, keep), has_written)):
            threading.Thread(target=self._guard, args=(work, ended), daemon=True).start()
        try:
            self._compute_all(done, progress)
            has_written.wait()
        except Closed:
            pass  # the failure of the other thread says why
        finally:
            self._close()
            has_read.wait()
            has_written.wait()
        if self._failure is not None:
            raise self._failure

    def _close(self) -> None:
        for channel in (self._inputs, self._outputs, self._read, self._computed):
            channel.close()

    def _guard(self, work: Callable[[], None], ended: threading.Event) -> None:
        try:
            work()
        except Closed:
            pass
        except BaseException as error:
            self._failure = self._failure or error
            self._close()
        finally:
            ended.set()

    def _read_all(self, done: int) -> None:
        for number in range(done, len(self.grid)):
            for part in self.operation.parts(*self.grid[number]):
                buffer = self._inputs.get()
                x = None
                if self.source is not None and not self.operation.reads_itself:
                    x = buffer.box(part.x_shape[::-1]).T if self.source.reversed_axes else buffer.box(part.x_shape)
                    self.source.read(part.x_lo, x)
                self._read.put((part, x, buffer))

    def _compute_all(self, done: int, progress: Callable[[float], None] | None) -> None:
        for number in range(done, len(self.grid)):
            lo, shape = self.grid[number]
            buffer = self._outputs.get()
            y = buffer.box(shape)
            left = math.prod(shape)
            while left:
                left -= self._compute_part(lo, y)
            self._computed.put((number, lo, y, buffer))
            if progress is not None:
                progress(number / len(self.grid))
        self._computed.put(None)

    def _compute_part(self, lo: Extents, y: np.ndarray) -> int:
        """Computes the next part, of the region that begins at lo. Returns its elements."""
        part: Part
        part, x, buffer = self._read.get()
        inside: tuple[Any, ...] = (*slices(within(part.lo, lo), part.shape), ...)
        self.operation.compute(x, part, y[inside], self.threads)
        self._inputs.put(buffer)
        return math.prod(part.shape)

    def _write(self, done: int, keep: Callable[[int], None]) -> None:
        pending, last = 0, time.monotonic()
        while (computed := self._computed.get()) is not None:
            number, lo, y, buffer = computed
            self.sink.write(lo, y)
            self._outputs.put(buffer)
            done, pending = number + 1, pending + y.nbytes
            if pending >= _KEPT_BYTES or time.monotonic() - last >= _KEPT_SECONDS:
                self.sink.sync()
                keep(done)
                pending, last = 0, time.monotonic()
        self.sink.sync()
        keep(done)
