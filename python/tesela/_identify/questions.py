# SPDX-License-Identifier: Apache-2.0
"""Finds an input for which the settings that are left differ."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from . import values
from .plans import Candidate, finish_key, signature
from .report import Answer, Question
from .settings import SIZES, Rule

if TYPE_CHECKING:
    from .search import Found, Search

_MOST_SETTINGS = 60  # that are compared
# Extents before and after: general ones, ties, a single output, positions that rounding moves, and long axes.
_AXES = ((7, 5), (5, 7), (10, 4), (4, 10), (6, 1), (1, 3), (14, 18), (20, 6), (7, 17), (9, 3), (3, 9), (2, 3), (64, 100), (101, 33),
         (300, 3), (4, 4))
_SCALES = (1.3, 0.7, 2.2)


def find(search: Search, found: Found, call: Callable[[Candidate], str]) -> Question | None:
    """The question that tells most of the settings apart; None if none was found."""
    candidates = _chosen(found)
    if len(candidates) < 2:
        return None
    best: tuple[int, Any] | None = None
    for shape, resized, rule in _trials(search):
        classes = _classes(search, candidates, shape, resized, rule)
        if best is None or len(classes) > best[0]:
            best = len(classes), (shape, resized, rule, classes)
        if len(classes) == len(candidates):
            break
    if best is None or best[0] < 2:
        return None
    return _asked(search, call, *best[1])


def _chosen(found: Found) -> list[Candidate]:
    """The first settings of each group in turn."""
    rows = itertools.zip_longest(*(group.candidates for group in found.groups))
    return list(itertools.islice((candidate for row in rows for candidate in row if candidate is not None), _MOST_SETTINGS))


Trial = tuple[tuple[int, ...], tuple[int, ...], Rule]


def _trials(search: Search) -> Iterator[Trial]:
    """Shapes before and after, and the rule for settings that give sizes."""
    rank, axes = search.pair.x.ndim, search.pair.axes
    kept = search.pair.x.shape

    def shapes(first: tuple[int, int], second: tuple[int, int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
        before = [min(extent, 4) for extent in kept]
        after = list(before)
        for number, axis in enumerate(axes):
            before[axis], after[axis] = (first, second)[number % 2]
        return tuple(before), tuple(after)

    assert rank
    for number, first in enumerate(_AXES):
        yield *shapes(first, _AXES[(number * 5 + 3) % len(_AXES)] if len(axes) > 1 else first), SIZES
    for scale in _SCALES:
        n = 10
        m = int(n * float(np.float32(scale)))
        yield *shapes((n, m), (n, m)), Rule("scales", (float(np.float32(scale)),) * len(axes))


def _classes(search: Search, candidates: list[Candidate], before: tuple[int, ...], after: tuple[int, ...], rule: Rule) -> dict:
    """Candidates by what they compute from these shapes."""
    classes: dict[Any, list[Candidate]] = {}
    for candidate in candidates:
        setting = candidate.setting
        if rule != SIZES:
            if setting.operator != "resize" or setting.rule.kind != "sizes":
                continue
            setting = setting._replace(rule=rule)
        plan = setting.plan(before, after, search.pair.axes, candidate.conversion.dtype)
        if plan is not None:
            classes.setdefault((signature(plan), finish_key(plan, candidate.conversion)), []).append(candidate._replace(setting=setting))
    return classes


def _asked(search: Search, call: Callable[[Candidate], str], before: tuple[int, ...], after: tuple[int, ...], rule: Rule,
           classes: dict) -> Question | None:
    """The question with the value that tells most classes apart."""
    make, x = _input(before, search.pair.x.dtype)
    axes = search.pair.axes
    outputs, members = [], []
    for candidates in classes.values():
        setting, conversion = candidates[0]
        plan = setting.plan(before, after, axes, conversion.dtype)
        if plan is None:
            continue
        outputs.append(np.asarray(conversion.finish(plan(conversion.before(x), num_threads=1))))
        members.append(candidates)
    if len({(output.shape, output.dtype) for output in outputs}) != 1:
        return None
    stacked = np.stack(outputs).reshape(len(outputs), -1)
    if not values.is_number(search.pair.x.dtype) or stacked.size == 0:
        return None
    ordered = np.sort(stacked, axis=0)
    counts = 1 + (ordered[1:] != ordered[:-1]).sum(axis=0)
    place = int(np.argmax(counts))
    if counts[place] < 2:
        return None
    answers: dict[Any, list[str]] = {}
    for output, candidates in zip(stacked, members):
        value = output[place].item() if output.dtype.kind != "c" else str(output[place])
        answers.setdefault(value, []).extend(call(candidate._replace(setting=candidate.setting._replace(rule=SIZES)))
                                             for candidate in candidates)
    extents = rule.parameters(tuple(before[axis] for axis in axes), tuple(after[axis] for axis in axes)) or {}
    position = tuple(int(index) for index in np.unravel_index(place, outputs[0].shape))
    return Question(make, before, search.pair.x.dtype.name, axes, extents, position,
                    tuple(Answer(value, tuple(calls)) for value, calls in answers.items()))


def _input(shape: tuple[int, ...], dtype: np.dtype) -> tuple[str, np.ndarray]:
    """An input of random values, and the text that makes it."""
    rng = np.random.default_rng(0)
    if dtype.kind in "iu":
        most = min(int(np.iinfo(dtype).max) + 1, 2**30)
        return f'numpy.random.default_rng(0).integers(0, {most}, {shape}).astype("{dtype.name}")', rng.integers(0, most, shape).astype(dtype)
    if dtype == bool:
        return f'numpy.random.default_rng(0).integers(0, 2, {shape}).astype("bool")', rng.integers(0, 2, shape).astype(bool)
    return f'numpy.random.default_rng(0).random({shape}).astype("{dtype.name}")', rng.random(shape).astype(dtype)
