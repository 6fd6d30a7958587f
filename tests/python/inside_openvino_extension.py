# SPDX-License-Identifier: Apache-2.0
"""The C++ extension: results that are wrong with OpenVINO's CPU plugin alone are correct with it.

test_package_openvino.py runs these tests in a separate process."""

from __future__ import annotations

import pathlib
import re
import subprocess

import numpy as np
import onnx
import openvino as ov
import openvino.opset1
import openvino.opset3
import openvino.opset10
import pytest
import tesela
from inside_openvino import CONFIG, DEFECTS, ONNX_DEFECTS, counted, is_right, model_of, onnx_model, parameter, run_onnx, scales, sizes
from onnx import TensorProto, helper
from onnx.reference import ReferenceEvaluator

ROOT = pathlib.Path(__file__).parents[2]
EXTENSION = ROOT / "build" / "libtesela_openvino.so"


@pytest.fixture
def core() -> ov.Core:
    made = ov.Core()
    made.add_extension(str(EXTENSION))
    return made


def again(core: ov.Core, model: ov.Model, folder: pathlib.Path) -> ov.Model:
    """The model as the core reads it from a file. OpenVINO maps the file, so it is a new one each time."""
    path = folder / f"{len(list(folder.iterdir()))}.xml"
    ov.save_model(model, path, compress_to_fp16=False)
    return core.read_model(path)


def types_of(model: ov.Model) -> list[str]:
    return [node.get_type_name() for node in model.get_ops() if node.get_type_name().startswith("Tesela")]


def run(core: ov.Core, model: ov.Model, *inputs: np.ndarray) -> list[np.ndarray]:
    """Inputs and outputs of packed types are bytes."""
    request = core.compile_model(model, "CPU", CONFIG).create_infer_request()
    for k, array in enumerate(inputs):
        if request.get_input_tensor(k).element_type.bitwidth < 8:
            request.get_input_tensor(k).data.reshape(-1).view(np.uint8)[:] = array
        else:
            request.set_input_tensor(k, ov.Tensor(np.asarray(array)))
    request.infer()
    tensors = [request.get_output_tensor(k) for k in range(len(model.outputs))]
    return [np.array(t.data).view(np.uint8) if t.element_type.bitwidth < 8 else np.array(t.data) for t in tensors]


def tile_model(type_: ov.Type, shape, repeats) -> ov.Model:
    """repeats: constant, or their number if they are given at run time."""
    x = parameter(type_, shape)
    if isinstance(repeats, int):
        times = parameter(ov.Type.i64, (repeats,))
        return model_of(ov.opset1.tile(x, times).output(0), x, times)
    return model_of(ov.opset1.tile(x, np.array(repeats, np.int64)).output(0), x)


# ---- IRs: Tile and Interpolate ------------------------------------------------------------------------------------


@pytest.mark.parametrize("defect", DEFECTS, ids=lambda defect: defect.__name__)
def test_replacement_fixes_wrong_results(defect, core, tmp_path):
    model, inputs, expected, tolerance = defect()
    assert not is_right(run(ov.Core(), model, *inputs)[0], expected, tolerance)
    read = again(core, model, tmp_path)
    assert len(types_of(read)) == 1
    assert is_right(run(core, read, *inputs)[0], expected, tolerance)


WIDE = {
    "i64": np.array([2**40 + 7, -(2**50)], np.int64),
    "u64": np.array([2**63 + 7, 5], np.uint64),
    "f64": np.array([1e300, 1 / 3], np.float64),
}


@pytest.mark.parametrize("repeats", [1, (3,)], ids=["at run time", "constant"])
@pytest.mark.parametrize("name", WIDE)
def test_wide_types_stay_wide(name, repeats, core, tmp_path):
    model = tile_model(getattr(ov.Type, name), (2,), repeats)
    inputs = [WIDE[name]] + ([np.array([3], np.int64)] if repeats == 1 else [])
    expected = np.tile(WIDE[name], 3)
    assert not np.array_equal(run(ov.Core(), model, *inputs)[0], expected)
    assert np.array_equal(run(core, again(core, model, tmp_path), *inputs)[0], expected)


@pytest.mark.parametrize("name", WIDE)
def test_wide_constants_stay_wide(name, core, tmp_path):
    constant = ov.op.Constant(WIDE[name])
    model = model_of(ov.opset1.tile(constant, np.array([3], np.int64)).output(0))
    assert not np.array_equal(run(ov.Core(), model)[0], np.tile(WIDE[name], 3))
    assert np.array_equal(run(core, again(core, model, tmp_path))[0], np.tile(WIDE[name], 3))


@pytest.mark.parametrize("name", [*WIDE, "u32", "i16", "u16", "f16"])
def test_neighbours_of_narrowed_types(name, core, tmp_path):
    """Neighbouring nodes of OpenVINO are narrowed and get the narrow types that they expect."""
    type_ = getattr(ov.Type, name)
    x, y = parameter(type_, (2,)), parameter(type_, (6,))
    once = ov.opset1.tile(x, np.array([3], np.int64))
    twice = ov.opset1.tile(once, np.array([1], np.int64))
    results = [ov.op.Result(output) for output in (
        ov.opset1.add(twice, y).output(0), twice.output(0), ov.opset1.convert(twice, "f32").output(0))]
    read = again(core, ov.Model(results, [x, y], "m"), tmp_path)
    assert types_of(read) == ["TeselaTile"] * 2
    data, others = (ov.Tensor(type_, ov.Shape([n])) for n in (2, 6))
    dtype = data.data.dtype
    data.data[:], others.data[:] = np.array([5, 7]).astype(dtype), np.arange(6).astype(dtype)
    got = core.compile_model(read, "CPU", CONFIG)([data, others])
    expected = np.tile(data.data, 3)
    assert [np.array_equal(got[k], want) for k, want in enumerate(
        (expected + others.data, expected, expected.astype(np.float32)))] == [True] * 3


PACKED = {  # three elements, and twice the three
    "u4": ([0x21, 0x03], [0x21, 0x13, 0x32]), "i4": ([0x2F, 0x08], [0x2F, 0xF8, 0x82]),
    "nf4": ([0x21, 0x03], [0x21, 0x13, 0x32]), "f4e2m1": ([0x21, 0x03], [0x21, 0x13, 0x32]),
    "u2": ([0b100111], [0b11100111, 0b1001]),
}


@pytest.mark.parametrize("repeats", [1, (2,)], ids=["at run time", "constant"])
@pytest.mark.parametrize("name", PACKED)
def test_packed_types(name, repeats, core, tmp_path):
    data, expected = PACKED[name]
    read = again(core, tile_model(getattr(ov.Type, name), (3,), repeats), tmp_path)
    inputs = [np.array(data, np.uint8)] + ([np.array([2], np.int64)] if repeats == 1 else [])
    assert run(core, read, *inputs)[0].tolist() == expected


def test_extension_tiles_strings(core, tmp_path):
    model, words = tile_model(ov.Type.string, (2,), (2,)), np.array(["a", "one that is too long to lie in place"])
    with pytest.raises(RuntimeError, match="does not support string"):
        ov.Core().compile_model(model, "CPU", CONFIG)
    assert core.compile_model(again(core, model, tmp_path), "CPU", CONFIG)([words])[0].tolist() == [*words, *words]


def test_scalars_and_empty_repeats(core, tmp_path):
    for shape in ((), (2, 3)):
        data = np.full(shape, 5, np.float32)
        assert np.array_equal(run(core, again(core, tile_model(ov.Type.f32, shape, ()), tmp_path), data)[0], data)


def test_types_with_other_packing_are_not_replaced(core, tmp_path):
    assert types_of(again(core, tile_model(ov.Type.u1, (8,), (2,)), tmp_path)) == []


def test_axes_of_version_1_as_the_file_has_them(core, tmp_path):
    def sizes_read(with_: ov.Core) -> list[int]:
        return list(with_.read_model(tmp_path / "m.xml").outputs[0].shape)

    x = parameter(ov.Type.f32, (1, 1, 4, 4))
    node = ov.opset1.interpolate(x, np.array([8, 2], np.int64), {"mode": "nearest", "axes": [2, 3]})
    ov.save_model(model_of(node.output(0), x), tmp_path / "m.xml", compress_to_fp16=False)
    text = (tmp_path / "m.xml").read_text()
    assert 'axes="2, 3"' in text
    (tmp_path / "m.xml").write_text(text.replace('axes="2, 3"', 'axes="3, 2"'))
    assert sizes_read(ov.Core()) == [1, 1, 8, 2]  # the file declares extent 8 for axis 3
    assert sizes_read(core) == [1, 1, 2, 8]


def test_errors_of_tesela_are_reported(core, tmp_path):
    x = parameter(ov.Type.f32, (1, 1, 4, 4))
    node = ov.opset10.interpolate(x, np.array([2, 2], np.int64), np.array([1, 1], np.float32), mode="nearest",
                                  shape_calculation_mode="sizes", axes=np.array([2, 3]), pads_begin=[0, 0, 1, 1])
    with pytest.raises(RuntimeError, match="padding is not supported"):
        again(core, model_of(node.output(0), x), tmp_path)
    with pytest.raises(RuntimeError, match="Tile-1.*'repeats': entry 0 is -1"):
        again(core, tile_model(ov.Type.f32, (2,), (-1,)), tmp_path)
    late = again(core, tile_model(ov.Type.f32, (2,), 1), tmp_path)
    with pytest.raises(RuntimeError, match="Tile-1.*'repeats': entry 0 is -1"):
        run(core, late, counted(2), np.array([-1], np.int64))


def test_shapes_change_between_runs(core, tmp_path):
    x, repeats = parameter(ov.Type.f32, (-1, -1)), parameter(ov.Type.i32, (2,))
    read = again(core, model_of(ov.opset1.tile(x, repeats).output(0), x, repeats), tmp_path)
    compiled = core.compile_model(read, "CPU", CONFIG)
    for shape, times in (((2, 3), (1, 2)), ((1, 5), (3, 3)), ((2, 3), (2, 2)), ((4, 1), (0, 2))):
        data = counted(*shape)
        assert np.array_equal(compiled([data, np.array(times, np.int32)])[0], np.tile(data, times))


def test_models_with_tesela_nodes_are_saved_and_read(core, tmp_path):
    for defect in DEFECTS:
        model, inputs, expected, tolerance = defect()
        read = again(core, again(core, model, tmp_path), tmp_path)
        assert len(types_of(read)) == 1
        assert is_right(run(core, read, *inputs)[0], expected, tolerance)
    with pytest.raises(RuntimeError, match="TeselaInterpolate"):
        again(ov.Core(), read, tmp_path)


@pytest.mark.parametrize("old, new, message", [
    ('ports="0, 1"', 'ports=""', "0 ports are named"),
    ('ports="0, 1"', 'ports="0, 1, 2"', "3 ports are named"),
    ('ports="0, 1"', 'ports="0, 9"', "port 9 does not exist"),
    ('ports="0, 1"', 'ports="0, -1"', "port -1 does not exist"),
    ('operator="Tile"', 'operator="Tyle"', "Tyle"),
    ('opset="1"', 'opset="99"', "99"),
    ('attributes=""', 'attributes="axes=2,x"', "attribute 'axes' is unknown in this version"),
    ('attributes=""', 'attributes="axes=2"', "'axes'"),
    ('attributes=""', 'attributes=";=;"', "''"),
])
def test_damaged_tesela_nodes_are_rejected(old, new, message, core, tmp_path):
    read = again(core, tile_model(ov.Type.f32, (2,), (2,)), tmp_path)
    ov.save_model(read, tmp_path / "m.xml", compress_to_fp16=False)
    text = (tmp_path / "m.xml").read_text()
    assert old in text, text
    (tmp_path / "m.xml").write_text(text.replace(old, new))
    with pytest.raises(RuntimeError, match=re.escape(message)):
        core.read_model(tmp_path / "m.xml")


def test_concurrent_requests(core, tmp_path):
    compiled = core.compile_model(again(core, tile_model(ov.Type.f32, (2, -1, 2, 3), 4), tmp_path), "CPU",
                                  CONFIG | {"NUM_STREAMS": 2})
    # Not an AsyncInferQueue: its end holds the interpreter's lock while it joins threads that still wait for that lock.
    requests = [compiled.create_infer_request() for _ in range(4)]
    cases = [(counted(2, 1 + k % 7, 2, 3), np.array([1 + k % 2, 2, 2, 2], np.int64)) for k in range(200)]
    for k, case in enumerate(cases + [None] * len(requests)):
        request = requests[k % len(requests)]
        if k >= len(requests):
            request.wait()
            assert np.array_equal(request.get_output_tensor().data, np.tile(*cases[k - len(requests)]))
        if case is not None:
            request.start_async(list(case))


# ---- ONNX models through the frontend ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ONNX_DEFECTS)
def test_replacement_fixes_wrong_results_of_onnx_models(name, core):
    inputs, attributes = ONNX_DEFECTS[name]
    model = onnx_model("Resize", (1, 1, 4, 5), inputs, **attributes)
    data = counted(1, 1, 4, 5) + 1
    positive = attributes | ({"axes": [2, 3]} if "axes" in attributes else {})
    reference = ReferenceEvaluator(onnx.load_from_string(onnx_model("Resize", (1, 1, 4, 5), inputs, **positive)))
    expected = reference.run(None, {"x": data})[0]
    without = run_onnx(ov.Core(), model, data)
    assert without is None or not is_right(without, expected, 1e-4)
    assert is_right(run_onnx(core, model, data), expected, 1e-4)


# OpenVINO's Resize does not support these types, or computes them in float.
RESIZED = {"UINT16": 60000, "INT16": -30000, "UINT32": 2**32 - 3, "INT32": 2**24 + 1, "UINT64": 2**63 + 5,
           "INT64": 2**53 + 1, "DOUBLE": 1 + 2**-50, "BOOL": True}


@pytest.mark.parametrize("name", RESIZED)
def test_types_of_resize(name, core):
    code = getattr(TensorProto, name)
    data = np.array([[RESIZED[name], 1]], helper.tensor_dtype_to_np_dtype(code))
    graph = helper.make_graph([helper.make_node("Resize", ["x", "", "s"], ["y"], mode="nearest")], "g",
                              [helper.make_tensor_value_info("x", code, (1, 2))],
                              [helper.make_tensor_value_info("y", code, None)],
                              [onnx.numpy_helper.from_array(np.array([1, 2], np.float32), "s")])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 19)], ir_version=9).SerializeToString()
    expected = data.repeat(2, 1)
    without = run_onnx(ov.Core(), model, data)
    assert without is None or not np.array_equal(without, expected)
    assert np.array_equal(run_onnx(core, model, data), expected)


def test_every_version_of_onnx_reaches_its_row(core):
    data = counted(1, 1, 2, 2) + 1
    two = np.array([1, 1, 2, 2], np.float32)
    upsampled = data.repeat(2, 2).repeat(2, 3)
    for operator, opset, inputs, attributes, expected in (
        ("Upsample", 7, (), {"scales": [1.0, 1.0, 2.0, 2.0]}, upsampled),
        ("Upsample", 9, (two,), {}, upsampled),
        ("Resize", 10, (two,), {}, upsampled),
        ("Resize", 11, (np.zeros(0, np.float32), two),
         {"coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}, upsampled),
        ("Resize", 13, (None, two), {}, upsampled),
        ("Resize", 13, (None, two),
         {"coordinate_transformation_mode": "tf_half_pixel_for_nn", "nearest_mode": "floor"}, upsampled),
        ("Tile", 1, (np.array([3], np.int64), np.array([2], np.int64)), {}, np.tile(data, (1, 1, 3, 1))),
        ("Tile", 13, (np.array([1, 2, 3, 2], np.int64),), {}, np.tile(data, (1, 2, 3, 2))),
    ):
        got = run_onnx(core, onnx_model(operator, (1, 1, 2, 2), inputs, opset, **attributes), data)
        assert got is not None and np.array_equal(got, expected), (operator, opset)


def test_six_axes(core):
    data = counted(2, 2, 2, 2, 2, 2)
    model = onnx_model("Resize", data.shape, scales(*[1.5] * 6), mode="linear")
    assert is_right(run_onnx(core, model, data), tesela.resize(data, scales=[1.5] * 6, mode="linear"))


def test_floats_keep_their_precision_by_default(core):
    data = np.linspace(0, 1, 12, dtype=np.float32).reshape(1, 1, 3, 4)
    model = onnx_model("Resize", data.shape, scales(1, 1, 2, 2), mode="nearest")
    expected = data.repeat(2, 2).repeat(2, 3)
    assert np.array_equal(core.compile_model(core.read_model(model), "CPU")([data])[0], expected)


def test_integers_are_rounded_once(core):
    data = np.array([[[[-100, 101, 50, -7]]]], np.int8)
    model = onnx.load_from_string(onnx_model("Resize", data.shape, sizes(1, 1, 1, 3), mode="linear", antialias=1))
    for value in (*model.graph.input, *model.graph.output):
        value.type.tensor_type.elem_type = TensorProto.INT8
    expected = tesela.resize(data, sizes=(1, 1, 1, 3), mode="linear", antialias=True)
    got = [run_onnx(each, model.SerializeToString(), data) for each in (ov.Core(), core)]
    assert not np.array_equal(got[0], expected) and np.array_equal(got[1], expected)


# Invalid models that OpenVINO accepts, often with an empty tensor as result.
REFUSED = {
    "antialias of nearest": ("Resize", sizes(1, 1, 2, 3), dict(mode="nearest", antialias=1), "'antialias'"),
    "a policy of no name": ("Resize", sizes(1, 1, 2, 3), dict(keep_aspect_ratio_policy="zz"), "'keep_aspect_ratio_policy'"),
    "a negative scale": ("Resize", scales(1, 1, -2, 2), {}, "'scales'"),
    "a scale that is no number": ("Resize", scales(1, 1, np.nan, 2), {}, "'scales'"),
    "a scale without end": ("Resize", scales(1, 1, np.inf, 2), {}, "'scales'"),
    "too many scales": ("Resize", scales(*[1] * 4096), {}, "'scales' has length 4096"),
    "fewer repeats than axes": ("Tile", (np.array([2]),), {}, "'repeats'"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_extension_rejects_invalid_models_that_openvino_accepts(name, core):
    operator, controls, attributes, message = REFUSED[name]
    model = onnx_model(operator, (1, 1, 4, 5), controls, **attributes)
    data = counted(1, 1, 4, 5)
    with pytest.raises(RuntimeError, match=message):
        core.compile_model(core.read_model(model), "CPU", CONFIG)([data])
    assert run_onnx(ov.Core(), model, data) is not None


# ---- Fills: what OpenVINO makes of ConstantOfShape ----------------------------------------------------------------

FILLS = {  # the value, and five of it in bytes
    "UINT4": (5, bytes([0x55, 0x55, 0x05])), "INT4": (-3, bytes([0xDD, 0xDD, 0x0D])),
    "FLOAT4E2M1": (4.0, bytes([0x66, 0x66, 0x06])), "INT64": (2**40 + 7, np.full(5, 2**40 + 7).tobytes()),
    "UINT64": (2**63 + 5, np.full(5, 2**63 + 5, np.uint64).tobytes()),
    "UINT32": (2**32 - 5, np.full(5, 2**32 - 5, np.uint32).tobytes()), "DOUBLE": (1 / 3, np.full(5, 1 / 3).tobytes()),
}


def fill_model(name: str, constant: bool) -> bytes:
    code = getattr(TensorProto, name)
    node = helper.make_node("ConstantOfShape", ["s"], ["y"], value=helper.make_tensor("v", code, [1], [FILLS[name][0]]))
    shape = [] if constant else [helper.make_tensor_value_info("s", TensorProto.INT64, [1])]
    known = [onnx.numpy_helper.from_array(np.array([5], np.int64), "s")] if constant else []
    graph = helper.make_graph([node], "g", shape, [helper.make_tensor_value_info("y", code, None)], known)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 23)], ir_version=11).SerializeToString()


@pytest.mark.parametrize("constant", [True, False], ids=["constant", "at run time"])
@pytest.mark.parametrize("name", FILLS)
def test_fills(name, constant, core, tmp_path):
    model = core.read_model(fill_model(name, constant))
    inputs = [] if constant else [np.array([5], np.int64)]
    read = again(core, model, tmp_path)
    assert types_of(read) == ["TeselaConstantOfShape"]
    assert run(core, read, *inputs)[0].tobytes() == FILLS[name][1]
    # For 4 bits and a shape known at run time, the plugin is correct, except for f4e2m1 and for the bits after the last element.
    if constant or name not in ("UINT4", "INT4"):
        assert run(ov.Core(), model, *inputs)[0].tobytes() != FILLS[name][1]


def test_correct_openvino_fills_are_not_replaced(core, tmp_path):
    fill = ov.op.Constant(np.array(7, np.int64))
    shape = parameter(ov.Type.i64, (1,))
    model = model_of(openvino.opset3.broadcast(fill, shape).output(0), shape)
    assert types_of(again(core, model, tmp_path)) == []


# ---- The library ---------------------------------------------------------------------------------------------------


def test_library_contains_no_build_paths():
    entries = subprocess.run(["readelf", "-d", EXTENSION], check=True, capture_output=True, text=True).stdout
    assert re.findall(r"\((?:RUNPATH|RPATH)\).*\[(.*)\]", entries) == ["$ORIGIN"]
    assert all("/" not in needed for needed in re.findall(r"\(NEEDED\).*\[(.*)\]", entries))
    assert str(ROOT).encode() not in EXTENSION.read_bytes()


def test_library_exports_only_its_interface():
    symbols = subprocess.run(["nm", "-DC", "--defined-only", EXTENSION], check=True, capture_output=True, text=True).stdout
    names = [line.split(maxsplit=2)[2] for line in symbols.splitlines()]
    assert "create_extensions" in names
    assert all(name == "create_extensions" or "tesela::openvino::Replacement" in name for name in names), names
