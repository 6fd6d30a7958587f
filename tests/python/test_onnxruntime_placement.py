# SPDX-License-Identifier: Apache-2.0
"""placement=fastest: which nodes stay with ONNX Runtime, compared with the nodes that ONNX Runtime itself keeps in its blocked
layout, and their results."""

import re

import numpy as np
import onnx
import onnxruntime
import pytest
import tesela.onnxruntime
from onnx import TensorProto, helper, numpy_helper

onnxruntime.set_default_logger_severity(4)
FLOAT = TensorProto.FLOAT
RNG = np.random.default_rng(3)


def weights(outputs, inputs, size=3):
    return (RNG.random((outputs, inputs, size, size), np.float32) - np.float32(0.5)) / np.float32(inputs)


def model(nodes, constants, *, opset, extents=(1, 3, 8, 12), outputs=("y",)):
    initializers = [numpy_helper.from_array(x, name) for name, x in constants.items()]
    graph = helper.make_graph(nodes, "graph", [helper.make_tensor_value_info("x", FLOAT, extents)],
                              [helper.make_tensor_value_info(name, FLOAT, None) for name in outputs], initializers)
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", opset)], ir_version=8)
    return onnx.shape_inference.infer_shapes(made)


def convolution(x, w, y, **attributes):
    return helper.make_node("Conv", [x, w], [y], kernel_shape=[3, 3], pads=[1, 1, 1, 1], **attributes)


def resize(x, y, opset, *, sizes=False, **attributes):
    inputs = [x, "scales"] if opset <= 10 else [x, "roi", "", "sizes"] if sizes else [x, "roi", "scales"]
    return helper.make_node("Upsample" if opset == 9 else "Resize", inputs, [y], name="up", **attributes)


def between(opset, scales=(1, 1, 2, 2), channels=16, extents=(1, 3, 8, 12), sizes=None, **attributes):
    """A Resize or Upsample between two convolutions."""
    constants = {"w": weights(channels, extents[1]), "v": weights(8, channels), "scales": np.float32(scales),
                 "roi": np.float32([])}
    if sizes:
        constants["sizes"] = np.array([1, channels, *sizes])
    nodes = [convolution("x", "w", "a"), resize("a", "b", opset, sizes=sizes is not None, **attributes),
             convolution("b", "v", "y")]
    return model(nodes, constants, opset=opset, extents=extents)


def optimized(made, path):
    """The operators with their domains after ONNX Runtime's own optimizations."""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 4
    options.optimized_model_filepath = str(path)
    onnxruntime.InferenceSession(made.SerializeToString(), options, providers=["CPUExecutionProvider"])
    return [(node.domain, node.op_type) for node in onnx.load(path).graph.node]


def keeps_layout(made, path):
    """Whether ONNX Runtime keeps the Resize or Upsample in its blocked layout."""
    return ("com.microsoft.nchwc", "Upsample") in optimized(made, path)


LAYOUT = "ONNX Runtime's kernel keeps the blocked layout"
REPEATS = "ONNX Runtime's kernel repeats elements by whole numbers"
UNCHANGED = "ONNX Runtime's kernel copies an input that keeps its extents"
SMALL = "ONNX Runtime's kernel takes less time for an output below 512 KiB"


def left(made, capfd, placement="fastest", reason=LAYOUT):
    """(the session, the names of the nodes that the provider leaves for this reason)"""
    options = onnxruntime.SessionOptions()
    options.log_severity_level = 2
    capfd.readouterr()
    session = tesela.onnxruntime.make_session(made, options, provider_options={"placement": placement, "log": "nodes"})
    found = re.findall(r"node '(\w*)': left to others: placement=fastest: (.*)", capfd.readouterr().err)
    return session, [name for name, why in found if why.startswith(reason)]


NEAREST = {"mode": "nearest", "coordinate_transformation_mode": "asymmetric", "nearest_mode": "floor"}
LINEAR = {"mode": "linear", "coordinate_transformation_mode": "half_pixel"}
SETTINGS = {
    "upsample nearest": (9, {"mode": "nearest"}, {}),
    "upsample linear": (9, {"mode": "linear"}, {}),
    "resize-10 nearest": (10, {"mode": "nearest"}, {}),
    "resize-10 linear": (10, {"mode": "linear"}, {}),
    "resize-10 fraction": (10, {"mode": "linear"}, {"scales": (1, 1, 1.5, 2)}),
    **{f"nearest, opset {opset}": (opset, NEAREST, {}) for opset in (11, 13, 18, 19, 23)},
    **{f"linear, opset {opset}": (opset, LINEAR, {}) for opset in (11, 13, 18, 19, 23)},
    "align_corners": (13, LINEAR | {"coordinate_transformation_mode": "align_corners"}, {}),
    "linear asymmetric": (13, LINEAR | {"coordinate_transformation_mode": "asymmetric"}, {}),
    "pytorch_half_pixel": (13, LINEAR | {"coordinate_transformation_mode": "pytorch_half_pixel"}, {}),
    "half_pixel_symmetric": (19, LINEAR | {"coordinate_transformation_mode": "half_pixel_symmetric"}, {}),
    "nearest half_pixel": (13, {"mode": "nearest"}, {}),
    "nearest ceil": (13, NEAREST | {"nearest_mode": "ceil"}, {}),
    "nearest align_corners": (13, NEAREST | {"coordinate_transformation_mode": "align_corners"}, {}),
    "cubic": (13, {"mode": "cubic"}, {}),
    "scales 2 and 3": (13, NEAREST, {"scales": (1, 1, 2, 3)}),
    "fraction": (13, NEAREST, {"scales": (1, 1, 2, 1.5)}),
    "reduction": (13, LINEAR, {"scales": (1, 1, 0.5, 0.5)}),
    "channels": (13, NEAREST, {"scales": (1, 2, 2, 2)}),
    "sizes": (13, LINEAR, {"sizes": (16, 24)}),
    "sizes, fraction": (13, LINEAR, {"sizes": (20, 24)}),
    "antialias": (18, LINEAR | {"antialias": 1}, {}),
    "antialias 0": (18, LINEAR | {"antialias": 0}, {}),
    **{f"{channels} channels": (13, NEAREST, {"channels": channels}) for channels in (8, 12, 20, 32)},
}


@pytest.mark.parametrize("setting", SETTINGS)
def test_nodes_that_keep_the_blocked_layout_are_left(setting, tmp_path, capfd):
    opset, attributes, more = SETTINGS[setting]
    if more.get("scales", (1, 1))[1] != 1:
        made = between(opset, channels=8, **(more | attributes))
        made.graph.initializer[1].CopyFrom(numpy_helper.from_array(weights(8, 16), "v"))
    else:
        made = between(opset, **(more | attributes))
    session, nodes = left(made, capfd)
    assert bool(nodes) == keeps_layout(made, tmp_path / "optimized.onnx"), nodes
    every, none = left(made, capfd, "every")
    assert not none
    x = {"x": RNG.random((1, 3, 8, 12), np.float32)}
    np.testing.assert_allclose(session.run(None, x)[0], every.run(None, x)[0], rtol=0, atol=2e-6)


def graph(*nodes, outputs=("y",)):
    """A graph of 16 channels from an image x. nodes: of type, inputs and output."""
    made = []
    for kind, inputs, output in nodes:
        if kind == "Conv":
            made.append(convolution(inputs[0], "w" if inputs[0] == "x" else "v", output))
        elif kind == "Resize":
            made.append(helper.make_node("Resize", [inputs[0], "roi", "scales"], [output], name=output, **NEAREST))
        else:
            attributes = {"Concat": {"axis": 1}, "MaxPool": {"kernel_shape": [2, 2]}, "AveragePool": {"kernel_shape": [2, 2]}}
            made.append(helper.make_node(kind, inputs, [output], **attributes.get(kind, {})))
    constants = {"w": weights(16, 3), "v": weights(16, 16), "roi": np.float32([]), "scales": np.float32([1, 1, 2, 2])}
    return model(made, constants, opset=13, outputs=outputs)


A = ("Conv", ["x"], "a")
GRAPHS = {
    "an activation between": ([A, ("Relu", ["a"], "r"), ("Resize", ["r"], "up"), ("Conv", ["up"], "y")], ["up"]),
    "two in a row": ([A, ("Resize", ["a"], "up"), ("Resize", ["up"], "more"), ("Conv", ["more"], "y")], ["up", "more"]),
    "a sum of two, then a convolution": (
        [A, ("Resize", ["a"], "up"), ("Conv", ["up"], "b"), ("Add", ["up", "b"], "c"), ("Conv", ["c"], "y")], ["up"]),
    "beside another in a Concat": ([A, ("Resize", ["a"], "up"), ("Conv", ["up"], "b"), ("Concat", ["up", "b"], "y")], ["up"]),
    "one reader of two": ([A, ("Resize", ["a"], "up"), ("Conv", ["up"], "y"), ("Erf", ["up"], "z")], ["up"]),
    **{f"after {pool}": ([A, ("Erf", ["a"], "e"), (pool, ["e"], "p"), ("Resize", ["p"], "up"), ("Conv", ["up"], "y")], found)
       for pool, found in (("MaxPool", ["up"]), ("AveragePool", ["up"]), ("GlobalMaxPool", []), ("GlobalAveragePool", []))},
    # The blocked layout ends at these, or never began.
    "at the end": ([A, ("Resize", ["a"], "y")], []),
    "before another operator": ([A, ("Resize", ["a"], "up"), ("Erf", ["up"], "y")], []),
    "after another operator": ([A, ("Erf", ["a"], "e"), ("Resize", ["e"], "up"), ("Conv", ["up"], "y")], []),
    "before a sum with another operator's": (
        [A, ("Resize", ["a"], "up"), ("Erf", ["up"], "e"), ("Add", ["up", "e"], "y")], []),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_node_is_left_only_where_the_next_reads_the_blocked_layout(name, capfd):
    nodes, expected = GRAPHS[name]
    made = graph(*nodes, outputs=("y", "z") if name == "one reader of two" else ("y",))
    session, found = left(made, capfd)
    assert sorted(found) == sorted(expected)
    x = {"x": RNG.random((1, 3, 8, 12), np.float32)}
    stock = onnxruntime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
    for theirs, ours in zip(stock.run(None, x), session.run(None, x), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=2e-6)


@pytest.mark.parametrize("pool", ["MaxPool", "AveragePool", "GlobalMaxPool", "GlobalAveragePool"])
def test_which_pools_begin_the_blocked_layout(pool, tmp_path):
    nodes, found = GRAPHS[f"after {pool}"]
    assert keeps_layout(graph(*nodes), tmp_path / "optimized.onnx") == bool(found)


def test_a_convolution_of_few_channels_reads_the_other_layout(capfd):
    assert left(between(13, channels=4, **NEAREST), capfd)[1] == []


@pytest.mark.parametrize("opset, extents, scales, attributes", [
    (9, (1, 3, 8, 12), (1, 1, 2, 2), {"mode": "nearest"}), (10, (2, 5, 7, 1), (1, 1, 3, 7), {}),
    (13, ("n", "c", "h", "w"), (1, 1, 5, 1), NEAREST), (19, (1, 1, 1, 4099), (1, 1, 1, 3), NEAREST)])
def test_repeats_of_elements_are_left_with_the_same_bits(opset, extents, scales, attributes, capfd):
    made = model([resize("x", "y", opset, **attributes)], {"scales": np.float32(scales), "roi": np.float32([])}, opset=opset,
                 extents=extents)
    session, nodes = left(made, capfd, reason=REPEATS)
    assert nodes == ["up"]
    every, none = left(made, capfd, "every", REPEATS)
    assert none == []
    x = RNG.random([3 + k if isinstance(n, str) else n for k, n in enumerate(extents)], np.float32)
    assert np.array_equal(session.run(None, {"x": x})[0], every.run(None, {"x": x})[0])


@pytest.mark.parametrize("mode", ["nearest", "linear", "cubic"])
@pytest.mark.parametrize("coordinates, is_left", [
    ("half_pixel", True), ("pytorch_half_pixel", True), ("asymmetric", True), ("align_corners", True), ("tf_crop_and_resize", False)])
@pytest.mark.parametrize("opset, sizes", [(11, False), (13, True), (18, True), (19, False)])
def test_what_keeps_its_extents_is_left_with_the_same_bits(mode, coordinates, is_left, opset, sizes, capfd):
    extents = (2, 3, 1, 7)
    constants = {"scales": np.ones(4, np.float32), "sizes": np.array(extents), "roi": np.float32([0] * 4 + [1] * 4)}
    node = resize("x", "y", opset, sizes=sizes, mode=mode, coordinate_transformation_mode=coordinates)
    made = model([node], {name: x for name, x in constants.items() if name in node.input}, opset=opset, extents=extents)
    session, nodes = left(made, capfd, reason=UNCHANGED)
    assert nodes == (["up"] if is_left else [])
    every, none = left(made, capfd, "every", UNCHANGED)
    assert none == []
    x = RNG.random(extents, np.float32)
    assert np.array_equal(session.run(None, {"x": x})[0], x) and np.array_equal(every.run(None, {"x": x})[0], x)


@pytest.mark.parametrize("height, scales, attributes, nodes", [
    (255, (1, 1, 1, 1), LINEAR, ["up"]), (256, (1, 1, 1, 1), LINEAR, []), (8, (1, 1, 1, 1.001), LINEAR, []),
    (8, (1, 1, 1, 1), LINEAR | {"antialias": 1}, []), (8, (1, 1, 1, 1), LINEAR | {"exclude_outside": 1}, [])])
def test_what_is_large_or_changes_is_kept(height, scales, attributes, nodes, capfd):
    made = model([resize("x", "y", 18, **attributes)], {"scales": np.float32(scales), "roi": np.float32([])}, opset=18,
                 extents=(1, 1, height, 256))
    assert left(made, capfd, reason=UNCHANGED)[1] == nodes


@pytest.mark.parametrize("height, nodes", [(255, ["up"]), (256, [])])
def test_large_repeats_are_kept(height, nodes, capfd):
    made = model([resize("x", "y", 13, **NEAREST)], {"scales": np.float32([1, 1, 2, 1]), "roi": np.float32([])}, opset=13,
                 extents=(1, 1, height, 256))
    assert left(made, capfd, reason=REPEATS)[1] == nodes


def of_one(kind, constants, extents=None, dtype=FLOAT, opset=13, **attributes):
    """A node "n" of x, if it has extents, and the constants."""
    inputs = [helper.make_tensor_value_info("x", dtype, extents)] if extents else []
    made = helper.make_graph(
        [helper.make_node(kind, ["x"] * len(inputs) + list(constants), ["y"], name="n", **attributes)], "graph", inputs,
        [helper.make_tensor_value_info("y", dtype, None)],
        [numpy_helper.from_array(np.array(x), name) for name, x in constants.items()])
    return onnx.shape_inference.infer_shapes(
        helper.make_model(made, opset_imports=[helper.make_opsetid("", opset)], ir_version=8), data_prop=True)


@pytest.mark.parametrize("extents, repeats, dtype, is_left", [
    ((2, 16), (3, 1), FLOAT, True), ((2, 16), (1, 3), FLOAT, True), ((300, 16), (1, 3), FLOAT, True), ((300, 15), (1, 3), FLOAT, False),
    ((86, 15), (1, 3), FLOAT, False), ((85, 15), (1, 3), FLOAT, True),
    ((16, 2), (3, 1), FLOAT, True), ((8, 8), (1, 1), FLOAT, True), ((64,), (2,), TensorProto.UINT8, True),
    ((63,), (2,), TensorProto.UINT8, True), ((129, 63), (1, 2), TensorProto.UINT8, False),
    ((511, 128), (2, 1), FLOAT, True), ((512, 128), (2, 1), FLOAT, False),
    ((0, 16), (2, 1), FLOAT, True), (("n", 16), (3, 1), FLOAT, False), ((2, 64), (3, 1), TensorProto.BFLOAT16, False)])
def test_small_tiles_of_long_or_few_runs_are_left(extents, repeats, dtype, is_left, capfd):
    made = of_one("Tile", {"r": repeats}, extents, dtype)
    session, nodes = left(made, capfd, reason=SMALL)
    assert nodes == ["n"] * is_left
    if dtype == FLOAT:
        x = RNG.random([3 if n == "n" else n for n in extents], np.float32)
        assert np.array_equal(session.run(None, {"x": x})[0], np.tile(x, repeats))


@pytest.mark.parametrize("shape, value, is_left", [
    ((3, 4), np.float32([2.5]), True), ((131071,), np.float32([1]), True), ((131072,), np.float32([1]), False),
    ((524287,), np.array([True]), True), ((524288,), np.array([True]), False), ((3, 0), np.int64([7]), True),
    ((3, 4), np.float16([2.5]), False)])
def test_small_fills_are_left(shape, value, is_left, capfd):
    """The shape comes from an input: ONNX Runtime folds a constant one before it asks a provider."""
    value = numpy_helper.from_array(value)
    made = of_one("ConstantOfShape", {"s": shape}, dtype=value.data_type, value=value)
    made.graph.input.append(helper.make_tensor_value_info("s", TensorProto.INT64, [len(shape)]))
    made.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", value.data_type, shape))
    del made.graph.initializer[:]
    session, nodes = left(made, capfd, reason=SMALL)
    assert nodes == ["n"] * is_left
    expected = np.full(shape, numpy_helper.to_array(value)[0])
    found = session.run(None, {"s": np.array(shape)})[0]
    assert found.dtype == expected.dtype and np.array_equal(found, expected)


@pytest.mark.parametrize("extents, is_left", [(("n", "m"), True), (("n", 63, 64), True), (("n", 64, 64), False),
                                              (("n", 256, 7, 7), False), ((1, 3, "h", "w"), True)])
def test_fills_of_unknown_extents_are_left_unless_one_part_is_large(extents, is_left, capfd):
    made = of_one("ConstantOfShape", {"s": (0,)})
    del made.graph.initializer[:]
    made.graph.input.append(helper.make_tensor_value_info("s", TensorProto.INT64, [len(extents)]))
    made.graph.output[0].CopyFrom(helper.make_tensor_value_info("y", FLOAT, extents))
    session, nodes = left(made, capfd, reason=SMALL)
    assert nodes == ["n"] * is_left
    shape = [2 if isinstance(extent, str) else extent for extent in extents]
    assert np.array_equal(session.run(None, {"s": np.array(shape)})[0], np.zeros(shape, np.float32))


@pytest.mark.parametrize("opset, scales, attributes", [
    (13, (1, 1, 2, 1.5), NEAREST), (13, (1, 2, 2, 2), NEAREST), (13, (1, 1, 0.5, 1), NEAREST), (13, (1, 1, 2, 2), {}),
    (13, (1, 1, 2, 2), NEAREST | {"nearest_mode": "ceil"}), (13, (1, 1, 2, 2), {"mode": "linear"}), (10, (2, 1, 2, 2), {})])
def test_other_settings_are_kept(opset, scales, attributes, capfd):
    made = model([resize("x", "y", opset, **attributes)], {"scales": np.float32(scales), "roi": np.float32([])}, opset=opset)
    assert left(made, capfd, reason="")[1] == []


def test_other_types_and_ranks_are_kept(capfd):
    """ONNX Runtime might not run them."""
    for dtype, extents in ((TensorProto.UINT16, (1, 1, 2, 2)), (FLOAT, (1, 2, 2)), (FLOAT, None)):
        made = model([resize("x", "y", 13, **NEAREST)], {"scales": np.ones(len(extents or "1111"), np.float32),
                                                         "roi": np.float32([])}, opset=13, extents=extents)
        made.graph.input[0].type.tensor_type.elem_type = made.graph.output[0].type.tensor_type.elem_type = dtype
        assert left(made, capfd, reason="")[1] == []


def test_values_that_a_run_decides_are_kept(capfd):
    """ONNX Runtime keeps the blocked layout only for constant scales and sizes."""
    made = between(13, **NEAREST)
    made.graph.input.append(helper.make_tensor_value_info("scales", FLOAT, [4]))
    del made.graph.initializer[[x.name for x in made.graph.initializer].index("scales")]
    assert left(made, capfd)[1] == []


def test_unknown_extents_are_left_for_constant_scales(capfd, tmp_path):
    nodes = [convolution("x", "w", "a"), resize("a", "b", 13, **NEAREST), convolution("b", "v", "y")]
    made = model(nodes, {"w": weights(16, 3), "v": weights(8, 16), "scales": np.float32([1, 1, 2, 2]), "roi": np.float32([])},
                 opset=13, extents=("n", 3, "h", "w"))
    session, nodes = left(made, capfd)
    assert bool(nodes) == keeps_layout(made, tmp_path / "optimized.onnx")
    for extents in ((1, 3, 4, 6), (2, 3, 9, 5)):
        x = {"x": RNG.random(extents, np.float32)}
        stock = onnxruntime.InferenceSession(made.SerializeToString(), providers=["CPUExecutionProvider"])
        np.testing.assert_allclose(session.run(None, x)[0], stock.run(None, x)[0], rtol=0, atol=2e-6)
