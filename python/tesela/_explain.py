# SPDX-License-Identifier: Apache-2.0
"""Explanations of plans: where outputs land and which inputs weigh how much."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core, _parameters


class Explanation:
    """The explanation of a plan. `print(explanation)` shows it as text of 80 columns; a notebook shows a drawing."""

    __slots__ = ("_arguments", "_core", "_title")

    def __init__(self, core: Any, title: str, axis: int | Sequence[int] | None, outputs: tuple[int, int] | None):
        axes = [] if axis is None else _axes_of(axis, len(core.output_shape))
        first, count = (0, 0) if outputs is None else _range_of(outputs)
        self._core, self._title, self._arguments = core, title, (axes, first, count)
        self._text("json", 0)  # errors belong to this call

    def text(self, width: int = 80) -> str:
        """Plain text in lines of at most `width` columns, from 20 to 10,000."""
        return self._text("plain", _parameters.whole("explain", "width", width, 20, 10_000))

    def as_dict(self) -> dict[str, Any]:
        """What `tesela explain --json` prints; docs/schemas/explain.json describes it."""
        return json.loads(self._text("json", 0))

    def svg(self) -> str:
        """A drawing: inputs as cells, outputs as points with a line to each input that they use."""
        return self._text("svg", 0)

    def __str__(self) -> str:
        return self.text().rstrip("\n")

    def _repr_svg_(self) -> str | None:
        try:
            return self.svg()
        except _core.LimitError:  # too much for a drawing: notebooks show the repr
            return None

    def _text(self, form: str, width: int) -> str:
        return self._core.explain(*self._arguments, width, self._title, form)


def _axes_of(axis: int | Sequence[int], rank: int) -> list[int]:
    axes = [axis] if np.ndim(axis) == 0 else list(axis)  # type: ignore[arg-type]  # a sequence
    if rank == 0 and axes:
        _parameters.refuse("explain", "axis", axis, "no axis: the output is a scalar", _core.InvalidValueError)
    return [_parameters.whole("explain", "axis", entry, -rank, rank - 1) % rank for entry in axes]


def _range_of(outputs: tuple[int, int]) -> tuple[int, int]:
    ends = _parameters.whole_numbers("explain", "outputs", outputs)
    if ends.shape != (2,) or not 0 <= ends[0] < ends[1]:
        _parameters.refuse("explain", "outputs", outputs, "the first output and the one behind the last")
    return int(ends[0]), int(ends[1] - ends[0])
