# SPDX-License-Identifier: Apache-2.0
"""What compare returns: outcomes of nodes in runtimes, as text and as a dictionary."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from . import cases
from .differences import Difference
from .explanations import Explanation
from .nodes import Node
from .runtimes import Answer, Runtime

_MESSAGE = 160  # characters of a runtime's message
_RANGES = 6  # of indices
_PASSED = ("equal", "rounding")


@dataclass(frozen=True)
class Outcome:
    """A node in a runtime. verdict: "equal"; "rounding" (within the bound of differences that are no rule); "different";
    "refused", with its message; "crash" and "timeout" of its process; "unreadable" (its Python interface has no such arrays).
    seconds: a run, the median of few."""

    runtime: Runtime
    verdict: str
    answer: Answer
    difference: Difference | None
    explanation: Explanation

    def as_dict(self) -> dict[str, Any]:
        return {"runtime": self.runtime.name, "verdict": self.verdict, "message": self.answer.text,
                "difference": None if self.difference is None else self.difference.as_dict(),
                "explanation": self.explanation.as_dict(), "seconds": self.answer.seconds}

    def brief(self) -> str:
        """A cell of the table."""
        found = self.difference
        if self.verdict == "rounding" and found is not None:
            return f"rounding ({_short(found.units or 0)} units)"
        if self.verdict == "different" and found is not None and found.shape is None:
            return f"different ({found.differ} of {found.compared})"
        return self.verdict


@dataclass(frozen=True)
class NodeReport:
    """A node and its outcomes. shape: of Tesela's output. seconds: a run of Tesela. line: the call as a case."""

    node: Node
    shape: tuple[int, ...]
    seconds: float | None
    outcomes: tuple[Outcome, ...]

    @property
    def line(self) -> str:
        return cases.line(self.node, self.shape)

    def as_dict(self) -> dict[str, Any]:
        return {"name": self.node.name, "operator": self.node.operator, "since_version": self.node.version, "case": self.line,
                "dtype": self.node.output_dtype.name, "input": list(self.node.x.shape), "output": list(self.shape), "seconds": self.seconds,
                "outcomes": [outcome.as_dict() for outcome in self.outcomes]}


@dataclass(frozen=True)
class Comparison:
    """The result of compare; true if no node differs. `print(comparison)` shows it, `html()` makes a page.

    source: the model or the case. versions: of the runtimes. values: where inputs come from. named: whether the runtimes were
    named, so that one that refuses a node counts as a difference.
    """

    source: str
    versions: dict[str, str]
    values: str
    named: bool
    nodes: tuple[NodeReport, ...]
    settings: dict[str, Any] = field(repr=False)

    def __bool__(self) -> bool:
        bad = {"different", "crash", "timeout"} | ({"refused"} if self.named else set())
        return not any(outcome.verdict in bad for node in self.nodes for outcome in node.outcomes)

    def as_dict(self) -> dict[str, Any]:
        """What `tesela compare --json` prints; docs/schemas/compare.json describes it."""
        return {"source": self.source, "equal": bool(self), "values": self.values, "runtimes": self.versions,
                "nodes": [node.as_dict() for node in self.nodes]}

    def html(self) -> str:
        """A page that needs no other file."""
        from . import html

        return html.page(self)

    def reduce(self, node: int | None = None, runtime: str | None = None, *, seconds: float = 20.0, progress: Any = None) -> Any:
        """The smallest call found within so many seconds that still differs for the same reason: a `Reduced`.

        node, runtime: by default the first that differs. Errors: InvalidValueError, if none differs.
        """
        from . import reduction

        return reduction.of(self, node, runtime, seconds, progress)

    def __str__(self) -> str:
        return "\n".join([*self._table(), *self._details(), self._sum()])

    def _table(self) -> list[str]:
        versions = ", ".join(f"{name} {version}".rstrip() for name, version in self.versions.items())
        rows = [["node", *self.versions]]
        rows += [[report.node.name or report.node.operator, *(outcome.brief() for outcome in report.outcomes)] for report in self.nodes]
        widths = [max(map(len, column)) for column in zip(*rows)]
        lines = ["  ".join(entry.ljust(width) for entry, width in zip(row, widths)).rstrip() for row in rows]
        return [f"{self.source} with {versions}; inputs: {self.values}", "", *("  " + line for line in lines), ""]

    def _details(self) -> list[str]:
        lines = []
        for report in self.nodes:
            for outcome in report.outcomes:
                if outcome.verdict not in _PASSED:
                    lines += [f"{report.node.name or report.node.operator}, {outcome.runtime.name}: {outcome.verdict}", f"  {report.line}",
                              *("  " + line for line in details(report, outcome)), ""]
        return lines

    def _sum(self) -> str:
        outcomes = [outcome.verdict for report in self.nodes for outcome in report.outcomes]
        counts = [(verdict, outcomes.count(verdict)) for verdict in dict.fromkeys(outcomes)]
        return ", ".join(f"{count} {verdict}" for verdict, count in counts)


def details(report: NodeReport, outcome: Outcome) -> list[str]:
    lines = []
    if outcome.answer.text:
        lines.append(outcome.answer.text if len(outcome.answer.text) <= _MESSAGE else outcome.answer.text[:_MESSAGE] + "...")
    if outcome.difference is not None:
        lines += where(report.shape, outcome.difference)
    lines += reasons(outcome.explanation)
    if report.seconds and outcome.answer.seconds:
        lines.append(f"a run took {_short(report.seconds * 1e6)} us here, {_short(outcome.answer.seconds * 1e6)} us there (no benchmark)")
    return lines


def where(shape: tuple[int, ...], found: Difference) -> list[str]:
    if found.shape is not None:
        return [f"the output has the shape {list(shape)} here, {list(found.shape)} there"]
    share = 100 * found.differ / max(found.compared, 1)
    largest = "" if found.largest is None else f", by up to {_short(found.largest)}"
    units = f" ({_short(found.units)} units; up to {_short(found.bound / found.unit)} are rounding)" if found.units and found.bound else ""
    lines = [f"{found.differ} of {found.compared} values ({_short(share)} %){largest}{units}",
             f"first at {list(found.first)}; largest at {list(found.worst)}: {found.ours} here, {found.theirs} there"]
    for axis, indices in enumerate(found.axes):
        if shape[axis] > 1 and len(indices) < shape[axis]:
            lines.append(f"axis {axis}: at {_ranges(list(indices))} of {shape[axis]}")
    return lines


def reasons(explanation: Explanation) -> list[str]:
    if explanation.by == "nothing":
        return ["not explained: no row of the catalogue applies to this node"]
    lines = ["explained: the runtime's rules, computed by Tesela (rules=), give the same output"] if explanation.by == "emulation" else []
    for rule in explanation.rules:
        numbers = f" ({rule.numbers})" if rule.numbers else ""
        lines.append(f"{rule.rule}: {rule.effect}{numbers}")
        lines += [f"  cure: {rule.cure}"] if rule.cure else []
        lines += [f"  source: {rule.source}"] if rule.source.startswith("http") else []
    return lines


def _ranges(indices: list[int]) -> str:
    """"3-5, 9" of the first few."""
    runs: list[list[int]] = []
    for index in indices:
        if runs and runs[-1][1] == index - 1:
            runs[-1][1] = index
        else:
            runs.append([index, index])
    texts = [str(first) if first == last else f"{first}-{last}" for first, last in runs[:_RANGES]]
    return ", ".join(texts) + (" ..." if len(runs) > _RANGES else "")


def _short(number: float) -> str:
    return f"{number:.3g}" if abs(number) < 1e3 or abs(number) >= 1e7 else f"{number:.0f}"
