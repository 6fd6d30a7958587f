# SPDX-License-Identifier: Apache-2.0
"""Linear resizing of uint8 for every pair of extents beside exact integers, rounded half to even.

The sum of the two products is rounded to float32, so an exact half may be rounded to either neighbour; nothing else may
differ.

Usage: linear_bytes.py [--extents 512]
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass

import numpy as np
from many_calls import Resizer, outputs_of
from nearest import positions

from figures import record  # isort: skip

MODES = ("half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "half_pixel_symmetric")


@dataclass
class Comparison:
    outputs: int = 0
    halves: int = 0  # beside the exact result, which is a half before it is rounded
    different: int = 0  # others


def exact_sums(x: np.ndarray, mode: str, m: np.ndarray, i: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numerators and denominators of linear interpolation of x."""
    numerator, denominator = positions(mode, len(x), i, m)
    floor = numerator // denominator
    rest = numerator - floor * denominator
    left, right = (x[np.clip(floor + d, 0, len(x) - 1)].astype(np.int64) for d in (0, 1))
    return left * (denominator - rest) + right * rest, denominator


def half_to_even(numerator: np.ndarray, denominator: np.ndarray) -> np.ndarray:
    floor = numerator // denominator
    twice = 2 * (numerator - floor * denominator)
    return floor + ((twice > denominator) | ((twice == denominator) & (floor % 2 == 1)))


def compare(mode: str, extents: int) -> Comparison:
    of_each = np.arange(1, extents + 1)
    m, i = np.repeat(of_each, of_each), outputs_of(of_each)
    x = np.random.default_rng(8).integers(0, 256, extents, dtype=np.uint8)
    resizer = Resizer({"mode": "linear", "coordinate_transformation_mode": mode}, x)
    result = Comparison()
    for n in range(1, extents + 1):
        numerator, denominator = exact_sums(x[:n], mode, m, i)
        wrong = np.flatnonzero(resizer.to_extents(n, of_each.tolist()) != half_to_even(numerator, denominator))
        is_half = 2 * (numerator[wrong] % denominator[wrong]) == denominator[wrong]
        result.outputs += len(m)
        result.halves += np.count_nonzero(is_half)
        result.different += np.count_nonzero(~is_half)
    return result


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--extents", type=int, default=512)
    extents = options.parse_args().extents
    results = [compare(mode, extents) for mode in MODES]
    outputs, halves, different = (sum(getattr(each, name) for each in results) for name in ("outputs", "halves", "different"))
    text = (f"uint8 linear of one axis, every pair of extents up to {extents} in {len(MODES)} coordinate modes, {outputs:,} outputs: "
            f"{halves} exact halves are rounded to the other neighbour, {different} others differ.")
    record("G9", text)
    print(text)
    return int(different > 0)


if __name__ == "__main__":
    sys.exit(main())
