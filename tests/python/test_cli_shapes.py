# SPDX-License-Identifier: Apache-2.0
"""Shapes that `tesela inspect` infers through other operators, in patterns that exporters write."""

import json

import numpy as np
import pytest
from cli_program import succeed
from onnx import TensorProto, helper, numpy_helper

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
IMAGE = ["N", 3, "H", "W"]


def node(operator, inputs, output, **attributes):
    return helper.make_node(operator, inputs.split(), [output], name=output, **attributes)


def constant(name, value, dtype=np.int64):
    return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(np.asarray(value, dtype)))


def inspected(path, nodes, shape, output="y", opset=13, constants=None, more_inputs=(), functions=()):
    """The report for a model with one image `x`; only the input has a declared shape."""
    initializers = [numpy_helper.from_array(np.asarray(value), name) for name, value in (constants or {}).items()]
    inputs = [helper.make_tensor_value_info("x", FLOAT, shape), *more_inputs]
    graph = helper.make_graph(nodes, "graph", inputs, [helper.make_empty_tensor_value_info(output)], initializers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    path.write_bytes(model.SerializeToString())
    return json.loads(succeed("inspect", path, "--json"))


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.onnx"


def dims(document):
    return document["outputs"][0]["dims"]


# --- The forms of exporters ----------------------------------------------------------------------


def torchscript_scale_factor():
    """interpolate(scale_factor=1.5) with recompute_scale_factor: each extent cast, multiplied, floored and cast again."""
    nodes = [node("Shape", "x", "shape")]
    for axis in (2, 3):
        nodes += [constant(f"i{axis}", axis), node("Gather", f"shape i{axis}", f"g{axis}", axis=0),
                  node("Cast", f"g{axis}", f"f{axis}", to=FLOAT), constant(f"k{axis}", 1.5, np.float32),
                  node("Mul", f"f{axis} k{axis}", f"m{axis}"), node("Cast", f"m{axis}", f"c{axis}", to=FLOAT),
                  node("Floor", f"c{axis}", f"r{axis}"), constant(f"a{axis}", [0]),
                  node("Unsqueeze", f"r{axis} a{axis}", f"u{axis}")]
    nodes += [node("Concat", "u2 u3", "floats", axis=0), node("Cast", "floats", "hw", to=INT64)]
    return nodes + head_and_resize()


def head_and_resize():
    return [constant("zero", [0]), constant("two", [2]), node("Shape", "x", "whole"),
            node("Slice", "whole zero two zero", "head"), node("Concat", "head hw", "sizes", axis=0),
            helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], name="up", mode="nearest")]


def torchscript_like_another():
    """interpolate(x, size=other.shape[2:]), other being a strided convolution of x."""
    nodes = [node("Conv", "x w", "c", strides=[2, 2], pads=[1, 1, 1, 1], kernel_shape=[3, 3]), node("Relu", "c", "r"),
             node("MaxPool", "r", "small", kernel_shape=[3, 3], strides=[2, 2], pads=[1, 1, 1, 1]),
             node("Shape", "r", "s"), constant("i2", [2, 3]), node("Gather", "s i2", "hw", axis=0),
             constant("zero", [0]), constant("two", [2]), node("Shape", "small", "whole"),
             node("Slice", "whole zero two zero", "head"), node("Concat", "head hw", "sizes", axis=0),
             helper.make_node("Resize", ["small", "", "", "sizes"], ["y"], name="up", mode="nearest")]
    return nodes


def tf2onnx_upsampling():
    """UpSampling2D between Transposes: the middle of the shape times a constant."""
    return [node("Transpose", "x", "nhwc", perm=[0, 2, 3, 1]), node("Shape", "nhwc", "shape"),
            node("Slice", "shape one three", "middle"), node("Mul", "middle twice", "grown"),
            node("Transpose", "nhwc", "nchw", perm=[0, 3, 1, 2]), node("Shape", "nchw", "whole"),
            node("Slice", "whole zero two", "head"), node("Concat", "head grown", "sizes", axis=0),
            helper.make_node("Resize", ["nchw", "", "", "sizes"], ["r"], name="up", mode="nearest"),
            node("Transpose", "r", "y", perm=[0, 2, 3, 1])]


def tf2onnx_scales():
    """tf.image.resize: wanted sizes over the extents, as float scales."""
    return [node("Shape", "x", "shape"), node("Slice", "shape two four", "hw"), node("Cast", "hw", "from", to=FLOAT),
            node("Cast", "wanted", "to", to=FLOAT), node("Div", "to from", "ratios"),
            node("Concat", "ones ratios", "scales", axis=0),
            helper.make_node("Resize", ["x", "", "scales"], ["y"], name="up", mode="linear")]


def torchscript_expand():
    """x.expand(-1, -1, 8, 6): ones, and the previous extent for -1."""
    return [constant("rank", [4]), node("ConstantOfShape", "rank", "ones_", value=helper.make_tensor("v", INT64, [1], [1])),
            constant("asked", [-1, -1, 8, 6]), constant("minus", -1), node("Mul", "ones_ minus", "none"),
            node("Equal", "asked none", "kept"), node("Where", "kept ones_ asked", "shape"), node("Expand", "x shape", "large"),
            constant("repeats", [1, 2, 1, 1]), node("Tile", "large repeats", "y")]


CONSTANTS = {"w": np.zeros((8, 3, 3, 3), np.float32), "one": np.int64([1]), "zero": np.int64([0]), "two": np.int64([2]),
             "three": np.int64([3]), "four": np.int64([4]), "twice": np.int64([2, 2]), "wanted": np.int64([40, 50]),
             "ones": np.float32([1, 1])}


def used(nodes):
    made = {name for each in nodes for name in each.output}
    read = {name for each in nodes for name in each.input}
    return {name: value for name, value in CONSTANTS.items() if name in read and name not in made}


@pytest.mark.parametrize("form, shape, expected", [
    (torchscript_scale_factor, [1, 3, 11, 7], [1, 3, 16, 10]),
    (torchscript_scale_factor, IMAGE, ["N", 3, None, None]),
    (torchscript_scale_factor, ["N", "C", 11, 7], ["N", "C", 16, 10]),
    (torchscript_like_another, [2, 3, 33, 64], [2, 8, 17, 32]),
    (torchscript_like_another, IMAGE, ["N", 8, None, None]),
    (tf2onnx_upsampling, [1, 3, 5, 6], [1, 10, 12, 3]),
    (tf2onnx_upsampling, ["N", 3, 5, "W"], ["N", 10, None, 3]),
    (tf2onnx_scales, [1, 3, 20, 25], [1, 3, 40, 50]),
    (tf2onnx_scales, IMAGE, [None] * 4),
    (torchscript_expand, ["N", 3, 1, 1], ["N", 6, 8, 6]),
], ids=lambda value: getattr(value, "__name__", None))
def test_exporter_forms(path, form, shape, expected):
    nodes = form()
    assert dims(inspected(path, nodes, shape, constants=used(nodes))) == expected


@pytest.mark.parametrize("opset", [9, 10, 11, 12, 13, 18, 23])
def test_axes_move_from_attributes_to_inputs(path, opset):
    """Unsqueeze and Squeeze take them as an input from 13 on, Slice from 10 on."""
    if opset >= 13:
        axes = [node("Unsqueeze", "h zero", "hs"), node("Squeeze", "hs zero", "again"), node("Unsqueeze", "again zero", "u")]
    else:
        axes = [node("Unsqueeze", "h", "hs", axes=[0]), node("Squeeze", "hs", "again", axes=[0]),
                node("Unsqueeze", "again", "u", axes=[0])]
    cut = node("Slice", "shape zero two", "head") if opset >= 10 else node("Slice", "shape", "head", starts=[0], ends=[2])
    nodes = [node("Shape", "x", "shape"), cut, node("Gather", "shape index", "h", axis=0), *axes,
             node("Concat", "head u u", "sizes", axis=0), node("ConstantOfShape", "sizes", "y")]
    document = inspected(path, nodes, IMAGE, opset=opset, constants=dict(used(nodes), index=np.int64(2)))
    assert dims(document) == ["N", 3, "H", "H"]


# --- What stands between --------------------------------------------------------------------------


def resize_by(value):
    return helper.make_node("Resize", ["x", "", "", value], ["y"], name="up", mode="nearest")


@pytest.mark.parametrize("nodes, shape, expected", [
    ([node("NonZero", "x", "nz"), node("Frobnicate", "nz", "sizes"), resize_by("sizes")], [1, 3, 4, 4],
     ("Frobnicate node 'sizes'", "Tesela does not infer shapes through this operator")),
    ([node("Shape", "x", "sizes"), resize_by("sizes")], ["N", 3, None, "W"],
     ("input 'x'", "extents that are not numbers: N, ?, W")),
    ([node("Shape", "x", "sizes"), resize_by("sizes")], None, ("input 'x'", "no shape is declared")),
    ([node("Mul", "given given", "sizes"), resize_by("sizes")], [1, 3, 4, 4],
     ("input 'given'", "its elements are given in a run")),
])
def test_unknown_shapes_name_their_origins(path, nodes, shape, expected):
    given = [helper.make_tensor_value_info("given", INT64, [4])]
    document = inspected(path, nodes, shape, more_inputs=given)
    assert (expected, 1) in [((entry["from"], entry["why"]), entry["nodes"]) for entry in document["unknown_shapes"]]
    assert all(text in succeed("inspect", path) for text in expected)


def test_known_shapes_are_not_reported(path):
    document = inspected(path, [node("Shape", "x", "sizes"), resize_by("sizes")], [1, 3, 4, 4])
    assert dims(document) == [1, 3, 4, 4] and "unknown_shapes" not in document
    assert "unknown shapes" not in succeed("inspect", path)
