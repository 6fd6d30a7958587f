# SPDX-License-Identifier: Apache-2.0
"""Which rule explains a difference: rows of the catalogue that apply to the node, and an emulation of the runtime."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

import numpy as np

from .. import _core
from .._model import Risk, lint
from .differences import difference
from .nodes import Node

# Values of the plan field `rules` by names in the catalogue.
_EMULATED = {"onnxruntime": "onnxruntime", "openvino": "openvino", "onnx-reference": "onnx_reference", "pytorch": "pytorch"}
_REFUSING = ("refused", "fallback", "crash")
_EXTENTS = re.compile(r"extent \d+ here, \d+ there")


class Explanation(NamedTuple):
    """by: "emulation" if an emulation of the runtime gives its output where the standard's rules do not; "catalogue" if rows of
    the catalogue apply to the node; "nothing". rules: these rows, the likeliest first."""

    by: str
    rules: tuple[Risk, ...]

    def as_dict(self) -> dict[str, Any]:
        return {"by": self.by, "rules": [{key: value for key, value in rule._asdict().items() if key not in ("severity", "node", "where")}
                                         for rule in self.rules]}


NOTHING = Explanation("nothing", ())


def of_refusal(node: Node, runtime: str) -> Explanation:
    rules = tuple(rule for rule in rows(node, runtime) if rule.kind in _REFUSING)
    return Explanation("catalogue", rules) if rules else NOTHING


def of_difference(node: Node, runtime: str, ours: np.ndarray, theirs: np.ndarray, tolerance: float | None) -> Explanation:
    every = rows(node, runtime)
    found = [rule for rule in every if rule.kind not in _REFUSING or rule.kind == "crash"] or every
    # A row that names other extents explains an output of another shape, and no other.
    by_extents = [rule for rule in found if _EXTENTS.search(rule.numbers)]
    others = [rule for rule in found if rule not in by_extents]
    found = by_extents + others if theirs.shape != ours.shape else others
    found.sort(key=lambda rule: not rule.numbers)  # stable: those with an effect on this node first
    if is_emulated(node, runtime, theirs, tolerance):
        return Explanation("emulation", tuple(found))
    return Explanation("catalogue", tuple(found)) if found else NOTHING


def is_emulated(node: Node, runtime: str, theirs: np.ndarray, tolerance: float | None) -> bool:
    """Whether the emulation of a runtime gives its output, within rounding."""
    if runtime not in _EMULATED:
        return False
    try:
        emulated = node.emulated(_EMULATED[runtime])
    except _core.Error:
        return False  # there is none, or not of this node
    found = difference(node, emulated, theirs, tolerance)
    return found.is_equal or found.is_rounding


def _is_extreme(node: Node) -> bool:
    """Whether values are no numbers, or so large that sums may be none."""
    if node.operator not in ("Resize", "Upsample") or node.x.dtype.kind != "f":
        return False
    with np.errstate(over="ignore", invalid="ignore"):
        return not bool(np.all(np.isfinite(node.x * node.x.dtype.type(4))))


def rows(node: Node, runtime: str) -> list[Risk]:
    """The rows of the catalogue that apply to a node: with the values of all its inputs, and as it is. Those of the data are needed
    where values alone decide."""
    found: dict[str, Risk] = {}
    if runtime not in _EMULATED:
        return []  # no runtime of the catalogue
    for each in (node.with_constants(), node, node.with_constants(0) if _is_extreme(node) else None):
        for risk in lint(each.model(), runtime).findings if each is not None else ():
            if risk.rule.startswith(runtime + "/"):
                found.setdefault(risk.rule, risk)
    return list(found.values())
