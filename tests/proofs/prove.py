# SPDX-License-Identifier: Apache-2.0
"""Proves every theorem about src/plan/index_arithmetic.h and real_arithmetic.h, and shows that changes of them make proofs fail.

python tests/proofs/prove.py               the theorems
python tests/proofs/prove.py --changes     and every change
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reliability"))

import real_theorems
import theorems
from c_form import HEADER, INT_TYPES, REAL_HEADER, REAL_TYPES, Unit, parse
from changes import SAME, Change, changes
from figures import record
from theorem import Theorem


@cache
def integer_units(header: str) -> dict[str, Unit]:
    return {int_type: parse(header, int_type) for int_type in INT_TYPES}


@cache
def real_units(header: str) -> dict[str, Unit]:
    return {real_type: parse(header, "int64_t", real_type) for real_type in REAL_TYPES}


@dataclass(frozen=True)
class Part:
    """units: the C forms of a text of the header, for each type of its templates."""

    header: Path
    units: Callable[[str], dict[str, Unit]]
    theorems: tuple[Theorem, ...]

    @property
    def text(self) -> str:
        return self.header.read_text(encoding="utf-8")


PARTS = {
    "integers": Part(HEADER, integer_units, tuple(theorems.theorems())),
    "reals": Part(REAL_HEADER, real_units, tuple(real_theorems.theorems())),
}


@dataclass
class Result:
    name: str
    unproved: list[str]
    functions: set[str]
    seconds: float


def prove(job: tuple[str, int]) -> Result:
    """A theorem about a header as it is."""
    part, index = PARTS[job[0]], job[1]
    start = time.monotonic()
    unproved, functions = part.theorems[index].prove(part.units(part.text))
    return Result(part.theorems[index].name, unproved, functions, time.monotonic() - start)


def workers() -> multiprocessing.pool.Pool:
    return multiprocessing.get_context("fork").Pool(len(os.sched_getaffinity(0)))


def prove_all() -> dict[str, list[Result]]:
    jobs = [(name, index) for name, part in PARTS.items() for index in range(len(part.theorems))]
    with workers() as pool:
        results = pool.map(prove, jobs, chunksize=4)
    return {name: [result for (part, _), result in zip(jobs, results) if part == name] for name in PARTS}


def order(results: list[Result], function: str) -> list[int]:
    """Theorems about a function: its promise first, then the fastest."""
    about = [index for index, result in enumerate(results) if function in result.functions or function == "kMaxInteger"]
    return sorted(about, key=lambda index: (not results[index].name.startswith(f"{function} keeps"), results[index].seconds))


def first_failure(job: tuple[str, Change, list[int]]) -> str | None:
    """The first theorem that is not proved of a changed header, or None if all are."""
    name, change, indices = job
    part = PARTS[name]
    try:
        made = part.units(change.header)
    except Exception as error:  # pycparser's and the preprocessor's
        return f"no C: {error}"
    for index in indices:
        try:
            unproved, _ = part.theorems[index].prove(made)
        except Exception as error:
            return f"{part.theorems[index].name}: {type(error).__name__} {error}"
        if unproved:
            return f"{part.theorems[index].name}: {unproved[0]}"
    return None


def undetected(name: str, results: list[Result], chosen: list[Change]) -> tuple[list[Change], list[Change]]:
    """The changes of a part that no proof notices, and those of them that compute something else."""
    jobs = [(name, change, order(results, change.function)) for change in chosen]
    with workers() as pool:
        noticed = pool.map(first_failure, jobs, chunksize=1)
    for change, failure in zip(chosen, noticed):
        if "-v" in sys.argv:
            print(f"{change.function} | {change.line} | {failure}")
    passed = [change for change, failure in zip(chosen, noticed) if failure is None]
    return passed, [change for change in passed if change.line not in SAME]


def main() -> int:
    start = time.monotonic()
    results = prove_all()
    every = [result for part in results.values() for result in part]
    failed = [result for result in every if result.unproved]
    for result in failed:
        print(f"not proved: {result.name}: {', '.join(result.unproved)}")
    seconds = time.monotonic() - start
    sentence = f"{len(every) - len(failed)} of {len(every)} theorems proved in {seconds:.0f} s."
    print(sentence)
    record("proofs", sentence)
    if failed or "--changes" not in sys.argv:
        return 1 if failed else 0
    chosen, same, wrong = [], [], []
    for name, part in PARTS.items():
        made = changes(part.text)
        undetected_here, wrong_here = undetected(name, results[name], made)
        chosen += made
        same += undetected_here
        wrong += wrong_here
    for change in wrong:
        print(f"no proof fails: {change.function}: {change.line}")
    noticed, harmless = len(chosen) - len(same), len(same) - len(wrong)
    sentence = f"{noticed} of {len(chosen)} single changes of the headers make a proof fail; {harmless} change no result."
    print(sentence)
    record("proofs", sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
