# SPDX-License-Identifier: Apache-2.0
"""Single changes of a header: every sign, comparison, number, rounding and end of a window, one at a time.

Each must make a proof fail. The few that change nothing are listed, with the reason.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

FLIPPED = {
    "+": "-",
    "-": "+",
    "+=": "-=",
    "--": "++",
    "*": "+",
    "/": "*",
    "<": "<=",
    "<=": "<",
    ">": ">=",
    ">=": ">",
    "==": "!=",
    "&&": "||",
    "||": "&&",
    "!": "",
    "floor_div": "ceil_div",
    "ceil_div": "floor_div",
    "lo": "hi",
    "hi": "lo",
    "p": "q",
    "q": "p",
    "in": "out",
    "out": "in",
    "first": "last",
    "last": "first",
    "shrink_num": "shrink_den",
    "shrink_den": "shrink_num",
    "start": "end",
    "end": "start",
    "scale": "length",
    "length": "out",
}
TOKEN = re.compile(r"[A-Za-z_]\w*|\d+|<<|>>|->|<=|>=|==|!=|&&|\|\||--|\+\+|\+=|-=|[-+*/<>!]")
FUNCTION = re.compile(r"^(?:TESELA_EITHER_INT |TESELA_EITHER_REAL )?inline \w+ (\w+)\([^{]*\{", re.MULTILINE)
ANYWHERE = ("floor_div", "ceil_div", "lo", "hi")  # names that every function may use
FOR_CBMC = ("clamp_position", "rounded_position")

# Changed lines that compute the same.
SAME = {
    "return a <= 0 ? -a : a;": "-0 is 0",
    "return a < 1 ? -a : a;": "-0 is 0",
    "if (j <= 0) return 0;": "0 is inside",
    "if (j < 1) return 0;": "0 is inside",
    "PositionLine line = {0, 0, 2};": "0 / 2 is 0, and every mode with outputs of its own sets den",
    "Int128 product = 1;": "the value is overwritten",
    "const Int128 stretched = bounded_product(all, 4 * (shrink_num >= shrink_den ? shrink_num : shrink_den));": "the larger of equals",
    "return stretched >= summed ? stretched : summed;": "the larger of equals",
    "return 1;": "real_arithmetic.h has a function of its own for crops",
    "const double tolerance = 0x1p-50 * (in >= 1 ? in : 1.0);": "1 is 1",
    "const double tolerance = 0x1p-50 * (in > 1 ? in : 2.0);": "every position in one input is 0",
    "const double tolerance = 0x1p-50 * (in > 1 ? in : 1.1);": "every position in one input is 0",
    "return __builtin_floor(x - support / shrink) - 2;": "one more candidate, which is not reached",
    "return __builtin_ceil(x + support / shrink) + 2;": "one more candidate, which is not reached",
}


@dataclass
class Change:
    function: str
    line: str  # as changed
    header: str


def without_comments(text: str) -> str:
    """With blanks for what only C++ or nobody reads, so that places stay the same."""

    def blank(match: re.Match) -> str:
        return re.sub(r"[^\n]", " ", match[0])

    text = re.sub(r"^#ifdef __cplusplus.*?^#endif", blank, text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"//[^\n]*|^#[^\n]*", blank, text, flags=re.MULTILINE)


def bodies(code: str) -> list[tuple[str, int, int]]:
    """The name, begin and end of each function's body, and of the limit."""
    found = [(match[1], match.end(), code.index("\n}", match.end())) for match in FUNCTION.finditer(code)]
    limit = code.find("static const Int128 kMaxInteger")
    return found if limit < 0 else [*found, ("kMaxInteger", code.index("=", limit), code.index(";", limit))]


def flipped(header: str, function: str) -> list[Change]:
    """Every change of one function."""
    code = without_comments(header)
    found = []
    begin, end = next((begin, end) for name, begin, end in bodies(code) if name == function)
    names = set(re.findall(r"\w+", code[code.rfind("\n", 0, begin) : end]))
    for token in TOKEN.finditer(code, begin, end):
        changed = str(int(token[0]) + 1) if token[0].isdigit() else FLIPPED.get(token[0])
        if changed is None or (token[0].isidentifier() and changed not in {*names, *ANYWHERE}):
            continue
        text = header[: token.start()] + changed + header[token.end() :]
        line = text[text.rfind("\n", 0, token.start()) + 1 : text.find("\n", token.start())]
        found.append(Change(function, line.strip(), text))
    return found


def functions(header: str) -> list[str]:
    return [name for name, _, _ in bodies(without_comments(header))]


def changes(header: str) -> list[Change]:
    """Every change that z3 sees."""
    return [change for name in functions(header) if name not in FOR_CBMC for change in flipped(header, name)]
