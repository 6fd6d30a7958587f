"""The types that checkers of users' programs see."""

import os
import pathlib
import re
import subprocess
import sys

import pytest

# The sources: mypy does not report what it finds in installed packages.
SOURCES = pathlib.Path(__file__).parents[2] / "python"

RIGHT = """
from typing import Any, assert_type

import numpy as np

import tesela

x = np.zeros((4, 5), np.float32)
plan = tesela.plan("resize", x, sizes=(8, 10), mode="linear", antialias=True)
assert_type(plan, tesela.Plan)
assert_type(plan.output_shape, tuple[int, ...])
assert_type(plan.input_shape, tuple[int, ...])
assert_type(plan.since_version, int)
assert_type(plan.axis(0), tesela.AxisTable)
assert_type(plan.describe(), dict[str, Any])
model = tesela.load("model.onnx")
assert_type(model.run({"x": x}), dict[str, np.ndarray])
assert_type(tesela.check(model).faults, int)
assert_type(tesela.plan_cache.maxsize, int)
tesela.resize(x, (8, 10), axes=(0, 1), like="opencv:linear", num_threads=1)
tesela.tile(x, (2, 2), dialect="openvino")
tesela.constant_of_shape((2, 3), np.int8(7))
try:
    pass
except tesela.ShapeError as error:
    assert_type(error.status, str)
"""

HEAD = "import numpy as np\n\nimport tesela\n\nx = np.zeros((4, 5), np.float32)\n"
# A line each, with what mypy says of it.
WRONG = {
    "tesela.resize(x, siezs=(8, 10))": "call-arg",
    "tesela.tile(x)": "call-arg",
    "tesela.resize(x, (2, 2), mode=3)": "arg-type",
    "tesela.plan_cache.maxsize = '1'": "assignment",
    "tesela.resise(x)": "attr-defined",
}


@pytest.fixture(scope="module")
def reported(tmp_path_factory) -> list[tuple[str, int, str]]:
    """(file, line, kind) of what mypy says of the package, RIGHT and WRONG."""
    folder = tmp_path_factory.mktemp("types")
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text(HEAD + "\n".join(WRONG) + "\n")
    command = [sys.executable, "-m", "mypy", "--cache-dir", folder / "cache", "--no-error-summary",
               "--ignore-missing-imports", "right.py", "wrong.py", SOURCES / "tesela"]
    environment = os.environ | {"MYPYPATH": str(SOURCES)}
    text = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment).stdout
    lines = [re.match(r"(.+?):(\d+): error: .*\[([a-z-]+)\]$", line) for line in text.splitlines() if ": note: " not in line]
    assert all(lines), text
    return [(pathlib.Path(line[1]).name, int(line[2]), line[3]) for line in lines]


def test_right_programs_and_the_package_itself_pass(reported):
    assert [found for found in reported if found[0] != "wrong.py"] == []


def test_wrong_programs_are_caught(reported):
    expected = [("wrong.py", line, kind) for line, kind in enumerate(WRONG.values(), HEAD.count("\n") + 1)]
    assert [found for found in reported if found[0] == "wrong.py"] == expected
