# SPDX-License-Identifier: Apache-2.0
"""What a backend's answer to a case is worth."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .. import _core
from .._compare import explanations
from .._compare.differences import Difference, difference
from .._compare.explanations import Explanation
from .._compare.runtimes import Answer
from .backends import Peer
from .case import Case

# In the order of reports.
VERDICTS = ("passed", "failed", "refused", "crashed", "timeout", "unreadable", "unsupported")
_OF_KIND = {"refused": "refused", "crash": "crashed", "timeout": "timeout", "unreadable": "unreadable", "malformed": "failed",
            "unsupported": "unsupported"}


@dataclass(frozen=True)
class Result:
    """verdict: "passed"; "failed" (another output than is expected, or a bad input that is not refused); "refused", "crashed" and
    "timeout"; "unreadable" (the backend's Python interface has no such arrays); "unsupported" (PyTorch has no call for the node: it is not
    asked). text: what is wrong. explanation: rows of the
    catalogue, of runtimes that it knows."""

    case: Case
    verdict: str
    answer: Answer
    text: str = ""
    difference: Difference | None = None
    explanation: Explanation = explanations.NOTHING


def ask(peer: Peer, case: Case) -> Result:
    """Where nothing explains what a known runtime does, a new process is asked: an earlier case may have damaged this one."""
    if case.expected is None and not peer.reads_models:
        return Result(case, "unsupported", Answer("unsupported"), "PyTorch reads no models, so it checks none")
    found = judged(case, peer.run(case.node), peer.runtime.name)
    if found.verdict in ("failed", "crashed") and found.explanation.by == "nothing" and peer.has_run_others:
        peer.stop()
        found = judged(case, peer.run(case.node), peer.runtime.name)
    return found


def judged(case: Case, answer: Answer, runtime: str) -> Result:
    if case.expected is None:
        return _of_bad_input(case, answer, runtime)
    if answer.array is None:
        refuses = answer.kind in ("refused", "crash")
        why = explanations.of_refusal(case.node, runtime) if refuses else explanations.NOTHING
        return Result(case, _OF_KIND[answer.kind], answer, answer.text, None, why)
    text, found = _wrong(case, case.expected, answer.array)
    if not text:
        return Result(case, "passed", answer)
    why = explanations.of_difference(case.node, runtime, case.expected, answer.array, None)
    return Result(case, "failed", answer, text, found, why)


def _of_bad_input(case: Case, answer: Answer, runtime: str) -> Result:
    if answer.kind == "refused":
        return Result(case, "passed", answer)
    if answer.array is None:
        return Result(case, _OF_KIND[answer.kind], answer, answer.text)
    text = f"accepted: it gives {answer.array.dtype.name} {list(answer.array.shape)}"
    try:
        rules = tuple(explanations.rows(case.node, runtime))
    except _core.Error:
        rules = ()  # what no model can hold has no rows
    return Result(case, "failed", answer, text, None, Explanation("catalogue", rules) if rules else explanations.NOTHING)


def _wrong(case: Case, expected: np.ndarray, given: np.ndarray) -> tuple[str, Difference | None]:
    """A sentence, "" if the output is within its bound."""
    if given.dtype != expected.dtype:
        return f"the output is {given.dtype.name}; expected {expected.dtype.name}", None
    found = difference(case.node, expected, given, None)
    if found.shape is not None:
        return f"the output has the shape {list(found.shape)}; expected {list(expected.shape)}", found
    if found.is_equal:
        return ("the sign of a zero is lost" if case.feature.bits and not _same_signs(expected, given) else ""), found
    if found.is_rounding:
        return "", found
    return f"{found.differ} of {found.compared} values differ; at {list(found.worst)} {found.theirs}, expected {found.ours}", found


def _same_signs(expected: np.ndarray, given: np.ndarray) -> bool:
    if expected.dtype.kind != "f":
        return True
    return bool(np.all((np.signbit(expected) == np.signbit(given)) | np.isnan(expected)))
