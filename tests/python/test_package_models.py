# SPDX-License-Identifier: Apache-2.0
"""tesela.load, infer_shapes and check; the ONNX backend; the operators of ReferenceEvaluator."""

import concurrent.futures
import re
import subprocess
import sys

import ml_dtypes
import numpy as np
import onnx
import onnx.backend.test
import pytest
import tesela
import tesela.backend
import tesela.reference_ops
from onnx import TensorProto, helper, numpy_helper
from onnx.backend.test.loader import load_model_tests
from onnx.reference import ReferenceEvaluator


def make_model(nodes, inputs, outputs, initializers=(), opset=19):
    graph = helper.make_graph(nodes, "graph", inputs, outputs, list(initializers))
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10)


def thumbnails():
    sizes = numpy_helper.from_array(np.array([2, 3], np.int64), "sizes")
    repeats = numpy_helper.from_array(np.array([2, 2], np.int64), "repeats")
    return make_model(
        [helper.make_node("Resize", ["photo", "", "", "sizes"], ["small"], mode="linear", axes=[0, 1], name="shrink"),
         helper.make_node("Tile", ["small", "repeats"], ["sheet"])],
        [helper.make_tensor_value_info("photo", TensorProto.UINT8, ["H", "W"])],
        [helper.make_tensor_value_info("sheet", TensorProto.UINT8, None)], [sizes, repeats])


def test_a_model_runs(tmp_path):
    path = tmp_path / "thumbnails.onnx"
    onnx.save(thumbnails(), path)
    photo = np.arange(20, dtype=np.uint8).reshape(4, 5)
    expected = np.tile(tesela.resize(photo, sizes=(2, 3), mode="linear"), (2, 2))
    for source in (path, str(path), path.read_bytes(), thumbnails()):
        model = tesela.load(source)
        assert np.array_equal(model(photo), expected)
        assert np.array_equal(model(photo=photo), expected)
        assert np.array_equal(model.run({"photo": photo}, ["sheet"])["sheet"], expected)
    assert model.inputs == (tesela.TensorType("photo", "uint8", ("H", "W")),)
    assert "Resize" in str(model)
    with pytest.raises(tesela.Error):
        model()
    with pytest.raises(tesela.Error):
        model.run({"picture": photo})


def test_threads_share_a_model():
    model = tesela.load(thumbnails())
    photos = [np.full((4 + n, 5), n, np.uint8) for n in range(20)]
    with concurrent.futures.ThreadPoolExecutor(4) as pool:
        assert [y[0, 0] for y in pool.map(model, photos)] == list(range(20))


def test_limits_of_tensors_and_of_a_run():
    photo = np.zeros((4, 5), np.uint8)  # 20 bytes; 6 are between the nodes, 24 come out
    assert tesela.load(thumbnails(), max_output_bytes=24, max_session_bytes=50)(photo).shape == (4, 6)
    for wrong in ({"max_output_bytes": 23}, {"max_session_bytes": 49}):
        with pytest.raises(tesela.LimitError):
            tesela.load(thumbnails(), **wrong)(photo)
    with pytest.raises(tesela.InvalidValueError, match="max_session_bytes"):
        tesela.load(thumbnails(), max_session_bytes=0)


def test_shapes_are_inferred():
    known = tesela.infer_shapes(thumbnails())
    assert known["small"] == ("small", "uint8", (2, 3)) and known["sheet"] == ("sheet", "uint8", (4, 6))


def test_faults_are_found():
    assert tesela.check(thumbnails())
    bad = thumbnails()
    next(a for a in bad.graph.node[0].attribute if a.name == "mode").s = b"bilinear"
    report = tesela.check(bad)
    assert not report and report.faults >= 1 and "bilinear" in str(report)
    with pytest.raises(ValueError, match="bilinear"):
        tesela.load(bad)(np.zeros((2, 2), np.uint8))
    with pytest.raises((tesela.ParseError, tesela.TruncatedError)):
        tesela.load(b"\xff\xff\xff")


@pytest.mark.parametrize("dtype", [ml_dtypes.bfloat16, "U3", "complex64"], ids=str)
def test_models_accept_types_that_numpy_lacks(dtype):
    x = np.array(["1", "2"]).astype(dtype) if dtype == "U3" else np.array([1, 2]).astype(dtype)
    code = helper.np_dtype_to_tensor_dtype(np.dtype(object) if dtype == "U3" else x.dtype)
    repeats = numpy_helper.from_array(np.array([2], np.int64), "repeats")
    model = make_model([helper.make_node("Tile", ["x", "repeats"], ["y"])],
                       [helper.make_tensor_value_info("x", code, ["N"])],
                       [helper.make_tensor_value_info("y", code, None)], [repeats])
    assert tesela.load(model)(x).tolist() == x.tolist() * 2


def test_models_give_packed_types():
    value = helper.make_tensor("value", TensorProto.INT4, [1], [-3])
    shape = numpy_helper.from_array(np.array([3], np.int64), "shape")
    model = make_model([helper.make_node("ConstantOfShape", ["shape"], ["y"], value=value)], [],
                       [helper.make_tensor_value_info("y", TensorProto.INT4, None)], [shape], opset=25)
    result = tesela.load(model)()
    assert result.dtype == ml_dtypes.int4 and result.astype(int).tolist() == [-3, -3, -3]


# --- onnx.backend.base.Backend ---------------------------------------------------------------------------------------

OURS = r"^test_(resize_.*|upsample_nearest|tile|tile_precomputed|constantofshape_.*)"


class Strict(tesela.backend.TeselaBackend):
    """Makes tests fail, instead of being skipped, if the backend does not support a model."""

    @classmethod
    def is_compatible(cls, model, device="CPU", **kwargs):
        return cls.supports_device(device)


def node_tests():
    return [case for case in load_model_tests(kind="node") if re.fullmatch(OURS, case.name)]


NodeTests = onnx.backend.test.BackendTest(Strict, __name__).include(OURS + "_cpu$").test_cases["OnnxBackendNodeModelTest"]
for _name in [name for name in vars(NodeTests) if name.startswith("test_") and not re.fullmatch(OURS + "_cpu", name)]:
    delattr(NodeTests, _name)  # of other operators, which would count as skipped


def test_there_are_45_node_tests_and_all_are_run():
    assert len(node_tests()) == 45
    assert all(tesela.backend.is_compatible(onnx.load_from_string(case.model.SerializeToString())
                                            if case.model else onnx.load(f"{case.model_dir}/model.onnx"))
               for case in node_tests())


def test_the_backend_runs_a_node():
    node = helper.make_node("Tile", ["x", "repeats"], ["y"])
    result = tesela.backend.run_node(node, [np.array([1, 2]), np.array([2])], opset_version=13)
    assert result[0].tolist() == [1, 2, 1, 2]
    assert not tesela.backend.is_compatible(
        make_model([helper.make_node("Relu", ["x"], ["y"])],
                   [helper.make_tensor_value_info("x", TensorProto.FLOAT, [1])],
                   [helper.make_tensor_value_info("y", TensorProto.FLOAT, [1])]))
    assert not tesela.backend.supports_device("CUDA") and tesela.backend.supports_device("CPU")


# --- onnx.reference.ReferenceEvaluator -------------------------------------------------------------------------------


def test_the_reference_evaluator_passes_the_node_tests_with_our_operators():
    for case in node_tests():
        model = case.model or onnx.load(f"{case.model_dir}/model.onnx")
        opset = model.opset_import[0].version
        evaluator = ReferenceEvaluator(model, new_ops=tesela.reference_ops.for_opset(opset))
        sets = case.data_sets or []
        assert sets, case.name
        for inputs, outputs in sets:
            given = dict(zip((end.name for end in model.graph.input), inputs))
            for result, expected in zip(evaluator.run(None, given), outputs):
                np.testing.assert_allclose(result, expected, rtol=1e-3, atol=1e-7, err_msg=case.name)


@pytest.mark.parametrize("opset", [10, 11, 13, 18, 19])
def test_reference_operators_follow_each_version(opset):
    x = np.array([[1, 2, 3, 4]], np.float32)
    scales = np.array([1, 0.6], np.float32)
    names = ["x", "scales"] if opset == 10 else ["x", "roi" if opset == 11 else "", "scales"]
    inputs = [helper.make_tensor_value_info(name, TensorProto.FLOAT, None) for name in names if name]
    model = make_model([helper.make_node("Resize", names, ["y"], mode="nearest")], inputs,
                       [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)], opset=opset)
    evaluator = ReferenceEvaluator(model, new_ops=tesela.reference_ops.for_opset(opset))
    given = {"x": x, "scales": scales} | ({"roi": np.zeros(0, np.float32)} if opset == 11 else {})
    assert np.array_equal(evaluator.run(None, given)[0], tesela.resize(x, scales=scales, opset=opset))


def test_the_command_line_is_in_the_package():
    result = subprocess.run([sys.executable, "-m", "tesela", "--version"], capture_output=True, text=True)
    assert result.returncode == 0 and tesela.__version__ in result.stdout
