# SPDX-License-Identifier: Apache-2.0
"""Nearest resizing by float32 scales beside the definition, and beside exact positions.

With scales a position is a double by definition: the formula in doubles, from left to right. Every output is compared with
the index of that position; where an exact position would give another one is counted. The scales are decimals with two
places, ratios of extents, and any others.

Usage: nearest_scales.py [--scales 50000] [--seed 1]
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import numpy as np
from nearest import CROPS, NEAREST_MODES, SINCE_VERSION, indices, outputs_of, resizer

from figures import record  # isort: skip

MODES = [mode for mode in SINCE_VERSION if mode not in CROPS]
LARGEST = 512
MOST = 8  # the scales are below it


def double_positions(mode: str, n: np.ndarray, m: np.ndarray, i: np.ndarray, scale: np.ndarray) -> np.ndarray:
    """Source: ONNX Resize-19 and Resize-11, attribute coordinate_transformation_mode; docs/semantics.md."""
    n, m, i, s = (array.astype(np.float64) for array in (n, m, i, scale))
    if mode == "align_corners":
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(m == 1, 0.0, i * (n - 1) / (n * s - 1))
    if mode == "asymmetric":
        return i / s
    if mode == "tf_half_pixel_for_nn":
        return (i + 0.5) / s
    if mode == "half_pixel_symmetric":
        return n / 2 * (1 - m / (n * s)) + (i + 0.5) / s - 0.5
    x = (i + 0.5) / s - 0.5
    return np.where(m == 1, 0.0, x) if mode == "pytorch_half_pixel" else x


def exact_positions(mode: str, n: np.ndarray, m: np.ndarray, i: np.ndarray, scale: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numerators and denominators. A float32 of 2^-10 and more is a multiple of 2^-34."""
    one = np.int64(1) << 34
    p = (scale.astype(np.float64) * float(one)).astype(np.int64)
    if mode == "align_corners":
        return np.where(m == 1, 0, i * (n - 1) * one), np.where(m == 1, 1, n * p - one)
    if mode == "asymmetric":
        return i * one, p
    if mode == "tf_half_pixel_for_nn":
        return (2 * i + 1) * one, 2 * p
    if mode == "half_pixel_symmetric":
        return (n - 1) * p + (2 * i + 1 - m) * one, 2 * p
    num = (2 * i + 1) * one - p
    return np.where(m == 1, 0, num) if mode == "pytorch_half_pixel" else num, 2 * p


def indices_of_doubles(nearest_mode: str, x: np.ndarray) -> np.ndarray:
    floor = np.floor(x)
    rest = x - floor  # exact
    up = {"round_prefer_floor": rest > 0.5, "round_prefer_ceil": rest >= 0.5, "floor": rest < 0, "ceil": rest > 0}
    return (floor + up[nearest_mode]).astype(np.int64)


@dataclass
class Comparison:
    scales: int
    outputs: int = 0
    beside_exact: int = 0
    different: int = 0
    first: str = ""


def random_scales(count: int, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Input extents, scales and output extents. A scale of 1 is left out, because its axis is copied."""
    rng = np.random.default_rng(seed)
    n = rng.integers(1, LARGEST + 1, count)
    kinds = [np.round(rng.uniform(0.05, 4, count), 2), rng.integers(1, LARGEST + 1, count) / n, rng.uniform(0.02, MOST, count)]
    scale = np.choose(rng.integers(0, 3, count), kinds).astype(np.float32)
    m = np.floor(n * scale.astype(np.float64)).astype(np.int64)
    is_used = (m > 0) & (m <= 2 * LARGEST) & (scale < MOST) & (scale != 1)
    return n[is_used], scale[is_used], m[is_used]


def compare(mode: str, count: int, seed: int) -> Comparison:
    n, scale, m = random_scales(count, seed)
    calls = list(zip(n.tolist(), scale.tolist(), m.tolist()))
    i = outputs_of(m)
    n, scale, m = (np.repeat(array, m) for array in (n, scale, m))
    x, exact = double_positions(mode, n, m, i, scale), exact_positions(mode, n, m, i, scale)
    result = Comparison(len(calls))
    for nearest_mode in NEAREST_MODES:
        made = resizer(mode, nearest_mode, LARGEST, "cpu").by_factors(calls)
        wrong = np.flatnonzero(made != np.clip(indices_of_doubles(nearest_mode, x), 0, n - 1))
        if len(wrong) > 0:
            at = wrong[0]
            result.first = f"{mode} {nearest_mode}, {n[at]} times {scale[at]!r}: output {i[at]} is input {made[at]}"
        result.different += len(wrong)
        result.beside_exact += np.count_nonzero(made != np.clip(indices(nearest_mode, *exact), 0, n - 1))
        result.outputs += len(i)
    return result


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--scales", type=int, default=50000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    results = [compare(mode, given.scales, given.seed) for mode in MODES]
    outputs, beside = sum(each.outputs for each in results), sum(each.beside_exact for each in results)
    different = sum(each.different for each in results)
    text = (f"Nearest by {results[0].scales:,} float32 scales in {len(MODES)} coordinate modes, {outputs:,} outputs: "
            f"{different} differ from positions in doubles, which are the definition; {beside} are beside the index of an "
            f"exact position.")
    record("G9", text)
    print(text, *[each.first for each in results if each.first], sep="\n")
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
