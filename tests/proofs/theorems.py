# SPDX-License-Identifier: Apache-2.0
"""All theorems, each for the text of a header."""

from __future__ import annotations

from collections.abc import Iterator

import z3
from contracts import CONTRACTS, prove_contract
from line_theorems import line_theorems, request_theorems
from nearest_theorems import nearest_theorems, step_theorems
from positions import transported
from terms import Prover, product_rule, variables
from theorem import Theorem, unproved
from window_theorems import window_theorems


def product_theorem(_units) -> tuple[list[str], set[str]]:
    """The only theorem on products that z3's own multiplication proves."""
    x, y = z3.Ints("x y")
    solver = z3.Solver()
    solver.set("timeout", 10_000)
    solver.add(x >= 0, y >= 0, x * y < 0)
    return ([] if solver.check() == z3.unsat else ["x * y >= 0"]), set()


def comparison_theorem(_units) -> tuple[list[str], set[str]]:
    a, b, c, d, whole = variables("a b c d k")
    prover = Prover([a * d == c * b, b >= 1, d >= 1])
    for sign in (1, -1):
        for x, y in ((sign * (a - whole * b), d), (sign * (c - whole * d), b)):
            prover.add(product_rule(x, y))
            prover.add(product_rule(x - 1, y))
    return ([] if prover.proves(transported(a, b, c, d, whole)) else ["comparison"]), set()


def uniqueness_theorem(_units) -> tuple[list[str], set[str]]:
    """Only one integer is a floor, and only one a ceiling: so the promises of floor_div and ceil_div are their definitions."""
    a, b, f, g = variables("a b f g")
    failed = []
    for sign in (1, -1):
        facts = [b >= 1] + [fact for each in (f, g) for fact in (sign * (a - each * b) >= 0, sign * (a - each * b) < b)]
        prover = Prover([*facts, product_rule(f - g - 1, b), product_rule(g - f - 1, b)])
        failed += [] if prover.is_consistent() and prover.proves(f == g) else [f"sign {sign}"]
    return failed, set()


def promise(name: str, int_type: str) -> Theorem:
    return Theorem(f"{name} keeps its promise in {int_type}", lambda units: unproved(*prove_contract(units[int_type], name)))


def theorems() -> Iterator[Theorem]:
    yield Theorem("products of numbers from 0 on are from 0 on", product_theorem)
    yield Theorem("equal fractions compare alike", comparison_theorem)
    yield Theorem("floor and ceiling are unique", uniqueness_theorem)
    for name in CONTRACTS:
        yield promise(name, "Int128")
    for name in ("floor_div", "ceil_div", "absolute"):
        yield promise(name, "int64_t")
    yield from request_theorems()
    yield from line_theorems()
    yield from nearest_theorems()
    yield from step_theorems()
    yield from window_theorems()
