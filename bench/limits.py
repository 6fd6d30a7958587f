# SPDX-License-Identifier: Apache-2.0
"""The limit of a workload on this machine: its bytes read and written once, or its arithmetic, whichever takes longer.

The bytes are copied between the workload's own buffers, in turns with the contestants, with every kind of store; the fastest
counts. Products are summed one by one, with each product and each sum rounded, as the arithmetic contract requires. Each element
that outputs need is converted to a number once, and each output once from its sum; this takes the same execution units as
products, so the times add up. Nothing else is counted, so the limit is optimistic.
"""

from __future__ import annotations

import ctypes as c
import functools
import itertools
import math
import pathlib

from case import DOUBLE_TYPES
from runner import Job
from speed import Speed

LINE = 64
FLOAT, DOUBLE, INT16 = range(3)
CONVERTED = ["uint8", "int16", "float16", "bfloat16", "int32"]  # elements whose conversions are measured
STORES = range(3)  # through the caches, past them, memset
# Contestants run repeatedly in a turn and find their data in the caches; so does this.
ROUNDS_BYTES, LEAST_ROUNDS = 1 << 27, 3


@functools.cache
def library() -> c.CDLL:
    folder = pathlib.Path(__file__).resolve().parents[1] / "build" / "bench"
    loaded = c.CDLL(str(folder / "libtesela_limits.so"))
    for function in (loaded.tesela_limits_move, loaded.tesela_limits_multiply, loaded.tesela_limits_convert,
                     loaded.tesela_limits_instructions):
        function.restype = c.c_double
    return loaded


def move(given: tuple, threads: int, rounds: int) -> float:
    """Nanoseconds with the fastest kind of store. Two threads may be slower than one."""
    ways = itertools.product(STORES, {1, threads})
    return min(library().tesela_limits_move(*given, store, count, rounds) for store, count in ways)


@functools.cache
def products_a_nanosecond(kind: int, threads: int) -> float:
    return max(library().tesela_limits_multiply(kind, threads) for _ in range(30))


@functools.cache
def conversions_a_nanosecond(dtype: str, kind: int, to_elements: bool, threads: int) -> float:
    """Infinite for types whose conversions are not measured."""
    if dtype not in CONVERTED:
        return math.inf
    return max(library().tesela_limits_convert(CONVERTED.index(dtype), kind, to_elements, threads) for _ in range(30))


@functools.cache
def speed() -> Speed:
    """Of this machine's processors: one for all measurements of a process, since it remembers the fastest."""
    return Speed(library().tesela_limits_instructions)


# ---- Model ---------------------------------------------------------------------------------------------------------


def support(workload, n: int, m: int) -> float:
    """Source elements under the window of an output, on average."""
    if workload.mode == "nearest" or n == m:
        return 1
    width = 4 if workload.mode == "cubic" else 2
    return width * n / m if workload.antialias and m < n else width


def needed_bytes(workload, item_bytes: float) -> int:
    """Bytes of the source in the cache lines that outputs need."""
    if workload.operator == "Tile":
        return math.ceil(math.prod(workload.source) * item_bytes)
    part = 1.0
    inner = item_bytes
    for extent, (n, m) in reversed(list(zip(workload.source, workload.sampled))):
        # The share of bytes in cache lines that unaligned runs touch, of the bytes between the runs.
        part *= n / extent * min(1.0, (support(workload, n, m) * inner + LINE - 1) / (n / m * inner))
        inner *= extent
    return math.ceil(math.prod(workload.source) * item_bytes * part)


def needed_extents(workload) -> list[float]:
    """Elements of each axis under the windows of its outputs."""
    return [min(n, support(workload, n, m) * m) for n, m in workload.sampled]


def is_interpolated(workload) -> bool:
    return workload.mode in ("linear", "cubic")


def products(workload) -> float:
    """Of all passes: first the axes that shrink, outermost first, then the others, the last two swapped. Outputs of a crop that lie
    outside of the input have none."""
    if not is_interpolated(workload):
        return 0
    sampled = workload.sampled
    extents = needed_extents(workload)
    axes = workload.resized
    shrinking = [axis for axis in axes if sampled[axis][1] < sampled[axis][0]]
    growing = [axis for axis in axes if axis not in shrinking]
    growing[-2:] = growing[-2:][::-1]
    total = 0.0
    for axis in shrinking + growing:
        inputs, outputs = sampled[axis]
        extents[axis] = outputs
        total += math.prod(extents) * support(workload, inputs, outputs)
    return total


def kind_of_products(workload) -> int:
    if workload.dtype in DOUBLE_TYPES:
        return DOUBLE
    factors = [max(n, m) / min(n, m) for n, m in zip(workload.source, workload.target)]
    dyadic = all(factor.is_integer() and math.log2(factor).is_integer() for factor in factors)
    if workload.dtype in ("uint8", "int8") and workload.mode == "linear" and dyadic and \
            workload.coordinates == "half_pixel":
        return INT16  # the weights 1/4 and 3/4 fit 16 bits
    return FLOAT


def arithmetic_ns(workload, threads: int) -> float:
    """Of products and conversions."""
    if not is_interpolated(workload):
        return 0
    kind = kind_of_products(workload)
    inputs, outputs = math.prod(needed_extents(workload)), math.prod(m for _, m in workload.sampled)
    return (products(workload) / products_a_nanosecond(kind, threads)
            + inputs / conversions_a_nanosecond(workload.dtype, kind, False, threads)
            + outputs / conversions_a_nanosecond(workload.dtype, kind, True, threads))


class Limit:
    """The limit of a job; call() measures its bytes once more and returns nanoseconds."""

    def __init__(self, job: Job, source: int, item_bytes: float):
        workload = job.workload
        self.read = 0 if job.x is None else needed_bytes(workload, item_bytes)
        self.written = job.y.nbytes
        self.products = products(workload)
        self.threads = job.threads
        # Some machines write zeros faster.
        value = 0 if workload.operator == "ConstantOfShape" and workload.value == 0 else 1
        self.given = (c.c_void_p(source), c.c_size_t(self.read), c.c_void_p(job.y.ctypes.data),
                      c.c_size_t(self.written), value)
        self.arithmetic = arithmetic_ns(workload, job.threads)
        self.rounds = max(LEAST_ROUNDS, min(100, ROUNDS_BYTES // (self.read + self.written + 1)))

    def call(self) -> float:
        moved = move(self.given, self.threads, self.rounds)
        return max(moved, self.arithmetic)
