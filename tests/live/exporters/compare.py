# SPDX-License-Identifier: Apache-2.0
"""Checks the results of routes.py: each route must load if the runtime alone does, and be equal within the documented bounds
or differ by a named rule."""

from __future__ import annotations

import json
import pathlib
import re
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from differences import DIFFERENCES, LIMITS, Difference, Limit
from exported import ROOT, Exported

BOUND = 1e-5  # relative to an output's largest magnitude, as in docs/onnxruntime.md
ROUTES = {"onnxruntime": ("provider", "override"), "openvino": ("extension", "register", "replace")}
HOST_RULES = "provider, its rules"


@dataclass
class Row:
    """The results for a model. cells: of the table, by column. faults: unexpected results."""

    model: Exported
    nodes: int
    cells: dict[str, str]
    faults: list[str]


def run_routes(runtime: str, models: Sequence[Exported]) -> dict[str, dict]:
    """What routes.py prints for each model, by name. If the process ends without a line, that model crashed it."""
    found: dict[str, dict] = {}
    left = list(models)
    while left:
        done = subprocess.run([sys.executable, pathlib.Path(__file__).with_name("routes.py"), runtime,
                               *(model.path for model in left)], capture_output=True, text=True, timeout=3000)
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
        found |= {line["name"]: line for line in lines}
        left = left[len(lines):]
        if left:
            reason = f"ended with {done.returncode}: {done.stderr.strip()[-200:]}"
            found[left.pop(0).name] = {"stock": {"loads": False, "reason": reason}, "ended": reason}
    return found


def compare(models: Sequence[Exported]) -> list[Row]:
    files = run_routes("file", models)
    found = {"onnxruntime": run_routes("onnxruntime", [m for m in models if m.path.suffix == ".onnx"]),
             "openvino": run_routes("openvino", models)}
    return [judged(model, files[model.name], {runtime: lines.get(model.name) for runtime, lines in found.items()})
            for model in models]


def judged(model: Exported, file: dict, found: dict[str, dict | None]) -> Row:
    row = Row(model, file.get("nodes", 0), {}, [])
    known = [each for each in [*DIFFERENCES, *LIMITS] if re.search(each.models, model.name)]
    if "ended" in file:
        row.faults.append(f"check: {file['ended']}")
    row.cells["check"] = cell_of_check(file, known, row.faults)
    for runtime, lines in found.items():
        for route in ROUTES[runtime]:
            row.cells[route] = "" if lines is None else cell_of(route, lines, file, known, row.faults)
        if lines is None:
            continue
        if "ended" in lines:
            row.faults.append(f"{runtime}: {lines['ended']}")
        if runtime == "onnxruntime":
            judge_provider(lines, difference_of("inspect", known), row.faults)
    row.cells["inspect"] = f"{file.get('ranks', 0)} of {file.get('nodes', 0)}"
    return row


def judge_provider(lines: dict, inspected: Difference | None, faults: list[str]) -> None:
    """Checks without a column: semantics=onnxruntime, nodes that were left, and shapes from inspect."""
    said = lines.get("inspect", "")
    if inspected is None and said and (lines["stock"]["loads"] or not said.startswith("not compared")):
        faults.append(f"inspect: {said}")
    if inspected is not None and not said:
        faults.append(f"inspect gives the runtime's shapes now: {inspected.rule}")
    faults += lines.get("left", [])
    host = lines.get(HOST_RULES, {"loads": True})
    if lines["stock"]["loads"] and not (host["loads"] and host["difference"] <= BOUND):
        faults.append(f"semantics=onnxruntime: {host.get('reason') or host['difference']}")


def cell_of_check(file: dict, known: Sequence[Difference | Limit], faults: list[str]) -> str:
    named = difference_of("check", known)
    found = [text for text in file.get("findings", ()) if "severity='fault'" in text]
    if named is None:
        faults += [f"check: {text}" for text in found]
        return "ok" if not found else "fault"
    if not found:
        faults.append(f"check finds no fault now: {named.rule}")
    return named.mark


def cell_of(route: str, lines: dict, file: dict, known: Sequence[Difference | Limit], faults: list[str]) -> str:
    stock, ours = lines["stock"], lines.get(route)
    if ours is None:
        return ""
    limit = next((each for each in known if isinstance(each, Limit) and each.route == route), None)
    if not ours["loads"]:
        if limit and limit.reason in ours["reason"]:
            return limit.mark
        if stock["loads"]:
            faults.append(f"{route}: {ours['reason']}")
        return "fails" if stock["loads"] else "fails too"
    if limit:
        faults.append(f"{route}: loads now: {limit.text}")
    if not stock["loads"]:
        return "loads"
    off = ours["difference"]
    named = difference_of(route, known)
    # ONNX Runtime's blocked layout between convolutions ends at a node of ours, which changes the results of convolutions.
    bound = 0 if file["moves"] and not lines.get("convolves", True) else BOUND
    if named is None and off > bound:
        faults.append(f"{route}: differs by {off:.2g}")
    if named is not None and off <= bound:
        faults.append(f"{route}: is equal now: {named.rule}")
    return (named.mark if named else "equal") if off == 0 or named else f"{off:.0e}"


def difference_of(route: str, known: Sequence[Difference | Limit]) -> Difference | None:
    return next((each for each in known if isinstance(each, Difference) and route in each.routes), None)


def rules_of(document: pathlib.Path = ROOT / "docs" / "differences.md") -> set[str]:
    return {line[4:].strip() for line in document.read_text().splitlines() if line.startswith("### ")}
