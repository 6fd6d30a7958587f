# SPDX-License-Identifier: Apache-2.0
"""The types that type checkers see in users' programs."""

import json
import os
import pathlib
import re
import subprocess
import sys
from typing import get_args, get_type_hints

import numpy as np
import pytest
import tesela
from cli_program import UNSANITIZED
from tesela import _core, _requests, _typing

# The sources, because type checkers do not report errors in installed packages.
SOURCES = pathlib.Path(__file__).parents[2] / "python"

RIGHT = """
from typing import Any, assert_type

import numpy as np
from numpy.typing import NDArray

import tesela


class Tensor:
    \"\"\"As of a library that speaks DLPack.\"\"\"

    @property
    def shape(self) -> tuple[int, ...]:
        return (4, 5)

    def __dlpack__(self) -> Any:
        return None


x = np.zeros((4, 5), np.float32)
assert_type(tesela.resize(x, (8, 10)), NDArray[np.float32])
assert_type(tesela.resize(x, sizes=[8, 10], mode="linear", antialias=True, num_threads=2), NDArray[np.float32])
assert_type(tesela.resize(x, np.array([8, 10]), axes=np.array([0, 1])), NDArray[np.float32])
assert_type(tesela.resize(x, scales=(2, 0.5), coordinate_transformation_mode="align_corners"), NDArray[np.float32])
assert_type(tesela.resize(x, (8, 10), axes=(0, 1), like="opencv:linear", num_threads=1), NDArray[Any])
assert_type(tesela.resize([[1.0, 2.0]], (2, 4), extents="host"), NDArray[Any])
assert_type(tesela.resize(Tensor(), (8, 10), mode="cubic", cubic_coeff_a=-0.5), Tensor)
assert_type(tesela.resize(Tensor(), (8, 10), like="pytorch:bilinear"), Tensor)
assert_type(tesela.tile(x, (2, 2), dialect="openvino"), NDArray[np.float32])
assert_type(tesela.tile([1, 2], [2]), NDArray[Any])
assert_type(tesela.tile(Tensor(), (2, 2), out=None), Tensor)
assert_type(tesela.constant_of_shape((2, 3), np.int8(7)), NDArray[np.int8])
assert_type(tesela.constant_of_shape((2, 3)), NDArray[np.float32])

plan = tesela.plan("resize", x, sizes=(8, 10), mode="linear", antialias=True)
assert_type(plan, tesela.Plan)
assert_type(plan.output_shape, tuple[int, ...])
assert_type(plan.input_shape, tuple[int, ...])
assert_type(plan.since_version, int)
assert_type(plan.axis(0), tesela.AxisTable)
assert_type(plan.describe(), dict[str, Any])
tesela.plan("resize", (4, 5), "uint8", sizes=(8, 10), mode="linear", weights="fixed22", intermediate="uint8")
tesela.plan("tile", x, repeats=(2, 2), opset=13)
tesela.plan("upsample", x, scales=(2.0, 2.0))
tesela.plan("constant_of_shape", (2, 3), value=np.int8(7))
model = tesela.load("model.onnx")
assert_type(model.run({"x": x}), dict[str, NDArray[Any]])
assert_type(tesela.check(model).faults, int)
assert_type(tesela.plan_cache.maxsize, int)
assert_type(tesela.trim_memory(0), int)
try:
    pass
except tesela.ShapeError as error:
    assert_type(error.status, str)
"""

HEAD = "import numpy as np\n\nimport tesela\n\nx = np.zeros((4, 5), np.float32)\n"
# Each has one error, which both checkers report.
WRONG = """
tesela.resize(x, siezs=(8, 10))
tesela.tile(x)
tesela.resize(x, (2, 2), mode=3)
tesela.resize(x, (2, 2), mode="linaer")
tesela.resize(x, (2, 2), mode="bilinear")
tesela.resize(x, (2, 2), coordinate_transformation_mode="align-corners")
tesela.resize(x, (2, 2), nearest_mode="round")
tesela.resize(x, (2, 2), keep_aspect_ratio_policy="fit")
tesela.resize(x, (2, 2), like="torch:bilinear")
tesela.resize(x, (2, 2), antialias=0.5)
tesela.resize(x, (2, 2), axes="HW")
tesela.resize(x, (2, 2), num_threads=1.5)
tesela.resize(x, (2, 2), extents="sloppy")
tesela.resize(x, (2, 2), cubic_coeff_a="x")
tesela.resize(None, (2, 2))
tesela.resize(x, ("a", 2))
tesela.tile(x, (2, 2), dialect="caffe")
tesela.tile(x, ("a", 2))
tesela.constant_of_shape("ab")
tesela.plan("resize", x, sizes=(2, 2), foo=1)
tesela.plan("resize", x, sizes=(2, 2), mode="linaer")
tesela.plan("resize", x, sizes=(2, 2), weights="fixed9")
tesela.plan("tile", x)
tesela.plan("tile", x, sizes=(2, 2))
tesela.plan("rotate", x)
tesela.plan_cache.maxsize = '1'
tesela.resise(x)
tesela.resize(x, (2, 2)).no_such_method()
""".strip().splitlines()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("types")
    (folder / "right.py").write_text(RIGHT)
    (folder / "wrong.py").write_text(HEAD + "\n".join(WRONG) + "\n")
    return folder


def by_mypy(folder) -> set[tuple[str, int]]:
    """(file, line) of the errors that mypy reports in the programs (strict) and in the package."""
    found = set()
    for options in (["--strict", "right.py", "wrong.py"], [SOURCES / "tesela"]):
        command = [sys.executable, "-m", "mypy", "--cache-dir", folder / "cache", "--no-error-summary",
                   "--ignore-missing-imports", *options]
        environment = os.environ | {"MYPYPATH": str(SOURCES)}
        done = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=environment)
        lines = [line for line in done.stdout.splitlines() if ": note: " not in line]
        matches = [re.match(r"(.+?):(\d+): error: .*\[[a-z-]+\]$", line) for line in lines]
        assert all(matches) and not done.stderr, done.stdout + done.stderr
        places = {(pathlib.Path(match[1]).name, int(match[2])) for match in matches if match}
        found |= {place for place in places if "--strict" not in options or place[0] in options}
    return found


def by_pyright(folder) -> set[tuple[str, int]]:
    """The same for pyright, with basedpyright, which includes node."""
    settings = {"typeCheckingMode": "strict", "include": ["right.py", "wrong.py"], "extraPaths": [str(SOURCES)]}
    (folder / "pyrightconfig.json").write_text(json.dumps(settings))
    done = subprocess.run([sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable],
                          capture_output=True, text=True, cwd=folder,
                          env=UNSANITIZED)
    return {(pathlib.Path(entry["file"]).name, entry["range"]["start"]["line"] + 1)
            for entry in json.loads(done.stdout)["generalDiagnostics"] if entry["severity"] == "error"}


@pytest.mark.parametrize("checker", [by_mypy, by_pyright])
def test_type_checker_accepts_right_and_rejects_wrong_programs(checker, folder):
    first = HEAD.count("\n") + 1
    expected = {("wrong.py", first + k) for k in range(len(WRONG))}
    found = checker(folder)
    assert found - expected == set()
    assert [WRONG[line - first] for _, line in sorted(expected - found)] == []


def test_names_match_the_library():
    """Type checkers accept the same names as the tables of the library, over all versions."""
    x = np.zeros((4, 5), np.float32)
    allowed = {}
    for row in json.loads(_core.ops(json=True))["operators"]:
        if row["operator"] == "Resize":
            for attribute in row["attributes"]:
                known = {*attribute.get("allowed", ()), *attribute.get("withdrawn", ())}
                allowed.setdefault(attribute["name"], set()).update(known)
    for name, names in [("mode", _typing.Mode), ("coordinate_transformation_mode", _typing.CoordinateMode),
                        ("nearest_mode", _typing.NearestMode), ("keep_aspect_ratio_policy", _typing.AspectPolicy)]:
        assert allowed[name] == set(get_args(names)), name
    assert set(get_args(_typing.Preset)) == set(tesela.presets.names)
    fields = {"coordinates", "weights", "intermediate", "order", "extents"}
    hints = get_type_hints(_typing.ResizeParameters, vars(_typing))
    for name in fields:
        with pytest.raises(tesela.Error) as caught:
            tesela.plan("resize", x, sizes=(8, 10), **{name: "?"})
        literals = {value for part in get_args(hints[name]) for value in get_args(part)}
        assert literals == set(re.search("expected one of (.*)", str(caught.value))[1].split(", ")), name
    known = {*_requests._INPUTS, *_requests._CONVERT, *_requests._FIELDS, "opset", "like"}
    assert set(hints) == known
