# SPDX-License-Identifier: Apache-2.0
"""Nearest resizing of every pair of extents beside exact integers.

For every input extent n and output extent m up to a limit, every coordinate_transformation_mode and nearest_mode, the
library resizes the indices 0 .. n-1 by sizes, and each output is compared with the index that follows from the position
as a fraction. The crops of tf_crop_and_resize begin and end at quarters, because others have no exact positions.

Usage: nearest.py [--extents 512]
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from dataclasses import dataclass

import numpy as np
from many_calls import BACKENDS, Resizer, outputs_of  # first, because it finds the next two

from figures import record  # isort: skip
from library import TeselaError  # isort: skip

NEAREST_MODES = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
# Starts and ends of tf_crop_and_resize in quarters: all, the middle, and beyond the tensor on both sides.
CROPS = {"tf_crop_and_resize": (0, 4), "tf_crop_and_resize of the middle": (1, 3), "tf_crop_and_resize beyond": (-2, 6)}
OUTSIDE = -7  # the extrapolation_value


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
    start, end = CROPS[mode]
    return (n - 1) * np.where(several, start * (m - 1) + i * (end - start), start + end), np.where(several, 4 * (m - 1), 8)


SINCE_VERSION = {
    "half_pixel": 19,
    "half_pixel_symmetric": 19,
    "pytorch_half_pixel": 19,
    "asymmetric": 19,
    "align_corners": 19,
    **dict.fromkeys(CROPS, 19),
    "tf_half_pixel_for_nn": 11,
}


def resizer(mode: str, nearest_mode: str, extents: int, backend: str) -> Resizer:
    """Of the indices of up to `extents` elements."""
    attributes = {"mode": "nearest", "coordinate_transformation_mode": mode.partition(" ")[0], "nearest_mode": nearest_mode,
                  "extrapolation_value": float(OUTSIDE)}
    start, end = CROPS.get(mode, (0, 4))
    return Resizer(attributes, np.arange(extents, dtype=np.int16), SINCE_VERSION[mode], (start / 4, end / 4), backend)


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


@dataclass
class Comparison:
    outputs: int = 0
    pairs: int = 0
    different: tuple[str, ...] = ()


def compare_extent(n: int, extents: int, backend: str) -> Comparison:
    """Every output extent up to `extents`, of inputs of extent n, in every mode."""
    of_each = np.arange(1, extents + 1)
    m, i = np.repeat(of_each, of_each), outputs_of(of_each)
    result = Comparison()
    different = []
    for mode in SINCE_VERSION:
        numerator, denominator = positions(mode, n, i, m)
        is_outside = (numerator < 0) | (numerator > (n - 1) * denominator) if mode in CROPS else np.zeros(len(m), bool)
        is_copied = (m == n) & (CROPS.get(mode, (0, 4)) == (0, 4))  # an axis that keeps its extent
        for nearest_mode in NEAREST_MODES:
            made = resizer(mode, nearest_mode, n, backend).to_extents(n, of_each.tolist())
            exact = np.clip(indices(nearest_mode, numerator, denominator), 0, n - 1)
            exact = np.where(is_copied, i, np.where(is_outside, OUTSIDE, exact))
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
