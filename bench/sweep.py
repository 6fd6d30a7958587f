# SPDX-License-Identifier: Apache-2.0
"""Cost per output element over sizes and scales, to find performance cliffs between the workloads.

    python bench/sweep.py --json build/bench/sweep.json --svg docs/benchmarks-sweep.svg

Squares are resized by a factor of 2 from 8 x 8 to outputs of 16k x 16k, and an image by scales from 1/16 to 16. A cliff is
where a point costs more than CLIFF times as much as its neighbour.
"""

from __future__ import annotations

import argparse
import functools
import json
import math
import pathlib
import sys

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "tests" / "conformance")]

import buffers
import limits
import numpy as np
import ours
import plot
import timing
import workload

CLIFF = 1.5
MOST_BYTES = 256 << 20
ROUNDS, SECONDS = 3, 0.02
# name -> words before the type
MODES = {"nearest": "nearest", "linear": "linear", "cubic": "cubic", "linear antialias": "linear antialias",
         "cubic antialias": "cubic antialias"}
TYPES = {"float": 4, "uint8": 1}
SIDES = [8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512, 768, 1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288,
         16384]
SCALES = [1 / 16, 1 / 12, 1 / 8, 1 / 6, 1 / 5, 1 / 4, 0.3, 1 / 3, 0.4, 0.45, 1 / 2, 0.55, 0.6, 2 / 3, 0.7, 0.75, 0.8,
          0.9, 0.95, 1.05, 1.1, 1.25, 1.33, 1.5, 1.75, 2, 2.25, 2.5, 3, 3.5, 4, 5, 6, 8, 10, 12, 16]
SCALED = (3, 480, 640)


def size_cases():
    """(series, x, line of the case): outputs of side x, twice the input, or half of it with antialias."""
    for dtype, item in TYPES.items():
        for name, words in MODES.items():
            factor = (1, 2) if "antialias" in name else (2, 1)
            for side in SIDES:
                n, m = (side * factor[1], side) if factor[1] == 2 else (side // 2, side)
                if max(n * n, m * m) * item <= MOST_BYTES:
                    yield f"{name} {dtype}", side, f"{words} {dtype} {n}x{n} -> {m}x{m}"


def scale_cases():
    """(series, x, line of the case): an image of three planes, resized by x along both axes."""
    planes, height, width = SCALED
    for dtype, item in TYPES.items():
        for name, words in MODES.items():
            for scale in SCALES:
                h, w = round(height * scale), round(width * scale)
                if planes * h * w * item <= MOST_BYTES and not ("antialias" in name and scale > 1):
                    shapes = f"{planes}x{height}x{width} -> {planes}x{h}x{w}"
                    yield f"{name} {dtype}", scale, f"{words} {dtype} {shapes}"


@functools.cache
def numbers(dtype: str) -> np.ndarray:
    """Values for inputs, shared by all points: creating new ones would take longer than the measurement."""
    generator = np.random.default_rng(0)
    count = MOST_BYTES // TYPES[dtype]
    values = generator.random(count, np.float32) if dtype == "float" else generator.integers(0, 256, count, np.uint8)
    return buffers.copy(values)


@functools.cache
def target(dtype: str) -> np.ndarray:
    return buffers.empty(MOST_BYTES // TYPES[dtype], numbers(dtype).dtype)


def part(array: np.ndarray, shape) -> np.ndarray:
    return array[: math.prod(shape)].reshape(shape)


def cost(case) -> float:
    """Nanoseconds per output element on one thread: the minimum of a few turns."""
    held = ours.Tesela(case, part(numbers(case.dtype), case.source), part(target(case.dtype), case.target))
    times = timing.measure({"tesela": held.checked().call}, {}, ROUNDS, SECONDS, speed=limits.speed())
    held.checked()
    return times["tesela"].best / math.prod(case.target)


def measure(points) -> dict[str, list]:
    """series -> [[x, cost, line], ...]"""
    series = {}
    names, places, lines = zip(*points)
    for name, x, case in zip(names, places, workload.parse_all(lines)):
        series.setdefault(name, []).append([x, cost(case), str(case)])
    return series


def is_cliff(before: float, here: float) -> bool:
    return max(before, here) > CLIFF * min(before, here)


def cliffs(series: dict, skip) -> list[dict]:
    """Neighbours whose costs differ by more than a factor of CLIFF. Candidates are measured again before they count."""
    found = []
    for name, points in series.items():
        for left, right in zip(points, points[1:]):
            if not is_cliff(left[1], right[1]) or skip(left, right):
                continue
            for point in (left, right):
                point[1] = min(point[1], cost(workload.parse(point[2])))
            if is_cliff(left[1], right[1]):
                found.append({"series": name, "from": left[2], "to": right[2], "costs": [left[1], right[1]]})
    return found


# The fixed cost of a call is not a cliff.
OVERHEAD_NS = 4000


def is_small(left, right) -> bool:
    return min(point[1] * math.prod(workload.parse(point[2]).target) for point in (left, right)) < OVERHEAD_NS


def is_natural(left, right) -> bool:
    """A smaller scale needs proportionally more inputs for each output, which is not a cliff."""
    growth = (max(left[0], right[0]) / min(left[0], right[0])) ** 2
    return max(left[1], right[1]) <= CLIFF * growth * min(left[1], right[1]) and min(left[0], right[0]) < 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", required=True, help="a file for the results")
    parser.add_argument("--svg", required=True, help="a file for the plot")
    options = parser.parse_args()
    sizes, scales = measure(size_cases()), measure(scale_cases())
    found = cliffs(sizes, is_small) + cliffs(scales, is_natural)
    pathlib.Path(options.json).write_text(json.dumps({"sizes": sizes, "scales": scales, "cliffs": found}, indent=1))
    pathlib.Path(options.svg).write_text(plot.document(sizes, scales))
    print(f"sweep: {sum(map(len, sizes.values()))} sizes, {sum(map(len, scales.values()))} scales, {len(found)} cliffs")


if __name__ == "__main__":
    main()
