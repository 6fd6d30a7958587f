# SPDX-License-Identifier: Apache-2.0
"""The index arithmetic is proved, changes of it are noticed, and what the proofs rest on holds."""

from __future__ import annotations

import ctypes as c
import itertools
import random
import subprocess
from fractions import Fraction
from pathlib import Path

import nearest_double
import prove
import pytest
import z3
from c_form import ENUMERATIONS, HEADER, INT_TYPES, enumerations, parse
from changes import FOR_CBMC, changes
from contracts import CONTRACTS
from line_theorems import about_line
from machine import Machine
from positions import EXACT_MODES, LINE, NEAREST_MODES, depends_on_outputs, formula, i, request
from rounded_machine import Call, Rounding, real
from terms import Atom, Joined, Poly, poly, var
from theorem import mode_of

TEXT = HEADER.read_text(encoding="utf-8")
UNITS = {int_type: parse(TEXT, int_type) for int_type in INT_TYPES}


@pytest.fixture(scope="module")
def results() -> dict[str, list[prove.Result]]:
    return prove.prove_all()


def test_every_theorem_is_proved(results):
    assert [f"{each.name}: {each.unproved}" for part in results.values() for each in part if each.unproved] == []


@pytest.mark.parametrize("name", prove.PARTS)
def test_every_function_has_theorems(name, results):
    part = prove.PARTS[name]
    for unit in part.units(part.text).values():
        without = set(unit.functions) - set().union(*(each.functions for each in results[name]))
        assert without == set(FOR_CBMC) & set(unit.functions)


def test_every_mode_has_theorems(results):
    modes = {*EXACT_MODES, "kTfCropAndResize"} | set(NEAREST_MODES)
    assert modes == set(UNITS["Int128"].enumerators) and len(ENUMERATIONS) == 2
    for mode, nearest in itertools.product(EXACT_MODES, NEAREST_MODES):
        assert sum(each.name.startswith(f"{mode}, {nearest}: ") for each in results["integers"]) == 2
    for mode in (*EXACT_MODES, "kTfCropAndResize"):
        for arithmetic in ("in doubles", "by a ratio in float", "by a ratio in double", "as in ONNX Runtime"):
            assert sum(each.name.startswith(f"{mode} {arithmetic}") for each in results["reals"]) >= 2


@pytest.mark.parametrize("name, step", [("integers", 7), ("reals", 21)])
def test_changes_of_the_header_make_proofs_fail(name, step, results):
    every = changes(prove.PARTS[name].text)
    chosen = every[::step]
    chosen += [next(change for change in every if change.function == name) for name in {change.function for change in every}]
    _, wrong = prove.undetected(name, results[name], chosen)
    assert [f"{change.function}: {change.line}" for change in wrong] == []


# ---- What the proofs rest on -----------------------------------------------------------------------------------------


def number(term: Poly, values: dict[str, int]) -> int:
    total = 0
    for names, factor in term.terms.items():
        for name in names:
            factor *= values[name]
        total += factor
    return total


def holds(condition, values: dict[str, int]) -> bool:
    if isinstance(condition, bool):
        return condition
    if isinstance(condition, Atom):
        value = number(condition.term, values)
        return value >= 0 if condition.relation == ">=" else value == 0
    assert isinstance(condition, Joined)
    parts = [holds(each, values) for each in condition.parts]
    return not parts[0] if condition.kind == "not" else all(parts)


def requests():
    """Extents and reduced scales of sizes and policies."""
    for in_, num, den in itertools.product(range(1, 7), range(1, 8), range(1, 8)):
        out = (2 * num * in_ + den) // (2 * den)
        scale = Fraction(num, den)
        if out >= 1:
            yield in_, out, scale.numerator, scale.denominator


@pytest.mark.parametrize("mode", EXACT_MODES)
def test_premises_hold_for_real_requests(mode):
    for in_, out, num, den in requests():
        values = {"n": in_, "m": out, "p": num, "q": den, "i": 0}
        one_output = out == 1 if depends_on_outputs(mode) else None
        assert all(holds(fact, values) for fact in request(one_output))
        machine = Machine(UNITS["Int128"], {})
        given = [poly(each) for each in (in_, out, num, den)]
        line = machine.call("position_line", mode_of(UNITS, mode), *given).term
        values |= {name: line[name].term.value for name in LINE}
        for output in range(out):
            values["i"] = output
            assert all(holds(fact, values) for fact in about_line(mode, LINE, one_output))


def test_formulas_are_the_specified_ones():
    x, in_, out, num, den = 3, 5, 7, 11, 8
    values = {"n": in_, "m": out, "p": num, "q": den, "i": x}
    scale, half = Fraction(num, den), Fraction(1, 2)
    expected = {
        "kHalfPixel": (x + half) / scale - half,
        "kPytorchHalfPixel": (x + half) / scale - half,
        "kAlignCorners": x * (in_ - 1) / (in_ * scale - 1),
        "kAsymmetric": x / scale,
        "kTfHalfPixelForNn": (x + half) / scale,
        "kHalfPixelSymmetric": Fraction(in_, 2) * (1 - out / (in_ * scale)) + (x + half) / scale - half,
    }
    for mode, value in expected.items():
        made = formula(mode, i, False)
        assert Fraction(number(made.num, values), number(made.den, values)) == value


# ---- The machine computes what a compiler does -----------------------------------------------------------------------


def struct_of(name: str) -> type[c.Structure]:
    return type(name, (c.Structure,), {"_fields_": [(member, c.c_int64) for member, _ in C_FORM.structs[name]]})


def shared_library(folder: Path, text: str) -> c.CDLL:
    source = folder / "form.c"
    source.write_text(f'{enumerations()}#include "c_form.h"\n{text.replace("#pragma once", "")}', encoding="utf-8")
    defined = ["-Dinline=", "-DTESELA_INT=int64_t", "-DTESELA_REAL=double", f"-I{Path(__file__).parent}"]
    library = folder / "form.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-ffp-contract=off", *defined, str(source), "-o", str(library)], check=True)
    return c.CDLL(str(library))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory) -> c.CDLL:
    return shared_library(tmp_path_factory.mktemp("c_form"), TEXT + OPERATIONS)


def arguments_for(name: str, draw: random.Random) -> list:
    """Small numbers; divisors are above 0."""
    made = []
    for parameter, ctype in C_FORM.parameters(name):
        small = lambda member: (
            draw.randint(1, 60) if member in ("b", "den", "support", "shrink_num", "shrink_den") else draw.randint(-400, 400)
        )
        if ctype in C_FORM.structs:
            made.append({member: small(member) for member, _ in C_FORM.structs[ctype]})
        else:
            made.append(small(parameter))
    return made


# C's own operations: the functions of the header are right whichever way division rounds.
OPERATIONS = """
inline Int quotient(Int a, Int b) { return a / b; }
inline Int rest(Int a, Int b) { return a % b; }
inline Int sign(Int a) { return a >> 63; }
inline Int masked(Int a, Int b) { return a & (b - 30 >> 63); }
"""
C_FORM = parse(TEXT + OPERATIONS, "int64_t")
SHORT = [
    "floor_div",
    "ceil_div",
    "absolute",
    "numerator",
    "plain_window",
    "stretched_window",
    "tap_distance",
    "divide",
    "add_divisions",
    "quotient",
    "rest",
    "sign",
    "masked",
]


@pytest.mark.parametrize("name", SHORT)
def test_machine_agrees_with_the_compiler(compiled, name):
    draw = random.Random(name)
    unit = C_FORM
    result = unit.type_of(unit.functions[name].decl.type)
    function = getattr(compiled, name)
    function.restype = struct_of(result) if result in unit.structs else c.c_int64
    for _ in range(200):
        given = arguments_for(name, draw)
        machine = Machine(unit, {})
        terms = [{key: poly(value) for key, value in each.items()} if isinstance(each, dict) else poly(each) for each in given]
        ours = machine.plain(machine.call(name, *terms))
        kinds = [ctype for _, ctype in unit.parameters(name)]
        theirs = function(
            *(struct_of(kind)(**each) if isinstance(each, dict) else c.c_int64(each) for each, kind in zip(given, kinds))
        )
        if isinstance(ours, dict):
            assert {key: term.value for key, term in ours.items()} == {key: getattr(theirs, key) for key in ours}, given
        else:
            assert ours.value == theirs, given


def test_unknown_dividends_are_divided_as_known_ones():
    for dividend, divisor in itertools.product(range(-9, 10), range(1, 5)):
        known = Machine(C_FORM, {}).call("quotient", poly(dividend), poly(divisor)).term
        machine = Machine(C_FORM, {}, [var("a") == dividend])
        assert machine.prover.proves(machine.call("quotient", var("a"), poly(divisor)).term == known), (dividend, divisor)


def test_contracts_are_of_functions():
    assert set(CONTRACTS) <= set(UNITS["Int128"].functions)


def test_rationals_are_rounded_to_the_nearest_double():
    compared, wrong = nearest_double.differences(nearest_double.SOURCE.read_text(encoding="utf-8"), 20000, seed=2)
    assert compared > 19000 and wrong == []


# ---- Rounding --------------------------------------------------------------------------------------------------------

REALS = prove.PARTS["reals"]
REAL_FORM = REALS.units(REALS.text)["double"]
KINDS = {"double": c.c_double, "float": c.c_float, "int": c.c_int, "bool": c.c_bool}


@pytest.fixture(scope="module")
def compiled_reals(tmp_path_factory) -> c.CDLL:
    return shared_library(tmp_path_factory.mktemp("real_form"), REALS.text)


def real_arguments(name: str, draw: random.Random) -> list:
    drawn = {
        "mode": lambda: draw.choice(list(range(7))),
        "in": lambda: float(draw.randint(1, 1000)),
        "out": lambda: float(draw.randint(2, 1000)),
        "length": lambda: draw.uniform(2, 1000),
        "i": lambda: float(draw.randint(0, 1000)),
        "support": lambda: float(draw.randint(1, 2)),
    }
    made = [drawn.get(parameter, lambda: draw.uniform(0.1, 3))() for parameter, _ in REAL_FORM.parameters(name)]
    return [c.c_float(value).value if ctype == "float" else value for value, (_, ctype) in zip(made, REAL_FORM.parameters(name))]


@pytest.mark.parametrize("name", sorted(set(REAL_FORM.functions) - set(FOR_CBMC)))
def test_rounded_operations_agree_with_the_compiler(compiled_reals, name):
    """Without rounding, the results differ by the errors; with it, the compiler's results are among those that are possible."""
    draw = random.Random(name)
    result = REAL_FORM.type_of(REAL_FORM.functions[name].decl.type)
    function = getattr(compiled_reals, name)
    function.restype = KINDS[result]
    for _ in range(20):
        given = real_arguments(name, draw)
        theirs = function(*(KINDS[ctype](value) for value, (_, ctype) in zip(given, REAL_FORM.parameters(name))))
        for rounding in (Rounding(exact=True), Rounding(errors=True)):
            value = Call(REAL_FORM, rounding).of(name, *given)
            solver = z3.Solver()
            solver.add(*rounding.facts)
            if result == "bool":
                near = value == theirs
            else:
                error = Fraction(1, 10**5 if result == "float" else 10**12) * max(1, abs(Fraction(theirs)))
                near = z3.And(value >= real(Fraction(theirs) - error), value <= real(Fraction(theirs) + error))
                if rounding.errors:
                    near = value == real(theirs)
            assert solver.check(near) == z3.sat, (given, theirs)
