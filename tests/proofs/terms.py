# SPDX-License-Identifier: Apache-2.0
"""Integer polynomials and conditions on them, and proofs of conditions by z3.

Every product is multiplied out, and each product of variables is an unknown of its own to z3. So z3 decides linear arithmetic,
where it is fast and complete. What it has to know about products it is told by products of terms that are not negative:
`x >= 0 and y >= 0` implies `x * y >= 0`, which is proved as the first theorem. Such an implication holds for any x and y, so a
useless one costs time and no more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache

import z3

TIMEOUT_MS = 30_000


class Poly:
    """A polynomial: names of variables, sorted, -> coefficient."""

    __slots__ = ("terms",)
    __hash__ = None

    def __init__(self, terms: dict[tuple[str, ...], int]):
        self.terms = {names: factor for names, factor in terms.items() if factor}

    @property
    def value(self) -> int | None:
        """The number if there is no variable."""
        if not self.terms:
            return 0
        return self.terms[()] if list(self.terms) == [()] else None

    def __add__(self, other):
        terms = dict(self.terms)
        for names, factor in poly(other).terms.items():
            terms[names] = terms.get(names, 0) + factor
        return Poly(terms)

    def __neg__(self):
        return Poly({names: -factor for names, factor in self.terms.items()})

    def __sub__(self, other):
        return self + -poly(other)

    def __mul__(self, other):
        terms: dict[tuple[str, ...], int] = {}
        for a, x in self.terms.items():
            for b, y in poly(other).terms.items():
                names = tuple(sorted(a + b))
                terms[names] = terms.get(names, 0) + x * y
        return Poly(terms)

    def __rsub__(self, other):
        return poly(other) - self

    __radd__ = __add__
    __rmul__ = __mul__

    def __ge__(self, other):
        return atom(">=", self - other)

    def __le__(self, other):
        return atom(">=", other - self)

    def __gt__(self, other):
        return atom(">=", self - other - 1)

    def __lt__(self, other):
        return atom(">=", other - self - 1)

    def __eq__(self, other):
        return atom("==", self - other)

    def __ne__(self, other):
        return negation(self == other)


def poly(value) -> Poly:
    return value if isinstance(value, Poly) else Poly({(): int(value)})


def var(name: str) -> Poly:
    return Poly({(name,): 1})


def variables(names: str) -> list[Poly]:
    return [var(name) for name in names.split()]


# ---- Conditions; True and False are conditions, too ------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Atom:
    """term >= 0 or term == 0."""

    relation: str
    term: Poly


@dataclass(frozen=True, eq=False)
class Truth:
    """A boolean variable."""

    name: str


@dataclass(frozen=True, eq=False)
class Joined:
    """kind: "and" or "not"."""

    kind: str
    parts: tuple


def atom(relation: str, term: Poly):
    if term.value is not None:
        return term.value >= 0 if relation == ">=" else term.value == 0
    return Atom(relation, term)


def negation(condition):
    if isinstance(condition, bool):
        return not condition
    if isinstance(condition, Atom) and condition.relation == ">=":
        return atom(">=", -condition.term - 1)
    if isinstance(condition, Joined) and condition.kind == "not":
        return condition.parts[0]
    return Joined("not", (condition,))


def conjunction(*conditions):
    parts = tuple(each for each in conditions if each is not True)
    if any(each is False for each in parts):
        return False
    return Joined("and", parts) if len(parts) > 1 else parts[0] if parts else True


def disjunction(*conditions):
    return negation(conjunction(*(negation(each) for each in conditions)))


def implication(premise, conclusion):
    return disjunction(negation(premise), conclusion)


def equivalence(a, b):
    return conjunction(implication(a, b), implication(b, a))


# ---- Proofs ----------------------------------------------------------------------------------------------------------


@cache
def scaled(names: tuple[str, ...], factor: int) -> z3.ArithRef:
    """A product of variables, which z3 sees as one unknown, times a number."""
    return z3.IntVal(factor) if not names else z3.IntVal(factor) * z3.Int("*".join(names))


ZERO = z3.IntVal(0)


def joined(make: Callable, kind: type, parts: list):
    """What z3.Sum, And and Or make, without their checks, which take longer than the proofs."""
    asts = (z3.Ast * len(parts))(*(each.as_ast() for each in parts))
    return kind(make(z3.main_ctx().ref(), len(parts), asts), z3.main_ctx())


def to_z3(condition) -> z3.BoolRef:
    if isinstance(condition, bool):
        return z3.BoolVal(condition)
    if isinstance(condition, Truth):
        return z3.Bool(condition.name)
    if isinstance(condition, Joined):
        parts = [to_z3(each) for each in condition.parts]
        return z3.Not(*parts) if condition.kind == "not" else joined(z3.Z3_mk_and, z3.BoolRef, parts)
    total = joined(z3.Z3_mk_add, z3.ArithRef, [scaled(names, factor) for names, factor in condition.term.terms.items()])
    return total >= ZERO if condition.relation == ">=" else total == ZERO


def product_rule(x: Poly, y: Poly):
    """x >= 0 and y >= 0 imply x * y >= 0."""
    return implication(conjunction(poly(x) >= 0, poly(y) >= 0), poly(x) * y >= 0)


class Prover:
    """What is known, and what follows from it."""

    def __init__(self, facts: Iterable = ()):
        self.solver = z3.SolverFor("QF_LIA")
        self.solver.set("timeout", TIMEOUT_MS)
        for fact in facts:
            self.solver.add(to_z3(fact))

    def add(self, fact) -> None:
        self.solver.add(to_z3(fact))

    def is_consistent(self) -> bool:
        return self.solver.check() == z3.sat

    def proves(self, goal) -> bool:
        """Whether no values contradict the goal; no answer in time is no proof."""
        if goal is True:
            return True
        self.solver.push()
        self.solver.add(to_z3(negation(goal)))
        answer = self.solver.check()
        self.solver.pop()
        return answer == z3.unsat
