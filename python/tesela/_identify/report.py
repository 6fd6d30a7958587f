# SPDX-License-Identifier: Apache-2.0
"""What identify returns: settings in groups, as text and as a dictionary."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_SHOWN_GROUPS = 3
_SHOWN_SETTINGS = 3
_SHOWN_ANSWERS = 5
_SHOWN_PRESETS = 8
_SHOWN_RANGE = 0.001  # a narrower one is a number


@dataclass(frozen=True)
class Setting:
    """One way to compute the output.

    call: Python text of the call, with x for the input. preset: its name, or None. attributes: ONNX's, with those of the
    preset; None for tile and copies. fields: plan fields. extents: how the extents are given: "sizes", "scales",
    "not_larger" or "not_smaller". before, after: conversions of values, or None.
    """

    call: str
    operator: str
    preset: str | None
    attributes: dict[str, Any]
    fields: dict[str, Any]
    extents: str
    before: str | None
    after: str | None

    def as_dict(self) -> dict[str, Any]:
        return dict(self.__dict__)


@dataclass(frozen=True)
class Group:
    """Settings that give equal outputs for every input of these shapes.

    settings: the simplest first. differ: how many of the `compared` values of the output are not theirs. largest, mean: of the
    differences. cubic_coeff_a: the range of coefficients that give the same values, where it is a range.
    """

    settings: tuple[Setting, ...]
    compared: int
    differ: int
    largest: float
    mean: float
    cubic_coeff_a: tuple[float, float] | None = None

    def as_dict(self) -> dict[str, Any]:
        return {"settings": [setting.as_dict() for setting in self.settings], "compared": self.compared, "differ": self.differ,
                "largest": _finite(self.largest), "mean": _finite(self.mean),
                "cubic_coeff_a": None if self.cubic_coeff_a is None else list(self.cubic_coeff_a)}


@dataclass(frozen=True)
class Answer:
    """What settings give in answer to a question: the value at its position. settings: their calls."""

    value: float | str
    settings: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        return {"value": self.value, "settings": list(self.settings)}


@dataclass(frozen=True)
class Question:
    """An input for which the settings differ. make: Python text that makes it; shape: of it. extents: the parameters that give
    the new extents of `axes`. position: of the value of the output that is compared."""

    make: str
    shape: tuple[int, ...]
    dtype: str
    axes: tuple[int, ...]
    extents: dict[str, Any]
    position: tuple[int, ...]
    answers: tuple[Answer, ...]

    def as_dict(self) -> dict[str, Any]:
        extents = {name: list(value) for name, value in self.extents.items()}
        return {"make": self.make, "shape": list(self.shape), "dtype": self.dtype, "axes": list(self.axes), "extents": extents,
                "position": list(self.position), "answers": [answer.as_dict() for answer in self.answers]}

    def __str__(self) -> str:
        extents = ", ".join(f"{name}={value}" for name, value in self.extents.items())
        lines = [f"resize {self.make}, {extents}, axes={self.axes}: output {list(self.position)} is"]
        lines += [f"  {answer.value} of {_names(answer.settings)}" for answer in self.answers[:_SHOWN_ANSWERS]]
        if len(self.answers) > _SHOWN_ANSWERS:
            lines.append(f"  and {len(self.answers) - _SHOWN_ANSWERS} other values")
        return "\n".join(lines)


@dataclass(frozen=True)
class Identification:
    """What made an output.

    verdict: "equal": the settings of every group give every value. "near": none does, and these give every value within
    `tolerance`, as another library that rounds elsewhere does. "none": no setting of Resize does; the group is the nearest.
    near_presets: other presets that give every value within rounding.
    groups: the simplest first. Groups differ for other values, settings of a group only for other shapes. question: asks for
    what would tell them apart; None if the search for it found nothing.
    """

    verdict: str
    groups: tuple[Group, ...]
    tolerance: float
    input_shape: tuple[int, ...]
    input_dtype: str
    output_shape: tuple[int, ...]
    output_dtype: str
    arrangement: str | None
    near_presets: tuple[str, ...]
    question: Question | None

    @property
    def settings(self) -> tuple[Setting, ...]:
        """The settings of all groups."""
        return tuple(setting for group in self.groups for setting in group.settings)

    @property
    def presets(self) -> tuple[str, ...]:
        """The names of presets among the settings."""
        return tuple(dict.fromkeys(setting.preset for setting in self.settings if setting.preset))

    def as_dict(self) -> dict[str, Any]:
        return {"verdict": self.verdict, "tolerance": self.tolerance,
                "input": {"shape": list(self.input_shape), "dtype": self.input_dtype},
                "output": {"shape": list(self.output_shape), "dtype": self.output_dtype}, "arrangement": self.arrangement,
                "presets": list(self.presets), "near_presets": list(self.near_presets), "groups": [group.as_dict() for group in self.groups],
                "question": None if self.question is None else self.question.as_dict()}

    def __str__(self) -> str:
        lines = [self._headline()]
        for group in self.groups[:_SHOWN_GROUPS]:
            lines += _group_lines(group, len(self.groups) > 1)
        if len(self.groups) > _SHOWN_GROUPS:
            others = sum(len(group.settings) for group in self.groups[_SHOWN_GROUPS:])
            lines.append(f"and {others} settings in {len(self.groups) - _SHOWN_GROUPS} more groups, which as_dict() lists")
        if self.near_presets and not self.presets:
            lines.append(f"within rounding also the presets {', '.join(self.near_presets)}")
        if self.question:
            lines.append("To tell settings apart, " + str(self.question))
        elif self.verdict != "none" and len(self.settings) > 1:
            lines.append("No input was found for which they differ.")
        return "\n".join(lines)

    def _headline(self) -> str:
        shapes = f"{_extents(self.input_shape)} {self.input_dtype} -> {_extents(self.output_shape)} {self.output_dtype}"
        if not self.groups:
            return f"{shapes}: no setting of Resize or Tile gives this output."
        first = self.groups[0]
        differ = f"{first.differ} of {first.compared} values differ, by {first.largest:.3g} at most"
        if self.verdict == "equal":
            return f"{shapes}: equal in all {first.compared} values that were compared"
        if self.verdict == "near":
            return f"{shapes}: equal within {self.tolerance:.2g}; {differ}"
        return f"{shapes}: no known setting of Resize or Tile gives this output; with the nearest, {differ}, by {first.mean:.3g} on average"


def _group_lines(group: Group, is_one_of: bool) -> list[str]:
    lines = [f"  {setting.call}" for setting in group.settings[:_SHOWN_SETTINGS]]
    lines[0] = ("- " if is_one_of else "  ") + lines[0][2:]
    others = len(group.settings) - _SHOWN_SETTINGS
    presets = dict.fromkeys(s.preset for s in group.settings if s.preset)
    if others > 0:
        lines.append(f"    and {others} {'settings that give' if others > 1 else 'setting that gives'} the same for every input of this shape")
    if presets:
        more = f" and {len(presets) - _SHOWN_PRESETS} others" if len(presets) > _SHOWN_PRESETS else ""
        lines.append(f"    presets: {', '.join(list(presets)[:_SHOWN_PRESETS])}{more}")
    if group.cubic_coeff_a and group.cubic_coeff_a[1] - group.cubic_coeff_a[0] > _SHOWN_RANGE:
        lines.append("    cubic_coeff_a may be from {:.6g} to {:.6g}".format(*group.cubic_coeff_a))
    return lines


def _names(calls: tuple[str, ...]) -> str:
    others = {1: "", 2: " and 1 other"}.get(len(calls), f" and {len(calls) - 1} others")
    return calls[0] + others


def _extents(shape: tuple[int, ...]) -> str:
    return "x".join(map(str, shape)) or "scalar"


def _finite(number: float) -> float | None:
    return number if abs(number) != float("inf") else None
