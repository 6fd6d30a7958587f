# SPDX-License-Identifier: Apache-2.0
"""The library's reference backend equals the emulation of the arithmetic in every bit.

TESELA_CASES sets the number of random cases. If it is set, the exact oracle checks all of them,
otherwise some. Failures show the seed and a word that ResizeCase.from_word converts to the case.
"""

from __future__ import annotations

import os

import emulation
import library
import numpy as np
import oracle_check
import pytest
import random_cases
from case import ResizeCase

CASES = int(os.environ.get("TESELA_CASES", 20000))
JUDGED = CASES if "TESELA_CASES" in os.environ else 2000
CHUNK = 500
AUTO, REFERENCE = 0, 1


def chunks(count: int) -> list:
    starts = range(0, count, CHUNK)
    return [pytest.param(s, min(s + CHUNK, count), id=f"seeds {s}") for s in starts]


def fault(case: ResizeCase, backend: int, threads: int) -> str:
    """Errors of the library's result; empty if there are none."""
    try:
        found = library.run(case, backend=backend, threads=threads)
    except library.TeselaError as error:
        return f"refused: {error.kind}: {error}"
    expected = emulation.emulate(case)
    if emulation.same_bits(expected, found):
        return ""
    if expected.shape != found.shape or expected.dtype != found.dtype:
        return f"{found.dtype} {found.shape}; expected {expected.dtype} {expected.shape}"
    pairs = zip(oracle_check.element_bytes(expected), oracle_check.element_bytes(found))
    different = [k for k, (a, b) in enumerate(pairs) if a != b]
    k = different[0]
    return (
        f"{len(different)} of {found.size} elements differ, the first at "
        f"{np.unravel_index(k, found.shape)}: {found.reshape(-1)[k]!r}; "
        f"expected {expected.reshape(-1)[k]!r}"
    )


@pytest.mark.parametrize("start, stop", chunks(CASES))
def test_reference_has_the_bits_of_the_emulation(start, stop):
    for seed in range(start, stop):
        case = random_cases.case(seed)
        wrong = fault(case, REFERENCE, 1)
        assert not wrong, f"seed {seed}: {case.word()}\n{wrong}"


@pytest.mark.parametrize("start, stop", chunks(CASES))
def test_default_backend_has_the_bits_of_the_emulation(start, stop):
    for seed in range(start, stop):
        case = random_cases.case(seed)
        wrong = fault(case, AUTO, 1 + seed % 3)
        assert not wrong, f"seed {seed}: {case.word()}\n{wrong}"


@pytest.mark.parametrize("start, stop", chunks(JUDGED))
def test_oracle_finds_no_fault_in_the_reference(start, stop):
    for seed in range(start, stop):
        case = random_cases.case(seed)
        faults = oracle_check.check(case, library.run(case, backend=REFERENCE))
        assert not faults, f"seed {seed}: {case.word()}\n" + "\n".join(faults)
