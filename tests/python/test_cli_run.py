# SPDX-License-Identifier: Apache-2.0
"""tesela run: inputs, outputs, names, streams, summaries."""

import json

import ml_dtypes
import numpy as np
import onnx
import pytest
from cli_program import (
    BAD,
    DONE,
    IO,
    LIMIT,
    UNSUPPORTED,
    USAGE,
    fail,
    save_model,
    save_npy,
    save_pb,
    succeed,
    tesela,
    tile_model,
    two_by_two_model,
)
from onnx import TensorProto, helper, numpy_helper

X = np.array([[1, 2], [3, 4]], dtype=np.float32)


@pytest.fixture
def model(tmp_path):
    return tile_model(tmp_path / "model.onnx")


@pytest.fixture
def x(tmp_path):
    return save_npy(tmp_path / "x.npy", X)


@pytest.fixture
def pair(tmp_path):
    """A model of two inputs and two outputs, and files for its inputs."""
    save_npy(tmp_path / "a.npy", np.array([1, 2], dtype=np.int32))
    save_npy(tmp_path / "b.npy", X)
    return two_by_two_model(tmp_path / "pair.onnx")


@pytest.mark.parametrize("named", [True, False])
def test_one_input_and_one_output(tmp_path, model, x, named):
    y = tmp_path / "y.npy"
    names = ["-i", f"x={x}", "-o", f"y={y}"] if named else ["-i", x, "-o", y]
    done = tesela("run", model, *names)
    assert done.returncode == DONE and not done.stdout
    np.testing.assert_array_equal(np.load(y), np.tile(X, (2, 3)))
    assert done.stderr.startswith(b"Tile-13 tile: 2x2 -> 4x6 float, ") and done.stderr.endswith(b" ms\n")
    assert not tesela("run", model, *names, "--quiet").stderr


@pytest.mark.parametrize("ending", ["npy", "npz", "pb"])
def test_formats_of_tensors(tmp_path, model, x, ending):
    y = tmp_path / f"y.{ending}"
    succeed("run", model, "-i", x, "-o", y)
    again = tmp_path / "again.npy"
    succeed("tile", y, again, "--repeats", "1,1")
    np.testing.assert_array_equal(np.load(again), np.tile(X, (2, 3)))
    if ending == "npz":
        assert np.load(y).files == ["y"]
    if ending == "pb":
        assert onnx.load_tensor(y).name == "y"


def test_two_inputs_and_outputs_in_any_order(tmp_path, pair):
    larger, doubled = tmp_path / "larger.npy", tmp_path / "doubled.npy"
    succeed("run", pair, "-o", f"larger={larger}", "-i", f"b={tmp_path}/b.npy", "-o", f"doubled={doubled}",
            "-i", f"a={tmp_path}/a.npy")
    np.testing.assert_array_equal(np.load(doubled), [1, 2, 1, 2])
    np.testing.assert_array_equal(np.load(larger), np.kron(X, np.ones((2, 2))))


def test_one_of_two_outputs(tmp_path, pair):
    succeed("run", pair, "-i", f"a={tmp_path}/a.npy", "-i", f"b={tmp_path}/b.npy", "-o", f"doubled={tmp_path}/d.npy")
    np.testing.assert_array_equal(np.load(tmp_path / "d.npy"), [1, 2, 1, 2])


def test_arrays_of_an_npz_serve_inputs_of_their_names(tmp_path, pair):
    both = tmp_path / "both.npz"
    np.savez(both, b=X, a=np.array([5], dtype=np.int32))
    lines = succeed("run", pair, "-i", both).splitlines()
    assert lines == ["doubled: int32[2], minimum 5, maximum 5", "larger: float[4,4], minimum 1, maximum 4"]
    # A named file has priority and takes the array with its name.
    lines = succeed("run", pair, "-i", both, "-i", f"a={tmp_path}/a.npy").splitlines()
    assert lines[0] == "doubled: int32[4], minimum 1, maximum 2"
    assert succeed("run", pair, "-i", f"a={both}", "-i", f"b={both}").startswith("doubled: int32[2]")
    np.savez(both, b=X)
    fail(BAD, "run", pair, "-i", both)


@pytest.mark.parametrize("words, said", [
    ([], "no file for the inputs a, b"),
    (["-i", "a=a.npy"], "no file for the input b"),
    (["-i", "a.npy"], "write NAME=FILE; the model's inputs are a, b"),
    (["-i", "c=a.npy", "-i", "b=b.npy"], "there is no input 'c'; the model's inputs are a, b"),
    (["-i", "a=a.npy", "-i", "a=a.npy", "-i", "b=b.npy"], "'a' is given twice"),
    (["-i", "=a.npy", "-i", "b=b.npy"], "there is no input ''"),
    (["-o", "a=out.npy"], "there is no output 'a'; the model's outputs are doubled, larger"),
    (["-o", "out.npy"], "write NAME=FILE; the model's outputs are doubled, larger"),
    (["-o", "doubled=out.npy", "-o", "larger=out.npy"], "is written twice"),
    (["-o", "doubled=out.npy", "-o", "larger=./out.npy"], "is written twice"),
    (["-o", "doubled=out.txt"], "has no known file ending"),
    (["-o", "doubled=out"], "has no known file ending"),
    (["-o", "doubled=-"], "needs --format"),
    (["-i", "a=-", "-i", "b=-"], "'-' can be read only once"),
    (["-i", "a=a.npy", "-i", "b=b.npy", "--dtype", "c=float"], "there is no input 'c'"),
    (["-i", "a=a.npy", "-i", "b=b.npy", "--dtype", "a=word"], "'word' is not an element type"),
])
def test_wrong_names(tmp_path, pair, words, said):
    assert said in fail(USAGE, "run", pair, *words, cwd=tmp_path)
    assert not (tmp_path / "out.npy").exists()


def test_a_file_with_an_equals_sign(tmp_path, model, x):
    strange = tmp_path / "a=b.npy"
    strange.write_bytes(x.read_bytes())
    succeed("run", model, "-i", f"x={strange}", "-o", f"y={tmp_path}/c=d.npy")
    assert (tmp_path / "c=d.npy").exists()


def test_inputs_that_do_not_fit(tmp_path, model):
    fail(BAD, "run", model, "-i", save_npy(tmp_path / "int.npy", np.zeros((2, 2), dtype=np.int32)))
    fail(BAD, "run", model, "-i", save_npy(tmp_path / "rank.npy", np.zeros(2, dtype=np.float32)))
    fail(IO, "run", model, "-i", tmp_path / "none.npy")
    (tmp_path / "broken.npy").write_bytes(b"\x93NUMPY\x01\x00\xff\xff{")
    fail(BAD, "run", model, "-i", tmp_path / "broken.npy")
    fail(BAD, "run", model, "-i", tmp_path)


def test_models_that_cannot_run(tmp_path, x):
    relu = save_model(tmp_path / "relu.onnx", [helper.make_node("Relu", ["x"], ["y"], name="act")],
                      {"x": (1, [2, 2])}, {"y": (1, [2, 2])})
    assert "Relu" in fail(UNSUPPORTED, "run", relu, "-i", x)
    bad = save_model(tmp_path / "bad.onnx", [helper.make_node("Resize", ["x"], ["y"])], {"x": (1, [2, 2])},
                     {"y": (1, [2, 2])})
    fail(BAD, "run", bad, "-i", x)
    future = save_model(tmp_path / "future.onnx", [helper.make_node("Identity", ["x"], ["y"])], {"x": (1, [2, 2])},
                        {"y": (1, [2, 2])}, opset=999)
    fail(UNSUPPORTED, "run", future, "-i", x)
    assert succeed("run", future, "-i", x, "--assume-opset", "19").startswith("y: float[2,2]")
    (tmp_path / "text.onnx").write_text("hello")
    fail(BAD, "run", tmp_path / "text.onnx", "-i", x)
    fail(IO, "run", tmp_path / "none.onnx", "-i", x)
    fail(BAD, "run", tmp_path, "-i", x)


def test_limit_of_outputs(model, x):
    assert "95" in fail(LIMIT, "run", model, "-i", x, "--max-output", "95")
    succeed("run", model, "-i", x, "--max-output", "96")


def test_limit_of_all_tensors(model, x):
    size = x.stat().st_size  # more than the model and than the 112 bytes of its values
    assert f"the limit is {size - 1}" in fail(LIMIT, "run", model, "-i", x, "--max-total", str(size - 1))
    succeed("run", model, "-i", x, "--max-total", str(size))
    for wrong in ("0", "-1", "1K"):
        assert "--max-total" in fail(USAGE, "run", model, "-i", x, "--max-total", wrong)


def test_a_small_model_of_large_tensors_is_refused(tmp_path):
    nodes = [helper.make_node("ConstantOfShape", [f"n{k}"], [f"y{k}"], name=f"fill{k}") for k in range(2)]
    outputs = [helper.make_tensor_value_info(f"y{k}", TensorProto.FLOAT, None) for k in range(2)]
    counts = [numpy_helper.from_array(np.array([n]), f"n{k}") for k, n in enumerate([2**28 + 1, 2**30])]  # 1 and 4 GiB
    graph = helper.make_graph(nodes, "fills", [], outputs, counts)
    path = tmp_path / "fills.onnx"
    path.write_bytes(helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)]).SerializeToString())
    assert path.stat().st_size < 400
    assert "node 'fill1'" in fail(LIMIT, "run", path, "--quiet")


# ---- Summaries ------------------------------------------------------------------------------------------------------


def summary(tmp_path, array, element, shape=(None,)):
    """The output of run for a tensor that passes through a model unchanged."""
    model = tile_model(tmp_path / "same.onnx", [1] * len(shape), element, list(shape))
    text = succeed("run", model, "-i", save_pb(tmp_path / "in.pb", array), "-q")
    return text.removeprefix("y: ").rstrip("\n")


@pytest.mark.parametrize("array, element, said", [
    (np.array([0.1, -2.5], dtype=np.float32), TensorProto.FLOAT, "float[2], minimum -2.5, maximum 0.1"),
    (np.array([0.1], dtype=np.float64), TensorProto.DOUBLE, "double[1], minimum 0.1, maximum 0.1"),
    (np.array([np.nan, 1, np.nan, 2], dtype=np.float32), TensorProto.FLOAT,
     "float[4], minimum 1, maximum 2, 2 NaN"),
    (np.array([np.nan], dtype=np.float16), TensorProto.FLOAT16, "float16[1], 1 NaN"),
    (np.array([np.inf, -np.inf], dtype=np.float32), TensorProto.FLOAT, "float[2], minimum -inf, maximum inf"),
    (np.array([], dtype=np.float32), TensorProto.FLOAT, "float[0], empty"),
    (np.array([2**63 - 1, -(2**63)], dtype=np.int64), TensorProto.INT64,
     "int64[2], minimum -9223372036854775808, maximum 9223372036854775807"),
    (np.array([2**64 - 1, 2**64 - 2], dtype=np.uint64), TensorProto.UINT64,
     "uint64[2], minimum 18446744073709551614, maximum 18446744073709551615"),
    (np.array([100_000, -1_000_000], dtype=np.int32), TensorProto.INT32,
     "int32[2], minimum -1000000, maximum 100000"),
    (np.array([1e5], dtype=np.float32), TensorProto.FLOAT, "float[1], minimum 1e+05, maximum 1e+05"),
    (np.array([True, False]), TensorProto.BOOL, "bool[2], minimum 0, maximum 1"),
    (np.array([1 + 2j, -3 - 4j], dtype=np.complex64), TensorProto.COMPLEX64,
     "complex64[2], real minimum -3, real maximum 1, imaginary minimum -4, imaginary maximum 2"),
    (np.array(["", "four", "ü"], dtype=object), TensorProto.STRING, "string[3], shortest 0, longest 4"),
    (np.array([1.5, 2], dtype=ml_dtypes.bfloat16), TensorProto.BFLOAT16, "bfloat16[2], minimum 1.5, maximum 2"),
])
def test_summary_of_each_kind_of_type(tmp_path, array, element, said):
    assert summary(tmp_path, array, element) == said


def test_summary_looks_at_every_element(tmp_path):
    x = np.zeros(200_001, dtype=np.float32)
    x[0], x[-1], x[65_536] = 3, -5, np.nan
    assert summary(tmp_path, x, TensorProto.FLOAT) == "float[200001], minimum -5, maximum 3, 1 NaN"


def test_summary_of_a_scalar(tmp_path):
    assert summary(tmp_path, np.float32(4), TensorProto.FLOAT, ()) == "float[], minimum 4, maximum 4"


def test_json_of_a_run(tmp_path, pair):
    document = json.loads(succeed("run", pair, "-i", f"a={tmp_path}/a.npy", "-i", f"b={tmp_path}/b.npy", "--json"))
    assert document["outputs"] == [
        {"name": "doubled", "type": "int32", "shape": [4], "minimum": 1, "maximum": 2},
        {"name": "larger", "type": "float", "shape": [4, 4], "minimum": 1, "maximum": 4}]
    nodes = {(node["operator"], node["since_version"], node["shapes"]) for node in document["nodes"]}
    assert nodes == {("Tile", 13, "2 -> 4"), ("Resize", 19, "2x2 -> 4x4")}
    assert all(node["milliseconds"] >= 0 for node in document["nodes"])


def test_json_keeps_infinities_and_large_integers(tmp_path):
    x = np.array([np.inf, np.nan, 9007199254740993.0], dtype=np.float64)
    model = tile_model(tmp_path / "same.onnx", [1], TensorProto.DOUBLE, [None])
    text = succeed("run", model, "-i", save_npy(tmp_path / "x.npy", x), "--json")
    output = json.loads(text)["outputs"][0]
    assert output["maximum"] == "inf" and output["NaN"] == 1 and output["minimum"] == 9007199254740992
    x = save_npy(tmp_path / "x.npy", np.array([2**63 - 1]))
    model = tile_model(tmp_path / "same.onnx", [1], TensorProto.INT64, [None])
    assert json.loads(succeed("run", model, "-i", x, "--json"))["outputs"][0]["maximum"] == 2**63 - 1


def test_json_beside_a_file(tmp_path, model, x):
    document = json.loads(succeed("run", model, "-i", x, "-o", tmp_path / "y.npy", "--json"))
    assert document["outputs"][0]["shape"] == [4, 6] and (tmp_path / "y.npy").exists()


# ---- Streams --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["npy", "npz", "pb"])
def test_pipes_in_and_out(tmp_path, model, x, name):
    done = tesela("run", model, "-i", "-", "-o", "-", "--format", name, input=x.read_bytes())
    assert done.returncode == DONE and done.stderr.count(b"\n") == 1
    (tmp_path / f"y.{name}").write_bytes(done.stdout)
    succeed("tile", tmp_path / f"y.{name}", tmp_path / "again.npy", "--repeats", "1,1")
    np.testing.assert_array_equal(np.load(tmp_path / "again.npy"), np.tile(X, (2, 3)))


def test_images_through_pipes(tmp_path):
    png = tesela("fill", "-", "--shape", "2,3,1", "--dtype", "uint8", "--value", "7", "--format", "png").stdout
    assert png.startswith(b"\x89PNG")
    jpeg = tesela("resize", "-", "-", "--sizes", "4,4", "--format", "jpg", input=png).stdout
    assert jpeg.startswith(b"\xff\xd8\xff")


def test_model_from_a_pipe(model, x):
    assert succeed("run", "-", "-i", x, input=model.read_bytes()).startswith("y: float[4,6]")
    assert "tile" in succeed("inspect", "-", input=model.read_bytes())
    fail(USAGE, "run", "-", "-i", "-")
    fail(BAD, "inspect", "-", input=b"\x00" * 100)


def test_empty_and_oversized_pipes(model, tmp_path):
    fail(BAD, "run", model, "-i", "x=-")
    fail(LIMIT, "run", model, "-i", "x=-", "--max-output", "100", input=bytes(3_000_000))
    assert fail(USAGE, "run", model, "-i", "x=-", "-o", "-", "--format", "npy", "--json")


# ---- Names of strangers ---------------------------------------------------------------------------------------------

HOSTILE = "a\x1b]0;owned\x07\x9b31m\u202egnp.exe\u2066"
SHOWN = r"a\x1b]0;owned\x07\u009b31m\u202egnp.exe\u2066"


def is_plain(text: str) -> bool:
    return all(c == "\n" or c.isprintable() for c in text)


@pytest.fixture
def hostile(tmp_path):
    nodes = [helper.make_node("Tile", [HOSTILE, "r"], ["y" + HOSTILE], name="node" + HOSTILE)]
    return save_model(tmp_path / "hostile.onnx", nodes, {HOSTILE: (1, ["N" + HOSTILE]), "r": (7, [1])},
                      {"y" + HOSTILE: (1, None)})


def test_names_are_escaped_for_the_terminal(hostile, x, tmp_path):
    shown = succeed("inspect", hostile)
    assert SHOWN in shown and is_plain(shown)
    missing = fail(USAGE, "run", hostile)
    assert f"-i: no file for the inputs {SHOWN}" in missing
    assert is_plain(missing)
    save_npy(tmp_path / "one.npy", np.float32([1]))
    save_npy(tmp_path / "r.npy", np.array([2]))
    done = tesela("run", hostile, "-i", f"{HOSTILE}={tmp_path / 'one.npy'}", "-i", f"r={tmp_path / 'r.npy'}")
    assert done.returncode == DONE, done
    assert SHOWN in done.stdout.decode() and is_plain(done.stdout.decode() + done.stderr.decode())
    assert is_plain(fail(USAGE, "run", hostile, "-i", f"{HOSTILE}x=1", "-i", "r=2"))
    assert is_plain(fail(IO, "run", str(tmp_path / HOSTILE)))


def test_findings_are_escaped_for_the_terminal(tmp_path):
    nodes = [helper.make_node("Tile", ["x", "nothing" + HOSTILE], ["y"], name=HOSTILE)]
    done = tesela("check", save_model(tmp_path / "m.onnx", nodes, {"x": (1, ["N"])}, {"y": (1, None)}))
    assert done.returncode == BAD and SHOWN[:20] in done.stdout.decode() and is_plain(done.stdout.decode()), done
