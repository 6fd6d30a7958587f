# SPDX-License-Identifier: Apache-2.0
"""Compares random nodes with the runtimes that are installed: every difference is explained, every call can be written as a line,
and the reports can be made. TESELA_CASES sets the number of cases."""

from __future__ import annotations

import collections
import contextlib
import json
import os
import pathlib
from dataclasses import replace

import jsonschema
import numpy as np
import pytest
import random_cases
import tesela
import test_peers as peers
from library import ROOT, TeselaError
from tesela._compare import cases, models, report_of, runtimes
from tesela._compare.report import Comparison

CASES = min(int(os.environ.get("TESELA_CASES", 100)), 4000)
SCHEMA = json.loads((pathlib.Path(ROOT) / "docs" / "schemas" / "compare.json").read_text())
SETTINGS = {"seed": 0, "tolerance": None, "threads": 1, "repeat": 0, "timeout": 60}
MOST_INPUTS, MOST_OUTPUTS = 5000, 20_000
# Of the differences, how many may have no explanation: OpenVINO returns uninitialised memory.
MOST_UNKNOWN = {"onnxruntime": 0, "onnx-reference": 0, "openvino": 0.03}


def lifted(seed: int):
    """A random node as compare lifts it, with its constants as initializers; None for an invalid or large one."""
    case = replace(random_cases.case(90_000_000 + seed), extents="standard")
    peers.plain(np.random.default_rng([seed, 7]), case)  # no row is about infinities
    try:
        node = peers.node_of(case)
        if case.x.size > MOST_INPUTS or peers.ours(node).size > MOST_OUTPUTS:
            return None
        model = peers.model(node)
    except (TeselaError, ValueError):
        return None
    one = models.lift(model.SerializeToString(), None, None, peers.feeds(node), 0, lambda *_: ({}, ""))[0]
    return one if seed % 4 == 0 else one.with_constants() or one  # some get them in a run


def check_line(report) -> bool:
    line = cases.line_with_values(report.node, report.shape)
    if line is None:
        return False
    again, before = (node.prepared(1)() for node in (cases.read(line, 1), report.node))
    assert again.dtype == before.dtype and again.shape == before.shape and again.tobytes() == before.tobytes(), line
    return True


@pytest.mark.filterwarnings("error:::tesela")
def test_differences_of_random_nodes_are_explained():
    counts: collections.Counter = collections.Counter()
    unknown = []
    with contextlib.ExitStack() as stack:
        workers = [stack.enter_context(runtimes.Worker(runtime, 1, 60)) for runtime in runtimes.named(MOST_UNKNOWN)]
        for seed in range(CASES):
            if (node := lifted(seed)) is None:
                continue
            report = report_of(node, workers, SETTINGS, lambda share: None)
            counts["lines"] += check_line(report)
            counts["nodes"] += 1
            for outcome in report.outcomes:
                counts[outcome.runtime.name, outcome.verdict] += 1
                if outcome.verdict in ("different", "crash") and outcome.explanation.by == "nothing":
                    unknown.append((outcome.runtime.name, seed, report.line))
            made = Comparison("random", {worker.runtime.name: worker.version for worker in workers}, "given", True, (report,), SETTINGS)
            jsonschema.validate(json.loads(json.dumps(made.as_dict() | {"reduced": None})), SCHEMA)
            assert str(made) and made.html().endswith("</html>\n")
    for runtime, share in MOST_UNKNOWN.items():
        found = [entry for entry in unknown if entry[0] == runtime]
        assert len(found) <= share * counts[runtime, "different"], (found, counts)
    assert counts["lines"] > 0.2 * counts["nodes"] > 0.1 * CASES, counts
    assert all(counts[runtime, verdict] for runtime in MOST_UNKNOWN for verdict in ("equal", "different", "refused")), counts


@pytest.mark.parametrize("runtime", ["onnxruntime", "onnx-reference"])
def test_the_smallest_of_random_nodes_differs_still(runtime):
    """Of the first nodes that differ."""
    wanted = 3 if CASES < 1000 else 30
    with runtimes.Worker(runtimes.named([runtime])[0], 1, 60) as worker:
        for seed in range(CASES * 10):
            if (node := lifted(seed)) is None:
                continue
            report = report_of(node, [worker], SETTINGS, lambda share: None)
            if report.outcomes[0].verdict != "different":
                continue
            made = Comparison("random", {runtime: worker.version}, "given", True, (report,), SETTINGS)
            reduced = made.reduce(seconds=1)
            assert reduced.outcome.verdict == "different" and reduced.outcome.explanation.by == report.outcomes[0].explanation.by
            assert reduced.report.node.x.size <= max(node.x.size, 1) and np.prod(reduced.report.shape) <= np.prod(report.shape)
            compile(reduced.script(), "script", "exec")
            assert tesela.check(reduced.model()).faults <= tesela.check(node.model()).faults
            wanted -= 1
            if wanted == 0:
                return
    raise AssertionError(f"{wanted} nodes are missing")
