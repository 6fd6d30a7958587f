# SPDX-License-Identifier: Apache-2.0
"""One Resize of vectors, for many extents, with as few Python objects for each call as possible."""

from __future__ import annotations

import ctypes as c
import sys
from pathlib import Path

import numpy as np

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "conformance"), str(TESTS / "reliability")]
from library import LIBRARY, Error, Op, RunOptions, Tensor, check, dtype_code

BACKENDS = {"cpu": 0, "reference": 1}


def outputs_of(extents: np.ndarray) -> np.ndarray:
    """0 .. m - 1 for each extent m, one after the other."""
    ends = np.cumsum(extents)
    return np.arange(ends[-1]) - np.repeat(ends - extents, extents)


class Resizer:
    """Resizes the first elements of x. roi: start and end of tf_crop_and_resize."""

    def __init__(self, attributes: dict, x: np.ndarray, opset: int = 19, roi: tuple[float, float] = (0, 1), backend: str = "cpu"):
        self.op = Op("Resize", opset, attributes)
        self.x = x
        self.n, self.m, one, two, none = (c.c_int64(value) for value in (0, 0, 1, 2, 0))
        self.scale, self.roi = c.c_float(0), (c.c_double * 2)(*roi)
        self.input, self.output = (_tensor(0, x.dtype.name, extent) for extent in (self.n, self.m))
        self.input.data = x.ctypes.data
        region = _tensor(c.addressof(self.roi), "double", two)
        sizes = _tensor(c.addressof(self.m), "int64", one)
        scales = _tensor(c.addressof(self.scale), "float", one)
        absent = _tensor(0, "float", none)  # version 11 requires scales, which an empty tensor leaves out
        self.by_sizes, self.by_scales = ((c.POINTER(Tensor) * len(inputs))(*map(c.pointer, inputs)) for inputs in
                                         ([self.input, region, absent, sizes], [self.input, region, scales]))
        options = RunOptions(struct_size=c.sizeof(RunOptions), threads=1, backend=BACKENDS[backend])
        self.plan, self.error = c.c_void_p(), Error()
        self.made = (None, c.byref(self.plan), c.byref(self.error))
        self.places = (c.byref(self.input), c.byref(self.output), c.byref(options), c.byref(self.error))

    def to_extents(self, n: int, extents: list[int]) -> np.ndarray:
        """The outputs of n elements for these extents, one after the other."""
        return self._run(self.by_sizes, [(n, 0, m) for m in extents])

    def by_factors(self, calls: list[tuple[int, float, int]]) -> np.ndarray:
        """The outputs for (input extent, scale, output extent that follows from them), one after the other."""
        return self._run(self.by_scales, calls)

    def _run(self, inputs: c.Array, calls: list[tuple[int, float, int]]) -> np.ndarray:
        out = np.full(sum(m for _, _, m in calls), -1, np.int64).astype(self.x.dtype)
        address, count = out.ctypes.data, c.c_size_t(len(inputs))
        for n, scale, m in calls:
            self.n.value, self.scale.value, self.m.value, self.output.data = n, scale, m, address
            address += out.itemsize * m
            check(LIBRARY.tesela_plan_create(self.op.handle, count, inputs, *self.made), self.error)
            status = LIBRARY.tesela_plan_run(self.plan, *self.places)
            LIBRARY.tesela_plan_destroy(self.plan)
            check(status, self.error)
        return out


def _tensor(data: int, dtype: str, extent: c.c_int64) -> Tensor:
    return Tensor(data, dtype_code(dtype), 1, c.pointer(extent), None, 0)
