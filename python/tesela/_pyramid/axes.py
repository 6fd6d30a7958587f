# SPDX-License-Identifier: Apache-2.0
"""Axes of a pyramid: those of the input, those that the caller names, and their order."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .. import _core, _parameters
from .._streaming.labels import UNITS, Axis, named, unit_name, usual

LEAST, MOST = 2, 5  # axes of an OME-Zarr image


def settle(shape: Sequence[int], found: Sequence[Axis] | None, given: dict[str, Any]) -> tuple[Axis, ...]:
    """The axes of an array, in its order. found: what the input says. given: axes, units, scale and translation of the caller."""
    rank = len(shape)
    if not LEAST <= rank <= MOST:
        _parameters.refuse("pyramid", "the shape of x", tuple(shape), f"{LEAST} to {MOST} axes", _core.RankError)
    axes = tuple(found) if found is not None else usual(rank)
    if given.get("axes") is not None:
        names = _names(given["axes"], rank)
        known = {axis.name: axis for axis in axes} if found is not None else {}
        axes = tuple(known.get(name) or named(name) for name in names)
    for parameter, (field, read) in _FIELDS.items():
        if given.get(parameter) is not None:
            chosen = per_axis(parameter, given[parameter], axes)
            changed: list[dict[str, Any]] = [{field: read(parameter, chosen[index], axis)} if index in chosen else {}
                                             for index, axis in enumerate(axes)]
            axes = tuple(replace(axis, **fields) for axis, fields in zip(axes, changed))
    _check(axes)
    return axes


def per_axis(parameter: str, value: Any, axes: Sequence[Axis]) -> dict[int, Any]:
    """A value by the index of an axis. value: one for the axes of space, one for each axis, or a dictionary by name."""
    if isinstance(value, dict):
        names = [axis.name for axis in axes]
        for name in value:
            if name not in names:
                _parameters.refuse("pyramid", parameter, value, f"names among {', '.join(names)}", _core.InvalidValueError)
        return {names.index(name): entry for name, entry in value.items()}
    if isinstance(value, str) or not hasattr(value, "__len__"):
        return {index: value for index, axis in enumerate(axes) if axis.kind == "space"}
    if len(value) != len(axes):
        listed = ", ".join(axis.name for axis in axes)
        _parameters.refuse("pyramid", parameter, value, f"{len(axes)} entries, one for each of the axes {listed}", _core.CountError)
    return dict(enumerate(value))


def order(axes: Sequence[Axis]) -> tuple[int, ...]:
    """The permutation to OME-Zarr's order: time, channel or another, space; z, y, x if these are the names of space."""
    space = [axis.name.lower() for axis in axes if axis.kind == "space"]
    by_name = set(space) <= set("zyx")
    ranks = {"time": 0, "space": 2}

    def key(index: int) -> tuple[int, int]:
        axis = axes[index]
        is_space = axis.kind == "space"
        return ranks.get(axis.kind or "", 1), "zyx".index(axis.name.lower()) if is_space and by_name else index

    return tuple(sorted(range(len(axes)), key=key))


def _names(value: Any, rank: int) -> tuple[str, ...]:
    names: tuple[str, ...] = tuple(re.split(r"\s*,\s*", value)) if isinstance(value, str) and "," in value else tuple(value)
    if len(names) != rank or not all(isinstance(name, str) and name for name in names) or len(set(names)) != rank:
        _parameters.refuse("pyramid", "axes", names, f"{rank} different names, one for each axis of x", _core.CountError)
    return names


def _check(axes: Sequence[Axis]) -> None:
    """OME-Zarr's rules: two or three axes of space, at most one of time and one other."""
    kinds = [axis.kind for axis in axes]
    others = sum(kind not in ("space", "time") for kind in kinds)
    if not 2 <= kinds.count("space") <= 3 or kinds.count("time") > 1 or others > 1:
        _parameters.refuse("pyramid", "axes", tuple(axis.name for axis in axes),
                           "two or three of x, y and z, and at most t and one other such as c", _core.InvalidValueError)


def _unit(parameter: str, value: Any, axis: Axis) -> str | None:
    unit = unit_name(_parameters.text("pyramid", parameter, value))
    known = UNITS.get(axis.kind or "", ())
    if known and unit not in known:
        near = _parameters.suggestion(str(unit), known)
        _parameters.refuse("pyramid", f"the unit of {axis.name}", unit, f"one of {', '.join(known)}{near}", _core.InvalidValueError)
    return unit


def _number(parameter: str, value: Any, axis: Axis) -> float:
    number = _parameters.number("pyramid", f"{parameter} of {axis.name}", value)
    if not math.isfinite(number):
        _parameters.refuse("pyramid", f"{parameter} of {axis.name}", value, "a finite number", _core.InvalidValueError)
    return number


def _scale(parameter: str, value: Any, axis: Axis) -> float:
    number = _number(parameter, value, axis)
    if number <= 0:
        _parameters.refuse("pyramid", f"{parameter} of {axis.name}", value, "a number above 0", _core.InvalidValueError)
    return number


# Parameters: the field of an axis, and what reads a value.
_FIELDS = {"units": ("unit", _unit), "scale": ("scale", _scale), "translation": ("translation", _number)}
