# SPDX-License-Identifier: Apache-2.0
"""Finds the places of the core that mutate.py changes, and what replaces each."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("model", "schema", "plan", "session", "types", "tensor_io", "files", "graph", "shapes")

# Text outside of comments and literals, and what replaces it. The blanks exclude templates, references and unary signs.
SWAPS = [
    (r" <= ", " < "), (r" < ", " <= "), (r" >= ", " > "), (r" > ", " >= "), (r" == ", " != "), (r" != ", " == "),
    (r" && ", " || "), (r" \|\| ", " && "), (r" \+ ", " - "), (r" - ", " + "),
    (r"\bstd::min\b", "std::max"), (r"\bstd::max\b", "std::min"),
]
NUMBER = re.compile(r"(?<![\w.'])(?:0x[0-9A-Fa-f]+|[1-9]\d*|0)(?![\w.'])")
CONDITION = re.compile(r"\bif \((?!const |auto |!\()")
ERROR = re.compile(r"(?<=\)) *\n? *return (?:\w+::)?\w*_error\(")
CHECKED = re.compile(r"\bTESELA_RETURN_IF_ERROR\(")


@dataclass(frozen=True)
class Change:
    """Characters begin to end of a file are replaced by `text`."""

    file: str
    kind: str  # "swap", "number", "negate", "error" or "checked"
    begin: int
    end: int
    text: str

    def lines(self) -> tuple[int, str, str]:
        """The number of the first line that changes, and the lines before and after."""
        source = text_of(self.file)
        first = source.rfind("\n", 0, self.begin) + 1
        last = source.find("\n", self.end)
        before = source[first:last]
        after = source[first : self.begin] + self.text + source[self.end : last]
        return source.count("\n", 0, first) + 1, " ".join(before.split()), " ".join(after.split())

    def __str__(self) -> str:
        number, before, after = self.lines()
        return f"{self.file}:{number}\n  - {before}\n  + {after}"


@cache
def text_of(file: str) -> str:
    return (ROOT / file).read_text()


def code_of(source: str) -> str:
    """The source with comments, literals and directives blanked out, every character in its place."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|^#[^\n]*'
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", "\x01", match[0]), source, flags=re.DOTALL | re.MULTILINE)


def closing(code: str, opening: int) -> int:
    """The place of the parenthesis that closes the one at `opening`."""
    depth = 0
    for place in range(opening, len(code)):
        depth += (code[place] == "(") - (code[place] == ")")
        if depth == 0:
            return place
    raise ValueError("no closing parenthesis")


def changes_of(file: str) -> list[Change]:
    source = text_of(file)
    code = code_of(source)
    found = []
    for pattern, text in SWAPS:
        found += [Change(file, "swap", match.start(), match.end(), text) for match in re.finditer(pattern, code)]
    for match in NUMBER.finditer(code):
        found.append(Change(file, "number", match.start(), match.end(), str(int(match[0], 0) + 1)))
    for match in CONDITION.finditer(code):
        end = closing(code, match.end() - 1)
        if ";" not in code[match.end() : end]:  # no initializer
            found.append(Change(file, "negate", match.end(), end, f"!({source[match.end() : end]})"))
    for match in ERROR.finditer(code):
        end = closing(code, match.end() - 1)
        found.append(Change(file, "error", match.start(), end + 1, ""))
    for match in CHECKED.finditer(code):
        end = closing(code, match.end() - 1)
        found.append(Change(file, "checked", match.start(), end, f"(void)({source[match.end() : end]}"))
    return found


def all_changes() -> list[Change]:
    """Every possible change, always in the same order."""
    files = [path for folder in FOLDERS for path in sorted((ROOT / "src" / folder).rglob("*.cc"))]
    return [change for path in files for change in changes_of(str(path.relative_to(ROOT)))]
