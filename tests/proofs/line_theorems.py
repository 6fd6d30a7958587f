# SPDX-License-Identifier: Apache-2.0
"""Theorems on the lines of positions: that they are the formulas, and that no request for sizes is refused."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from contracts import CONTRACTS, MAX_INTEGER, equal
from machine import Machine
from positions import (
    EXACT_MODES,
    LINE,
    MAX_EXTENT,
    direction,
    formula,
    i,
    m,
    n,
    output,
    p,
    placed,
    position,
    q,
    request,
    shape_of,
)
from terms import Prover, poly, product_rule, var
from theorem import Theorem, cases, mode_of, pairs, unproved


def about_line(mode: str, line: dict, one_output) -> list:
    return [*shape_of(line), *placed(mode, line, i, one_output), direction(mode, line, one_output)]


def line_theorem(mode: str) -> Callable:
    def prove(units):
        failed, called = [], set()
        for one_output in cases(mode):
            machine = Machine(units["Int128"], CONTRACTS, [*request(one_output), *output(i)])
            line = machine.plain(machine.call("position_line", mode_of(units, mode), n, m, p, q))
            machine.hint(
                *pairs(n - 1, m - 1, p - 1, q - 1, i, m - 1 - i), *pairs(n, p, q), (n, q - p - 1), (n, p - q), (p - 1, n * p)
            )
            machine.hint(
                (2**40 - n, p), (2**40 - n, q), (2**40 - m, q), (m - 2, q), (n - 1, 2 * n * p + q - 2 * m * q), (i * (n - 1), q)
            )
            machine.hint((m - 1 - i, (n - 1) * q), (i, (n - 1) * q), (n - 1, 2 * n * p - 3 * q), (n - 1, n * p))
            goals = [(f"line, {n_}", goal) for n_, goal in enumerate(about_line(mode, line, one_output))]
            bad, names = unproved(machine, goals)
            failed, called = failed + bad, called | names
        return failed, called

    return prove


def reduction_theorem(mode: str) -> Callable:
    def prove(units):
        failed, called = [], set()
        for one_output in cases(mode):
            divisor = var("divisor")
            machine = Machine(
                units["Int128"], CONTRACTS, [*request(one_output), *output(i), *about_line(mode, LINE, one_output), divisor >= 1]
            )
            machine.assume(*(LINE[name] == divisor * var(f"whole_{name}") for name in LINE))
            line = machine.plain(machine.call("reduced", LINE, divisor))
            x = formula(mode, i, one_output)
            machine.hint(
                *(
                    pair
                    for name in LINE
                    for y in (line[name],)
                    for pair in ((divisor - 1, y - 1), (divisor - 1, -y - 1), (divisor - 1, y), (divisor - 1, -y))
                )
            )
            for factor in (x.den, x.num, i, n, i * x.den):
                machine.hint(*(pair for name in LINE for pair in equal(divisor * line[name], LINE[name], factor)))
            apart = position(line, i) * x.den - x.num * line["den"]
            for y in (
                apart,
                position(line, i) + line["den"],
                2 * n * line["den"] - position(line, i),
                line["step"] - line["den"] - 1,
                line["den"] - line["step"],
            ):
                machine.hint((divisor - 1, y), (divisor - 1, -1 - y), (divisor - 1, y - 1))
            goals = [(f"reduced line, {number}", goal) for number, goal in enumerate(about_line(mode, line, one_output))]
            bad, names = unproved(machine, goals)
            failed, called = failed + bad, called | names
        return failed, called

    return prove


# ---- Requests --------------------------------------------------------------------------------------------------------

g = var("g")  # what a scale is reduced by


def sizes_theorem(_units) -> tuple[list[str], set[str]]:
    """Sizes give the scale m / n: with it, m is n p / q."""
    prover = Prover([g >= 1, p >= 1, q >= 1, m == g * p, n == g * q])
    for pair in (*equal(m, g * p, q), *equal(n, g * q, p)):
        prover.add(product_rule(*pair))
    return ([] if all(prover.proves(goal) for goal in request()[-2:]) else ["m is n p / q"]), set()


def policy_theorem(_units) -> tuple[list[str], set[str]]:
    """A policy's extents are n times its scale, rounded half up, before the scale is reduced."""
    num, den = g * p, g * q
    prover = Prover([g >= 1, p >= 1, q >= 1, 2 * den * m <= 2 * num * n + den, 2 * num * n + den < 2 * den * (m + 1)])
    for goal in (2 * n * p + q - 2 * m * q, 2 * (m + 1) * q - 2 * n * p - q - 1):
        prover.add(product_rule(g, -1 - goal))
        prover.add(product_rule(g - 1, -1 - goal))
    return ([] if all(prover.proves(goal) for goal in request()[-2:]) else ["m is n p / q, rounded"]), set()


SMALL = 2**41


def small(line: dict) -> list:
    return [
        line["num0"] <= SMALL,
        line["num0"] >= -SMALL,
        line["step"] >= 0,
        line["step"] <= SMALL,
        line["den"] >= 1,
        line["den"] <= SMALL,
    ]


def small_line_theorem(mode: str) -> Callable:
    """Under sizes the reduced line has small numbers. Of align_corners that takes the greatest common divisor, which is at least q."""

    def prove(units):
        failed, called = [], set()
        for one_output in cases(mode):
            divisor = var("divisor")
            facts = [
                *request(one_output),
                m == g * p,
                n == g * q,
                g >= 1,
                divisor >= (q if mode == "kAlignCorners" and not one_output else 1),
            ]
            machine = Machine(units["Int128"], CONTRACTS, facts)
            machine.hint(
                *equal(m, g * p, q),
                *equal(n, g * q, p),
                (g - 1, p - 1),
                (g - 1, q - 1),
                (n - 1, q),
                (m - 1, p),
                (m - 2, q),
                (m - 1, q),
                (n - 1, p),
            )
            machine.hint((MAX_EXTENT - n, p), (MAX_EXTENT - n, q), (MAX_EXTENT - m, q), (MAX_EXTENT - m, p))
            line = machine.plain(machine.call("position_line", mode_of(units, mode), n, m, p, q))
            machine.assume(*(line[name] == divisor * var(f"whole_{name}") for name in line))
            result = machine.plain(machine.call("reduced", line, divisor))
            for each in result.values():
                machine.hint(*((divisor - 1, sign * each - offset) for sign in (1, -1) for offset in (0, 1, SMALL + 1)))
                machine.hint((divisor - q, each), (q, each - n), (q, each - m))
            bad, names = unproved(machine, [("small", goal) for goal in small(result)])
            failed, called = failed + bad, called | names
        return failed, called

    return prove


def accepted_theorem(support: int, antialias: bool) -> Callable:
    """Small lines pass the check of set_rational, so that extents up to 2^40 are never refused."""

    def prove(units):
        facts = [*small(LINE), n >= 1, n <= MAX_EXTENT, m >= 1, m <= MAX_EXTENT, p >= 1, p <= MAX_EXTENT, q >= 1, q <= MAX_EXTENT]
        machine = Machine(units["Int128"], CONTRACTS, facts)
        window, scale = poly(2 * support if support else 1), (poly(1), poly(1))
        if antialias:
            machine.hint((MAX_EXTENT - q, p), (p - 1, q))
            window, scale = machine.call("most_taps", poly(support), p, q).term, (p, q)
            half = machine.results[-1]
            machine.hint((half - support * q - 1, p), (half - 1, p - 1))
        limit = machine.call("largest_integer", LINE, n, m, window, *scale, inlined=True).term
        last, reach, _magnitude, _inner, total, stretched, product, summed = machine.results[-8:]
        widest = 2**40 + 2**42 + 8
        machine.hint(
            (LINE["step"], m),
            (SMALL - LINE["step"], m),
            (LINE["den"], n + window + 2),
            (SMALL - LINE["den"], n + window + 2),
            (LINE["den"], scale[1]),
        )
        machine.hint((SMALL - LINE["den"], scale[1]), (product, window + 2), (2**81 - product, window + 2))
        for stretch in machine.choices:
            machine.hint((total, stretch), (SMALL + 2**81 + SMALL * widest - total, stretch))
        return unproved(machine, [("accepted", limit <= MAX_INTEGER)])

    return prove


def request_theorems() -> Iterator[Theorem]:
    yield Theorem("sizes give requests as the theorems assume them", sizes_theorem)
    yield Theorem("so do policies", policy_theorem)
    for mode in EXACT_MODES:
        yield Theorem(f"{mode}: the numbers of lines are small under sizes", small_line_theorem(mode))
    for name, support, antialias in (
        ("nearest", 0, False),
        ("linear", 1, False),
        ("cubic", 2, False),
        ("linear", 1, True),
        ("cubic", 2, True),
    ):
        yield Theorem(
            f"{name}{' with antialias' if antialias else ''}: small lines are never refused", accepted_theorem(support, antialias)
        )


def line_theorems() -> Iterator[Theorem]:
    for mode in EXACT_MODES:
        yield Theorem(f"{mode}: the line is the formula, inside [-1, 2n], with a positive denominator", line_theorem(mode))
        yield Theorem(f"{mode}: the reduced line is, too", reduction_theorem(mode))
