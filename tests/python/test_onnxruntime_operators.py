# SPDX-License-Identifier: Apache-2.0
"""Custom operators that replace ONNX Runtime's own: shape inference, errors, threads, limitations."""

import concurrent.futures

import numpy as np
import onnxruntime
import pytest
import tesela
import tesela.onnxruntime
from onnx import TensorProto, helper, numpy_helper

onnxruntime.set_default_logger_severity(4)
FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
SINCE_1_23 = tuple(int(number) for number in onnxruntime.__version__.split(".")[:2]) >= (1, 23)


def make_model(nodes, inputs, outputs, constants=None, opset=19):
    initializers = [numpy_helper.from_array(np.asarray(x), name) for name, x in (constants or {}).items()]
    graph = helper.make_graph(nodes, "graph", [helper.make_tensor_value_info(*entry) for entry in inputs],
                              [helper.make_tensor_value_info(*entry) for entry in outputs], initializers)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=10).SerializeToString()


def make_provider_session(*given, **more):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    return tesela.onnxruntime.make_session(make_model(*given, **more), options)


def make_session(*given, override=True, **more):
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    if override:
        assert tesela.onnxruntime.override(options) is options
    return onnxruntime.InferenceSession(make_model(*given, **more), options, providers=["CPUExecutionProvider"])


def tile(x_shape, repeats_shape, **more):
    return make_session([helper.make_node("Tile", ["x", "repeats"], ["y"], name="copies")],
                        [("x", FLOAT, x_shape), ("repeats", INT64, repeats_shape)], [("y", FLOAT, None)], opset=13, **more)


def test_results_match_tesela():
    nodes = [helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="linear")]
    given = nodes, [("x", FLOAT, ["N", "M"])], [("y", FLOAT, None)], {"scales": np.float32([1, 0.7])}
    x = np.arange(20, dtype=np.float32).reshape(2, 10)
    assert make_session(*given, override=False).run(None, {"x": x})[0].shape == (2, 7)  # 10 * 0.7f in float32
    found = make_session(*given).run(None, {"x": x})[0]
    expected = tesela.resize(x, scales=(1, np.float32(0.7)), mode="linear", extents="host")
    assert np.array_equal(found, expected) and found.shape == (2, 7)


@pytest.mark.parametrize("opset", [13, 18, 19])
@pytest.mark.parametrize("where", ["override", "provider"] if SINCE_1_23 else ["override"])
def test_tf_half_pixel_for_nn_runs_at_every_opset(opset, where):
    node = helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], name="up", nearest_mode="floor",
                            coordinate_transformation_mode="tf_half_pixel_for_nn")
    given = [node], [("x", TensorProto.STRING, ["n"])], [("y", TensorProto.STRING, None)], {"sizes": np.int64([5])}
    if where == "override":
        session = make_session(*given, opset=opset)
    else:
        session = make_provider_session(*given, opset=opset)
    x = np.array(["a", "b", "c"], object)  # a type that ONNX Runtime's Resize does not support
    assert session.run(None, {"x": x})[0].tolist() == ["a", "a", "b", "c", "c"]


def test_extents_from_attributes_are_inferred():
    session = make_session([helper.make_node("Upsample", ["x"], ["y"], scales=[1.0, 1.0, 2.0, 1.5], mode="linear")],
                           [("x", FLOAT, ["N", 3, 4, 6])], [("y", FLOAT, None)], opset=7)
    assert session.get_outputs()[0].shape[1:] == [3, 8, 9]


def test_ranks_and_types_are_inferred():
    session = tile(["N", 2], [2])
    (output,) = session.get_outputs()
    assert output.type == "tensor(float)" and len(output.shape) == 2 and len(set(output.shape)) == 2
    assert all(isinstance(extent, str) for extent in output.shape)


def test_an_unknown_rank_stays_unknown():
    # If it were read as a scalar, folding would compute a wrong rank.
    session = make_session([helper.make_node("Tile", ["x", "repeats"], ["t"]), helper.make_node("Shape", ["t"], ["s"]),
                            helper.make_node("Size", ["s"], ["y"])],
                           [("x", FLOAT, None), ("repeats", INT64, None)], [("y", INT64, None)], opset=13)
    assert session.run(None, {"x": np.ones((2, 3), np.float32), "repeats": np.array([1, 2])})[0] == 2


@pytest.mark.parametrize("dtype", ["float16", "double", "int8", "uint16", "int64", "bool", "string"])
def test_types_do_not_depend_on_ranks(dtype):
    code = TensorProto.STRING if dtype == "string" else helper.np_dtype_to_tensor_dtype(np.dtype(dtype))
    session = make_session([helper.make_node("Tile", ["x", "repeats"], ["y"])],
                           [("x", code, None), ("repeats", INT64, [1])], [("y", code, None)], opset=13)
    x = np.array(["a", "b"], object) if dtype == "string" else np.array([0, 1], dtype)
    assert session.run(None, {"x": x, "repeats": np.array([2])})[0].tolist() == x.tolist() * 2


def test_bad_value_is_an_error_and_the_session_stays_usable():
    session = tile([2, 2], [2])
    x = np.ones((2, 2), np.float32)
    with pytest.raises(onnxruntime.capi.onnxruntime_pybind11_state.InvalidArgument, match="Tile-13 node 'copies': .*-1"):
        session.run(None, {"x": x, "repeats": np.array([2, -1])})
    assert session.run(None, {"x": x, "repeats": np.array([2, 1])})[0].shape == (4, 2)


def test_a_bad_attribute_is_an_error_at_loading():
    with pytest.raises(Exception, match="Resize-19 node 'up': attribute 'mode' is 'lin'; expected one of nearest"):
        make_session([helper.make_node("Resize", ["x", "", "scales"], ["y"], mode="lin", name="up")],
                     [("x", FLOAT, [2, 2])], [("y", FLOAT, None)], {"scales": np.float32([2, 2])})


def test_many_threads_share_a_session():
    session = tile(["N", "M"], [2])
    arrays = [np.random.default_rng(n).random((1 + n % 7, 2 + n % 5), dtype=np.float32) for n in range(200)]
    run = lambda x: session.run(None, {"x": x, "repeats": np.array([2, 3])})[0]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert all(np.array_equal(y, np.tile(x, (2, 3))) for x, y in zip(arrays, pool.map(run, arrays)))


def test_fills_run_since_1_23_and_need_a_known_rank():
    fill = [helper.make_node("ConstantOfShape", ["s"], ["y"], value=numpy_helper.from_array(np.float32([2])))]
    session = make_session(fill, [("s", INT64, [2])], [("y", FLOAT, None)], opset=9)
    assert session.run(None, {"s": np.array([2, 3])})[0].tolist() == [[2, 2, 2]] * 2
    if not SINCE_1_23:
        assert make_session(fill, [("s", INT64, ["k"])], [("y", FLOAT, None)], opset=9).get_outputs()
        return
    with pytest.raises(Exception, match="tensor.int64"):
        make_session(fill, [("s", INT64, ["k"])], [("y", FLOAT, None)], opset=9)


def test_override_creates_options_if_none_are_given():
    assert isinstance(tesela.onnxruntime.override(), onnxruntime.SessionOptions)
