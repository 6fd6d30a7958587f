# SPDX-License-Identifier: Apache-2.0
"""Goal G1: every bad input of the catalogue that a call can express goes through the C interface, the command line and the
Python package. They say the same words, each within a second of processor time and 64 MiB."""

from __future__ import annotations

import sys
from pathlib import Path

import bad_input_routes as routes
import pytest
from bad_files import MODELS, TENSORS
from library import TeselaError
from test_bad_input import CATALOGUE, ROWS

sys.path.append(str(Path(__file__).parents[1] / "reliability"))

from figures import record

SECONDS, MEBIBYTES = 1, 64
# The library that the package is linked with may have no sanitizer, and a sanitized one takes memory of its own.
SANITIZED = "asan" in str(routes.PROGRAM)


def check_costs(what: str, outcomes: dict[str, list]) -> None:
    """outcomes: of each route."""
    all_ = [one for route in outcomes.values() for one in route]
    slowest, largest = max(one.seconds for one in all_), max(one.mebibytes for one in all_)
    assert SANITIZED or (slowest <= SECONDS and largest <= MEBIBYTES), (slowest, largest)
    record("G1", f"{len(all_) // len(outcomes)} {what} by {', '.join(outcomes)}: the same messages; at most {slowest:.2f} s of processor time and "
                 f"{largest:.0f} MiB each.")


def by_every_route(paths: list[Path]) -> dict[str, list]:
    return {
        "C": routes.measured_apart("c_check", paths),
        "Python": routes.measured_apart("python_check", paths),
        "command line": routes.cli_outcomes([["check", "--json", path] for path in paths]),
    }


def expect_same(names: list[str], outcomes: dict[str, list]) -> None:
    differences = []
    for name, c, python, cli in zip(names, *outcomes.values()):
        # The command line tells the kind by its exit status; that of faults is one for all kinds.
        expected = routes.exit_status(c.kind) if c.kind else 3 * any(severity == "fault" for severity, _, _ in c.findings)
        if c.told() != python.told() or (str(expected), c.words, c.findings) != cli.told():
            differences.append((name, c.told(), python.told(), cli.told()))
    assert not differences


def plan_error(row) -> tuple[str, str] | None:
    try:
        row.plan()
    except TeselaError as error:
        return error.kind, str(error)
    return None


def agrees(row, findings: list[tuple[str, str, str]]) -> bool:
    """Whether the check of a model says what a plan says. A plan has no limits unless the caller gives some; a model has."""
    error = plan_error(row)
    if any(kind == "limit" for _, kind, _ in findings) or (error and error[0] == "limit"):
        return True
    if error:
        return ("fault", *error) in findings
    return all(severity == "note" or "is computed as there" in words for severity, _, words in findings)


def test_operators(tmp_path):
    paths = [tmp_path / f"{k}.onnx" for k in range(len(ROWS))]
    for path, row in zip(paths, ROWS):
        path.write_bytes(routes.model_of(row.op, row.inputs, row.attributes))
    outcomes = by_every_route(paths)
    expect_same([row.name() for row in ROWS], outcomes)
    assert [row.name() for row, outcome in zip(ROWS, outcomes["C"]) if outcome.words or not agrees(row, outcome.findings)] == []
    check_costs("models of one operator", outcomes)


def write(folder: Path, files: list) -> list[Path]:
    for file in files:
        (folder / file.name).write_bytes(file.content)
        if file.name.endswith(".xml"):
            (folder / file.name).with_suffix(".bin").write_bytes(file.bin)
    return [folder / file.name for file in files]


def first_kind(outcome) -> str:
    faults = [kind for severity, kind, _ in outcome.findings if severity == "fault"] or [kind for _, kind, _ in outcome.findings]
    return outcome.kind or (faults or ["legal"])[0]


def test_model_files(tmp_path):
    outcomes = by_every_route(write(tmp_path, MODELS))
    expect_same([file.name for file in MODELS], outcomes)
    assert [(file.name, first_kind(one), one.told()) for file, one in zip(MODELS, outcomes["C"]) if first_kind(one) not in file.kinds.split()] == []
    check_costs("files of models", outcomes)


@pytest.mark.parametrize("command", ["inspect", "run"])
def test_files_that_do_not_load(command, tmp_path):
    """Every command that reads a model says what the C interface says."""
    paths = write(tmp_path, MODELS)
    refused = [(path, one) for path in paths if (one := routes.measured(lambda path=path: routes.c_check(path))).kind]
    told = [(one.kind, one.words) for one in routes.cli_outcomes([[command, path] for path, _ in refused])]
    assert len(refused) > 10 and told == [(str(routes.exit_status(one.kind)), one.words) for _, one in refused]


def test_tensor_files(tmp_path):
    """The Python package reads no files of tensors: NumPy, Pillow and onnx do."""
    paths = write(tmp_path, TENSORS)
    outcomes = {
        "C": routes.measured_apart("c_read", paths),
        "command line": routes.cli_outcomes([["tile", path, tmp_path / "out.npy", "--repeats", "1"] for path in paths]),
    }
    told = [(file.name, c.kind, c.words, cli.kind, cli.words) for file, c, cli in zip(TENSORS, *outcomes.values())]
    assert [one for one in told if one[1] is None or one[2] != one[4] or str(routes.exit_status(one[1])) != one[3]] == []
    assert [(file.name, c.kind, c.words) for file, c in zip(TENSORS, outcomes["C"]) if c.kind not in file.kinds.split()] == []
    assert not (tmp_path / "out.npy").exists()
    check_costs("files of tensors", outcomes)


@pytest.mark.parametrize("entry", CATALOGUE, ids=lambda entry: str(entry["number"]))
def test_every_row_has_routes_or_a_reason(entry):
    has_case = any(case.number == entry["number"] for case in [*ROWS, *MODELS, *TENSORS])
    assert has_case != ("no_routes" in entry), "either a case for every route, or the reason why there is none"
    assert has_case or (entry["no_routes"] and entry["tests"])
