"""Workloads: the lines of tests/cases.txt, one operator call each, in words.

    NAME: WORDS TYPE IN -> OUT

The words are attribute values of Resize, in any order: a mode, a coordinate transformation mode, a nearest mode,
`antialias`, `exclude_outside`; numbers are NAME=VALUE. `tile` and `fill` (ConstantOfShape, which has no IN) stand for
those operators. The newest version is meant, unless a first word like `Resize-13` says otherwise. Every axis is given
by its size. apps/cli/case_words.cc reads the same lines.
"""

from __future__ import annotations

import math
import pathlib
from dataclasses import dataclass, field, replace

FILE = pathlib.Path(__file__).resolve().parents[1] / "cases.txt"

MODES = ("nearest", "linear", "cubic")
COORDINATES = ("half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric")
ROUNDINGS = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
FLAGS = ("antialias", "exclude_outside")
OPERATORS = {"Resize": "Resize", "tile": "Tile", "Tile": "Tile", "fill": "ConstantOfShape",
             "ConstantOfShape": "ConstantOfShape"}


@dataclass(frozen=True)
class Workload:
    """One call. attributes: of Resize, by ONNX's names. value: of ConstantOfShape. source: [] of ConstantOfShape."""

    name: str
    operator: str
    opset: int  # 0: the newest
    dtype: str
    source: tuple[int, ...]
    target: tuple[int, ...]
    attributes: dict = field(default_factory=dict)
    value: float = 0

    @property
    def mode(self) -> str:
        return self.attributes.get("mode", "")

    @property
    def antialias(self) -> bool:
        return bool(self.attributes.get("antialias"))

    @property
    def coordinates(self) -> str:
        return self.attributes.get("coordinate_transformation_mode", "half_pixel")

    @property
    def rounding(self) -> str:
        return self.attributes.get("nearest_mode", "round_prefer_floor")

    @property
    def cubic_coeff_a(self) -> float:
        return self.attributes.get("cubic_coeff_a", -0.75)

    @property
    def repeats(self) -> list[int]:
        return [m // n for n, m in zip(self.source, self.target)]

    @property
    def resized(self) -> list[int]:
        """The axes whose extents change."""
        return [axis for axis, (n, m) in enumerate(zip(self.source, self.target)) if n != m]

    def shrunk(self, most: int) -> Workload:
        """The same call on a tensor of extents up to about `most`: factors stay, and what does not change."""
        pairs = [shrink(n, m, most) for n, m in zip(self.source, self.target)]
        if not self.source:
            return replace(self, target=tuple(min(m, most * most) for m in self.target))
        return replace(self, source=tuple(n for n, _ in pairs), target=tuple(m for _, m in pairs))


def shrink(n: int, m: int, most: int) -> tuple[int, int]:
    if max(n, m) <= most:
        return n, m
    if m % n == 0:
        factor = min(m // n, most)
        small = max(1, min(n, most // factor))
        return small, small * factor
    if n % m == 0:
        factor = min(n // m, most)
        small = max(1, most // factor)
        return small * factor, small
    part = most / max(n, m)
    return max(1, math.ceil(n * part)), max(1, math.ceil(m * part))


def parse(line: str) -> Workload:
    """The workload of a line. Errors: ValueError with the word that is wrong."""
    name, colon, words = line.rpartition(":")
    before, arrow, after = words.partition("->")
    target, *numbers = after.split() or [""]
    head = before.split()
    if not arrow or not head:
        raise ValueError(f"case '{line}': expected [NAME:] WORDS TYPE [IN] -> OUT")
    source = () if not head[-1][0].isdigit() else extents(head.pop(), line)
    record = {"operator": "Resize", "opset": 0, "attributes": {}, "value": 0}
    *given, dtype = head
    for word in given:
        read_word(word, record, line)
    for number in numbers:
        read_number(number, record, line)
    return Workload(name.strip() if colon else "", dtype=dtype, source=source, target=extents(target, line), **record)


def read_word(word: str, record: dict, line: str) -> None:
    attributes = record["attributes"]
    operator, _, version = word.partition("-")
    if operator in OPERATORS:
        record["operator"] = OPERATORS[operator]
        record["opset"] = int(version or 0)
    elif word in MODES:
        attributes["mode"] = word
    elif word in COORDINATES:
        attributes["coordinate_transformation_mode"] = word
    elif word in ROUNDINGS:
        attributes["nearest_mode"] = word
    elif word in FLAGS:
        attributes[word] = 1
    else:
        raise ValueError(f"case '{line}': the word '{word}' is unknown")


def read_number(text: str, record: dict, line: str) -> None:
    name, _, number = text.partition("=")
    if name == "value":
        record["value"] = float(number)
    elif name in ("cubic_coeff_a", "extrapolation_value"):
        record["attributes"][name] = float(number)
    else:
        raise ValueError(f"case '{line}': '{name}' is unknown; expected value, cubic_coeff_a or extrapolation_value")


def extents(text: str, line: str) -> tuple[int, ...]:
    try:
        return tuple(int(extent) for extent in text.split("x"))
    except ValueError:
        raise ValueError(f"case '{line}': '{text}' is no shape; expected 1x3x480x640") from None


def read_all(path: pathlib.Path = FILE) -> list[Workload]:
    """The cases of a file: a line each; empty lines and what follows a # mean nothing."""
    lines = (line.partition("#")[0].strip() for line in path.read_text().splitlines())
    return [parse(line) for line in lines if line]
