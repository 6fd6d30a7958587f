# SPDX-License-Identifier: Apache-2.0
"""Identifies the settings that made an output."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core, _libraries, _parameters
from . import nearest, questions, ranges
from .pairs import Arrangement, Pair, arrangements
from .plans import Candidate, Found
from .report import Answer, Group, Identification, Question, Setting
from .search import Search

__all__ = ["Answer", "Group", "Identification", "Question", "Setting", "identify"]

Progress = Callable[[float], None]

_FEW = 64  # values of y that can be near to a resize in any arrangement
_MISFIT = 1.2  # how much farther the right arrangement may be than another
_SOLVED = 2  # arrangements for which equations are solved
_RANGES = 40  # groups whose ranges are found


def identify(x: Any, y: Any = None, *, shape: Any = None, dtype: Any = None, progress: Progress | None = None) -> Identification:
    """Says which settings of Resize, or which preset, made y from x; or which settings a function has.

    x, y: arrays of any library, or images. If y is not given, x is a function that resizes and returns an array. It is called as
    x(array), or as x(array, sizes) if it takes two arguments; sizes are the new extents of the two axes of the image.
    shape, dtype: those of the arrays that a function is called with. By default float32, and the first of (17, 23), (17, 23, 3)
    and (1, 3, 17, 23) that the function accepts.
    progress: called with the share of the work that is done, from 0 to 1.

    The search tries modes, coordinate modes, nearest modes, cubic coefficients, antialias, exclude_outside, ways to give extents,
    plan fields, presets, conversions of dtypes, and orders of axes. The result can be printed.
    Errors: tesela.Error, as in tesela.resize.

    >>> x = np.array([[1.0, 2.0, 4.0, 8.0]])
    >>> found = tesela.identify(x, tesela.resize(x, sizes=(1, 6), mode="linear", coordinate_transformation_mode="asymmetric"))
    >>> found.settings[0].attributes
    {'mode': 'linear', 'coordinate_transformation_mode': 'asymmetric'}
    """
    report = _growing(progress)
    if y is None:
        from . import probes

        return probes.identify_function(x, shape, dtype, report)
    for name, value in (("shape", shape), ("dtype", dtype)):
        if value is not None:
            raise _core.UsageError(f"identify: {name} is {_parameters.shown(value)}, and y is given; expected it for a function only")
    before, after = read("x", x), read("y", y)
    return of_pair(before, after, report)


def _growing(progress: Progress | None) -> Progress:
    """Reports shares that grow."""
    largest = 0.0

    def report(done: float) -> None:
        nonlocal largest
        largest = max(largest, done)
        if progress:
            progress(largest)

    return report


def of_pair(x: np.ndarray, y: np.ndarray, progress: Progress) -> Identification:
    ways = arrangements(x, y)
    if not ways:
        return Identification("none", (), 0.0, x.shape, x.dtype.name, y.shape, y.dtype.name, None, (), None)
    done = 0.0

    def report(share: float) -> None:
        progress(done + share * 0.3)

    searches = _likely([(Search([Pair(x, np.ascontiguousarray(way.undo(y, x.ndim)))], report), way) for way in ways])
    for search, way in searches:
        if found := search.usual():
            return told(search, found, way, progress)
    done = 0.3
    for search, way in searches[:_SOLVED]:
        is_likely = way is ways[0] or search.misfit() <= _MISFIT * searches[0][0].misfit()
        if is_likely and (found := search.solved()):
            return told(search, found, way, progress)
    done = 0.6
    likely = searches[:_SOLVED]
    for search, way in likely:
        if found := nearest.near(search):
            return told(search, found, way, progress)
    found, search, way = min(((nearest.nearest(search), search, way) for search, way in likely), key=lambda entry: _mean(entry[0]))
    return told(search, found, way, progress)


def _likely(searches: list[tuple[Search, Arrangement]]) -> list[tuple[Search, Arrangement]]:
    """The arrangements with which y is as near to a plain resize as with any, the nearest first; and the first of all."""
    plain = searches[0]
    ordered = sorted(searches, key=lambda entry: entry[0].misfit())
    if plain[0].pair.y.size >= _FEW:
        least = ordered[0][0].misfit()
        ordered = [entry for entry in ordered if entry[0].misfit() <= _MISFIT * least]
    first = [ordered[0]] if ordered[0] is plain else [ordered[0], plain]
    return [*first, *(entry for entry in ordered if not any(entry is known for known in first))]


def told(search: Search, found: Found, arrangement: Arrangement | None, progress: Progress) -> Identification:
    """The result of a search."""
    pair = search.pair
    plain = arrangement is None or arrangement == Arrangement((), tuple(range(pair.x.ndim)), pair.y.shape)
    call = _calls(pair, None if plain else arrangement)
    groups = tuple(
        Group(tuple(_setting(candidate, pair, call) for candidate in group.candidates), group.difference.compared,
              group.difference.differ, group.difference.largest, group.difference.mean,
              ranges.coefficients(search, group) if found.verdict == "equal" and number < _RANGES else None)
        for number, group in enumerate(found.groups))
    progress(0.9)
    near = tuple(name for name in nearest.presets(search) if found.verdict != "none" and name not in _names(found))
    question = questions.find(search, found, call) if found.verdict != "none" else None
    progress(1.0)
    return Identification(found.verdict, groups, found.tolerance, pair.x.shape, pair.x.dtype.name,
                          arrangement.shape if arrangement else pair.y.shape, pair.y.dtype.name,
                          None if plain or arrangement is None else arrangement.text("y", pair.y.shape), near, question)


def _names(found: Found) -> set[str]:
    return {candidate.setting.get("like") for group in found.groups for candidate in group.candidates}


def read(name: str, value: Any) -> np.ndarray:
    library = _libraries.find(value)
    array = np.asarray(value) if library.__class__.__module__.endswith("pillow") else _libraries.read(value)
    if array.size == 0:
        raise _core.ShapeError(f"identify: {name} has the shape {array.shape}; expected at least one element")
    return array if array.dtype.isnative else array.astype(array.dtype.newbyteorder("="))


def _mean(found: Found) -> float:
    return min((group.difference.mean for group in found.groups), default=float("inf"))


def _calls(pair: Pair, arrangement: Arrangement | None) -> Callable[[Candidate], str]:
    def call(candidate: Candidate) -> str:
        setting, conversion = candidate
        parameters = setting.call_parameters(pair.x.shape, pair.y.shape, pair.axes) or {}
        text = conversion.call(call_text(setting.operator, parameters), "x", pair.x.dtype)
        return text if arrangement is None else arrangement.text(text, pair.y.shape)

    return call


def call_text(operator: str, parameters: dict[str, Any]) -> str:
    """The text of a call, with {x} for the input."""
    given = ", ".join(f'{name}="{value}"' if isinstance(value, str) else f"{name}={value}" for name, value in parameters.items())
    if operator == "resize" and any(name in _PLANS_ONLY for name in parameters):
        return f'tesela.plan("resize", {{x}}, {given})({{x}})'
    return f"tesela.{operator}({{x}}, {given})"


_PLANS_ONLY = ("coordinates", "weights", "intermediate", "order", "alpha")


def _setting(candidate: Candidate, pair: Pair, call: Callable[[Candidate], str]) -> Setting:
    setting, conversion = candidate
    words = conversion.words(pair.x.dtype)
    attributes = setting.attributes() if setting.operator == "resize" else {}
    fields = setting.fields(conversion.dtype) if setting.operator == "resize" else {}
    return Setting(call(candidate), setting.operator, setting.get("like"), attributes, fields, setting.rule.kind, **words)
