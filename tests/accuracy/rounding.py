# SPDX-License-Identifier: Apache-2.0
"""How far linear and cubic results are from exact ones.

Random resizes by sizes, of ranks 1 to 3, are compared with exact fractions (tests/conformance/oracle.py). The error of a
float is counted in units in the last place, in the element type, of its largest term: of the largest |weight * x| in the
sum that defines it. Integers are compared with the exact sum, rounded half to even and saturated.

Usage: rounding.py [--cases 20000] [--seed 1]
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import sys
from collections import defaultdict
from fractions import Fraction
from pathlib import Path

import numpy as np

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS / "conformance"), str(TESTS / "reliability")]
import library
import oracle
import oracle_axis
import oracle_check
from case import NUMPY_TYPES, ResizeCase, compute_type, resolve
from figures import record

FLOATS = ("float", "double", "float16", "bfloat16")
INTEGERS = ("uint8", "int8", "uint16", "int16", "int32", "uint32")
COORDINATES = ("half_pixel", "pytorch_half_pixel", "asymmetric", "align_corners", "half_pixel_symmetric")
# The largest error that is allowed for each axis that is resized, in units of the largest term: what no case of
# `rounding.py --cases 20000` exceeds, rounded up. Weights, products and sums are rounded once each, so an output of two
# terms cannot be off by less than one unit everywhere.
ALLOWED_UNITS = {"linear": 3, "linear antialias": 6, "cubic": 6, "cubic antialias": 6}


def draw(rng: np.random.Generator) -> ResizeCase:
    """A resize of 1 to 3 axes, antialiased or not."""
    rank = int(rng.integers(1, 4))
    shape = [int(n) for n in rng.integers(1, (40, 12, 6)[rank - 1], rank)]
    sizes = [int(m) for m in rng.integers(1, (60, 16, 8)[rank - 1], rank)]
    dtype = str(rng.choice(FLOATS + INTEGERS))
    kind = NUMPY_TYPES[dtype]
    if kind.kind in "iu":
        limits = np.iinfo(kind)
        x = rng.integers(limits.min, limits.max, shape, dtype=kind, endpoint=True)
    else:
        x = (rng.standard_normal(shape) * 2.0 ** rng.integers(-4, 5, shape)).astype(kind)
    return ResizeCase(
        x, dtype, mode=str(rng.choice(["linear", "cubic"])), sizes=sizes, antialias=int(rng.integers(0, 2)),
        exclude_outside=int(rng.integers(0, 2)), coordinate_transformation_mode=str(rng.choice(COORDINATES)))


def largest_terms(case: ResizeCase) -> np.ndarray:
    """The largest |weight * x| in the sum of each output.

    A cubic weight is a sum itself; in binary64, whose weights are no more exact than its sums, the size of that sum's
    terms is added to the weight's.
    """
    terms = np.abs(case.x.astype(np.float64))
    axes = resolve(case)
    eps = float(np.finfo(compute_type(case, axes)).eps)
    for d, axis in enumerate(axes):
        if axis.is_identity:
            continue
        rows = np.moveaxis(terms, d, 0)
        table = [oracle_axis.taps_at(case, axis, Fraction(oracle_axis.position(case, axis, i)), eps) for i in range(axis.m)]
        terms = np.moveaxis(np.array([
            np.max([size * rows[j] for j, size in taps.sizes.items()], axis=0)
            for taps in table]), 0, d)
    return terms


def unit(dtype: str, value: float) -> float:
    """A unit in the last place of a value."""
    bits, smallest = oracle_check.FLOAT_FORMATS[dtype]
    exponent = np.frexp(value)[1] - 1 if value > 0 else smallest
    return 2.0 ** (max(int(exponent), smallest) - bits + 1)


class Errors:
    """The largest error of floats and the counts of integers, by (type, mode, axes)."""

    def __init__(self) -> None:
        self.units: dict[tuple, float] = defaultdict(float)
        self.outputs: dict[tuple, int] = defaultdict(int)
        self.different: dict[tuple, int] = defaultdict(int)
        self.failures: list[str] = []

    def add(self, case: ResizeCase) -> None:
        exact = oracle.resize(case)
        if exact.parts is None:
            return
        values = exact.parts[0]
        result = library.run(case)
        passes = sum(not axis.is_identity for axis in resolve(case))
        mode = case.mode + (" antialias" if case.antialias else "")
        key = case.dtype, mode, passes
        terms = largest_terms(case) if case.dtype in FLOATS else None
        computed = "double" if case.x.dtype.itemsize == 4 else "float"  # of integers
        for index in np.ndindex(*exact.shape):
            truth = values.ratio(index)
            self.outputs[key] += 1
            if terms is None:
                limits = np.iinfo(case.x.dtype)
                off = abs(min(max(round(truth), limits.min), limits.max) - int(result[index]))
                self.different[key] += off != 0
                # A sum may be rounded to the other side of a half, if it is that close to one.
                near_half = abs(truth - round(truth * 2) / Fraction(2)) <= Fraction(unit(computed, abs(float(truth)))) * 64
                if off > 1 or (off == 1 and not near_half):
                    self.failures.append(f"{case.word()}: {index} is {result[index]}, exactly {float(truth)}")
                continue
            error = abs(Fraction(float(result[index])) - truth) / Fraction(unit(case.dtype, float(terms[index])))
            self.units[key] = max(self.units[key], float(error))
            if error > ALLOWED_UNITS[mode] * passes:
                self.failures.append(f"{case.word()}: {index} is off by {float(error):.3f} units")

    def merge(self, other: Errors) -> None:
        for key, units in other.units.items():
            self.units[key] = max(self.units[key], units)
        for mine, others in ((self.outputs, other.outputs), (self.different, other.different)):
            for key, count in others.items():
                mine[key] += count
        self.failures += other.failures


    def sentences(self) -> list[str]:
        """What was found, for each type and mode."""
        found = []
        for dtype in FLOATS:
            outputs = sum(count for key, count in self.outputs.items() if key[0] == dtype)
            largest = []
            for mode in ALLOWED_UNITS:
                by_axes = [f"{self.units[dtype, mode, passes]:.1f}" for passes in (1, 2, 3)]
                largest.append(f"{mode} {', '.join(by_axes)}")
            found.append(f"{dtype}, {outputs:,} outputs: the largest error in units of the largest term, over 1, 2 and "
                         f"3 axes: {'; '.join(largest)}.")
        for dtype in INTEGERS:
            outputs, different = (sum(count for key, count in counts.items() if key[0] == dtype)
                                  for counts in (self.outputs, self.different))
            found.append(f"{dtype}, {outputs:,} outputs: {different} are next to the rounded exact sum, which is near "
                         f"a half; the others are equal to it.")
        return found


def measure(arguments: tuple[int, int]) -> Errors:
    """Some random cases. arguments: seed and count."""
    seed, count = arguments
    rng = np.random.default_rng(seed)
    errors = Errors()
    for _ in range(count):
        errors.add(draw(rng))
    return errors


def measure_all(cases: int, seed: int) -> Errors:
    each = 50
    errors = Errors()
    with multiprocessing.Pool(len(os.sched_getaffinity(0))) as pool:
        for part in pool.imap_unordered(measure, [(seed * 1_000_000 + k, each) for k in range(-(-cases // each))]):
            errors.merge(part)
    return errors


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, default=20000)
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    errors = measure_all(given.cases, given.seed)
    for sentence in errors.sentences():
        record("G9", sentence)
        print(sentence)
    print(*errors.failures[:10], sep="\n")
    return int(bool(errors.failures))


if __name__ == "__main__":
    sys.exit(main())
