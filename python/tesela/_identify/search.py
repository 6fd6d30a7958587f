# SPDX-License-Identifier: Apache-2.0
"""Finds the settings that reproduce pairs: first by exact values of every filter, then in every arithmetic."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Container, Iterable, Iterator
from typing import Any

import numpy as np

from .._plan import Plan
from . import fits, nearest, plans, settings, values
from .pairs import Difference, Pair, distance_from, same, span_of, total
from .plans import Candidate, Found, Group, complexity, finish_key, signature, without_coefficient
from .settings import SIZES, Rule, Setting
from .values import Conversion, precision

_FIXED_UNITS = 3.5  # how far fixed point and rounded passes may be from the exact value, for uint8
WORK = 6e9  # sums of whole outputs, about a second
_MORE_BOXES = 200
_FITTED_SCALES = 4
_MOST_PLANS = 20_000  # that are made before the search for unusual numbers ends, about two seconds
_NEAR_SHARE = 0.5  # of the values that saturated passes leave near the exact ones


class Search:
    """pairs: of one callable, or one. progress: called with the done share, from 0 to 1; it may raise."""

    def __init__(self, pairs: list[Pair], progress: Callable[[float], None]):
        self.pairs = pairs
        self.pair = pairs[0]
        self.progress = progress
        source, result = self.pair.x.dtype, self.pair.y.dtype
        self.conversions = values.conversions(source, result)
        self.numbers = values.is_number(source) and values.is_number(result)
        self.span = span_of(self.pair)
        self.exact = np.dtype(np.complex128 if source.kind == "c" else np.float64)
        self._same: dict[Candidate, Candidate] = {}  # with equal tables and arithmetic
        self._signed: dict[Candidate, Any] = {}
        self._rules_known: list[Rule] = []
        self.filters: list[Setting] = []
        self._plans_made = 0
        self.passes = sum(n != m for n, m in zip(self.pair.x.shape, self.pair.y.shape))

    @functools.cache  # noqa: B019  a search lives as long as a call
    def misfit(self) -> float:
        """The least mean difference of y from plain resizes: small for the right arrangement of axes."""
        least = math.inf if self.numbers else 0.0
        exact = Conversion(self.exact, False, "", self.exact, 1)
        for attributes in ((("mode", "nearest"),), (("mode", "linear"),), (("mode", "linear"), ("antialias", 1))):
            plan = self.plan(Setting("resize", attributes), self.exact) if self.numbers else None
            if plan is None:
                continue
            for gain in dict.fromkeys(conversion.gain for conversion in self.conversions):
                means = [float(distance_from(self.pair.compute(plan, exact, box) * np.float64(gain), self.pair.expected(box)).mean())
                         for box in self.pair.boxes]
                least = min(least, float(np.mean(means)) / gain)
        return least

    def usual(self) -> Found | None:
        """The settings with usual numbers that give y; None if there are none."""
        self._rules_known = self._possible(self._rules())
        self.filters = self._screened(self._rules_known)
        self.progress(0.2)
        exact = [*self._moves(self._rules_known), *self._presets(), *self._in_every_arithmetic(self.filters)]
        return self._equal_found(exact)

    def solved(self) -> Found | None:
        """Those with other coefficients or scales; None if there are none."""
        if not self.passes:
            return None
        for pair in self.pairs:
            pair.widen()
        ways = [lambda: self._fitted(self._rules_known)]
        if nearest.near(self) is None:
            ways += [self._with_scales, self._fitted_with_scales]
        else:  # with scales of few decimals it would not be near
            ways.append(self._with_ratios)
        for more in ways:
            if self.is_exhausted:
                return None
            candidates, filters = more()
            self.filters += filters
            if found := self._equal_found(candidates):
                return found
        return None

    def _equal_found(self, candidates: list[Candidate]) -> Found | None:
        groups = self._verified(candidates)
        return Found("equal", groups, 0.0) if groups else None

    @property
    def is_exhausted(self) -> bool:
        return self._plans_made > _MOST_PLANS

    def _possible(self, rules: Iterable[Rule]) -> list[Rule]:
        return [rule for rule in rules if self.plan(Setting("resize", (("mode", "nearest"),), rule), self.pair.x.dtype)]

    def _with_ratios(self) -> tuple[list[Candidate], list[Setting]]:
        """Candidates with scales whose extents exporters round up, and the standard down."""
        return self._with_rules(self._possible(fits.ratios(self)))

    def _with_scales(self) -> tuple[list[Candidate], list[Setting]]:
        """Candidates with scales that are not out / in."""
        return self._with_rules(self._scale_rules())

    def _with_rules(self, rules: list[Rule]) -> tuple[list[Candidate], list[Setting]]:
        filters = self._screened(rules)
        return [*self._moves(rules), *self._in_every_arithmetic(filters)], filters

    def _fitted_with_scales(self) -> tuple[list[Candidate], list[Setting]]:
        """Candidates with scales next to out / in and other coefficients."""
        return self._fitted(self._scale_rules()[:_FITTED_SCALES])

    @functools.cache  # noqa: B019  a search lives as long as a call
    def _scale_rules(self) -> list[Rule]:
        return self._possible(dict.fromkeys(fits.scales(self)))

    def _fitted(self, rules: list[Rule]) -> tuple[list[Candidate], list[Setting]]:
        """Candidates with other cubic coefficients, of each arithmetic the one with the fewest decimals."""
        candidates: list[Candidate] = []
        fitted: list[Setting] = []
        for rule in rules if self.numbers else []:
            for settings_found in fits.coefficients(self, rule) if not self.is_exhausted else ():
                fitted += settings_found[:1]
                candidates += self._first_of_each(settings_found)
            if candidates:  # other rules can give the same
                same_values = dict.fromkeys(candidate.setting for candidate in candidates)
                others = [setting._replace(rule=other) for setting in same_values for other in rules if other != rule]
                for setting in others:
                    candidates += self._in_one_arithmetic(setting)
                break
        return candidates, fitted

    def _first_of_each(self, found: list[Setting]) -> list[Candidate]:
        """Of settings that differ in the coefficient, the first that gives y in each arithmetic."""
        chosen: dict[Any, Candidate] = {}
        for setting in found:
            for candidate in self._in_every_arithmetic([setting], chosen):
                chosen.setdefault(without_coefficient(candidate), candidate)
        return list(chosen.values())

    def _rules(self) -> Iterator[Rule]:
        yield SIZES
        yield Rule("scales")
        for number, axis in enumerate(self.pair.axes):
            if self.pair.x.shape[axis]:
                yield Rule("not_larger", axis=number)
                yield Rule("not_smaller", axis=number)

    def plan(self, setting: Setting, dtype: np.dtype, pair: Pair | None = None) -> Plan | None:
        pair = pair or self.pair
        self._plans_made += 1
        return setting.plan(pair.x.shape, pair.y.shape, pair.axes, dtype)

    # Settings that copy elements.

    def _moves(self, rules: list[Rule]) -> Iterator[Candidate]:
        seen: set[bytes] = set()
        conversions = []
        sample = self.pair.x[tuple(slice(0, 16) for _ in self.pair.x.shape)]
        for conversion in self.conversions:  # those that give the same values are one
            key = conversion.finish(conversion.before(sample)).tobytes()
            if key not in seen:
                seen.add(key)
                conversions.append(conversion)
        found = [Setting("tile", ()), *(setting for rule in rules for setting in settings.nearest(rule))]
        for setting in found:
            for dtype in dict.fromkeys(conversion.dtype for conversion in conversions):
                yield from self._equal(setting, [conversion for conversion in conversions if conversion.dtype == dtype])

    def _presets(self) -> Iterator[Candidate]:
        x, y = self.pair.x, self.pair.y
        channels = x.shape[-1] if x.ndim >= 3 and x.shape[-1] == y.shape[-1] else 0
        direct = Conversion(x.dtype, False, "", y.dtype, 1)
        conversions = self.conversions if direct in self.conversions else [direct, *self.conversions]
        for dtype in dict.fromkeys(conversion.dtype for conversion in conversions):
            chosen = [conversion for conversion in conversions if conversion.dtype == dtype]
            for setting in settings.all_presets(dtype, channels):
                yield from self._equal(setting, chosen)

    # Settings that interpolate.

    def _screened(self, rules: list[Rule]) -> list[Setting]:
        """Settings whose exact values are near y."""
        if not self.numbers:
            return []
        return [setting for rule in rules for setting in settings.filters(rule)
                if not self.is_exhausted and self.apart(setting) is not None]

    def apart(self, setting: Setting) -> float | None:
        """The mean difference of y from the setting's exact values; None if it is too large. Passes of uint8 saturate what a cubic
        overshoots, so there the values after each pass are tried, too."""
        found, share = self._apart(setting, self.exact)
        if found is not None or share < _NEAR_SHARE or self.passes < 2 or setting.get("mode") != "cubic" or not any(
                conversion.dtype == np.uint8 for conversion in self.conversions):
            return found
        for order in ("first_axis_first", "last_axis_first"):
            passes = setting.replaced(weights="fixed22", intermediate="uint8", order=order)
            found, _ = self._apart(passes, np.dtype(np.uint8))
            if found is not None:
                return found
        return None

    def _apart(self, setting: Setting, kind: np.dtype) -> tuple[float | None, float]:
        """The mean difference or None, and the share of near values where it was too large."""
        plan = self.plan(setting, kind)
        if plan is None:
            return None, 0.0
        means = {gain: 0.0 for gain in dict.fromkeys(conversion.gain for conversion in self.conversions)}
        share = 0.0
        exact = Conversion(kind, False, "", kind, 1)
        for box in self.pair.boxes:
            computed = self.pair.compute(plan, exact, box)
            y = self.pair.expected(box)
            for gain in list(means):
                apart = distance_from(computed * np.float64(gain), y)
                near = apart <= self.tolerance(gain)
                if near.all():
                    means[gain] += float(apart.sum())
                else:
                    share = max(share, float(near.mean()))
                    del means[gain]
            if not means:
                return None, share
        return min(means.values()) / max(self.pair.compared_outputs, 1), 1.0

    @functools.cache  # noqa: B019  a search lives as long as a call
    def tolerance(self, gain: float) -> float:
        """How far from exact values a result of any arithmetic and conversion may be."""
        x, y = self.pair.x.dtype, self.pair.y.dtype
        units = 0.0
        for conversion in self.conversions:
            if conversion.gain == gain and not values.is_float(conversion.dtype) and conversion.dtype.kind != "c":
                units = max(units, _FIXED_UNITS if conversion.dtype.itemsize == 1 else 1.001)
            elif conversion.gain == gain and y.kind in "iu":
                units = max(units, 1.001 / gain)
        extents = max(*self.pair.x.shape, *self.pair.y.shape, 1)
        narrow = max(precision(x), precision(y))
        return gain * (units + self.span * (4 * narrow + 4e-7 * extents))

    def _in_every_arithmetic(self, found: Iterable[Setting], known: Container[Any] = ()) -> list[Candidate]:
        """Settings with the arithmetics that give y in all boxes. known: arithmetics that need not be tried, as
        `without_coefficient` gives them. Of settings with equal tables one is computed."""
        if not self.passes:  # nothing is computed
            return [candidate for setting in found for candidate in self._equal(setting, self.conversions[:1])]
        classes: dict[Any, list[Setting]] = {}
        for setting in (setting for first in found for setting in settings.positions(first)):
            plan = self.plan(setting, self.exact)
            if plan is not None:
                classes.setdefault(signature(plan), []).append(setting)
        result: list[Candidate] = []
        for members in classes.values():
            for dtype in dict.fromkeys(conversion.dtype for conversion in self.conversions):
                for fields in settings.arithmetics(members[0], dtype, self.passes):
                    first = members[0].replaced(**fields)
                    chosen = [conversion for conversion in self.conversions if conversion.dtype == dtype
                              and without_coefficient(Candidate(first, conversion)) not in known]
                    for computed in self._equal(first, chosen):
                        result.append(computed)
                        for setting in members[1:]:
                            candidate = computed._replace(setting=setting.replaced(**fields))
                            self._same[candidate] = computed
                            result.append(candidate)
        return result

    def _in_one_arithmetic(self, setting: Setting) -> Iterator[Candidate]:
        for dtype in dict.fromkeys(conversion.dtype for conversion in self.conversions):
            yield from self._equal(setting, [conversion for conversion in self.conversions if conversion.dtype == dtype])

    def _equal(self, setting: Setting, conversions: list[Conversion]) -> Iterator[Candidate]:
        """The setting with the conversions that give y in all boxes of the first pair. All have the same dtype for a plan."""
        plan = None
        for divides in (False, True):
            alive = [conversion for conversion in conversions if conversion.divides == divides]
            if not alive:
                continue
            plan = plan or self.plan(setting, alive[0].dtype)
            if plan is None:
                return
            for box in self.pair.boxes:
                computed = self.pair.compute(plan, alive[0], box)
                expected = self.pair.expected(box)
                alive = [conversion for conversion in alive if same(conversion.finish(computed), expected)]
                if not alive:
                    break
            yield from (Candidate(setting, conversion) for conversion in alive)

    # Groups.

    def _verified(self, candidates: list[Candidate]) -> list[Group]:
        """Candidates with equal plans in groups, of those that give y everywhere."""
        by_plan: dict[Any, list[Candidate]] = {}
        for candidate in candidates:
            signed = self.signature(candidate)
            if signed is not None:
                by_plan.setdefault(signed, []).append(candidate)
        groups, spent = [], 0.0
        for done, members in enumerate(by_plan.values()):
            self.progress(0.4 + 0.4 * done / len(by_plan))
            found, cost = self.differences(members[0], WORK - spent)
            spent += cost
            if found.is_none:
                groups.append(Group(sorted(members, key=complexity), found))
        return sorted(groups, key=lambda group: complexity(group.candidates[0]))

    def differences(self, candidate: Candidate, budget: float) -> tuple[Difference, float]:
        """The difference over all pairs, of whole outputs if the budget of work allows; and its work."""
        parts, spent = [], 0.0
        for pair in self.pairs:
            plan = self.plan(candidate.setting, candidate.conversion.dtype, pair)
            assert plan is not None
            cost = plans.work(plan)
            if spent + cost <= budget:
                spent += cost
                boxes = [pair.whole()]
            else:
                boxes = pair.more_boxes(_MORE_BOXES)
            parts.append(pair.difference(plan, candidate.conversion, boxes))
        return total(iter(parts)), spent

    def signature(self, candidate: Candidate) -> Any:
        """Equal for candidates whose results are equal for all values; None if the candidate cannot make all pairs."""
        first = self._same.get(candidate, candidate) if len(self.pairs) == 1 else candidate
        if first not in self._signed:
            self._signed[first] = self._sign(first)
        return self._signed[first]

    def _sign(self, candidate: Candidate) -> Any:
        signed = []
        for pair in self.pairs:
            plan = self.plan(candidate.setting, candidate.conversion.dtype, pair)
            if plan is None:
                return None
            signed.append((signature(plan), finish_key(plan, candidate.conversion)))
        return tuple(signed)
