# SPDX-License-Identifier: Apache-2.0
"""Writes sources with all their changes at once, each behind a call of switches.h."""

from __future__ import annotations

import re

from changes import Change, code_of, text_of

OPERATORS = {
    "<": "Less", "<=": "LessEqual", ">": "Greater", ">=": "GreaterEqual", "==": "Equal", "!=": "NotEqual", "+": "Plus", "-": "Minus",
}  # fmt: skip


def end_of_operand(code: str, begin: int, operator: str) -> int:
    """The end of the right operand of && or ||, which begins at `begin`."""
    depth = 0
    for place in range(begin, len(code)):
        character = code[place]
        if character in "([{":
            depth += 1
        elif character in ")]}":
            depth -= 1
            if depth < 0:
                return place
        elif depth == 0 and (
            character in ",;?"
            or code.startswith(" || ", place)
            or (operator == "&&" and code.startswith(" && ", place))
            or (character == ":" and ":" not in (code[place - 1], code[place + 1]))
        ):
            return place
    raise ValueError("an operand without an end")


def closing_angle(code: str, opening: int) -> int:
    depth = 0
    for place in range(opening, len(code)):
        depth += (code[place] == "<") - (code[place] == ">")
        if depth == 0:
            return place
    raise ValueError("no closing angle bracket")


def insertions(change: Change, number: int, code: str) -> list[tuple[int, int, str]] | None:
    """Replacements (begin, end, text) that put `change` behind a switch; None if it cannot be."""
    begin, end = change.begin, change.end
    replaced = code[begin:end]
    if change.kind == "number":
        return [(begin, begin, f"switches::number({number}, "), (end, end, ")")]
    if change.kind == "negate":
        return [(begin, begin, f"switches::negated({number}, static_cast<bool>("), (end, end, "))")]
    if change.kind == "error":
        if re.match(r";\s*else\b", code[end:]):
            return None
        keyword = code.index("return", begin)
        return [(keyword, keyword, f"if (!switches::reached({number})) ")]
    if change.kind == "checked":
        return [(begin, code.index("(", begin) + 1, f"SWITCHES_RETURN_IF_ERROR({number}, ")]
    operator = replaced.strip()
    if operator in OPERATORS:
        return [(end, end, f"switches::{OPERATORS[operator]}({number}) {operator} ")]
    if operator in ("&&", "||"):
        name = "And" if operator == "&&" else "Or"
        opened = f"switches::{name}({number}) {operator} switches::later([&] {{ return static_cast<bool>("
        last = end_of_operand(code, end, operator)
        return [(end, end, opened), (last, last, "); })")]
    name = f"switches::{operator.removeprefix('std::')}_of"
    if code[end] == "<":
        close = closing_angle(code, end)
        if code[close + 1] != "(":
            return None
        return [(begin, end, name), (close + 2, close + 2, f"{number}, ")]
    if code[end] != "(":
        return None
    return [(begin, end, name), (end + 1, end + 1, f"{number}, ")]


def switched(file: str, numbered: list[tuple[int, Change]]) -> tuple[str, set[int]]:
    """The text of a file with these changes behind switches, and the numbers of those that cannot be."""
    source = text_of(file)
    code = code_of(source)
    edits = []
    left_out = set()
    for number, change in numbered:
        found = insertions(change, number, code)
        if found is None:
            left_out.add(number)
            continue
        opening = found[0][0]
        for begin, end, text in found:
            closes = begin != opening
            # At one place, what closes comes first, the innermost before others; then what opens, the outermost first.
            # A text that opens nothing belongs to the operator before it.
            outermost = -opening if closes else -found[-1][0] if len(found) > 1 else float("-inf")
            edits.append((begin, not closes, outermost, end, text))
    edits.sort(key=lambda edit: edit[:3])
    parts = []
    done = 0
    for begin, _, _, end, text in edits:
        parts += [source[done:begin], text]
        done = max(done, end, begin)
    return "".join([*parts, source[done:]]), left_out


def lines_with_errors(output: str, path: str) -> set[int]:
    """The lines of `path` in which a compiler found errors."""
    named = rf"^{re.escape(path)}:(\d+):"
    found = re.findall(rf"{named}.* error: |{named}.*required from here", output, re.MULTILINE)
    return {int(number) for pair in found or re.findall(rf"{named}()", output, re.MULTILINE) for number in pair if number}
