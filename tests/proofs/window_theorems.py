# SPDX-License-Identifier: Apache-2.0
"""Theorems on the windows of linear and cubic filters, and on their integers in 64 and 128 bits."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from c_form import Unit
from contracts import CONTRACTS, MAX_INTEGER, equal, line_sum
from machine import Machine
from positions import (
    EXACT_MODES,
    LINE,
    depends_on_outputs,
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
from terms import Poly, conjunction, equivalence, implication, poly, var, variables
from theorem import Theorem, cases, unproved

FILTERS = {"linear": 1, "cubic": 2}  # inputs on either side of a position
NARROW = 2**53
j = var("j")  # an input
DEN = LINE["den"]


class Windows:
    """A machine that knows the line of a mode and the bound that set_rational checks, and the windows of outputs."""

    def __init__(
        self,
        units: dict[str, Unit],
        mode: str,
        one_output,
        support: int,
        antialias: bool,
        int_type: str,
        outputs: tuple[Poly, ...],
    ):
        self.support, self.antialias = support, antialias
        facts = [*request(one_output), *shape_of(LINE)]
        facts += [fact for each in outputs for fact in (*output(each), *placed(mode, LINE, each, one_output))]
        facts += [p < q] if antialias else []
        self.p, self.q = (p, q) if antialias else (poly(1), poly(1))
        machine = self.machine = Machine(units["Int128"], CONTRACTS, facts)
        self.most, self.half = self.widest()
        limit = machine.call("largest_integer", LINE, n, m, self.most, self.p, self.q).term
        machine.assume(limit <= MAX_INTEGER)
        if int_type == "int64_t":
            machine.assume(limit < NARROW)
            machine.unit = units[int_type]
        machine.limit = limit
        self.hint_bounds(outputs)
        self.nums = [machine.call("numerator", LINE["num0"], LINE["step"], each).term for each in outputs]
        self.windows = [self.window(num) for num in self.nums]

    def widest(self) -> tuple[Poly, Poly]:
        """The most taps, and half of them."""
        if not self.antialias:
            return poly(2 * self.support), poly(self.support)
        machine = self.machine
        machine.hint((m - 1, q), (n, p), (n - 1, p))
        most = machine.call("most_taps", poly(self.support), p, q).term
        half = machine.results[-1]
        machine.hint((half - 1 - 2 * self.support * n, p), (half - 1, p), (-half, p))
        return most, half

    def hint_bounds(self, outputs) -> None:
        hint, step = self.machine.hint, LINE["step"]
        hint((step, m - 1), (DEN, n - 1), (DEN, self.most - 1))
        for each in outputs:
            hint((step, each), (step, m - 1 - each))
        if not self.antialias:
            return
        hint(*((line_sum(sign, LINE, n, m, self.most), factor - 1) for sign in (1, -1) for factor in (p, q)))
        hint((step, p), (step, q), (DEN, p), (DEN, q), (DEN - 1, p), (p - 1, DEN), (DEN - 1, q))
        for factor in (p, q):
            hint((step * factor, m - 1), (DEN * factor, n - 1), (DEN * factor, self.most - 1))
            for each in outputs:
                hint((step * factor, each), (step * factor, m - 1 - each))

    def window(self, num: Poly) -> dict:
        machine, s = self.machine, self.support
        if not self.antialias:
            window = machine.plain(machine.call("plain_window", num, DEN, poly(s)))
            below = machine.results[-1]
            machine.hint((below - 2 * n - 1, DEN), (-2 - below, DEN))
            return {**window, "results": [below]}
        machine.hint((num + DEN, p), (2 * n * DEN - num, p), (DEN, 2 * n * p - q))
        window = machine.plain(machine.call("stretched_window", num, DEN, poly(s), p, q))
        lower, upper = machine.results[-2:]
        unit = DEN * p
        machine.hint(
            (-2 - 2 * s * n - lower, unit), (upper - 2 - 2 * n - 2 * s * n, unit), (lower - 2 * n - 1, unit), (-2 - upper, unit)
        )
        return {**window, "results": [lower, upper]}

    def hint_member(self, window: dict, input_: Poly) -> None:
        """Relates an input to the ends of a window."""
        s = self.support
        for end in window["results"]:
            if self.antialias:
                self.machine.hint(
                    (input_ - end - 1, DEN * p), (end - input_, DEN * p), (end - input_ - 1, DEN * p), (input_ - end, DEN * p)
                )
            else:
                self.machine.hint(
                    (input_ + s - end - 1, DEN), (end - input_ - s, DEN), (input_ - s - end - 1, DEN), (end - input_ + s, DEN)
                )


def near(x, input_: Poly, support: int, antialias: bool):
    """The specification: the distance of an input is below the support. Without antialias the support's upper end, where the
    weight is 0, belongs to the window, so that its width is always the same.
    """
    apart = input_ * x.den - x.num
    if antialias:
        return conjunction(apart * p < support * q * x.den, -apart * p < support * q * x.den)
    return conjunction(apart <= support * x.den, -apart < support * x.den)


def window_theorem(mode: str, support: int, antialias: bool, int_type: str) -> Callable:
    def prove(units):
        failed, called = [], set()
        for one_output in cases(mode):
            known = Windows(units, mode, one_output, support, antialias, int_type, (i,))
            machine, window, num = known.machine, known.windows[0], known.nums[0]
            x, floor = formula(mode, i, one_output), var("floor")
            machine.assume(floor * x.den <= x.num, x.num < floor * x.den + x.den)
            if one_output and depends_on_outputs(mode):
                machine.hint(*equal(LINE["step"], poly(0), i))
            machine.assume(transported(x.num, x.den, num, DEN, floor), transported(x.num, x.den, num, DEN, floor + 1))
            machine.hint(*equal(num * x.den, x.num * DEN, p))
            for end in (j * known.p - support * known.q, j * known.p + support * known.q):
                machine.assume(transported(x.num * known.p, x.den, num * known.p, DEN, end))
            known.hint_member(window, j)
            known.hint_member(window, floor)
            if antialias:
                machine.hint(
                    (num - floor * DEN, p),
                    (floor * DEN + DEN - num - 1, p),
                    (DEN, q - p - 1),
                    (window["hi"] - window["lo"] - known.most, DEN * p),
                )
                machine.hint((known.half * p - support * q, DEN))
            exact = var("half of the most taps")  # ceil(support / shrink)
            machine.assume(exact * known.p >= support * known.q, (exact - 1) * known.p < support * known.q)
            machine.hint((exact - known.half - 1, known.p), (known.half - exact - 1, known.p))
            inside = conjunction(j >= window["lo"], j <= window["hi"])
            goals = [("members are the near inputs", equivalence(inside, near(x, j, support, antialias)))]
            goals += [("the input below is a member", conjunction(window["lo"] <= floor, floor <= window["hi"]))]
            goals += [
                ("no more than the most taps", window["hi"] - window["lo"] + 1 <= known.most),
                ("the most taps", known.most == 2 * exact),
            ]
            bad, names = unproved(machine, goals)
            failed, called = failed + bad, called | names
        return failed, called

    return prove


def weight_theorem(mode: str, support: int, antialias: bool, int_type: str) -> Callable:
    """Of an input in the window: its distance is exact, its linear weight is not negative, and sums stay within the bound."""

    def prove(units):
        failed, called = [], set()
        for one_output in cases(mode):
            known = Windows(units, mode, one_output, support, antialias, int_type, (i,))
            machine, window, num = known.machine, known.windows[0], known.nums[0]
            machine.assume(j >= window["lo"], j <= window["hi"])
            known.hint_member(window, j)
            apart = j * DEN - num
            if antialias:
                machine.hint(
                    (apart - known.half * DEN, p),
                    (-apart - known.half * DEN, p),
                    (known.half * p - support * q, DEN),
                    (p - 1, apart),
                    (p - 1, -apart),
                )
                machine.hint((DEN, known.half - 1), (DEN * q, known.half - 1))
            distance = machine.call("tap_distance", j, num, DEN, known.p).term
            magnitude = machine.results[-1]
            machine.hint(*equal(magnitude, apart, p), *equal(magnitude, -apart, p))
            one = DEN * known.q
            goals = [
                (
                    "distance",
                    conjunction(
                        implication(apart >= 0, distance == apart * known.p),
                        implication(apart <= 0, distance == -apart * known.p),
                    ),
                )
            ]
            goals += [("distance is inside the filter", distance < support * one if antialias else distance <= support * one)]
            goals += [
                (
                    "sums of weights are bounded",
                    conjunction(known.most * one <= machine.limit, 2 * one <= machine.limit, distance >= 0),
                )
            ]
            for name, term in (*LINE.items(), ("p", known.p), ("q", known.q)):
                goals.append((f"{name} fits {int_type}", conjunction(term <= machine.limit, term >= -machine.limit)))
            if not antialias and support == 1:
                left, right = (machine.call("tap_distance", window[end], num, DEN, poly(1)).term for end in ("lo", "hi"))
                goals.append(("two weights add up to one", (one - left) + (one - right) == one))
            bad, names = unproved(machine, goals)
            failed, called = failed + bad, called | names
        return failed, called

    return prove


def order_theorem(mode: str, support: int, antialias: bool) -> Callable:
    def prove(units):
        failed, called = [], set()
        for one_output in cases(mode):
            known = Windows(units, mode, one_output, support, antialias, "Int128", (i, k))
            machine, (first, second) = known.machine, known.windows
            machine.assume(i <= k)
            factor = DEN * p if antialias else DEN
            machine.hint(
                (k - i, LINE["step"]),
                (k - i, LINE["step"] * p),
                *((a - b - 1, factor) for a, b in zip(first["results"], second["results"])),
            )
            bad, names = unproved(machine, [(end, first[end] <= second[end]) for end in ("lo", "hi")])
            failed, called = failed + bad, called | names
        return failed, called

    return prove


def between_theorem(units) -> tuple[list[str], set[str]]:
    """inputs_between covers every input of a window between two others, after it is clamped."""
    first, last = ({"lo": var(f"{name}.lo"), "hi": var(f"{name}.hi")} for name in ("first", "last"))
    small = [conjunction(term >= -(2**60), term <= 2**60) for each in (first, last) for term in each.values()]
    machine = Machine(units["Int128"], CONTRACTS, [n >= 1, n <= 2**40, j >= first["lo"], j <= last["hi"], *small])
    inside = machine.plain(machine.call("inputs_between", first, last, n))
    index = machine.call("clamp_index", j, n).term
    goals = [
        ("covered", conjunction(inside["lo"] <= index, index <= inside["hi"])),
        ("inside", conjunction(inside["lo"] >= 0, inside["hi"] < n)),
    ]
    return unproved(machine, goals)


def period_theorem(support: int, antialias: bool) -> Callable:
    """A position that is whole inputs further has the same window, moved: what repeating rows of a table relies on."""

    def prove(units):
        num, den, moved = variables("num den moved")
        large = 2**40
        facts = [
            den >= 1,
            den <= large,
            conjunction(num >= -large, num <= large),
            conjunction(moved >= -large, moved <= large),
            p >= 1,
            p <= large,
            q >= 1,
            q <= large,
        ]
        machine = Machine(units["Int128"], CONTRACTS, facts)
        name, more = ("stretched_window", (p, q)) if antialias else ("plain_window", ())
        windows = [machine.plain(machine.call(name, each, den, poly(support), *more)) for each in (num, num + moved * den)]
        unit = den * p if antialias else den
        machine.hint((den, p))
        half = len(machine.results) // 2
        for a, b in zip(machine.results[:half], machine.results[half:]):
            machine.hint((a + moved - b - 1, unit), (b - a - moved - 1, unit))
        machine.duties.clear()  # their bounds are theorems above
        return unproved(machine, [(end, windows[1][end] == windows[0][end] + moved) for end in ("lo", "hi")])

    return prove


def window_theorems() -> Iterator[Theorem]:
    for mode in EXACT_MODES:
        for name, support in FILTERS.items():
            for antialias in (False, True):
                kind = f"{mode}, {name}{' with antialias' if antialias else ''}"
                for int_type in ("Int128", "int64_t"):
                    yield Theorem(
                        f"{kind}, {int_type}: windows are exact, and no number is beyond its bound",
                        window_theorem(mode, support, antialias, int_type),
                    )
                    yield Theorem(
                        f"{kind}, {int_type}: distances are exact, and weights within their bound",
                        weight_theorem(mode, support, antialias, int_type),
                    )
                yield Theorem(f"{kind}: windows are monotone", order_theorem(mode, support, antialias))
    for name, support in FILTERS.items():
        for antialias in (False, True):
            yield Theorem(
                f"{name}{' with antialias' if antialias else ''}: windows repeat with the positions",
                period_theorem(support, antialias),
            )
    yield Theorem("the inputs between two windows are those of all windows between", between_theorem)


__all__ = ["position", "window_theorems"]
