"""Workloads: the lines of tests/cases.txt, each describing one operator call.

    NAME: WORDS TYPE IN -> OUT

The words are attribute values of Resize, in any order: a mode, a coordinate transformation mode, a nearest mode,
`antialias`, `exclude_outside`; or `fast`, a precision; numbers are NAME=VALUE. `tile` and `fill` (ConstantOfShape, which has no IN) stand for
those operators. The newest version is meant, unless a first word like `Resize-13` says otherwise. Every axis is given
by its size. apps/cli/case_words.cc reads the same lines.
"""

from __future__ import annotations

import math
import pathlib
from dataclasses import dataclass, field, replace

import numpy as np
from case import NUMPY_TYPES

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

    def __str__(self) -> str:
        """The line that `parse` reads."""
        words = [word for word, operator in OPERATORS.items() if operator == self.operator][:1]
        if self.opset:
            words[0] += f"-{self.opset}"
        elif self.operator == "Resize":
            words = []
        numbers = {"value": self.value} if self.value else {}
        for name, setting in self.attributes.items():
            if name in FLAGS:
                words.append(name)
            elif isinstance(setting, str):
                words.append(setting)
            else:
                numbers[name] = setting
        shapes = ["x".join(map(str, shape)) for shape in (self.source, self.target)]
        line = [*words, self.dtype, shapes[0], "->", shapes[1], *(f"{name}={n:g}" for name, n in numbers.items())]
        return (f"{self.name}: " if self.name else "") + " ".join(word for word in line if word)

    @property
    def resized(self) -> list[int]:
        """The axes whose extents change."""
        return [axis for axis, (n, m) in enumerate(zip(self.source, self.target)) if n != m]

    def shrunk(self, most: int) -> Workload:
        """The same call with extents up to about `most`. Factors and unchanged axes are kept."""
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
    """The workload of a line. Errors: ValueError with the invalid word."""
    name, colon, words = line.rpartition(":")
    before, arrow, after = words.partition("->")
    target, *numbers = after.split() or [""]
    head = before.split()
    if not arrow or not head:
        raise ValueError(f"case '{line}': expected [NAME:] WORDS TYPE [IN] -> OUT")
    source = () if not head[-1][0].isdigit() else extents(head.pop(), line)
    record = {"operator": "Resize", "opset": 0, "attributes": {}, "value": 0}
    *given, dtype = head or [""]
    if dtype not in NUMPY_TYPES:
        raise ValueError(f"case '{line}': '{dtype}' is no element type")
    for word in given:
        read_word(word, record, line)
    for number in numbers:
        read_number(number, record, line)
    target = extents(target, line)
    if record["operator"] != "ConstantOfShape" and len(source) != len(target):
        raise ValueError(f"case '{line}': the shapes have not as many axes")
    if record["operator"] == "Tile" and any(m % n for n, m in zip(source, target)):
        raise ValueError(f"case '{line}': Tile repeats whole extents")
    return Workload(name.strip() if colon else "", dtype=dtype, source=source, target=target, **record)


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
    elif word == "fast":
        attributes["tesela.precision"] = word
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
    """The cases of a file, one per line; empty lines and comments after # are ignored."""
    lines = (line.partition("#")[0].strip() for line in path.read_text().splitlines())
    return [parse(line) for line in lines if line]


def values(case: Workload, seed: int = 0) -> np.ndarray | None:
    """An input like an image: floats in [0, 1), integers of at most 16 bits. Of 8 bits no extremes: libraries that
    round between two passes also clip there, which is not what is compared. None for ConstantOfShape."""
    if case.operator == "ConstantOfShape":
        return None
    generator = np.random.default_rng(seed)
    count = int(np.prod(case.source, dtype=np.int64))
    kind = NUMPY_TYPES[case.dtype]
    if case.dtype == "string":
        words = np.array([b"%06d" % i for i in range(1000)], dtype=object)
        return words[generator.integers(0, 1000, count)].reshape(case.source)
    if case.dtype == "bool":
        found = generator.integers(0, 2, count)
    elif case.dtype in ("int8", "uint8"):
        found = generator.integers(48, 208, count) - (128 if case.dtype == "int8" else 0)
    elif np.issubdtype(kind, np.integer):
        limits = np.iinfo(kind)
        found = generator.integers(max(limits.min, -30000), min(limits.max, 30000), count, endpoint=True)
    else:
        found = generator.random(count, dtype=np.float32)
    return found.astype(kind).reshape(case.source)
