# SPDX-License-Identifier: Apache-2.0
"""Tile and ConstantOfShape keep every bit, those of NaN included: random bits in every type of whole bytes.

Usage: moves.py [--cases 400] [--seed 1]
"""

from __future__ import annotations

import argparse
import sys

import many_calls  # noqa: F401  (finds the next three)
import numpy as np

from case import NUMPY_TYPES, FillCase, TileCase  # isort: skip
from figures import record  # isort: skip
from library import PACKED_BITS, run  # isort: skip

TYPES = [name for name in NUMPY_TYPES if name not in {"string", "bool", *PACKED_BITS}]
OPERATORS = {
    "Tile": [name for name in TYPES if not name.startswith("float8")],
    "ConstantOfShape": [name for name in TYPES if not name.startswith("complex")],
}


def random_bits(rng: np.random.Generator, shape: list[int], dtype: str) -> np.ndarray:
    """Half of the elements have an exponent of ones, which makes float types NaN."""
    kind = NUMPY_TYPES[dtype]
    raw = rng.integers(0, 256, [*shape, kind.itemsize], dtype=np.uint8)
    raw[..., -2:] |= np.where(rng.integers(0, 2, [*shape, 1]), 0x7F, 0).astype(np.uint8)
    return raw.view(kind)[..., 0]


def compare(operator: str, dtype: str, cases: int, seed: int) -> tuple[int, int]:
    """Elements, and cases in which a bit differs."""
    rng = np.random.default_rng([seed, *dtype.encode()])
    elements = different = 0
    for _ in range(cases):
        shape = rng.integers(1, 9, rng.integers(1, 5)).tolist()
        if operator == "Tile":
            x = random_bits(rng, shape, dtype)
            repeats = rng.integers(1, 5, len(shape)).tolist()
            made = run(TileCase(x, dtype, repeats=repeats))
            right = np.tile(x.view(np.dtype((np.void, x.itemsize))), repeats).tobytes()
        else:
            value = random_bits(rng, [1], dtype)
            made = run(FillCase(shape, value, dtype))
            right = value.tobytes() * int(np.prod(shape))
        elements += made.size
        different += np.ascontiguousarray(made).tobytes() != right
    return elements, different


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, default=400)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    failed = 0
    for operator, types in OPERATORS.items():
        results = [compare(operator, dtype, given.cases, given.seed) for dtype in types]
        different = sum(cases for _, cases in results)
        text = (f"{operator}, random bits in {len(types)} types, {sum(count for count, _ in results):,} elements: "
                f"{different} of {given.cases * len(types):,} cases differ in a bit.")
        record("G9", text)
        print(text)
        failed += different
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
