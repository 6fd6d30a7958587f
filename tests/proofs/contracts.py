# SPDX-License-Identifier: Apache-2.0
"""What each function of the header promises. Proved once for its body; a call then relies on it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from c_form import Unit
from machine import Machine, most
from terms import Poly, conjunction, disjunction, equivalence, implication, var

MAX_INTEGER = 2**126


@dataclass
class Contract:
    """requires: conditions on the arguments and the limit, each with a name. ensures: of the result and the arguments.
    hints: what to multiply in the proof; gets the machine, the result and the arguments. limited: whether operations keep to
    the limit of the machine, not just to their types.
    """

    requires: Callable
    ensures: Callable
    hints: Callable = lambda machine, result, *terms: ()
    limited: bool = False


def within(limit: Poly, **terms: Poly) -> list:
    return [(f"{name} is within the limit", conjunction(term <= limit, term >= -limit)) for name, term in terms.items()]


def divides(a: Poly, b: Poly, limit: Poly) -> list:
    return [("b > 0", b >= 1), *within(limit, a=a, b=b)]


def no_larger(f: Poly, a: Poly) -> list:
    return [implication(a >= 0, conjunction(f >= 0, f <= a)), implication(a <= 0, conjunction(f <= 0, f >= a))]


def equal(a: Poly, b: Poly, factor: Poly) -> list:
    """Pairs that give a * factor == b * factor if a == b."""
    return [(a - b, factor), (b - a, factor), (a - b, -factor), (b - a, -factor)]


def division_hints(machine: Machine, r: Poly, b: Poly, correction: int) -> list:
    q, *_ = machine.quotients.values()
    return [
        *equal(r, q, b),
        *equal(r, q + correction, b),
        (-1 - r, b),
        (r, b - 1),
        (r - 1, b),
        (-r, b - 1),
        (-r - 1, b - 1),
        (r - 1, b - 1),
    ]


def saturated(r: Poly, exact: Poly) -> list:
    """r is the exact value, or MAX_INTEGER + 1 if that is larger."""
    return [implication(exact <= MAX_INTEGER, r == exact), implication(exact > MAX_INTEGER, r == MAX_INTEGER + 1)]


def kept(**terms: Poly) -> list:
    return [(f"{name} is in [0, 2^126 + 1]", conjunction(term >= 0, term <= MAX_INTEGER + 1)) for name, term in terms.items()]


def line_sum(sign: int, line: dict, in_: Poly, out: Poly, window: Poly) -> Poly:
    return sign * line["num0"] + line["step"] * out + line["den"] * (in_ + window + 2)


def bounds(limit: Poly, line: dict, in_: Poly, out: Poly, window: Poly, p: Poly, q: Poly) -> list:
    """What largest_integer bounds, if its result fits."""
    sums = [line_sum(sign, line, in_, out, window) for sign in (1, -1)]
    return [4 * each * factor <= limit for each in sums for factor in (p, q)] + [line["den"] * q * (window + 2) <= limit]


def largest_values(r: Poly, line: dict, in_: Poly, out: Poly, window: Poly, p: Poly, q: Poly):
    """The exact value of largest_integer: of both bounds the larger."""
    summed = line["den"] * q * (window + 2)
    values = []
    for sign in (1, -1):
        for factor, other in ((p, q), (q, p)):
            case = conjunction(sign * line["num0"] >= 0, factor >= other)
            stretched = 4 * line_sum(sign, line, in_, out, window) * factor
            values.append(implication(case, disjunction(r == stretched, conjunction(r == summed, summed >= stretched))))
    return conjunction(*values)


def largest_hints(machine: Machine, r, line, in_, out, window, p, q):
    last, reach, magnitude, inner, all_, stretched, product, summed = machine.results
    stretch = machine.choices[0]
    sums = [line_sum(sign, line, in_, out, window) for sign in (1, -1)]
    yield from (pair for each in sums for factor in (p, q) for pair in equal(all_, each, factor))
    yield from (pair for factor in (p, q) for pair in equal(stretch, factor, all_))
    yield from ((all_, stretch - p), (all_, stretch - q), (stretch - 1, all_ - MAX_INTEGER), (stretch - 1, all_))
    yield from ((line["step"], out), (line["den"] - 1, in_ + window + 1), (product - MAX_INTEGER, window + 1))
    yield from ((line["den"], q), (product, window + 1))
    yield from equal(product, line["den"] * q, window + 2)


CONTRACTS = {
    "floor_div": Contract(
        lambda a, b, limit: divides(a, b, limit),
        lambda f, a, b: [f * b <= a, a < f * b + b, *no_larger(f, a)],
        lambda machine, f, a, b: division_hints(machine, f, b, -1),
        limited=True,
    ),
    "ceil_div": Contract(
        lambda a, b, limit: divides(a, b, limit),
        lambda c, a, b: [c * b >= a, a > c * b - b, *no_larger(c, a)],
        lambda machine, c, a, b: division_hints(machine, c, b, 1),
        limited=True,
    ),
    "absolute": Contract(
        lambda a, limit: within(limit, a=a),
        lambda r, a: [r >= a, r >= -a, disjunction(r == a, r == -a), r >= 0],
        limited=True,
    ),
    "clamp_index": Contract(
        lambda j, n, limit: [("n >= 1", n >= 1)],
        lambda r, j, n: [
            r >= 0,
            r < n,
            implication(j < 0, r == 0),
            implication(j >= n, r == n - 1),
            implication(conjunction(j >= 0, j < n), r == j),
        ],
    ),
    "line_shrinks": Contract(lambda line, limit: [], lambda r, line: [equivalence(r, line["step"] > line["den"])]),
    "reduced": Contract(
        lambda line, g, limit: (
            [("divisor > 0", g >= 1)] + [(f"divisor divides {name}", line[name] == g * var(f"whole_{name}")) for name in line]
        ),
        lambda r, line, g: [r[name] * g == line[name] for name in line],
        lambda machine, r, line, g: [
            pair
            for name in line
            for e in (r[name] - var(f"whole_{name}"),)
            for pair in ((e - 1, g), (-e - 1, g), (e, g), (-e, g))
        ],
    ),
    "divide": Contract(
        lambda num, den, limit: [("den > 0", den >= 1)],
        lambda r, num, den: [r["whole"] * den + r["rest"] == num, r["rest"] >= 0, r["rest"] < den, *no_larger(r["whole"], num)],
        lambda machine, r, num, den: division_hints(machine, r["whole"], den, -1),
    ),
    "add_divisions": Contract(
        lambda at, step, den, limit: (
            [("den is in [1, 2^60]", conjunction(den >= 1, den <= 2**60))]
            + [("rests are in [0, den)", conjunction(each["rest"] >= 0, each["rest"] < den)) for each in (at, step)]
            + [("wholes are within 2^60", conjunction(each["whole"] >= -(2**60), each["whole"] <= 2**60)) for each in (at, step)]
        ),
        lambda r, at, step, den: [
            r["whole"] * den + r["rest"] == (at["whole"] + step["whole"]) * den + at["rest"] + step["rest"],
            r["rest"] >= 0,
            r["rest"] < den,
        ],
        lambda machine, r, at, step, den: [
            (sign * (r["whole"] - at["whole"] - step["whole"] - carry), den) for sign in (1, -1) for carry in (0, 1)
        ],
    ),
    "bounded_product": Contract(
        lambda a, b, limit: kept(a=a, b=b),
        lambda r, a, b: saturated(r, a * b),
        lambda machine, r, a, b: [(a, b)],
    ),
    "bounded_sum": Contract(lambda a, b, limit: kept(a=a, b=b), lambda r, a, b: saturated(r, a + b)),
    "largest_integer": Contract(
        lambda line, in_, out, window, p, q, limit: [
            ("num0 is within 2^126", conjunction(line["num0"] >= -MAX_INTEGER, line["num0"] <= MAX_INTEGER)),
            (
                "step and den are within 2^126",
                conjunction(line["step"] >= 0, line["step"] <= MAX_INTEGER, line["den"] >= 1, line["den"] <= MAX_INTEGER),
            ),
            ("extents are within 2^40", conjunction(in_ >= 1, in_ <= 2**40, out >= 1, out <= 2**40)),
            ("the window is within 2^60", conjunction(window >= 1, window <= 2**60)),
            ("the stretch is within 2^100", conjunction(p >= 1, p <= 2**100, q >= 1, q <= 2**100)),
        ],
        lambda r, line, in_, out, window, p, q: (
            [implication(r <= MAX_INTEGER, conjunction(*bounds(r, line, in_, out, window, p, q))), r >= 1]
            + [implication(r <= MAX_INTEGER, largest_values(r, line, in_, out, window, p, q))]
        ),
        largest_hints,
    ),
}


def arguments(unit: Unit, name: str) -> list:
    """Unknown arguments of a function."""

    def unknown(given: str, ctype: str):
        if ctype in unit.structs:
            return {member: unknown(f"{given}.{member}", kind) for member, kind in unit.structs[ctype]}
        return var(given)

    return [unknown(given, ctype) for given, ctype in unit.parameters(name)]


def in_range(unit: Unit, name: str, terms: list) -> list:
    """That the arguments are numbers of their types."""
    conditions = []
    for term, (_, ctype) in zip(terms, unit.parameters(name), strict=True):
        pairs = [(term[m], kind) for m, kind in unit.structs[ctype]] if isinstance(term, dict) else [(term, ctype)]
        conditions += [conjunction(each >= -most(kind) - 1, each <= most(kind)) for each, kind in pairs]
    return conditions


def prove_contract(unit: Unit, name: str) -> tuple[Machine, list]:
    """The machine that ran the body, and the goals."""
    contract = CONTRACTS[name]
    others = {each: value for each, value in CONTRACTS.items() if each != name}
    terms = arguments(unit, name)
    limit = var("limit")
    facts = [*in_range(unit, name, terms), limit >= 1, limit <= most(unit.int_type)]
    if not contract.limited:
        facts.append(limit == most(unit.int_type))
    facts += [condition for _, condition in contract.requires(*terms, limit)]
    machine = Machine(unit, others, facts, limit if contract.limited else None)
    result = machine.plain(machine.call(name, *terms))
    machine.hint(*contract.hints(machine, result, *terms))
    return machine, [("promise", condition) for condition in contract.ensures(result, *terms)]
