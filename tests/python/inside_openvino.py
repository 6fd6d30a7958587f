# SPDX-License-Identifier: Apache-2.0
"""tesela.openvino: results that are wrong with OpenVINO's CPU plugin alone are correct with Tesela.

test_package_openvino.py runs these tests in a separate process."""

from __future__ import annotations

import numpy as np
import onnx
import openvino as ov
import openvino.opset1
import openvino.opset10
import pytest
import tesela
import tesela.openvino
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

# Otherwise floats are computed as bfloat16 on machines that have it.
CONFIG = {"INFERENCE_PRECISION_HINT": "f32"}


def parameter(type_: ov.Type, shape) -> ov.op.Parameter:
    return ov.op.Parameter(type_, ov.PartialShape(list(shape)))


def model_of(output, *parameters) -> ov.Model:
    return ov.Model([ov.op.Result(output)], list(parameters), "m")


def run(model: ov.Model, *inputs: np.ndarray) -> np.ndarray:
    return ov.Core().compile_model(model, "CPU", CONFIG)(list(inputs))[0]


def is_right(got: np.ndarray, expected: np.ndarray, tolerance: float = 0) -> bool:
    if got.shape != expected.shape:
        return False
    difference = np.abs(got.astype(np.float64) - expected.astype(np.float64))
    return bool(np.all(difference <= tolerance))  # a NaN is not a result


def counted(*shape: int) -> np.ndarray:
    return (np.arange(np.prod(shape), dtype=np.float32) % 17).reshape(shape)


# ---- replace(): each of these is a defect of the CPU plugin --------------------------------------------------------


def tile_at_run_time():
    x, repeats = parameter(ov.Type.f32, (2, 3, 2, 3)), parameter(ov.Type.i64, (4,))
    data, times = counted(2, 3, 2, 3) + 1000, np.array([1, 2, 2, 2], np.int64)
    return model_of(ov.opset1.tile(x, repeats).output(0), x, repeats), (data, times), np.tile(data, times), 0


def antialias_of_linear():
    x = parameter(ov.Type.f32, (1, 1, 1, 8))
    node = ov.opset10.interpolate(x, np.array([3], np.int64), np.array([1], np.float32), mode="linear",
                                  shape_calculation_mode="sizes", axes=np.array([3]), antialias=True)
    data = counted(1, 1, 1, 8) ** 2
    expected = tesela.resize(data, sizes=(3,), axes=(3,), mode="linear", antialias=True, exclude_outside=True)
    return model_of(node.output(0), x), (data,), expected, 1e-5


def cubic_on_three_axes():
    x = parameter(ov.Type.f32, (4, 5, 6))
    node = ov.opset10.interpolate(x, np.array([7, 3, 9], np.int64), np.array([1, 1, 1], np.float32), mode="cubic",
                                  shape_calculation_mode="sizes", axes=np.array([0, 1, 2]))
    data = counted(4, 5, 6)
    return model_of(node.output(0), x), (data,), tesela.resize(data, sizes=(7, 3, 9), mode="cubic"), 1e-4


DEFECTS = [tile_at_run_time, antialias_of_linear, cubic_on_three_axes]


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.__name__)
def test_replacement_fixes_wrong_results(defect):
    model, inputs, expected, tolerance = defect()
    assert not is_right(run(model, *inputs), expected, tolerance)
    assert tesela.openvino.replace(model) == 1
    assert is_right(run(model, *inputs), expected, tolerance)


def test_types_and_promotion():
    for name, dtype in (("i8", np.int8), ("u16", np.uint16), ("f16", np.float16), ("boolean", np.bool_)):
        x = parameter(getattr(ov.Type, name), (2, 3))
        model = model_of(ov.opset1.tile(x, np.array([2, 1, 2], np.int64)).output(0), x)
        assert tesela.openvino.replace(model) == 1
        data = np.array([[0, 1, 1], [1, 0, 1]]).astype(dtype)
        assert np.array_equal(run(model, data), np.tile(data, (2, 1, 2)))


def test_types_of_less_than_a_byte_stay():
    x = parameter(ov.Type.u4, (2,))
    assert tesela.openvino.replace(model_of(ov.opset1.tile(x, np.array([2], np.int64)).output(0), x)) == 0


def test_errors_of_tesela_are_reported():
    x = parameter(ov.Type.f32, (1, 1, 4, 4))
    node = ov.opset10.interpolate(x, np.array([2, 2], np.int64), np.array([1, 1], np.float32), mode="nearest",
                                  shape_calculation_mode="sizes", axes=np.array([2, 3]), pads_begin=[0, 0, 1, 1])
    with pytest.raises(Exception, match="padding is not supported"):
        tesela.openvino.replace(model_of(node.output(0), x))


def test_shapes_change_between_runs():
    x, repeats = parameter(ov.Type.f32, (-1, -1)), parameter(ov.Type.i32, (2,))
    model = model_of(ov.opset1.tile(x, repeats).output(0), x, repeats)
    tesela.openvino.replace(model)
    compiled = ov.Core().compile_model(model, "CPU", CONFIG)
    for shape, times in (((2, 3), (1, 2)), ((1, 5), (3, 3)), ((2, 3), (2, 2)), ((4, 1), (0, 2))):
        data = counted(*shape)
        assert np.array_equal(compiled([data, np.array(times, np.int32)])[0], np.tile(data, times))


# ---- register(): ONNX models through the frontend ------------------------------------------------------------------


def onnx_model(operator: str, shape, inputs=(), opset=19, **attributes) -> bytes:
    names = ["x", *(f"c{k}" if array is not None else "" for k, array in enumerate(inputs))]
    graph = helper.make_graph(
        [helper.make_node(operator, names, ["y"], **attributes)], "g",
        [helper.make_tensor_value_info("x", TensorProto.FLOAT, shape)],
        [helper.make_tensor_value_info("y", TensorProto.FLOAT, None)],
        [onnx.numpy_helper.from_array(array, f"c{k}") for k, array in enumerate(inputs) if array is not None])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=9).SerializeToString()


def sizes(*values: int):
    return (None, None, np.array(values, np.int64))


def scales(*values: float):
    return (None, np.array(values, np.float32))


ONNX_DEFECTS = {
    "antialias linear": (sizes(1, 1, 3, 3), dict(mode="linear", antialias=1)),
    "antialias cubic": (sizes(1, 1, 3, 3), dict(mode="cubic", antialias=1)),
    "exclude_outside": (scales(1, 1, 2, 2), dict(mode="cubic", exclude_outside=1, cubic_coeff_a=-0.5)),
    "not_larger": (sizes(7, 3), dict(mode="nearest", axes=[2, 3], keep_aspect_ratio_policy="not_larger")),
    "not_smaller": (sizes(7, 3), dict(mode="nearest", axes=[2, 3], keep_aspect_ratio_policy="not_smaller")),
    "half_pixel_symmetric": (scales(1, 1, 0.6, 0.6),
                             dict(mode="linear", coordinate_transformation_mode="half_pixel_symmetric")),
    "crop": ((np.array([0, 0, 0.4, 0.6, 1, 1, 0.6, 0.8], np.float32), None, np.array([1, 1, 3, 3], np.int64)),
             dict(mode="linear", coordinate_transformation_mode="tf_crop_and_resize")),
    "align_corners": (scales(1, 1, 0.6, 0.6), dict(mode="linear", coordinate_transformation_mode="align_corners")),
    "negative axes": (sizes(6, 8), dict(mode="linear", axes=[-2, -1])),
}


def run_onnx(core: ov.Core, model: bytes, data: np.ndarray) -> np.ndarray | None:
    """None if OpenVINO does not support the model."""
    try:
        return core.compile_model(core.read_model(model), "CPU", CONFIG)([data])[0]
    except RuntimeError:
        return None


@pytest.mark.parametrize("name", ONNX_DEFECTS)
def test_replacement_fixes_wrong_results_of_onnx_models(name):
    inputs, attributes = ONNX_DEFECTS[name]
    model = onnx_model("Resize", (1, 1, 4, 5), inputs, **attributes)
    data = counted(1, 1, 4, 5) + 1
    positive = attributes | ({"axes": [2, 3]} if "axes" in attributes else {})
    reference = ReferenceEvaluator(onnx.load_from_string(onnx_model("Resize", (1, 1, 4, 5), inputs, **positive)))
    expected = reference.run(None, {"x": data})[0]
    without = run_onnx(ov.Core(), model, data)
    assert without is None or not is_right(without, expected, 1e-4)
    core = ov.Core()
    tesela.openvino.register(core)
    assert is_right(run_onnx(core, model, data), expected, 1e-4)


def test_every_version_of_onnx_reaches_its_row():
    core = ov.Core()
    tesela.openvino.register(core)
    data = counted(1, 1, 2, 2) + 1
    two = np.array([1, 1, 2, 2], np.float32)
    upsampled = data.repeat(2, 2).repeat(2, 3)
    for operator, opset, inputs, attributes in (
        ("Upsample", 7, (), {"scales": [1.0, 1.0, 2.0, 2.0]}),
        ("Upsample", 9, (two,), {}),
        ("Resize", 10, (two,), {}),
        ("Resize", 11, (np.zeros(0, np.float32), two), {"coordinate_transformation_mode": "asymmetric",
                                                        "nearest_mode": "floor"}),
        ("Resize", 13, (None, two), {}),
        ("Resize", 13, (None, two), {"coordinate_transformation_mode": "tf_half_pixel_for_nn", "nearest_mode": "floor"}),
    ):
        got = run_onnx(core, onnx_model(operator, (1, 1, 2, 2), inputs, opset, **attributes), data)
        assert got is not None and np.array_equal(got, upsampled), (operator, opset)
    tiled = run_onnx(core, onnx_model("Tile", (1, 1, 2, 2), (np.array([1, 2, 3, 2], np.int64),), 13), data)
    assert np.array_equal(tiled, np.tile(data, (1, 2, 3, 2)))
