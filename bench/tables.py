# SPDX-License-Identifier: Apache-2.0
"""Shared by the generators of docs/benchmarks.md: paths of results, tables, and the reasons in bench/reasons.txt."""

from __future__ import annotations

import fnmatch
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[1]
RESULTS = ROOT / "build" / "bench"
REASONS = ROOT / "bench" / "reasons.txt"
SLOWER = 1.03  # a model that the provider slows by more is measured again, and needs a reason


def load(name: str):
    """The results of a measurement in build/bench."""
    return json.loads((RESULTS / f"{name}.json").read_text())


def reason(name: str) -> str:
    """The reason of the first matching pattern in bench/reasons.txt."""
    lines = [line.partition(":") for line in REASONS.read_text().splitlines() if line and not line.startswith("#")]
    return next((why.strip() for pattern, _, why in lines if fnmatch.fnmatch(name, pattern)), "not explained yet")


def table(head: list[str], rows: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(head) + " |", "|---" * len(head) + "|",
            *("| " + " | ".join(row) + " |" for row in rows), ""]


def milliseconds(nanoseconds: float) -> str:
    return f"{nanoseconds / 1e6:.3g}"


def factor(ratio: float | None) -> str:
    return "-" if ratio is None else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def ratio_to_onnxruntime(model: dict, what: str, way: str) -> float:
    """The time of `what`, nodes or model, with the provider over that of ONNX Runtime alone."""
    return model[what][way] / max(model[what]["without"], 1e-3)
