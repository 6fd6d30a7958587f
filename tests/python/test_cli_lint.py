# SPDX-License-Identifier: Apache-2.0
"""tesela lint: findings, exit statuses, formats and documents."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import numpy as np
import onnx
import pytest
import tesela
from cli_program import BAD, DONE, MISMATCH, USAGE, save_model, succeed, tesela as command
from onnx import TensorProto, helper, numpy_helper

DOCS = Path(__file__).parents[2] / "docs"

def save(path: Path, scales: list[float], shape: list, **attributes) -> Path:
    node = helper.make_node("Resize", ["x", "", "scales"], ["y"], name="up", **attributes)
    graph = helper.make_graph([node], "g", [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
                              [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
                              [numpy_helper.from_array(np.float32(scales), "scales")])
    onnx.save(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=10), path)
    return path


@pytest.fixture
def refused(tmp_path):
    """ONNX Runtime resamples three axes of 4 in no mode but nearest."""
    return save(tmp_path / "m.onnx", [1, 2, 2, 2], [1, 2, 3, 4], mode="linear")


def test_portable_model_has_no_findings(tmp_path):
    model = save(tmp_path / "m.onnx", [1, 1, 2, 2], [1, 3, 8, 8], mode="nearest", coordinate_transformation_mode="asymmetric",
                 nearest_mode="floor")
    assert succeed("lint", model) == "no errors, no warnings\n"


def test_refusal_of_a_named_runtime_is_an_error(refused):
    done = command("lint", refused, "--runtime", "onnxruntime")
    assert done.returncode == MISMATCH
    assert "error: Resize-19 node 'up' [onnxruntime/axes]" in done.stdout.decode()
    assert command("lint", refused).returncode == DONE
    assert command("lint", refused, "--runtime", "onnx-reference").returncode == DONE


def test_fault_of_the_file_is_an_error(tmp_path):
    model = save(tmp_path / "m.onnx", [1, 1, 2, 2], [1, 1, 4, 4], mode="triangular")
    done = command("lint", model)
    assert done.returncode == MISMATCH and b"[standard/attribute]" in done.stdout


def test_what_depends_on_the_runtime(tmp_path):
    """Constant ratio scales, computed ones, and antialias of bytes."""
    model = save_model(
        tmp_path / "ratio.onnx",
        [helper.make_node("Resize", ["x", "", "ratio"], ["y"], name="constant", mode="linear"),
         helper.make_node("Resize", ["x", "", "given"], ["z"], name="computed", mode="linear"),
         helper.make_node("Resize", ["x", "", "", "sizes"], ["a"], name="bytes", mode="linear", antialias=1)],
        {"x": (TensorProto.UINT8, [48, 4]), "given": (TensorProto.FLOAT, [2])},
        {name: (TensorProto.UINT8, [None, None]) for name in "yza"},
        initializers={"ratio": np.float32([40 / 48, 1]), "sizes": np.int64([40, 4])})
    text = succeed("lint", model, "--runtime", "onnxruntime")
    assert "'constant' [onnxruntime/extents]" in text and "axis 0: extent 39 here, 40 there" in text
    assert "'computed' [onnxruntime/unknown-scales]" in text
    assert "'bytes' [onnxruntime/antialias-integers]" in text
    host = succeed("lint", model, "--runtime", "onnxruntime", "--extents", "host")
    assert "onnxruntime/extents" not in host and "unknown-scales" not in host


def test_unknown_extents_give_findings_without_numbers(tmp_path):
    model = save(tmp_path / "m.onnx", [1, 2, 2, 2], ["N", 3, "H", "W"], mode="linear")
    assert "[onnxruntime/axes]" in succeed("lint", model)


@pytest.mark.parametrize("arguments,words", [
    (["--runtime", "onnxruntim"], "runtime 'onnxruntim' is unknown; did you mean 'onnxruntime'?"),
    (["--runtime", "onnxruntime,"], "--runtime: 'onnxruntime,' ends with a comma; expected names like onnxruntime,openvino"),
    (["--json", "--sarif"], "excludes"),
])
def test_wrong_arguments(refused, arguments, words):
    done = command("lint", refused, *arguments)
    assert done.returncode in (USAGE, BAD) and words in done.stderr.decode()


def test_missing_model_is_a_usage_error():
    done = command("lint")
    assert done.returncode == USAGE and "a model is missing" in done.stderr.decode()


def test_json_follows_its_schema(refused, tmp_path):
    schema = json.loads((DOCS / "schemas" / "lint.json").read_text())
    faulty = save(tmp_path / "f.onnx", [1, 1, 2, 2], [1, 1, 4, 4], mode="triangular")
    for model in (refused, faulty):
        document = json.loads(command("lint", model, "--json").stdout)
        assert document["findings"]
        jsonschema.validate(document, schema)


def test_sarif_names_the_file(refused):
    document = json.loads(succeed("lint", refused, "--sarif"))
    assert document["version"] == "2.1.0"
    run = document["runs"][0]
    rules = {rule["id"] for rule in run["tool"]["driver"]["rules"]}
    assert {result["ruleId"] for result in run["results"]} == rules
    assert {result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for result in run["results"]} == {str(refused)}


def test_python_gives_the_same_findings(refused):
    report = tesela.lint(refused, "onnxruntime")
    assert not report and report.errors == 1
    document = json.loads(command("lint", refused, "--runtime", "onnxruntime", "--json").stdout)
    assert [finding._asdict() for finding in report.findings] == document["findings"]
    with pytest.raises(tesela.InvalidValueError, match="runtime '.*' is unknown"):
        tesela.lint(refused, "abacus")


def test_catalogue_document_is_up_to_date():
    assert (DOCS / "catalogue.md").read_text().partition("<!-- rows -->\n")[2] == succeed("lint", "--list")
