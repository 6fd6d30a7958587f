# SPDX-License-Identifier: Apache-2.0
"""The extents of levels, from the factors by which they are smaller than the base."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from .. import _core, _parameters
from .axes import Axis, per_axis

_SMALL = 256  # without a number of levels, the last one has no axis of space that is longer
_MOST = 64  # levels


class PerAxis(tuple):
    """One factor, with a number for each axis, where another tuple would be one of levels."""


def level_shapes(shape: Sequence[int], axes: Sequence[Axis], factors: Any, levels: int | None) -> list[tuple[int, ...]]:
    """The shapes of all levels, the base first. An extent is the base's divided by the factor, rounded up.

    factors: one entry is how much smaller each level is than the one above; a list or tuple has an entry for each level below the
    base: how much smaller than the base it is. An entry is a number for the axes of space, a dictionary by name, or a tuple with
    a number for each axis. Errors: InvalidValueError, CountError.
    """
    if levels is not None:
        levels = _parameters.whole("pyramid", "levels", levels, 1, _MOST)
    if isinstance(factors, (list, tuple)) and not isinstance(factors, PerAxis):
        if levels is not None and levels != len(factors) + 1:
            _parameters.refuse("pyramid", "levels", levels, f"{len(factors) + 1}: the base, and one for each of factors", _core.CountError)
        if len(factors) >= _MOST:
            _parameters.refuse("pyramid", "factors", factors, f"fewer than {_MOST} entries", _core.CountError)
        shapes = [tuple(shape), *(_divided(shape, _entry(factor, axes)) for factor in factors)]
    else:
        shapes = _repeated(tuple(shape), axes, _entry(factors, axes), levels)
    for number in range(1, len(shapes)):
        _check(number, shapes[number - 1], shapes[number])
    return shapes


def _repeated(shape: tuple[int, ...], axes: Sequence[Axis], factor: dict[int, Fraction], levels: int | None) -> list[tuple[int, ...]]:
    """Levels until `levels`, or until the axes of space that get smaller are short."""
    shapes = [shape]
    shrinking = [axis for axis, by in factor.items() if by > 1 and axes[axis].kind == "space"] or list(factor)
    while len(shapes) < (levels or _MOST):
        if levels is None and all(shapes[-1][axis] <= _SMALL for axis in shrinking):
            break
        made = _divided(shape, {axis: by ** len(shapes) for axis, by in factor.items()})
        if made == shapes[-1] and levels is None:
            break
        shapes.append(made)
    return shapes


def _divided(shape: Sequence[int], factor: dict[int, Fraction]) -> tuple[int, ...]:
    return tuple(math.ceil(extent / factor[axis]) if axis in factor else extent for axis, extent in enumerate(shape))


def _entry(value: Any, axes: Sequence[Axis]) -> dict[int, Fraction]:
    return {axis: _number(entry) for axis, entry in per_axis("factors", value, axes).items()}


def _number(value: Any) -> Fraction:
    try:
        number = Fraction(value if isinstance(value, (int, Fraction)) else str(value))
    except (ValueError, ZeroDivisionError):
        number = Fraction(0)
    if isinstance(value, bool) or not 1 <= number < 2**63:
        _parameters.refuse("pyramid", "a factor", value, "a number of 1 or more", _core.InvalidValueError)
    return number


def _check(number: int, above: tuple[int, ...], shape: tuple[int, ...]) -> None:
    if shape == above or any(mine > its for mine, its in zip(shape, above)):
        raise _core.InvalidValueError(f"pyramid: level {number} has the shape {shape}, and the level above {above}; expected an axis that "
                                      "gets shorter, and none that gets longer")
