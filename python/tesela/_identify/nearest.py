# SPDX-License-Identifier: Apache-2.0
"""What is nearest to an output that no setting gives."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from . import settings
from .pairs import Difference
from .plans import Candidate, Found, Group, complexity
from .settings import SIZES, Setting
from .values import Conversion, precision

if TYPE_CHECKING:
    from .search import Search

_WORK = 2e9  # sums of the whole outputs that are compared

Ranked = list[tuple[Difference, Candidate]]


def near(search: Search) -> Found | None:
    """The settings that are as near as libraries that round elsewhere; None if there are none."""
    if not search.numbers:
        return None
    ranked = _ranked(search, [*search.filters, *_presets(search)])
    largest = tolerance(search)
    if not ranked or ranked[0][0].largest > largest:
        return None
    best = ranked[0][0]
    floor = 4 * precision(search.pair.y.dtype) * search.span
    kept = [entry for entry in ranked if entry[0].largest <= max(2 * best.largest, floor) and
            entry[0].mean <= max(1.5 * best.mean, floor / 4)]
    groups = [group for group in _grouped(search, kept) if group.difference.largest <= largest]
    return Found("near", groups, largest) if groups else None


def nearest(search: Search) -> Found:
    """The setting with the smallest mean difference."""
    if not search.numbers:
        return Found("none", [], 0.0)
    everything = [*settings.filters(SIZES), *settings.nearest(SIZES), *search.filters, *_presets(search)]
    return Found("none", _grouped(search, _ranked(search, everything)[:1]), tolerance(search))


def presets(search: Search) -> list[str]:
    """The presets that are near, by their mean difference."""
    if not search.numbers or not search.passes:
        return []
    largest = tolerance(search)
    found = [(difference, candidate) for difference, candidate in _ranked(search, _presets(search)) if difference.largest <= largest]
    return list(dict.fromkeys(candidate.setting.get("like") for _, candidate in found))


def tolerance(search: Search) -> float:
    """The largest difference of what is near: one unit of integers; rounding, and positions in float32."""
    y = search.pair.y.dtype
    if y.kind in "iub":
        return 1.0
    extents = max(*search.pair.x.shape, *search.pair.y.shape, 1)
    gain = max(conversion.gain for conversion in search.conversions)
    return min(gain, 1.0) * search.span * (4 * precision(y) + 3e-7 * extents)


def _presets(search: Search) -> list[Setting]:
    return list(settings.all_presets(search.pair.x.dtype, 0))


def _ranked(search: Search, found: Iterable[Setting]) -> Ranked:
    """Settings with their differences in the boxes, the smallest mean first."""
    y = search.pair.y.dtype
    direct = Conversion(search.pair.x.dtype, False, "", y, 1)
    conversions = search.conversions if direct in search.conversions else [direct, *search.conversions]
    ranked: Ranked = []
    for setting in dict.fromkeys(found):
        for conversion in conversions:
            plan = search.plan(setting, conversion.dtype)
            if plan is not None and (conversion.after or plan.output_dtype == y):
                ranked.append((search.pair.difference(plan, conversion), Candidate(setting, conversion)))
    return sorted(ranked, key=lambda entry: (entry[0].mean, complexity(entry[1])))


def _grouped(search: Search, ranked: Ranked) -> list[Group]:
    by_plan: dict[Any, list[Candidate]] = {}
    for _, candidate in ranked:
        if (signed := search.signature(candidate)) is not None:
            by_plan.setdefault(signed, []).append(candidate)
    return [Group(sorted(members, key=complexity), search.differences(members[0], _WORK / len(by_plan))[0])
            for members in by_plan.values()]
