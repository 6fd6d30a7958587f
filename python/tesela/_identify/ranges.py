# SPDX-License-Identifier: Apache-2.0
"""Ranges of numbers that give the same values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .settings import DEFAULT_A

if TYPE_CHECKING:
    from .search import Group, Search

_STEPS = 20
_REACH, _FAR = 0.25, 4.0


def coefficients(search: Search, group: Group) -> tuple[float, float] | None:
    """The cubic_coeff_a that give the same values in the boxes of all pairs as the first setting of the group that has one."""
    found = next((c for c in group.candidates if c.setting.get("mode") == "cubic" and not c.setting.get("like")), None)
    if found is None:
        return None
    setting = found.setting
    a = float(setting.get("cubic_coeff_a") or DEFAULT_A)

    def is_equal(value: float) -> bool:
        for pair in search.pairs:
            plan = setting.replaced(cubic_coeff_a=value).plan(pair.x.shape, pair.y.shape, pair.axes, found.conversion.dtype)
            if plan is None or not pair.equals(plan, found.conversion):
                return False
        return True

    ends = []
    for sign in (-1, 1):
        inside, outside = 0.0, _REACH
        if is_equal(a + sign * _FAR):  # it has no effect
            inside = _FAR
        elif is_equal(a + sign * outside):
            inside, outside = outside, _FAR
        for _ in range(_STEPS if inside < _FAR else 0):
            middle = (inside + outside) / 2
            inside, outside = (middle, outside) if is_equal(a + sign * middle) else (inside, middle)
        ends.append(a + sign * inside)
    return (ends[0], ends[1]) if ends[1] - ends[0] > 1e-6 else None
