# SPDX-License-Identifier: Apache-2.0
"""What a theorem is, and how its goals are proved."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from c_form import Unit
from machine import Machine
from positions import depends_on_outputs
from terms import Poly, poly


@dataclass
class Theorem:
    """prove: gives the unproved statements, and the functions of the header that it is about."""

    name: str
    prove: Callable[[dict[str, Unit]], tuple[list[str], set[str]]]


def unproved(machine: Machine, goals: list) -> tuple[list[str], set[str]]:
    if not machine.prover.is_consistent():
        return ["the premises contradict each other"], machine.called
    failed = [what for what, goal in machine.duties + goals if not machine.prover.proves(goal)]
    return failed, machine.called


def pairs(*terms: Poly) -> list:
    return [(a, b) for at, a in enumerate(terms) for b in terms[at:]]


def cases(mode: str) -> tuple:
    return (True, False) if depends_on_outputs(mode) else (None,)


def mode_of(units: dict[str, Unit], name: str) -> Poly:
    return poly(units["Int128"].enumerators[name])
