# SPDX-License-Identifier: Apache-2.0
"""Files below 1 MiB that could take gigabytes or minutes load within a second and their budget, and bombs are stopped
at once. `make reliability` reads them with the default limits, too."""

from __future__ import annotations

import costly_files
import costs
import pytest
from test_sweeps import PROGRAM

COST = PROGRAM.with_name("tesela_cost")
# Sanitizers take ten times the time, and memory of their own.
SANITIZED = "asan" in str(COST)
SLOWER = 10 if SANITIZED else 1
# Those of ONNX take ten seconds together; tests/graph/hostile_names_test.cc has the worst.
FORMATS = [format_ for format_ in costly_files.COSTS if format_ != "onnx"]


@pytest.mark.parametrize("format_", FORMATS)
def test_costly_files(format_, tmp_path):
    assert all(len(file if isinstance(file, bytes) else file[0]) <= costly_files.LARGEST for file in costly_files.COSTS[format_]().values())
    measured = costs.costly(COST, format_, tmp_path, costs.BUDGET)
    assert not costs.above(measured, "seconds", SLOWER * costs.SECONDS)
    assert SANITIZED or not costs.above(measured, "mebibytes", costs.MOST)


def test_bombs_are_stopped(tmp_path):
    measured = costs.bombs(COST, tmp_path)
    assert not {name: one for name, one in measured.items() if one["status"] == "ok"}
    assert not costs.above(measured, "seconds", SLOWER * costs.BOMB_SECONDS)
    assert SANITIZED or not costs.above(measured, "mebibytes", costs.MOST)
