# SPDX-License-Identifier: Apache-2.0
"""Proves every theorem about src/plan/index_arithmetic.h, and shows that changes of the header make proofs fail.

python tests/proofs/prove.py               the theorems
python tests/proofs/prove.py --changes     and every change
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reliability"))

from c_form import HEADER, INT_TYPES, parse
from changes import SAME, Change, changes
from figures import record
from theorems import theorems

THEOREMS = list(theorems())


@dataclass
class Result:
    name: str
    unproved: list[str]
    functions: set[str]
    seconds: float


@cache
def units(header: str) -> dict:
    return {int_type: parse(header, int_type) for int_type in INT_TYPES}


def prove(index: int) -> Result:
    """A theorem about the header as it is."""
    start = time.monotonic()
    unproved, functions = THEOREMS[index].prove(units(HEADER.read_text(encoding="utf-8")))
    return Result(THEOREMS[index].name, unproved, functions, time.monotonic() - start)


def workers() -> multiprocessing.pool.Pool:
    return multiprocessing.get_context("fork").Pool(len(os.sched_getaffinity(0)))


def prove_all() -> list[Result]:
    with workers() as pool:
        return pool.map(prove, range(len(THEOREMS)), chunksize=4)


def order(results: list[Result], function: str) -> list[int]:
    """Theorems about a function: its promise first, then the fastest."""
    about = [index for index, result in enumerate(results) if function in result.functions or function == "kMaxInteger"]
    return sorted(about, key=lambda index: (not results[index].name.startswith(f"{function} keeps"), results[index].seconds))


def first_failure(job: tuple[Change, list[int]]) -> str | None:
    """The first theorem that is not proved of a changed header, or None if all are."""
    change, indices = job
    try:
        made = {int_type: parse(change.header, int_type) for int_type in INT_TYPES}
    except Exception as error:  # pycparser's and the preprocessor's
        return f"no C: {error}"
    for index in indices:
        try:
            unproved, _ = THEOREMS[index].prove(made)
        except Exception as error:
            return f"{THEOREMS[index].name}: {type(error).__name__} {error}"
        if unproved:
            return f"{THEOREMS[index].name}: {unproved[0]}"
    return None


def undetected(results: list[Result], chosen: list[Change]) -> tuple[list[Change], list[Change]]:
    """The changes that no proof notices, and those of them that compute something else."""
    jobs = [(change, order(results, change.function)) for change in chosen]
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
    failed = [result for result in results if result.unproved]
    for result in failed:
        print(f"not proved: {result.name}: {', '.join(result.unproved)}")
    seconds = time.monotonic() - start
    sentence = f"{len(results) - len(failed)} of {len(results)} theorems proved in {seconds:.0f} s."
    print(sentence)
    record("proofs", sentence)
    if failed or "--changes" not in sys.argv:
        return 1 if failed else 0
    chosen = changes(HEADER.read_text(encoding="utf-8"))
    same, wrong = undetected(results, chosen)
    for change in wrong:
        print(f"no proof fails: {change.function}: {change.line}")
    noticed, harmless = len(chosen) - len(same), len(same) - len(wrong)
    sentence = f"{noticed} of {len(chosen)} single changes of the header make a proof fail; {harmless} change no result."
    print(sentence)
    record("proofs", sentence)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
