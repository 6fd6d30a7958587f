# SPDX-License-Identifier: Apache-2.0
"""Theorems on nearest inputs, computed by division and by stepping."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from contracts import CONTRACTS, MAX_INTEGER, equal
from machine import Machine
from positions import (
    EXACT_MODES,
    LINE,
    NEAREST_MODES,
    depends_on_outputs,
    direction,
    formula,
    i,
    k,
    m,
    n,
    output,
    p,
    placed,
    position,
    q,
    request,
    shape_of,
    transported,
)
from terms import Poly, conjunction, disjunction, implication, poly, var, variables
from theorem import Theorem, cases, mode_of, unproved


def wanted_index(nearest: str, f: Poly, x) -> tuple:
    """When the specification takes f + 1, not f, for a position x with floor f."""
    rest = x.num - f * x.den  # times x.den
    match nearest:
        case "kRoundPreferFloor":
            return 2 * rest > x.den
        case "kRoundPreferCeil":
            return 2 * rest >= x.den
        case "kFloor":
            return False
        case "kCeil":
            return rest > 0
        case "kSimple":
            return conjunction(rest > 0, p < q)
    raise ValueError(nearest)


def nearest_machine(units, mode: str, one_output, *outputs: Poly) -> Machine:
    facts = [*request(one_output), *shape_of(LINE), direction(mode, LINE, one_output)]
    facts += [fact for each in outputs for fact in (*output(each), *placed(mode, LINE, each, one_output))]
    return Machine(units["Int128"], CONTRACTS, facts)


def fits_nearest(machine: Machine) -> None:
    """From here on every result keeps to the bound that set_rational checks."""
    limit = machine.call("largest_integer", LINE, n, m, poly(1), poly(1), poly(1)).term
    machine.assume(limit <= MAX_INTEGER)
    machine.limit = limit
    machine.hint(
        (LINE["step"], i),
        (LINE["step"], m - 1 - i),
        (LINE["step"], k),
        (LINE["step"], m - 1 - k),
        (LINE["den"], n - 1),
        (LINE["step"], m - 1),
    )


def nearest_theorem(mode: str, nearest: str) -> Callable:
    def prove(units):
        failed, called = [], set()
        for one_output in cases(mode):
            machine = nearest_machine(units, mode, one_output, i)
            fits_nearest(machine)
            index = machine.call("nearest_input", LINE, poly(units["Int128"].enumerators[nearest]), n, i).term
            x, f, e, num, den = formula(mode, i, one_output), var("floor"), var("expected"), position(LINE, i), LINE["den"]
            above = wanted_index(nearest, f, x)
            machine.assume(
                f * x.den <= x.num, x.num < f * x.den + x.den, implication(above, e == f + 1), disjunction(above, e == f)
            )
            machine.assume(*(transported(x.num, x.den, num, den, each) for each in (f, f + 1)))
            machine.assume(transported(2 * x.num, x.den, 2 * num, den, 2 * f + 1))
            for r in machine.results[1:]:
                if isinstance(r, Poly):
                    machine.hint((r - f - 1, den), (f - 1 - r, den), (r - f - 2, den), (f - r, den))
            if one_output and depends_on_outputs(mode):
                machine.hint(*equal(LINE["step"], poly(0), i))
            goals = [("below 0", implication(e < 0, index == 0)), ("inside", implication(conjunction(e >= 0, e < n), index == e))]
            goals += [("above the last", implication(e >= n, index == n - 1)), ("first", index >= 0), ("last", index < n)]
            bad, names = unproved(machine, goals)
            failed, called = failed + bad, called | names
        return failed, called

    return prove


def monotone_theorem(mode: str, nearest: str) -> Callable:
    def prove(units):
        failed, called = [], set()
        for one_output in cases(mode):
            machine = nearest_machine(units, mode, one_output, i, k)
            machine.assume(i <= k)
            fits_nearest(machine)
            rounding = poly(units["Int128"].enumerators[nearest])
            indices = [machine.call("nearest_input", LINE, rounding, n, each).term for each in (i, k)]
            terms = [each for each in machine.results[1:] if isinstance(each, Poly)]
            machine.hint((k - i, LINE["step"]), *((a - b - 1, LINE["den"]) for a in terms for b in terms if a is not b))
            bad, names = unproved(machine, [("monotone", indices[0] <= indices[1])])
            failed, called = failed + bad, called | names
        return failed, called

    return prove


def nearest_theorems() -> Iterator[Theorem]:
    for mode in EXACT_MODES:
        for nearest in NEAREST_MODES:
            yield Theorem(
                f"{mode}, {nearest}: the index is right and inside, and no number is beyond its bound",
                nearest_theorem(mode, nearest),
            )
            yield Theorem(f"{mode}, {nearest}: indices are monotone", monotone_theorem(mode, nearest))


# ---- Stepping --------------------------------------------------------------------------------------------------------

SHORT = 2**58


def short_line() -> tuple[dict, list]:
    """A line that find_indices takes: its numbers and its two ends are within 2^58."""
    line = dict(zip(("num0", "step", "den"), variables("num0 step den")))
    facts = [
        m >= 1,
        m <= 2**40,
        conjunction(line["num0"] >= -SHORT, line["num0"] <= SHORT),
        line["step"] >= 0,
        line["step"] <= SHORT,
    ]
    last = line["num0"] + line["step"] * m
    return line, [*facts, line["den"] >= 1, line["den"] <= SHORT, last <= SHORT, last >= -SHORT]


def numbered(machine: Machine, units, line: dict, at: Poly) -> Poly:
    machine.unit = units["int64_t"]
    num = machine.call("numerator", line["num0"], line["step"], at).term
    machine.unit = units["Int128"]
    return num


def floor_line_theorem(nearest: str, shrinks: bool) -> Callable:
    """The floor of the changed line is the integer of the nearest mode."""

    def prove(units):
        line, facts = short_line()
        machine = Machine(units["Int128"], CONTRACTS, [*facts, i >= 0, i <= m])
        mode = mode_of(units, nearest)
        machine.hint((line["step"], i), (line["step"], m - i))
        changed = machine.plain(machine.call("floor_line", line, mode, shrinks))
        division = machine.plain(machine.call("divide", numbered(machine, units, changed, i), changed["den"]))
        wanted = machine.call("rounded", mode, shrinks, position(line, i), line["den"]).term
        whole = division["whole"]
        machine.hint(*((sign * (wanted - whole) - 1, line["den"]) for sign in (1, -1)))
        return unproved(machine, [("floor", whole == wanted), ("den", changed["den"] <= 2**60)])

    return prove


def step_theorem(nearest: str, shrinks: bool) -> Callable:
    """Adding the division of the step to that of an output's numerator gives that of the next output's."""

    def prove(units):
        line, facts = short_line()
        machine = Machine(units["Int128"], CONTRACTS, [*facts, i >= 0, i <= m - 1])
        machine.hint((line["step"], i), (line["step"], m - i), (line["step"], m - 1 - i))
        changed = machine.plain(machine.call("floor_line", line, mode_of(units, nearest), shrinks))
        den = changed["den"]
        at, step = (
            machine.plain(machine.call("divide", each, den)) for each in (numbered(machine, units, changed, i), changed["step"])
        )
        after = machine.plain(machine.call("add_divisions", at, step, den))
        direct = machine.plain(machine.call("divide", numbered(machine, units, changed, i + 1), den))
        machine.hint(*((sign * (after["whole"] - direct["whole"]) - 1, den) for sign in (1, -1)))
        machine.hint(*equal(after["whole"], direct["whole"], den))
        return unproved(machine, [(name, after[name] == direct[name]) for name in ("whole", "rest")])

    return prove


def step_theorems() -> Iterator[Theorem]:
    for nearest in NEAREST_MODES:
        for shrinks in (False, True) if nearest == "kSimple" else (False,):
            name = nearest + (", the axis shrinks" if shrinks else "")
            yield Theorem(f"{name}: stepping starts at the same index", floor_line_theorem(nearest, shrinks))
            yield Theorem(f"{name}: a step leads to the next index", step_theorem(nearest, shrinks))
