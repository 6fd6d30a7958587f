# SPDX-License-Identifier: Apache-2.0
"""Tesela through its C interface: one plan, then runs on given buffers."""

from __future__ import annotations

import ctypes as c
import functools
import pathlib
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests" / "conformance"))

import buffers
import library
from case import NUMPY_TYPES
from runner import Job, Runner


@functools.cache
def calls() -> c.CDLL:
    folder = pathlib.Path(__file__).resolve().parents[1] / "build" / "bench"
    return c.CDLL(str(folder / "libcalls.so"))


class Tesela:
    """A planned workload with fixed buffers. Packed types and strings are in the library's format."""

    def __init__(self, workload, x: np.ndarray | None, y: np.ndarray, threads: int = 1):
        self.plan = library.workload_plan(workload, x)
        self.source = None if x is None else library.View(x, workload.dtype, strided=bool(workload.input_order))
        self.y = y
        self.extents = library.int64s(workload.target)
        code = library.dtype_code(workload.dtype)
        self.strides = library.int64s(self.y.strides) if workload.output_order else None
        self.target = library.Tensor(self.y.ctypes.data, code, len(workload.target), self.extents, self.strides, 0)
        self.options = library.RunOptions(struct_size=c.sizeof(library.RunOptions), threads=threads)
        self.error = library.Error()
        run = library.LIBRARY.tesela_plan_run
        source = None if self.source is None else c.byref(self.source.tensor)
        arguments = (self.plan.handle, source, c.byref(self.target), c.byref(self.options), c.byref(self.error))

        def call(held=self):  # keeps the plan and the buffers alive
            return run(*arguments)

        def many(count: int, held=self):
            return calls().calls_repeat(*arguments, c.c_int64(count), run)

        self.call, self.many = call, many

    def checked(self) -> Tesela:
        """Computes once and raises errors of the library."""
        library.check(self.call(), self.error)
        return self


def output(workload) -> np.ndarray:
    """Memory for an output: elements, or bytes for packed types and strings."""
    count = int(np.prod(workload.target, dtype=np.int64))
    if workload.dtype == "string":
        return buffers.empty((count * c.sizeof(library.String),), np.uint8)
    if workload.dtype in library.PACKED_BITS:
        return buffers.empty((-(-count * library.PACKED_BITS[workload.dtype] // 8),), np.uint8)
    return buffers.empty(workload.target, NUMPY_TYPES[workload.dtype], workload.output_order)


def runner(job: Job) -> Runner:
    held = Tesela(job.workload, job.x, job.y, job.threads).checked()
    runner = Runner("tesela", held.call, lambda: held.y, many=held.many)
    runner.source = 0 if held.source is None else held.source.tensor.data
    runner.item_bytes = library.LIBRARY.tesela_dtype_bits(library.dtype_code(job.workload.dtype)) / 8
    return runner
