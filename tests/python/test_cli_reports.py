# SPDX-License-Identifier: Apache-2.0
"""tesela inspect, check and ops: documents for people and for programs."""

import json

import numpy as np
import pytest
from cli_program import BAD, DONE, IO, REPOSITORY, UNSUPPORTED, fail, save_model, succeed, tesela, tile_model
from onnx import TensorProto, helper


@pytest.fixture
def model(tmp_path):
    return tile_model(tmp_path / "model.onnx")


@pytest.fixture
def faulty(tmp_path):
    """Two faults: an unknown mode, and neither sizes nor scales."""
    return save_model(
        tmp_path / "faulty.onnx",
        [helper.make_node("Resize", ["x", "", "scales"], ["h"], name="up", mode="bilinear"),
         helper.make_node("Resize", ["x"], ["y"], name="none")],
        {"x": (TensorProto.FLOAT, [2, 2])}, {"y": (TensorProto.FLOAT, [None, None])},
        initializers={"scales": np.array([2, 2], dtype=np.float32)})


def test_inspect_shows_versions_and_shapes(model):
    text = succeed("inspect", model)
    assert "Tile-13" in text and "float" in text and "tile" in text


def test_inspect_as_json(model):
    document = json.loads(succeed("inspect", model, "--json"))
    assert document["inputs"][0]["name"] == "x" and document["outputs"][0]["name"] == "y"
    assert document["nodes"][0]["operator"] == "Tile" and document["nodes"][0]["since_version"] == 13


def test_inspect_of_a_foreign_model(tmp_path):
    relu = save_model(tmp_path / "relu.onnx", [helper.make_node("Relu", ["x"], ["y"])],
                      {"x": (1, [2])}, {"y": (1, [2])})
    assert "Relu" in succeed("inspect", relu)
    assert json.loads(succeed("inspect", relu, "--json"))["foreign"] == {"Relu": 1}


def test_check_of_a_good_model(model):
    assert tesela("check", model).returncode == DONE
    assert json.loads(succeed("check", model, "--json"))["faults"] == 0


def test_check_prints_every_fault(faulty):
    done = tesela("check", faulty)
    assert done.returncode == BAD and not done.stderr
    text = done.stdout.decode()
    assert "'up'" in text and "bilinear" in text and "'none'" in text and "2 faults" in text
    document = json.loads(tesela("check", faulty, "--json").stdout)
    assert document["faults"] == 2


def test_notes_are_not_faults(tmp_path):
    noted = save_model(
        tmp_path / "noted.onnx",
        [helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="linear", cubic_coeff_a=-0.5)],
        {"x": (TensorProto.FLOAT, [2])}, {"y": (TensorProto.FLOAT, [None])},
        initializers={"scales": np.array([2], dtype=np.float32)})
    text = succeed("check", noted)
    assert "cubic_coeff_a" in text and "1 note" in text


def test_assumed_opset_decides_what_is_a_fault(tmp_path):
    half_pixel_symmetric = save_model(
        tmp_path / "m.onnx",
        [helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="linear",
                          coordinate_transformation_mode="half_pixel_symmetric")],
        {"x": (TensorProto.FLOAT, [2])}, {"y": (TensorProto.FLOAT, [None])}, opset=18,
        initializers={"scales": np.array([2], dtype=np.float32)})
    assert tesela("check", half_pixel_symmetric).returncode == BAD
    assert tesela("check", half_pixel_symmetric, "--assume-opset", "19").returncode == DONE


@pytest.mark.parametrize("opset", [13, 18, 19])
def test_withdrawn_tf_half_pixel_for_nn_is_a_fault_but_runs(tmp_path, opset):
    """tf2onnx writes it at every opset, for every Keras UpSampling2D."""
    model = save_model(
        tmp_path / "keras.onnx",
        [helper.make_node("Resize", ["x", "", "scales"], ["y"], name="up", mode="nearest", nearest_mode="floor",
                          coordinate_transformation_mode="tf_half_pixel_for_nn")],
        {"x": (TensorProto.FLOAT, [3])}, {"y": (TensorProto.FLOAT, [None])}, opset=opset,
        initializers={"scales": np.array([2], dtype=np.float32)})
    done = tesela("check", model)
    assert done.returncode == BAD
    (fault,) = [line for line in done.stdout.decode().splitlines() if line.startswith("fault: ")]
    assert "node 'up'" in fault and "version 11 was the last to allow" in fault and len(fault) <= 307
    assert "write 'half_pixel' and nearest_mode 'round_prefer_ceil', which take the same elements" in fault
    document = json.loads(succeed("inspect", model, "--json"))
    assert document["runnable"] and "version 11 was the last to allow" in document["nodes"][0]["faults"][0]
    np.save(tmp_path / "x.npy", np.float32([1, 2, 3]))
    succeed("run", model, "-i", tmp_path / "x.npy", "-o", tmp_path / "y.npy")
    assert np.load(tmp_path / "y.npy").tolist() == [1, 1, 2, 2, 3, 3]
    succeed("resize", tmp_path / "x.npy", tmp_path / "z.npy", "--scales", "2", "--opset", opset, "--nearest-mode", "floor",
            "--coordinate-transformation-mode", "tf_half_pixel_for_nn")
    assert (tmp_path / "z.npy").read_bytes() == (tmp_path / "y.npy").read_bytes()


def test_runnable_fault_does_not_hide_other_faults(tmp_path):
    node = {"nearest_mode": "floor", "coordinate_transformation_mode": "tf_half_pixel_for_nn"}
    model = save_model(
        tmp_path / "both.onnx",
        [helper.make_node("Resize", ["x", "", "scales"], ["h"], **node),
         helper.make_node("Resize", ["x"], ["y"], name="none")],
        {"x": (TensorProto.FLOAT, [3])}, {"y": (TensorProto.FLOAT, [None])},
        initializers={"scales": np.array([2], dtype=np.float32)})
    assert "2 faults" in tesela("check", model).stdout.decode()
    np.save(tmp_path / "x.npy", np.float32([1, 2, 3]))
    message = fail(BAD, "run", model, "-i", tmp_path / "x.npy")
    assert "node 'none'" in message and "more fault" not in message


@pytest.mark.parametrize("verb", ["inspect", "check"])
def test_files_that_are_not_models(tmp_path, verb):
    (tmp_path / "text.onnx").write_text("no model")
    fail(BAD, verb, tmp_path / "text.onnx")
    (tmp_path / "cut.onnx").write_bytes(tile_model(tmp_path / "whole.onnx").read_bytes()[:-3])
    fail(BAD, verb, tmp_path / "cut.onnx")
    fail(IO, verb, tmp_path / "none.onnx")
    fail(BAD, verb, tmp_path)
    fail(BAD, verb, "")


def test_ops_lists_every_version():
    text = succeed("ops")
    operators = json.loads(succeed("ops", "--json"))["operators"]
    for row in operators:
        label = f"{row['operator']}-{row['since_version']}"
        assert f"{label}\n" in text or f"{label}:" in text, label
    page = (REPOSITORY / "docs" / "operators" / "README.md").read_text()
    assert page.split("<!-- made: operators -->\n")[1].split("<!-- end -->")[0].strip() == \
        succeed("ops", "--markdown").strip(), "the table of docs/operators is not what `tesela ops --markdown` prints"


def test_unsupported_opset_names_the_newest(tmp_path):
    future = save_model(tmp_path / "future.onnx", [helper.make_node("Tile", ["x", "r"], ["y"])],
                        {"x": (1, [2])}, {"y": (1, [None])}, opset=500, initializers={"r": np.array([1])})
    assert tesela("check", future).returncode in (BAD, UNSUPPORTED)
    assert tesela("check", future, "--assume-opset", "13").returncode == DONE
