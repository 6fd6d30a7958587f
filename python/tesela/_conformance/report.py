# SPDX-License-Identifier: Apache-2.0
"""What conformance returns: groups of cases with their counts, as text and as a dictionary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from .. import _core
from .._compare import cases
from .._compare.report import where
from .._model import Risk
from .case import Feature
from .judge import VERDICTS, Result

_FEW = 24  # values that are shown
_MESSAGE = 200  # characters of a backend's message
_RULES = 4  # rows of the catalogue that are shown


@dataclass(frozen=True)
class Group:
    """The cases of a feature. smallest: of those that did not pass. rules: rows of the catalogue that explain cases, and of how many,
    the most frequent first."""

    feature: Feature
    counts: dict[str, int]
    smallest: Result | None
    rules: tuple[tuple[Risk, int], ...]

    @property
    def total(self) -> int:
        return sum(self.counts.values())

    @property
    def passed(self) -> bool:
        return self.counts["passed"] == self.total

    def brief(self) -> str:
        """A cell of a table: "64", or "60 of 64: 3 failed, 1 refused"."""
        if self.passed:
            return str(self.total)
        rest = ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items() if count and verdict != "passed")
        return f"{self.counts['passed']} of {self.total}: {rest}"

    def as_dict(self) -> dict[str, Any]:
        rules = [{"rule": rule.rule, "effect": rule.effect, "source": rule.source, "cases": count} for rule, count in self.rules]
        return {"feature": self.feature.name, "operator": self.feature.area, "rule": self.feature.rule,
                "expects": "refusal" if self.feature.refused else "output", "counts": self.counts,
                "smallest": None if self.smallest is None else _of_result(self.smallest), "explained_by": rules}


def group(feature: Feature, results: Sequence[Result], smallest: Result | None) -> Group:
    found = Counter(result.verdict for result in results)
    by_name: dict[str, Risk] = {}
    counts: Counter[str] = Counter()
    for result in results:
        for risk in result.explanation.rules:
            by_name.setdefault(risk.rule, risk)
            counts[risk.rule] += 1
    rules = tuple((by_name[name], count) for name, count in sorted(counts.items(), key=lambda entry: (-entry[1], entry[0])))
    return Group(feature, {verdict: found[verdict] for verdict in VERDICTS}, smallest, rules)


@dataclass(frozen=True)
class Conformance:
    """The result of conformance; true if every case passed (or was refused or unreadable, if that is allowed); what is
    unsupported does not count. `print(result)` shows it,
    `html()` makes a page."""

    backend: str
    version: str
    seed: int
    cases: int
    allow_refused: bool
    groups: tuple[Group, ...]

    def __bool__(self) -> bool:
        bad = ("failed", "crashed", "timeout", *(() if self.allow_refused else ("refused", "unreadable")))
        return not any(self.counts[verdict] for verdict in bad)

    @property
    def counts(self) -> dict[str, int]:
        return {verdict: sum(group.counts[verdict] for group in self.groups) for verdict in VERDICTS}

    @property
    def title(self) -> str:
        return f"{self.backend} {self.version}".rstrip()

    def as_dict(self) -> dict[str, Any]:
        """What `tesela conformance --json` prints; docs/schemas/conformance.json describes it."""
        return {"backend": self.backend, "version": self.version, "tesela": _core.version(), "seed": self.seed, "cases": self.cases,
                "passed": bool(self), "counts": self.counts, "groups": [group.as_dict() for group in self.groups]}

    def html(self) -> str:
        """A page that needs no other file."""
        from . import html

        return html.page(self)

    def __str__(self) -> str:
        return "\n".join([*self._table(), *self._details(), self._sum()])

    def _table(self) -> list[str]:
        width = max(len(group.feature.name) for group in self.groups)
        lines = [f"{self.title}: seed {self.seed}, {sum(self.counts.values())} cases of {len(self.groups)} features"]
        area = ""
        for group in self.groups:
            if group.feature.area != area:
                area = group.feature.area
                lines += ["", area]
            lines.append(f"  {group.feature.name.ljust(width)}  {group.brief()}")
        return [*lines, ""]

    def _details(self) -> list[str]:
        lines = []
        for group in self.groups:
            if not group.passed:
                lines += [f"{group.feature.name}: {group.brief()}", f"  {group.feature.rule}", *("  " + line for line in details(group)), ""]
        return lines

    def _sum(self) -> str:
        return ", ".join(f"{count} {verdict}" for verdict, count in self.counts.items() if count)


def details(group: Group) -> list[str]:
    """The smallest case, and what explains the group."""
    result = group.smallest
    if result is None:
        return []
    lines = [f"{result.case.name} ({result.verdict}): {line(result)}"]
    lines += [result.case.call.note] if result.case.call.note else []
    lines += values(result)
    if result.text:
        lines.append(result.text if len(result.text) <= _MESSAGE else result.text[:_MESSAGE] + "...")
    for rule, count in group.rules[:_RULES]:
        lines.append(f"{rule.rule} ({count} cases): {rule.effect}")
        lines += [f"  source: {rule.source}"] if rule.source.startswith("http") else []
    return lines


def line(result: Result) -> str:
    """The call in words, with its values if they are few."""
    case = result.case
    if case.expected is None or result.answer.array is None:
        return case.line
    return cases.line_with_values(case.node, case.expected.shape) or case.line


def values(result: Result) -> list[str]:
    """What is expected and what the backend gives, if that is short."""
    expected, given = result.case.expected, result.answer.array
    if expected is None:
        return [f"expected a refusal; {result.case.refusal}"]
    if given is None or expected.size > _FEW or given.size > _FEW:
        return where(expected.shape, result.difference)[1:2] if result.difference is not None and result.difference.shape is None else []
    return [f"expected {_shown(expected)}", f"gives    {_shown(given)}"]


def _shown(array: np.ndarray) -> str:
    return "[" + ", ".join(str(value) for value in array.reshape(-1)) + "]"


def _of_result(result: Result) -> dict[str, Any]:
    case = result.case
    return {"case": case.name, "call": line(result), "reason": case.reason, "verdict": result.verdict, "message": result.text,
            "output": None if case.expected is None else list(case.expected.shape), "values": values(result)}
