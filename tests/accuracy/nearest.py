"""Nearest resizing of every pair of extents beside exact integers.

For every input extent n and output extent m up to a limit, every coordinate_transformation_mode and nearest_mode, the
library resizes the indices 0 .. n-1 by sizes, and each output is compared with the index that follows from the position
as a fraction. tf_crop_and_resize crops nothing, since other crops have no exact positions.

Usage: nearest.py [--extents 512]
"""

from __future__ import annotations

import argparse
import ctypes as c
import multiprocessing
import os
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "conformance"), str(TESTS / "reliability")]
from figures import record
from library import LIBRARY, Error, Op, RunOptions, Tensor, TeselaError, check, dtype_code, int64s

NEAREST_MODES = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
BACKENDS = {"cpu": 0, "reference": 1}


def positions(mode: str, n: int, i: np.ndarray, m: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The positions of outputs i of m as fractions: numerators and denominators.

    Source: ONNX Resize-19 and, for tf_half_pixel_for_nn, Resize-11: coordinate_transformation_mode.
    """
    several = m > 1
    if mode in ("half_pixel", "half_pixel_symmetric"):  # equal, since the scale of sizes is exactly m / n
        return (2 * i + 1) * n - m, 2 * m
    if mode == "pytorch_half_pixel":
        return np.where(several, (2 * i + 1) * n - m, 0), 2 * m
    if mode == "asymmetric":
        return i * n, m
    if mode == "tf_half_pixel_for_nn":
        return (2 * i + 1) * n, 2 * m
    if mode == "align_corners":
        return i * (n - 1), np.maximum(m - 1, 1)
    assert mode == "tf_crop_and_resize", mode
    return np.where(several, i * (n - 1), n - 1), np.where(several, m - 1, 2)


SINCE_VERSION = {
    "half_pixel": 19,
    "half_pixel_symmetric": 19,
    "pytorch_half_pixel": 19,
    "asymmetric": 19,
    "align_corners": 19,
    "tf_crop_and_resize": 19,
    "tf_half_pixel_for_nn": 11,
}


def indices(nearest_mode: str, numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    """The integers that positions round to, before they are clamped.

    Source: ONNX Resize-19, attribute nearest_mode.
    """
    floor = numerator // denominator
    rest = numerator - floor * denominator
    if nearest_mode == "round_prefer_floor":
        return floor + (2 * rest > denominator)
    if nearest_mode == "round_prefer_ceil":
        return floor + (2 * rest >= denominator)
    return floor + (rest > 0) if nearest_mode == "ceil" else floor


class Resizer:
    """Resizes the indices of one extent, with as few Python objects for each call as possible."""

    def __init__(self, mode: str, nearest_mode: str, n: int, backend: str):
        attributes = {"mode": "nearest", "coordinate_transformation_mode": mode, "nearest_mode": nearest_mode}
        self.op = Op("Resize", SINCE_VERSION[mode], attributes)
        self.indices = np.arange(n, dtype=np.int16)
        self.size, self.extent = int64s([0]), int64s([0])
        roi, scales = np.array([0, 1], np.float32), np.zeros(0, np.float32)
        self.x = self.tensor(self.indices.ctypes.data, "int16", n)
        given = [self.x, self.tensor(roi.ctypes.data, "float", 2), None,
                 self.tensor(c.addressof(self.size), "int64", 1)]
        if SINCE_VERSION[mode] == 11:  # an empty tensor stands for absent scales
            given[2] = self.tensor(scales.ctypes.data, "float", 0)
        self.kept = [roi, scales, given]
        self.inputs = (c.POINTER(Tensor) * 4)(*[None if each is None else c.pointer(each) for each in given])
        self.y = Tensor(0, dtype_code("int16"), 1, self.extent, None, 0)
        self.options = RunOptions(struct_size=c.sizeof(RunOptions), threads=1, backend=BACKENDS[backend])
        self.plan, self.error = c.c_void_p(), Error()

    @staticmethod
    def tensor(data: int, dtype: str, extent: int) -> Tensor:
        return Tensor(data, dtype_code(dtype), 1, int64s([extent]), None, 0)

    def resize(self, m: int, to: int) -> None:
        """Writes m indices to the address `to`."""
        self.size[0] = self.extent[0] = m
        self.y.data = to
        error = c.byref(self.error)
        check(LIBRARY.tesela_plan_create(self.op.handle, c.c_size_t(4), self.inputs, None, c.byref(self.plan), error),
              self.error)
        status = LIBRARY.tesela_plan_run(self.plan, c.byref(self.x), c.byref(self.y), c.byref(self.options), error)
        LIBRARY.tesela_plan_destroy(self.plan)
        check(status, self.error)


@dataclass
class Comparison:
    outputs: int = 0
    pairs: int = 0
    different: tuple[str, ...] = ()


def compare_extent(n: int, extents: int, backend: str) -> Comparison:
    """Every output extent up to `extents`, of inputs of extent n, in every mode."""
    of_each = np.arange(1, extents + 1)
    m = np.repeat(of_each, of_each)
    begin = np.concatenate([[0], np.cumsum(of_each)])
    i = np.arange(len(m)) - begin[m - 1]
    made = np.empty(len(m), np.int16)
    result = Comparison()
    different = []
    for mode in SINCE_VERSION:
        numerator, denominator = positions(mode, n, i, m)
        for nearest_mode in NEAREST_MODES:
            made.fill(-1)
            resizer = Resizer(mode, nearest_mode, n, backend)
            for extent in range(1, extents + 1):
                resizer.resize(extent, made.ctypes.data + 2 * int(begin[extent - 1]))
            exact = np.clip(indices(nearest_mode, numerator, denominator), 0, n - 1)
            exact = np.where(m == n, i, exact)  # an axis that keeps its extent is copied
            wrong = np.flatnonzero(exact != made)
            if len(wrong) > 0:
                at = wrong[0]
                different.append(f"{mode} {nearest_mode}, {n} to {m[at]}: output {i[at]} is input {made[at]}, "
                                 f"not {exact[at]}")
            result.outputs += len(m)
            result.pairs += extents
    result.different = tuple(different)
    return result


def compare(extents: int, backend: str) -> Comparison:
    """Every pair of extents up to `extents`."""
    arguments = [(n, extents, backend) for n in range(1, extents + 1)]
    with multiprocessing.Pool(len(os.sched_getaffinity(0))) as pool:
        parts = pool.starmap(compare_extent, arguments, chunksize=4)
    return Comparison(sum(part.outputs for part in parts), sum(part.pairs for part in parts),
                      tuple(text for part in parts for text in part.different))


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--extents", type=int, default=512)
    extents = options.parse_args().extents
    failed = False
    for backend in BACKENDS:
        try:
            result = compare(extents, backend)
        except TeselaError as error:
            print(f"{backend}: {error}", file=sys.stderr)
            return 1
        text = (f"Nearest, {backend} backend: {result.pairs:,} pairs of extents and modes up to {extents}, "
                f"{result.outputs:,} outputs; {len(result.different)} pairs of modes and inputs differ from exact indices.")
        record("G9", text)
        print(text, *result.different[:10], sep="\n")
        failed = failed or bool(result.different)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
