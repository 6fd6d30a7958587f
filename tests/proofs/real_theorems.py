# SPDX-License-Identifier: Apache-2.0
"""Theorems about src/plan/real_arithmetic.h: positions are the specified ones but for rounding, monotonic, and within what is
converted to integers; windows are in the order of positions, and are found where they are looked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction

import z3
from c_form import Unit
from positions import EXACT_MODES, MAX_EXTENT
from rounded_machine import Call, Rounding, absolute, unproved
from theorem import Theorem

HALF = z3.RealVal("1/2")
MODES = (*EXACT_MODES, "kTfCropAndResize")
CROPS = {"forward": lambda start, end: start <= end, "reversed": lambda start, end: start >= end}
LARGEST = 2**42  # positions and windows that are converted

n, m, s, length, start, end, i, k = z3.Reals("n m s length start end i k")
x, y, j, other, shrink, support = z3.Reals("x y j other shrink support")

Units = dict[str, Unit]


def axis() -> list:
    """1 <= n, m <= 2^40, 0 <= i <= k < m, and a scale of the smallest size or more."""
    extents = [fact for each in (n, m) for fact in (each >= 1, each <= MAX_EXTENT, z3.Or(each == 1, each >= 2))]
    return [*extents, s >= Fraction(1, 2 * MAX_EXTENT), i >= 0, i <= k, k <= m - 1]


def rounded_length() -> list:
    """The output has the length rounded down or half up, in doubles; OpenVINO adds a little before rounding down."""
    scaled = n * s * (1 + Fraction(1, 2**50))
    return [length >= m - HALF, length <= 2 * MAX_EXTENT, m <= scaled + 1]


def mode_of(units: Units, name: str) -> int:
    return units["double"].enumerators[name]


Position = Callable[[Call, z3.ArithRef], z3.ArithRef]


def contract(units: Units, mode: str) -> Position:
    if mode == "kTfCropAndResize":
        return lambda call, at: call.of("crop_position", n, m, length, start, end, at)
    return lambda call, at: call.of("position", mode_of(units, mode), n, m, s, length, at)


def monotonic(unit: Unit, position: Position, facts: list, decreasing: bool = False, errors: bool = False) -> list[str]:
    rounding = Rounding(errors=errors)
    first, second = (position(Call(unit, rounding), at) for at in (i, k))
    return unproved(rounding, facts, [("monotonic", first >= second if decreasing else first <= second)])


def specified(mode: str) -> z3.ArithRef:
    """The formulas of the specification."""
    linear = {
        "kHalfPixel": (i + HALF) / s - HALF,
        "kPytorchHalfPixel": z3.If(m > 1, (i + HALF) / s - HALF, 0),
        "kAlignCorners": z3.If(m > 1, i * (n - 1) / (length - 1), 0),
        "kAsymmetric": i / s,
        "kTfHalfPixelForNn": (i + HALF) / s,
        "kHalfPixelSymmetric": n / 2 * (1 - m / length) + (i + HALF) / s - HALF,
    }
    if mode in linear:
        return linear[mode]
    crop = z3.If(m > 1, start * (n - 1) + i * (end - start) * (n - 1) / (length - 1), (start + end) / 2 * (n - 1))
    near = n / 2**50
    return z3.If(absolute(crop) <= near, 0, z3.If(absolute(crop - (n - 1)) <= near, n - 1, crop))


def about_contract(mode: str) -> Iterator[Theorem]:
    crops = mode == "kTfCropAndResize"
    functions = {"crop_position" if crops else "position"}
    facts = axis() + rounded_length()

    def formula(units: Units):
        rounding = Rounding(exact=True)
        value = contract(units, mode)(Call(units["double"], rounding), i)
        return unproved(rounding, facts, [("the formula", value == specified(mode))]), functions

    def bounded(units: Units):
        rounding = Rounding(errors=True)
        value = contract(units, mode)(Call(units["double"], rounding), i)
        return unproved(rounding, facts, [("below", value >= -LARGEST), ("above", value <= LARGEST)]), functions

    yield Theorem(f"{mode} in doubles: the formula", formula)
    if not crops:  # which can put positions anywhere
        yield Theorem(f"{mode} in doubles: not too large", bounded)
    for name, order in CROPS.items() if crops else [("", None)]:

        def in_order(units: Units, name=name, order=order):
            premises = facts + ([order(start, end)] if order else [])
            return monotonic(units["double"], contract(units, mode), premises, name == "reversed", errors=crops), functions

        yield Theorem(f"{mode} in doubles{name and ', ' + name}: monotonic", in_order)


def about_libraries(mode: str) -> Iterator[Theorem]:
    for real_type in ("float", "double"):

        def ratio(units: Units, real_type=real_type):
            unit = units[real_type]
            found = monotonic(unit, lambda call, at: call.of("ratio_position", mode_of(units, mode), m, s, at), [*axis(), s >= 0])
            return found, {"ratio_position"}

        def ratio_formula(units: Units, real_type=real_type):
            rounding = Rounding(exact=True)
            value = Call(units[real_type], rounding).of("ratio_position", mode_of(units, mode), m, s, i)
            centred = (i + HALF) * s - HALF
            formulas = {
                "kAlignCorners": i * s,
                "kAsymmetric": i * s,
                "kTfHalfPixelForNn": (i + HALF) * s,
                "kPytorchHalfPixel": z3.If(m > 1, centred, 0),
            }
            goal = value == formulas.get(mode, centred)
            return unproved(rounding, axis(), [("the formula", goal)]), {"ratio_position"}

        yield Theorem(f"{mode} by a ratio in {real_type}: monotonic", ratio)
        yield Theorem(f"{mode} by a ratio in {real_type}: the formula", ratio_formula)

    def position(units: Units) -> Position:
        return lambda call, at: call.of("onnxruntime_position", mode_of(units, mode), n, m, s, start, end, at)

    for name, order in CROPS.items() if mode == "kTfCropAndResize" else [("", None)]:

        def in_order(units: Units, name=name, order=order):
            premises = axis() + ([order(start, end)] if order else [])
            return monotonic(units["float"], position(units), premises, name == "reversed"), {"onnxruntime_position"}

        yield Theorem(f"{mode} as in ONNX Runtime{name and ', ' + name}: monotonic", in_order)

    def formula(units: Units):
        rounding = Rounding(exact=True)
        value = position(units)(Call(units["float"], rounding), i)
        formulas = {
            "kAlignCorners": z3.If(m > 1, i * (n - 1) / (m - 1), 0),
            "kHalfPixelSymmetric": n / 2 * (1 - m / (n * s)) + (i + HALF) / s - HALF,
            "kTfCropAndResize": z3.If(
                m > 1, start * (n - 1) + i * (end - start) * (n - 1) / (m - 1), (start + end) / 2 * (n - 1)
            ),
        }
        return unproved(rounding, axis(), [("the formula", value == formulas.get(mode, specified(mode)))]), {"onnxruntime_position"}

    yield Theorem(f"{mode} as in ONNX Runtime: the formula", formula)


def filter_facts() -> list:
    return [z3.Or(support == 1, support == 2), shrink >= Fraction(1, 2 * MAX_EXTENT), shrink <= 1]


def reaches(units: Units, rounding: Rounding, at: z3.ArithRef, place: z3.ArithRef) -> z3.BoolRef:
    return Call(units["double"], rounding).of("reaches", at, place, shrink, support)


def reached_inputs(units: Units):
    """Without rounding, the definition. With it, what is nearer is reached, too, so windows have no gaps."""
    exact, rounding = Rounding(exact=True), Rounding()
    defined = ("the definition", reaches(units, exact, j, x) == (absolute(j - x) < support / shrink))
    failed = unproved(exact, filter_facts(), [defined])
    farther = [*filter_facts(), absolute(j - x) <= absolute(other - x)]
    nearer = z3.Implies(reaches(units, rounding, other, x), reaches(units, rounding, j, x))
    return failed + unproved(rounding, farther, [("no gaps", nearer)]), {"reaches"}


def window_order(units: Units):
    """Of positions x <= y, the first input that x reaches is not after y's, and the last one not after y's."""
    rounding = Rounding()

    def extends(here, there, outside):
        reached = z3.And(reaches(units, rounding, other, here), reaches(units, rounding, j, there))
        return z3.Implies(z3.And(reached, outside), reaches(units, rounding, j, here))

    first, last = extends(x, y, j < other), extends(y, x, j > other)
    return unproved(rounding, [*filter_facts(), x <= y], [("first", first), ("last", last)]), {"reaches"}


def candidates(units: Units):
    """Every input that is reached is among those between the two."""
    rounding = Rounding(errors=True)
    before = Call(units["double"], rounding).of("before_window", x, shrink, support)
    after = Call(units["double"], rounding).of("after_window", x, shrink, support)
    reached = reaches(units, rounding, j, x)
    facts = [*filter_facts(), x >= -LARGEST, x <= LARGEST, j >= -2 * LARGEST, j <= 2 * LARGEST]
    goals = [("first", z3.Implies(reached, j >= before)), ("last", z3.Implies(reached, j <= after))]
    return unproved(rounding, facts, goals), {"before_window", "after_window"}


def theorems() -> Iterator[Theorem]:
    for mode in MODES:
        yield from about_contract(mode)
        yield from about_libraries(mode)
    yield Theorem("windows in doubles: no gaps", reached_inputs)
    yield Theorem("windows in doubles: in the order of positions", window_order)
    yield Theorem("windows in doubles: candidates", candidates)
