# SPDX-License-Identifier: Apache-2.0
"""Finds a smaller call that still differs for the same reason."""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .. import _core, _files
from . import ask, cases, script, smaller
from .nodes import Node
from .report import Comparison, NodeReport, Outcome
from .runtimes import Worker

_BAD = ("different", "refused", "crash", "timeout")


@dataclass(frozen=True)
class Reduced:
    """A call, what both make of it, and how many calls were tried."""

    report: NodeReport
    expected: np.ndarray
    outcome: Outcome
    version: str
    tried: int

    @property
    def line(self) -> str:
        """The call as one line, with its values if they are few."""
        return cases.line_with_values(self.report.node, self.report.shape) or self.report.line

    def model(self) -> bytes:
        return self.report.node.model()

    def script(self) -> str:
        """A Python program that runs the call in the other runtime and prints what is expected and what it gives."""
        return script.text(self.report, self.expected, self.outcome, self.version)

    def write(self, prefix: str | os.PathLike[str]) -> tuple[str, str]:
        """Writes PREFIX.onnx and PREFIX.py and returns their names. Errors: IoError."""
        names = f"{os.fspath(prefix)}.onnx", f"{os.fspath(prefix)}.py"
        for name, data in zip(names, (self.model(), self.script().encode())):
            _files.write(name, data)
        return names

    def as_dict(self) -> dict[str, Any]:
        return {"case": self.line, "tried": self.tried, "output": list(self.report.shape), "outcome": self.outcome.as_dict()}

    def __str__(self) -> str:
        from .report import details

        lines = [f"smallest for {self.outcome.runtime.name} ({self.tried} calls tried): {self.line}"]
        return "\n".join([*lines, *("  " + line for line in details(self.report, self.outcome))])


def of(comparison: Comparison, node: int | None, runtime: str | None, seconds: float, progress: Callable[[float], None] | None) -> Reduced:
    """Errors: InvalidValueError, if nothing differs."""
    found = [(report, outcome) for k, report in enumerate(comparison.nodes) if node in (None, k)
             for outcome in report.outcomes if runtime in (None, outcome.runtime.name) and outcome.verdict in _BAD]
    if not found:
        raise _core.InvalidValueError("compare: nothing to reduce: no node differs")
    differing = [entry for entry in found if entry[1].verdict == "different"]  # rather than what is refused
    report, outcome = (differing or found)[0]
    with Worker(outcome.runtime, comparison.settings["threads"], comparison.settings["timeout"]) as worker:
        return Search(worker, comparison.settings["tolerance"], seconds, progress or (lambda done: None)).run(report.node, outcome)


class Search:
    """tries: calls that it makes at most."""

    def __init__(self, worker: Worker, tolerance: float | None, seconds: float, progress: Callable[[float], None], tries: int = 10**9):
        self.worker, self.tolerance, self.progress = worker, tolerance, progress
        self.seconds, self.began, self.tried, self.tries = seconds, time.monotonic(), 0, tries
        self.known: set[bytes] = set()  # calls that do not differ, or otherwise

    def run(self, node: Node, outcome: Outcome) -> Reduced:
        self.wanted = _kind(outcome)
        result = self._try(node)
        if result is None:  # the runtime does not repeat itself
            self.known.clear()
            self.wanted = _kind(self._outcome(node)[1])
            result = self._try(node)
        if result is None:
            raise _core.InvalidValueError(f"compare: {self.worker.runtime.title} gives different results each time; nothing to reduce")
        best, (ours, last) = node, result
        while (found := self._smaller(best)) is not None:
            best, (ours, last) = found
        report = NodeReport(replace(best, name=""), ours.shape, None, (last,))
        return Reduced(report, ours, last, self.worker.version, self.tried)

    def _smaller(self, node: Node) -> tuple[Node, tuple[np.ndarray, Outcome]] | None:
        """The node after a round of steps; None if none was possible."""
        best: tuple[Node, tuple[np.ndarray, Outcome]] | None = None
        for steps in smaller.STEPS:
            while (found := self._first(steps(node if best is None else best[0]))) is not None:
                best = found
        return best

    def _first(self, candidates: Iterator[Node]) -> tuple[Node, tuple[np.ndarray, Outcome]] | None:
        for candidate in candidates:
            if time.monotonic() - self.began > self.seconds or self.tried >= self.tries:
                return None
            self.progress((time.monotonic() - self.began) / self.seconds)
            if (found := self._try(candidate)) is not None:
                return candidate, found
        return None

    def _try(self, node: Node) -> tuple[np.ndarray, Outcome] | None:
        """What both make of it, if it differs for the same reason."""
        call = _digest(node)
        if call in self.known:
            return None
        self.tried += 1
        try:
            ours, outcome = self._outcome(node)
            if _is_alike(self.wanted, _kind(outcome)):
                return ours, outcome
        except _core.Error:
            pass  # no valid call
        self.known.add(call)
        return None

    def _outcome(self, node: Node) -> tuple[np.ndarray, Outcome]:
        ours = node.prepared(1)()
        return ours, ask(node, ours, self.worker, 0, self.tolerance)


def _digest(node: Node) -> bytes:
    text = hashlib.sha256(node.model())
    for array in node.feeds().values():
        text.update(array.tobytes() if array.dtype != object else repr(array.tolist()).encode())
    return text.digest()


def _kind(outcome: Outcome) -> tuple[str, bool, str, str]:
    """(verdict, whether the shape differs, by what it is explained, the first rule or the message without numbers)."""
    rules = outcome.explanation.rules
    reason = rules[0].rule if rules else "".join(c for c in outcome.answer.text if not c.isdigit())
    other_shape = outcome.difference is not None and outcome.difference.shape is not None
    return outcome.verdict, other_shape, outcome.explanation.by, reason


def _is_alike(wanted: tuple[str, bool, str, str], found: tuple[str, bool, str, str]) -> bool:
    if wanted[0] == "different" and wanted[2] == "emulation":
        return wanted[:3] == found[:3]  # rows may come and go
    return wanted == found
