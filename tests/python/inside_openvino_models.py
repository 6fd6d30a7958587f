# SPDX-License-Identifier: Apache-2.0
"""Models as exporters write them, with computed sizes, scales and repeats, inside OpenVINO: they load if OpenVINO
alone loads them, with the same inferred shapes and the same results.

test_package_openvino.py runs these tests in a separate process."""

from __future__ import annotations

import numpy as np
import onnx
import openvino as ov
import openvino.opset1
import openvino.opset3
import openvino.opset8
import openvino.opset10
import openvino.opset11
import pytest
import tesela
import tesela.openvino
from inside_openvino import CONFIG, counted, is_right, model_of, parameter
from inside_openvino_extension import EXTENSION, again
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT32, INT64 = TensorProto.FLOAT, TensorProto.INT32, TensorProto.INT64
NODE = helper.make_node


@pytest.fixture(params=["extension", "register"])
def core(request) -> ov.Core:
    made = ov.Core()
    if request.param == "extension":
        made.add_extension(str(EXTENSION))
    else:
        tesela.openvino.register(made)
    return made


def constant(name: str, *values, dtype=np.int64, shape=None) -> onnx.NodeProto:
    array = np.array(values, dtype).reshape(len(values) if shape is None else shape)
    return NODE("Constant", [], [name], value=numpy_helper.from_array(array))


def model(nodes, inputs, opset=13, output="y") -> bytes:
    """inputs: name -> (type, shape). "w" is the weight of a convolution, which needs 3 channels."""
    weight = numpy_helper.from_array(np.ones((2, 3, 1, 1), np.float32), "w")
    graph = helper.make_graph(nodes, "g", [helper.make_tensor_value_info(name, *each) for name, each in inputs.items()],
                              [helper.make_tensor_value_info(output, FLOAT, None)], [weight])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8).SerializeToString()


# Shape -> Gather -> ...: the last two extents and the first two, each as a list.
SHAPES = [NODE("Shape", ["x"], ["shape"]), constant("last", 2, 3), constant("first", 0, 1),
          NODE("Gather", ["shape", "last"], ["hw"]), NODE("Gather", ["shape", "first"], ["nc"]),
          NODE("Cast", ["hw"], ["floats"], to=FLOAT)]
CONV = NODE("Conv", ["r", "w"], ["y"])


def resized(*inputs: str, **attributes) -> list[onnx.NodeProto]:
    return [NODE("Resize", ["x", *inputs], ["r"], name="up", **attributes), CONV]


SIZES = [*SHAPES, constant("times", 2, 3), NODE("Mul", ["hw", "times"], ["scaled"]),
         NODE("Concat", ["nc", "scaled"], ["sizes"], axis=0)]
SIZES_BY_FLOATS = [*SHAPES, constant("times", 1.5, 2.5, dtype=np.float32), NODE("Mul", ["floats", "times"], ["product"]),
                   NODE("Floor", ["product"], ["whole"]), NODE("Cast", ["whole"], ["scaled"], to=INT64),
                   NODE("Concat", ["nc", "scaled"], ["sizes"], axis=0)]
SCALES = [*SHAPES, constant("target", 8, 10, dtype=np.float32), NODE("Div", ["target", "floats"], ["ratio"]),
          constant("ones", 1, 1, dtype=np.float32), NODE("Concat", ["ones", "ratio"], ["scales"], axis=0)]
NEAREST = dict(mode="nearest", coordinate_transformation_mode="asymmetric", nearest_mode="floor")
# PyTorch's repeat(): the tensor gets as many axes as there are repeats.
REPEAT = [NODE("Shape", ["x"], ["shape"]), constant("zero", 0), NODE("Gather", ["shape", "zero"], ["batch"]),
          constant("ones", 1, 1, 1, 1), constant("twice", 2, 1, 3), NODE("Concat", ["batch", "twice"], ["repeats"], axis=0),
          NODE("Expand", ["x", "ones"], ["r4"]), NODE("Tile", ["r4", "repeats"], ["t"], name="tiles"),
          NODE("Transpose", ["t"], ["y"], perm=[3, 0, 1, 2])]

COMPUTED = {  # nodes, and the opset
    "sizes": (SIZES + resized("", "", "sizes", mode="linear"), 13),
    "sizes by floats": (SIZES_BY_FLOATS + resized("", "", "sizes", mode="linear"), 13),
    "sizes, antialias": (SIZES + resized("", "", "sizes", mode="nearest"), 18),
    "sizes of two axes": (SIZES + resized("", "", "scaled", mode="nearest", axes=[2, 3]), 18),
    "scales of opset 9": (SCALES + [NODE("Upsample", ["x", "scales"], ["r"], mode="linear"), CONV], 9),
    "scales of opset 10": (SCALES + resized("scales", mode="linear"), 10),
    "scales": (SCALES + resized("", "scales", **NEAREST), 13),
    "repeats": (REPEAT, 13),
}
DIMS = {"known": [2, 3, 4, 5], "unknown": ["n", 3, "h", "w"], "partly known": ["n", 3, 4, 5]}


@pytest.mark.parametrize("dims", DIMS)
@pytest.mark.parametrize("name", COMPUTED)
def test_computed_lists(name, dims, core):
    nodes, opset = COMPUTED[name]
    bytes_ = model(nodes, {"x": (FLOAT, DIMS[dims][: 2 if name == "repeats" else 4])}, opset)
    theirs, ours = ov.Core().read_model(bytes_), core.read_model(bytes_)
    assert any("Tesela" in node.get_type_name() for node in ours.get_ops())
    assert ours.outputs[0].partial_shape == theirs.outputs[0].partial_shape
    compiled = [each.compile_model(read, "CPU", CONFIG) for each, read in ((ov.Core(), theirs), (core, ours))]
    shapes = [(2, 3, 4, 5), (1, 3, 5, 4), (2, 3, 4, 5), (1, 3, 1, 1)]
    for shape in shapes if dims == "unknown" else shapes[:1]:
        data = counted(*shape[: 2 if name == "repeats" else 4])
        expected, got = (each([data])[0] for each in compiled)
        assert is_right(got, expected, 1e-5)


@pytest.mark.parametrize("hint", [{}, {"PERFORMANCE_HINT": "THROUGHPUT"}, {"PERFORMANCE_HINT": "LATENCY"},
                                  {"INFERENCE_PRECISION_HINT": "f16"}, {"EXECUTION_MODE_HINT": "ACCURACY"},
                                  {"NUM_STREAMS": 2}, {"INFERENCE_NUM_THREADS": 1}], ids=str)
def test_hints(hint, core):
    bytes_ = model(SIZES + resized("", "", "sizes", mode="nearest"), {"x": (FLOAT, DIMS["unknown"])})
    data = counted(2, 3, 4, 5)
    expected, got = (each.compile_model(each.read_model(bytes_), "CPU", hint)([data])[0] for each in (ov.Core(), core))
    assert is_right(got, expected)


def test_clones_and_new_shapes(core):
    read = core.read_model(model(SIZES + resized("", "", "sizes", mode="linear"), {"x": (FLOAT, DIMS["unknown"])}))
    clone = read.clone()
    clone.reshape([1, 3, 4, 5])
    assert clone.outputs[0].partial_shape == ov.PartialShape([1, 2, 8, 15])
    data = counted(1, 3, 4, 5)
    whole = core.compile_model(read, "CPU", CONFIG)([data])[0]
    assert np.array_equal(core.compile_model(clone, "CPU", CONFIG)([data])[0], whole)
    clone.reshape([ov.Dimension(1, 4), 3, -1, 7])
    assert clone.outputs[0].partial_shape[0] == ov.Dimension(1, 4) and clone.outputs[0].partial_shape[3] == 21


@pytest.mark.parametrize("opset", [11, 13])
@pytest.mark.parametrize("given", ["sizes", "scales"])
def test_lists_without_elements(given, opset, core):
    """OpenVINO's frontend converts them to scalars."""
    lists = {"roi": constant("roi", dtype=np.float32), "scales": constant("scales", dtype=np.float32),
             "sizes": constant("sizes")}
    lists[given] = constant("sizes", 2, 3, 8, 5) if given == "sizes" else constant("scales", 1, 1, 2, 1, dtype=np.float32)
    bytes_ = model([*lists.values(), *resized(*lists, mode="linear")], {"x": (FLOAT, DIMS["known"])}, opset)
    data = counted(2, 3, 4, 5)
    got = core.compile_model(core.read_model(bytes_), "CPU", CONFIG)([data])[0]
    expected = tesela.resize(data, sizes=(2, 3, 8, 5), mode="linear").sum(1, keepdims=True).repeat(2, 1)
    assert is_right(got, expected, 1e-5)


def test_a_scalar_is_tiled_by_a_list_without_elements(core):
    bytes_ = model([constant("none"), NODE("Tile", ["x", "none"], ["y"])], {"x": (FLOAT, [])})
    assert core.compile_model(core.read_model(bytes_), "CPU", CONFIG)([np.array(5, np.float32)])[0] == 5
    refused = model([constant("two", 2, shape=()), NODE("Tile", ["x", "two"], ["y"])], {"x": (FLOAT, [2])})
    with pytest.raises(RuntimeError, match="Tesela: Tile-13.*'repeats' has rank 0; expected 1"):
        core.read_model(refused)


@pytest.mark.parametrize("type_, dtype", [(INT32, np.int32), (INT64, np.int64)], ids=["int32", "int64"])
def test_lists_given_at_run_time(type_, dtype, core):
    bytes_ = model([NODE("Resize", ["x", "", "", "s"], ["r"]), NODE("Tile", ["r", "t"], ["y"])],
                   {"x": (FLOAT, ["h", "w"]), "s": (type_, [2]), "t": (type_, [2])})
    compiled = core.compile_model(core.read_model(bytes_), "CPU", CONFIG)
    for shape, sizes, repeats in (((2, 3), (4, 5), (1, 2)), ((4, 1), (2, 2), (3, 1)), ((2, 3), (4, 5), (0, 2)),
                                  ((2, 3), (0, 5), (1, 1))):
        data = counted(*shape)
        got = compiled([data, np.array(sizes, dtype), np.array(repeats, dtype)])[0]
        assert np.array_equal(got, np.tile(tesela.resize(data, sizes=sizes), repeats))


def test_wrong_repeats_length_error_names_the_node(core):
    tile = NODE("Tile", ["x", "repeats"], ["t"], name="tiles")
    later = NODE("Transpose", ["t"], ["y"], perm=[2, 0, 1])
    known = model([tile, later], {"x": (FLOAT, [2, 3]), "repeats": (INT64, [3])})
    with pytest.raises(RuntimeError, match="tiles.*Tesela: Tile-13.*'repeats' has length 3; expected 2"):
        core.read_model(known)
    late = model([tile, NODE("Relu", ["t"], ["y"])], {"x": (FLOAT, [2, 3]), "repeats": (INT64, ["k"])})
    compiled = core.compile_model(core.read_model(late), "CPU", CONFIG)
    with pytest.raises(RuntimeError, match="Tesela: Tile-13 node 'tiles': input 'repeats' has length 3; expected 2"):
        compiled([counted(2, 3), np.array([1, 2, 2])])
    assert compiled([counted(2, 3), np.array([1, 2])])[0].shape == (2, 6)


@pytest.mark.parametrize("sizes, scales, message", [
    ((2, 3, -1, 4), None, "'sizes': entry 2 is -1; expected at least 0"),
    ((2, 3, 4), None, "'sizes' has length 3; expected 4"),
    (None, (1, 1, np.nan, 1), "'scales': entry 2 is nan; expected a finite number above 0"),
    (None, (1, 1, 1e30, 1), "axis 2: extent 4 times scale 1e[+]30 overflows int64"),
])
def test_errors_of_a_run_name_the_node(sizes, scales, message, core):
    port = ["", "", "list"] if sizes else ["", "list"]
    bytes_ = model([NODE("Resize", ["x", *port], ["r"], name="up"), NODE("Relu", ["r"], ["y"])],
                   {"x": (FLOAT, DIMS["unknown"]), "list": (INT64 if sizes else FLOAT, ["k"])})
    compiled = core.compile_model(core.read_model(bytes_), "CPU", CONFIG)
    values = np.array(sizes) if sizes else np.array(scales, np.float32)
    with pytest.raises(RuntimeError, match=f"Tesela: Resize-19 node 'up': .*{message}"):
        compiled([counted(2, 3, 4, 5), values])


# ---- Extents of scales ---------------------------------------------------------------------------------------------

# Pairs of an extent and the intended result: OpenVINO computes it from scales m / n; doubles miss it, and floats miss the last two.
RATIOS = [(48, 40), (10, 7), (3, 5), (7, 31), (11, 13)]
ASYMMETRIC = dict(mode="linear", coordinate_transformation_mode="asymmetric")


def scaled_model(form: str, n: int, m: int, dims) -> bytes:
    """A later Add needs the intended extent."""
    scale = np.float32(m) / np.float32(n)
    inputs = {"x": (FLOAT, dims), "z": (FLOAT, [m])}
    scales = [constant("s", scale, dtype=np.float32)]
    if form == "computed":
        scales = [NODE("Shape", ["x"], ["shape"]), NODE("Cast", ["shape"], ["n"], to=FLOAT), constant("m", m, dtype=np.float32),
                  NODE("Div", ["m", "n"], ["s"])]
    node = {"Resize-10": lambda: NODE("Resize", ["x", "s"], ["r"], mode="linear"),
            "Resize-11": lambda: NODE("Resize", ["x", "", "s"], ["r"], **ASYMMETRIC),
            "computed": lambda: NODE("Resize", ["x", "", "s"], ["r"], **ASYMMETRIC),
            "Resize-19": lambda: NODE("Resize", ["x", "", "s"], ["r"], axes=[0], **ASYMMETRIC),
            "Upsample-9": lambda: NODE("Upsample", ["x", "s"], ["r"], mode="linear"),
            "Upsample-7": lambda: NODE("Upsample", ["x"], ["r"], mode="linear", scales=[float(scale)])}[form]()
    opset = 13 if form == "computed" else int(form.split("-")[1])
    return model([*([] if form == "Upsample-7" else scales), node, NODE("Add", ["r", "z"], ["y"])], inputs, opset)


FORMS = [(form, n, m) for n, m in RATIOS
         for form in ("Resize-10", "Resize-11", "computed", "Resize-19", "Upsample-9", "Upsample-7") if m >= n or "Res" in form]


@pytest.mark.parametrize("dims", ["known", "unknown"])
@pytest.mark.parametrize("form, n, m", FORMS)
def test_scales_give_openvino_extents(form, n, m, dims, core, request):
    assert int(n * float(np.float32(m) / np.float32(n))) == m - 1  # by the standard
    bytes_ = scaled_model(form, n, m, [n if dims == "known" else "n"])
    data = counted(n)
    expected, got = (each.compile_model(each.read_model(bytes_), "CPU", CONFIG)([data, np.zeros(m, np.float32)])[0]
                     for each in (ov.Core(), core))
    scale = np.float32(m) / np.float32(n)
    # Only the number of outputs differs. Before Python nodes the plugin divides by reciprocals.
    is_exact = form != "computed" or "extension" in request.node.name
    assert is_right(got[:-1], tesela.resize(data, scales=(scale,), **ASYMMETRIC), 0 if is_exact else 1e-5)
    assert is_right(got, expected, 1e-4)  # its positions are floats


@pytest.mark.parametrize("way", ["extension", "register"])
def test_extents_of_the_standard(way, monkeypatch, tmp_path):
    def made(extents: str) -> ov.Core:
        core = ov.Core()
        if way == "register":
            tesela.openvino.register(core, extents=extents)
        else:
            monkeypatch.setenv("TESELA_OPENVINO_EXTENTS", extents)
            core.add_extension(str(EXTENSION))
            monkeypatch.delenv("TESELA_OPENVINO_EXTENTS")
        return core

    bytes_ = model([constant("s", 40 / 48, dtype=np.float32), NODE("Resize", ["x", "", "s"], ["y"])], {"x": (FLOAT, [48])})
    for extents, extent in (("standard", 39), ("host", 40)):
        core = made(extents)
        assert core.read_model(bytes_).outputs[0].shape == [extent]
        if way == "extension":  # an IR keeps the rule that its model was read with
            ov.save_model(core.read_model(bytes_), tmp_path / "m.xml")
            assert made("standard" if extents == "host" else "host").read_model(tmp_path / "m.xml").outputs[0].shape == [extent]
    with pytest.raises(Exception, match="extents is 'float'; expected 'host' or 'standard'"):
        made("float")


# ---- Files that OpenVINO writes ------------------------------------------------------------------------------------


@pytest.fixture
def extended() -> ov.Core:
    made = ov.Core()
    made.add_extension(str(EXTENSION))
    return made


def test_caches_of_compiled_models(extended, tmp_path):
    (tmp_path / "m.onnx").write_bytes(model(SIZES + resized("", "", "sizes", mode="nearest"), {"x": (FLOAT, DIMS["unknown"])}))
    extended.set_property({"CACHE_DIR": str(tmp_path / "cache")})
    data = counted(2, 3, 4, 5)
    expected = ov.Core().compile_model(tmp_path / "m.onnx", "CPU", CONFIG)([data])[0]
    for cached in (False, True):
        compiled = extended.compile_model(tmp_path / "m.onnx", "CPU", CONFIG)
        assert compiled.get_property("LOADED_FROM_CACHE") == cached
        assert np.array_equal(compiled([data])[0], expected)


def test_scales_keep_precision_in_models_saved_as_fp16(extended, tmp_path):
    bytes_ = model([constant("s", 1, 1, 0.7001, 1.2999, dtype=np.float32), *resized("", "s", mode="linear")],
                   {"x": (FLOAT, [1, 3, 10, 10])})
    read = extended.read_model(bytes_)
    ov.save_model(read, tmp_path / "m.xml")  # compress_to_fp16 is its default
    data = counted(1, 3, 10, 10)
    expected, got = (extended.compile_model(each, "CPU", CONFIG)([data])[0] for each in (read, tmp_path / "m.xml"))
    assert np.array_equal(got, expected)


# ---- Models of any kind: the pass, and IRs that the extension reads ------------------------------------------------


def interpolated(version: int, dims, by_scales: bool) -> ov.Model:
    x = parameter(ov.Type.f32, dims)
    hw = ov.opset8.gather(ov.opset3.shape_of(x, "i64"), np.array([2, 3]), np.array(0))
    axes = np.array([2, 3])
    mode = "scales" if by_scales else "sizes"
    sizes = ov.opset1.multiply(hw, np.array([2, 3], np.int64))
    scales = ov.opset1.divide(np.array([8, 10], np.float32), ov.opset1.convert(hw, "f32"))
    if version == 1:
        node = ov.opset1.interpolate(x, sizes, {"mode": "nearest", "axes": [2, 3], "align_corners": False})
    elif version == 4:
        node = ov.opset10.interpolate(x, sizes, scales, mode="nearest", shape_calculation_mode=mode, axes=axes)
    else:
        node = ov.opset11.interpolate(x, scales if by_scales else sizes, mode="nearest", shape_calculation_mode=mode, axes=axes)
    weight = np.ones((2, 3, 1, 1), np.float32)
    return model_of(ov.opset1.convolution(node, weight, [1, 1], [0, 0], [0, 0], [1, 1]).output(0), x)


def repeated(dims) -> ov.Model:
    """Tile of 2-D data by 3 repeats that are computed."""
    x = parameter(ov.Type.f32, dims[:2])
    repeats = ov.opset1.concat([np.array([2], np.int64), ov.opset3.shape_of(x, "i64")], 0)
    return model_of(ov.opset1.transpose(ov.opset1.tile(x, repeats), np.array([2, 0, 1])).output(0), x)


ANY = {"Tile": repeated} | {
    f"Interpolate-{version} by {'scales' if by_scales else 'sizes'}":
        lambda dims, version=version, by_scales=by_scales: interpolated(version, dims, by_scales)
    for version, by_scales in ((1, False), (4, False), (4, True), (11, False), (11, True))}


@pytest.mark.parametrize("way", ["extension", "replace"])
@pytest.mark.parametrize("dims", [(2, 3, 4, 5), (-1, 3, -1, -1), (-1, 3, 4, 5)], ids=str)
@pytest.mark.parametrize("name", ANY)
def test_computed_lists_of_any_model(name, dims, way, extended, tmp_path):
    theirs = ANY[name](dims)
    core, ours = (extended, again(extended, theirs, tmp_path)) if way == "extension" else (ov.Core(), ANY[name](dims))
    if way == "replace":
        assert tesela.openvino.replace(ours) == 1
    assert any("Tesela" in node.get_type_name() for node in ours.get_ops())
    assert ours.outputs[0].partial_shape == theirs.outputs[0].partial_shape
    data = counted(*(2, 3, 4, 5)[: len(theirs.inputs[0].partial_shape)])
    expected, got = (each.compile_model(read, "CPU", CONFIG)([data])[0] for each, read in ((ov.Core(), theirs), (core, ours)))
    assert is_right(got, expected, 1e-5)


@pytest.mark.parametrize("way", ["extension", "replace"])
@pytest.mark.parametrize("coefficient", [-0.75, -0.5, -0.6, 0.0, 1.0])
def test_bicubic_pillow_has_one_coefficient(coefficient, way, extended, tmp_path):
    """PyTorch's frontend leaves cube_coeff at -0.75 and means -0.5, which OpenVINO uses."""
    def made() -> ov.Model:
        x = parameter(ov.Type.f32, (1, 1, 9, 11))
        node = ov.opset11.interpolate(x, np.array([4, 20], np.int64), mode="bicubic_pillow", shape_calculation_mode="sizes",
                                      axes=np.array([2, 3]), cube_coeff=coefficient)
        return model_of(node.output(0), x)

    core, ours = (extended, again(extended, made(), tmp_path)) if way == "extension" else (ov.Core(), made())
    if way == "replace":
        assert tesela.openvino.replace(ours) == 1
    data = counted(1, 1, 9, 11) / 16
    expected, got = (each.compile_model(read, "CPU", CONFIG)([data])[0] for each, read in ((ov.Core(), made()), (core, ours)))
    assert is_right(got, expected, 2e-6)
    assert is_right(got, tesela.resize(data, sizes=(4, 20), axes=(2, 3), like="pytorch:bicubic-antialias"), 2e-6)
