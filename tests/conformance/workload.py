# SPDX-License-Identifier: Apache-2.0
"""Workloads: the lines of tests/cases.txt, each describing one operator call. The command line reads them
(`tesela bench --list --json`), and `tesela bench --help` explains their words."""

from __future__ import annotations

import functools
import json
import math
import os
import pathlib
import subprocess
from dataclasses import dataclass, field, replace

import library
import numpy as np
from case import NUMPY_TYPES

FILE = pathlib.Path(__file__).resolve().parents[1] / "cases.txt"
# The program is next to the library under test.
PROGRAM = os.environ.get("TESELA_BIN", str(pathlib.Path(library.LIBRARY._name).with_name("tesela")))


@dataclass(frozen=True)
class Workload:
    """One call. attributes: of Resize, by ONNX's names. value: of ConstantOfShape. source: () of ConstantOfShape."""

    name: str
    operator: str
    opset: int
    dtype: str
    source: tuple[int, ...]
    target: tuple[int, ...]
    attributes: dict = field(default_factory=dict)
    value: float = 0
    roi: tuple[float, ...] = ()  # of a crop: its starts along all axes, then its ends
    input_order: tuple[int, ...] = ()  # the axes in memory, outermost first; () is the order of the shape
    output_order: tuple[int, ...] = ()
    words: tuple[str, ...] = ()  # of the line: those before the type
    numbers: tuple[str, ...] = ()  # and those behind the shapes

    @property
    def mode(self) -> str:
        return self.attributes.get("mode", "")

    @property
    def antialias(self) -> bool:
        return bool(self.attributes.get("antialias"))

    @property
    def coordinates(self) -> str:
        return self.attributes.get("coordinate_transformation_mode", "half_pixel")

    @property
    def rounding(self) -> str:
        return self.attributes.get("nearest_mode", "round_prefer_floor")

    @property
    def cubic_coeff_a(self) -> float:
        return self.attributes.get("cubic_coeff_a", -0.75)

    @property
    def repeats(self) -> list[int]:
        return [m // n for n, m in zip(self.source, self.target)]

    def __str__(self) -> str:
        """The line that `parse` reads."""
        shapes = ["x".join(map(str, shape)) for shape in (self.source, self.target)]
        line = [*self.words, self.dtype, shapes[0], "->", shapes[1], *self.numbers]
        return (f"{self.name}: " if self.name else "") + " ".join(word for word in line if word)

    @property
    def is_dense(self) -> bool:
        """Whether memory has the axes in the order of the shapes."""
        return not (self.input_order or self.output_order)

    def ends(self, axis: int) -> tuple[float, float]:
        """Where the crop starts and ends along an axis; 0 and 1 are the first and the last input."""
        return (self.roi[axis], self.roi[axis + len(self.source)]) if self.roi else (0.0, 1.0)

    @property
    def resized(self) -> list[int]:
        """The axes whose extents change or that are cropped."""
        pairs = enumerate(zip(self.source, self.target))
        return [axis for axis, (n, m) in pairs if n != m or self.ends(axis) != (0, 1)]

    @property
    def sampled(self) -> list[tuple[int, int]]:
        """For each axis how many inputs lie within the crop, and how many outputs lie within the input."""
        return [within(n, m, *self.ends(axis)) for axis, (n, m) in enumerate(zip(self.source, self.target))]

    def shrunk(self, most: int) -> Workload:
        """The same call with extents up to about `most`. Factors and unchanged axes are kept."""
        pairs = [shrink(n, m, most) for n, m in zip(self.source, self.target)]
        if not self.source:
            return replace(self, target=tuple(min(m, most * most) for m in self.target))
        return replace(self, source=tuple(n for n, _ in pairs), target=tuple(m for _, m in pairs))


def within(n: int, m: int, start: float, end: float) -> tuple[int, int]:
    if (start, end) == (0, 1) or start == end:
        return n, m
    low, high = sorted((start, end))
    part = max(0.0, min(high, 1.0) - max(low, 0.0))
    return max(1, math.ceil(n * part)), max(1, round(m * part / (high - low)))


def shrink(n: int, m: int, most: int) -> tuple[int, int]:
    if max(n, m) <= most:
        return n, m
    if m % n == 0:
        factor = min(m // n, most)
        small = max(1, min(n, most // factor))
        return small, small * factor
    if n % m == 0:
        factor = min(n // m, most)
        small = max(1, most // factor)
        return small * factor, small
    part = most / max(n, m)
    return max(1, math.ceil(n * part)), max(1, math.ceil(m * part))


def listed(*words) -> list[Workload]:
    """The cases that `tesela bench` makes of these words. Errors: ValueError with its message."""
    done = subprocess.run([PROGRAM, "bench", "--list", "--json", *words], capture_output=True, check=False)
    if done.returncode:
        raise ValueError(done.stderr.decode().strip() or f"{PROGRAM}: exit status {done.returncode}")
    return [from_json(entry) for entry in json.loads(done.stdout)["cases"]]


def from_json(entry: dict) -> Workload:
    if entry["gap"] or entry["domain"]:
        raise ValueError(f"case '{entry['case']}': workloads are of ONNX's operators and have no gaps")
    return Workload(entry["name"], entry["operator"], entry["since_version"], entry["dtype"], tuple(entry["input"]),
                    tuple(entry["output"]), entry["attributes"], entry["value"], tuple(entry["roi"]),
                    tuple(entry["input_order"]), tuple(entry["output_order"]), tuple(entry["words"]), tuple(entry["numbers"]))


@functools.cache
def parse(line: str) -> Workload:
    """The workload of a line. Errors: ValueError with the invalid word."""
    [case] = listed("--", line)
    return case


def parse_all(lines) -> list[Workload]:
    """The workloads of lines, read at once."""
    lines = list(lines)
    return listed("--", *lines) if lines else []


def read_all(path: pathlib.Path = FILE) -> list[Workload]:
    """The cases of a file, one per line; empty lines and comments after # are ignored."""
    return listed("--file", str(path))


def in_order(array: np.ndarray, order: tuple[int, ...]) -> np.ndarray:
    """The same array, copied where its axes must lie in another order in memory."""
    if not order:
        return array
    return np.ascontiguousarray(array.transpose(order)).transpose(np.argsort(order))


def values(case: Workload, seed: int = 0) -> np.ndarray | None:
    """An input like an image, in the case's layout: floats in [0, 1), integers of at most 16 bits. Of 8 bits no extremes:
    libraries that round between two passes also clip there, which is not what is compared. None for ConstantOfShape."""
    if case.operator == "ConstantOfShape":
        return None
    generator = np.random.default_rng(seed)
    count = int(np.prod(case.source, dtype=np.int64))
    kind = NUMPY_TYPES[case.dtype]
    if case.dtype == "string":
        words = np.array([b"%06d" % i for i in range(1000)], dtype=object)
        return words[generator.integers(0, 1000, count)].reshape(case.source)
    if case.dtype == "bool":
        found = generator.integers(0, 2, count)
    elif case.dtype in ("int8", "uint8"):
        found = generator.integers(48, 208, count) - (128 if case.dtype == "int8" else 0)
    elif np.issubdtype(kind, np.integer):
        limits = np.iinfo(kind)
        found = generator.integers(max(limits.min, -30000), min(limits.max, 30000), count, endpoint=True)
    else:
        found = generator.random(count, dtype=np.float32)
    return in_order(found.astype(kind).reshape(case.source), case.input_order)
