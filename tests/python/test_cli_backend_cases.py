# SPDX-License-Identifier: Apache-2.0
"""tesela test: onnx's own node tests of our operators, its former ones of opset 10, and cases that must fail."""

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import onnx
import pytest
from cli_program import DONE, IO, MISMATCH, USAGE, fail, save_model, save_npy, save_pb, succeed, tesela
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.case import node as onnx_cases

OPERATORS = {"Tile", "ConstantOfShape", "Upsample", "Resize"}  # 2, 3, 1 and 39 tests


def save_case(folder: Path, model: onnx.ModelProto, data_sets) -> Path:
    """data_sets: pairs of inputs and outputs, lists of TensorProto or of (name, array)."""
    folder.mkdir(parents=True)
    (folder / "model.onnx").write_bytes(model.SerializeToString())
    for number, (inputs, outputs) in enumerate(data_sets):
        data = folder / f"test_data_set_{number}"
        data.mkdir()
        for thing, tensors in (("input", inputs), ("output", outputs)):
            for position, (name, array) in enumerate(tensors):
                save_pb(data / f"{thing}_{position}.pb", array, name)
    return folder


@pytest.fixture(scope="module")
def node_tests(tmp_path_factory):
    """The folder of all node tests, as onnx's cmd_tools writes them."""
    root = tmp_path_factory.mktemp("node")
    with np.errstate(all="ignore"):
        cases = onnx_cases.collect_testcases()
    for case in cases:
        graph = case.model.graph
        if len(graph.node) != 1 or graph.node[0].op_type not in OPERATORS:
            continue
        data_sets = [([(i.name, a) for i, a in zip(graph.input, inputs)], [(o.name, a) for o, a in zip(graph.output, outputs)])
                     for inputs, outputs in case.data_sets]
        save_case(root / case.name, case.model, data_sets)
    return root


def test_every_node_test_of_supported_operators(node_tests):
    text = succeed("test", node_tests)
    lines = text.splitlines()
    assert lines[-1] == "45 passed, 0 failed"
    assert len(lines) == 46 and all(line.startswith("PASS test_") for line in lines[:-1])
    assert lines[:-1] == sorted(lines[:-1])


def test_node_tests_as_json(node_tests):
    document = json.loads(succeed("test", node_tests, "--json"))
    assert document["passed"] == 45 and document["failed"] == 0 and len(document["cases"]) == 45
    assert document["cases"][0].keys() == {"name", "folder", "passed"}


def test_quiet_prints_failures_and_the_count(node_tests):
    assert succeed("test", node_tests, "--quiet") == "45 passed, 0 failed\n"


# The data of onnx's tests of Resize-10, from its repository at commit b605eafb (onnx/backend/test/case/node/resize.py).
TWO = [[1, 2], [3, 4]]
FOUR = [[1, 2, 3, 4], [5, 6, 7, 8]]
HISTORIC = {
    "test_resize_upsample_nearest": (TWO, [1, 1, 2, 3], "nearest",
                                     [[1, 1, 1, 2, 2, 2]] * 2 + [[3, 3, 3, 4, 4, 4]] * 2),
    "test_resize_downsample_nearest": (FOUR, [1, 1, 0.6, 0.6], "nearest", [[1, 3]]),
    "test_resize_upsample_linear": (TWO, [1, 1, 2, 2], "linear",
                                    [[1, 1.5, 2, 2], [2, 2.5, 3, 3], [3, 3.5, 4, 4], [3, 3.5, 4, 4]]),
    "test_resize_downsample_linear": (FOUR, [1, 1, 0.6, 0.6], "linear", [[1, 2.66666651]]),
}


def historic_case(folder, name, opset=10):
    x, scales, mode, y = HISTORIC[name]
    x, y = (np.array([[array]], dtype=np.float32) for array in (x, y))
    scales = np.array(scales, dtype=np.float32)
    node = helper.make_node("Resize", ["X", "scales"], ["Y"], mode=mode)
    save_model(folder.parent / "model.tmp", [node],
               {"X": (TensorProto.FLOAT, x.shape), "scales": (TensorProto.FLOAT, [4])},
               {"Y": (TensorProto.FLOAT, y.shape)}, opset=opset)
    return save_case(folder, onnx.load(folder.parent / "model.tmp"), [([("", x), ("", scales)], [("", y)])])


@pytest.mark.parametrize("name", HISTORIC)
def test_historic_tests_of_opset_10(tmp_path, name):
    assert succeed("test", historic_case(tmp_path / name, name)) == f"PASS {name}\n1 passed, 0 failed\n"


# ---- What must fail, and how ----------------------------------------------------------------------------------------


def tile_case(folder: Path, x, y, repeats=(1,), names=("x", "y"), element=None) -> Path:
    """y = Tile(x, repeats) is expected."""
    x = np.asarray(x)
    element = element or numpy_helper.from_array(x).data_type
    save_model(folder.parent / "model.tmp", [helper.make_node("Tile", ["x", "r"], ["y"])],
               {"x": (element, [None] * x.ndim)}, {"y": (element, [None] * x.ndim)},
               initializers={"r": np.array(repeats)})
    return save_case(folder, onnx.load(folder.parent / "model.tmp"), [([(names[0], x)], [(names[1], np.asarray(y))])])


def reason(folder) -> str:
    done = tesela("test", folder)
    assert done.returncode == MISMATCH, done
    first, last = done.stdout.decode().splitlines()
    assert last == "0 passed, 1 failed" and not done.stderr
    return first.removeprefix(f"FAIL {Path(folder).name}: ")


@pytest.mark.parametrize("x, y, said", [
    (np.float32([1, 2, 3]), np.float32([1, 2.5, 0]),
     "y [1] is 2, expected 2.5; the largest difference is 3; mismatches: 2"),
    # Floats that are only copied have no tolerance.
    (np.float32([1]), np.float32([1 + 2**-20]),
     "y [0] is 1, expected 1.000001; the largest difference is 9.5367431640625e-07; mismatches: 1"),
    (np.int64([2**60]), np.int64([2**60 + 1]),
     "y [0] is 1152921504606846976, expected 1152921504606846977; the largest difference is 1; mismatches: 1"),
    (np.uint64([2**64 - 1]), np.uint64([0]), "y [0] is 18446744073709551615, expected 0"),
    (np.int8([[1, 2], [3, 4]]), np.int8([[1, 2], [3, 5]]), "y [1,1] is 4, expected 5"),
    (np.array([True]), np.array([False]), "y [0] is 1, expected 0"),
    (np.array(["a", "b"], dtype=object), np.array(["a", "c"], dtype=object), "y [1] is 'b', expected 'c'; mismatches: 1"),
    (np.float32([np.nan]), np.float32([0]), "y [0] is nan, expected 0"),
    (np.float32([np.inf]), np.float32([-np.inf]), "y [0] is inf, expected -inf"),
    (np.float32([3e38]), np.float32([np.inf]), "expected inf"),
    (np.complex64([1 + 2j]), np.complex64([1 - 2j]), "y [0] is 1+2j, expected 1-2j"),
    (np.float32([1]), np.float64([1]), "y is float[1], expected double[1]"),
    (np.float32([1]), np.float32([1, 1]), "y is float[1], expected float[2]"),
    (np.float32([[1]]), np.float32([1]), "y is float[1,1], expected float[1]"),
])
def test_mismatches_name_position_and_values(tmp_path, x, y, said):
    assert said in reason(tile_case(tmp_path / "case", x, y, [1] * x.ndim))


@pytest.mark.parametrize("x", [
    np.float32([np.nan, np.inf, -np.inf, -0.0]),
    np.float16([np.nan, 1]),
    np.array([np.nan, 2], dtype=ml_dtypes.bfloat16),
    np.complex128([complex(np.nan, np.inf)]),
    np.array(["ü", ""], dtype=object),
    np.zeros((0,), dtype=np.float32),
])
def test_equal_tensors_pass(tmp_path, x):
    assert tesela("test", tile_case(tmp_path / "case", x, x)).returncode == DONE


def linear_case(folder, error):
    """Resize of [1, 1] to three ones, with an error in the expected output."""
    x, y = np.float32([1, 1]), np.float32([1, 1, 1 + error])
    save_model(folder.parent / "model.tmp",
               [helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], mode="linear")],
               {"x": (1, [2])}, {"y": (1, [3])}, initializers={"sizes": np.array([3])})
    return save_case(folder, onnx.load(folder.parent / "model.tmp"), [([("x", x)], [("y", y)])])


def test_tolerances(tmp_path):
    case = linear_case(tmp_path / "case", 2**-11)
    assert tesela("test", case).returncode == DONE
    assert tesela("test", case, "--rtol", "1e-4").returncode == MISMATCH
    assert tesela("test", case, "--rtol", "0", "--atol", "5e-4").returncode == DONE
    assert tesela("test", case, "--rtol", "0", "--atol", "0").returncode == MISMATCH
    for words in (["--rtol", "-1"], ["--atol", "nan"], ["--rtol", "inf"], ["--atol", "x"]):
        fail(USAGE, "test", case, *words)


def test_files_match_by_name_or_position(tmp_path):
    model = helper.make_model(
        helper.make_graph(
            [helper.make_node("Tile", ["x", "r"], ["y"])], "g",
            [helper.make_tensor_value_info("x", TensorProto.INT64, [2]),
             helper.make_tensor_value_info("r", TensorProto.INT64, [1])],
            [helper.make_tensor_value_info("y", TensorProto.INT64, [None])]),
        opset_imports=[helper.make_opsetid("", 13)])
    x, r, y = np.array([5, 6]), np.array([2]), np.array([5, 6, 5, 6])
    for number, inputs in enumerate([[("x", x), ("r", r)], [("r", r), ("x", x)], [("", x), ("", r)],
                                     [("other", x), ("names", r)]]):
        assert tesela("test", save_case(tmp_path / f"good{number}", model, [(inputs, [("z", y)])])).returncode == DONE
    for number, (inputs, said) in enumerate([([("x", x)], "r"), ([("x", x), ("x", x)], "two files"),
                                             ([("x", x), ("r", r), ("", x)], "one too many")]):
        assert said in reason(save_case(tmp_path / f"bad{number}", model, [(inputs, [("y", y)])]))
    assert "files of outputs" in reason(save_case(tmp_path / "no_output", model, [([("x", x), ("r", r)], [])]))


def test_every_data_set_is_run(tmp_path):
    folder = tile_case(tmp_path / "case", np.array([1]), np.array([1]))
    second = folder / "test_data_set_1"
    second.mkdir()
    save_pb(second / "input_0.pb", np.array([1]), "x")
    save_pb(second / "output_0.pb", np.array([2]), "y")
    assert reason(folder).startswith("test_data_set_1: y [0] is 1, expected 2")


def test_unsupported_case_fails_and_the_others_run(tmp_path):
    root = tmp_path / "cases"
    root.mkdir()
    relu = helper.make_model(helper.make_graph(
        [helper.make_node("Relu", ["x"], ["y"])], "g", [helper.make_tensor_value_info("x", 1, [1])],
        [helper.make_tensor_value_info("y", 1, [1])]))
    one = np.float32([1])
    save_case(root / "a_relu", relu, [([("x", one)], [("y", one)])])
    tile_case(root / "b_tile", one, one)
    tile_case(root / "c_none", one, one)
    for path in (root / "c_none" / "test_data_set_0").iterdir():
        path.unlink()
    (root / "c_none" / "test_data_set_0").rmdir()
    (root / "d_broken").mkdir()
    (root / "d_broken" / "model.onnx").write_bytes(b"broken")
    (root / "d_broken" / "test_data_set_0").mkdir()
    done = tesela("test", root)
    assert done.returncode == MISMATCH
    lines = done.stdout.decode().splitlines()
    assert [line.split(":")[0] for line in lines] == ["FAIL a_relu", "PASS b_tile", "FAIL c_none", "FAIL d_broken",
                                                      "1 passed, 3 failed"]
    assert "Relu" in lines[0] and "test_data_set_0" in lines[2]
    document = json.loads(tesela("test", root, "--json").stdout)
    assert document["failed"] == 3 and "Relu" in document["cases"][0]["reason"]


def test_folders_without_cases(tmp_path):
    fail(USAGE, "test", tmp_path)
    fail(IO, "test", tmp_path / "none")
    fail(IO, "test", save_npy(tmp_path / "x.npy", [1]))


def test_case_in_current_folder(tmp_path):
    case = tile_case(tmp_path / "here", np.array([1]), np.array([1]))
    assert succeed("test", ".", cwd=case).startswith("PASS here\n")
    assert succeed("test", f"{case}/").startswith("PASS here\n")
