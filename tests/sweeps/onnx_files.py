# SPDX-License-Identifier: Apache-2.0
"""Small valid ONNX models: every attribute of the operators, and the forms that a file can have."""

from __future__ import annotations

import itertools

import numpy as np
from array_files import TYPES, tensor
from onnx import TensorProto, helper, numpy_helper
from protobuf_bytes import field, message, varint

# What models with external data name, in the same folder.
EXTERNAL_DATA = {"weights.data": bytes(range(64))}

FLOAT, INT64 = TensorProto.FLOAT, TensorProto.INT64
MODES = {"nearest": {}, "linear": {}, "cubic": {"cubic_coeff_a": -0.5}}
COORDINATES = ["half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"]
ROUNDINGS = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"]


def value(name: str, type_: int = FLOAT, shape: tuple | None = ()) -> object:
    return helper.make_tensor_value_info(name, type_, shape)


def array(name: str, values, type_=np.float32) -> object:
    return numpy_helper.from_array(np.array(values, type_), name)


def model(nodes, inputs, outputs, initializers=(), opset: int = 19, ir_version: int = 8, functions=(), imports=(), **graph) -> bytes:
    graph_ = helper.make_graph(nodes, "g", inputs, outputs, list(initializers), **graph)
    opsets = [helper.make_opsetid("", opset), *(helper.make_opsetid(domain, version) for domain, version in imports)]
    made = helper.make_model(graph_, opset_imports=opsets, ir_version=ir_version, functions=list(functions), producer_name="tests")
    return made.SerializeToString(deterministic=True)


# --- The operators --------------------------------------------------------------------------------------------


def resize(opset: int, by: str, shape=(1, 1, 4, 4), **attributes) -> bytes:
    crops = attributes.get("coordinate_transformation_mode") == "tf_crop_and_resize"
    roi = [0, 0, 0.25, 0.25, 1, 1, 0.75, 0.75]
    initializers, names = [], ["x"]
    if opset >= 11:
        initializers.append(array("roi", roi if crops else []))
        names.append("roi" if crops or opset < 13 else "")
    if by == "sizes":
        initializers += [array("sizes", [1, 1, 7, 3], np.int64)] + ([array("scales", [])] if opset == 11 else [])
        names += ["scales" if opset == 11 else "", "sizes"]
    else:
        initializers.append(array("scales", [1, 1, 2, 0.75]))
        names.append("scales")
    used = [i for i in initializers if i.name in names]
    node = helper.make_node("Resize", names, ["y"], **attributes)
    return model([node], [value("x", FLOAT, shape)], [value("y", FLOAT, (1, 1, None, None))], used, opset)


def resize_models() -> dict[str, bytes]:
    files = {}
    for opset, by, mode, coordinates in itertools.product((11, 13, 18, 19), ("scales", "sizes"), MODES, COORDINATES):
        if coordinates == "half_pixel_symmetric" and opset < 19:
            continue
        attributes = {"mode": mode, "coordinate_transformation_mode": coordinates, **MODES[mode]}
        if coordinates == "tf_crop_and_resize":
            attributes["extrapolation_value"] = -1.0
        if opset >= 18 and mode != "nearest":
            attributes["antialias"] = 1
        if mode == "cubic" and coordinates != "tf_crop_and_resize":
            attributes["exclude_outside"] = 1
        files[f"resize{opset}_{by}_{mode}_{coordinates}"] = resize(opset, by, **attributes)
    for opset, rounding in itertools.product((11, 13, 18, 19), ROUNDINGS):
        files[f"resize{opset}_{rounding}"] = resize(opset, "scales", mode="nearest", nearest_mode=rounding)
    for opset, mode in itertools.product((10,), ("nearest", "linear")):
        files[f"resize{opset}_{mode}"] = resize(opset, "scales", mode=mode)
    for policy, axes in itertools.product(("stretch", "not_larger", "not_smaller"), ([2, 3], [-1, -2])):
        node = helper.make_node("Resize", ["x", "", "", "sizes"], ["y"], keep_aspect_ratio_policy=policy, axes=axes)
        files[f"resize_{policy}_{axes[0]}"] = model([node], [value("x", FLOAT, ("N", 3, 4, 4))], [value("y", FLOAT, None)],
                                                    [array("sizes", [9, 5], np.int64)])
    for opset in (7, 9):
        attributes = {"scales": [1.0, 1.0, 2.0, 2.0]} if opset == 7 else {}
        inputs = ["x"] if opset == 7 else ["x", "scales"]
        scales = [] if opset == 7 else [array("scales", [1, 1, 2, 2])]
        for mode in ("nearest", "linear"):
            node = helper.make_node("Upsample", inputs, ["y"], mode=mode, **attributes)
            files[f"upsample{opset}_{mode}"] = model([node], [value("x", FLOAT, (1, 1, 2, 2))], [value("y", FLOAT, None)], scales, opset)
    return files


def tile_and_fill_models() -> dict[str, bytes]:
    files = {}
    for opset, type_ in itertools.product((6, 13), (FLOAT, TensorProto.UINT8, TensorProto.STRING, TensorProto.BOOL, TensorProto.COMPLEX64)):
        files[f"tile{opset}_{type_}"] = model([helper.make_node("Tile", ["x", "r"], ["y"], "t")], [value("x", type_, (2, "W"))],
                                              [value("y", type_, None)], [array("r", [2, 3], np.int64)], opset)
    one = [array("tiles", 3), array("axis", 1)]
    files["tile1"] = model([helper.make_node("Tile", ["x", "tiles", "axis"], ["y"])], [value("x", FLOAT, (2, 2))], [value("y", FLOAT, None)], one, 5)
    files["tile_computed"] = model([helper.make_node("Shape", ["x"], ["s"]), helper.make_node("Tile", ["x", "s"], ["y"])],
                                   [value("x", FLOAT, ("A", "B"))], [value("y", FLOAT, None)])
    for type_ in ("float", "int64", "bool", "uint4", "bfloat16", "float8e5m2", "double", "uint16"):
        code = TYPES[type_][0]
        filled = TensorProto.FromString(tensor(type_, (1,), "raw", "v"))
        for shape in ([], [0], [2, 3]):
            files[f"fill_{type_}_{len(shape)}"] = model(
                [helper.make_node("ConstantOfShape", ["s"], ["y"], value=filled)], [], [value("y", code, None)],
                [array("s", shape, np.int64)], 23 if code > 20 else 21, 11)
    files["fill9"] = model([helper.make_node("ConstantOfShape", ["s"], ["y"])], [value("s", INT64, (3,))], [value("y", FLOAT, None)], opset=9)
    return files


# --- The forms of a file --------------------------------------------------------------------------------------


def tensor_models() -> dict[str, bytes]:
    """Initializers of every type in every form, and constants."""
    files = {}
    for type_, form in itertools.product(TYPES, ("raw", "packed", "unpacked")):
        code = TYPES[type_][0]
        body = (helper.make_graph([helper.make_node("Identity", ["w"], ["y"])], "g", [], [value("y", code, (2, 3))]).SerializeToString()
                + message(5, tensor(type_, (2, 3), form, "w")))
        files[f"initializer_{type_}_{form}"] = field(1, 13) + message(7, body) + message(8, field(1, ""), field(2, 24))
    constants = {"value_float": 1.5, "value_int": 3, "value_ints": [1, 2, 3], "value_floats": [0.5, -2.0], "value_string": "text",
                 "value_strings": ["a", "", "ü"], "value": array("v", [[1, 2], [3, 4]])}
    for name, content in constants.items():
        type_ = TensorProto.STRING if "string" in name else INT64 if "int" in name else FLOAT
        files[f"constant_{name}"] = model([helper.make_node("Constant", [], ["y"], **{name: content})], [], [value("y", type_, None)])
    for k, entries in enumerate(({"offset": "0", "length": "24"}, {"offset": "8", "length": "24"}, {"length": "24"}, {"offset": "40"},
                                 {"offset": "16", "length": "24", "checksum": "0"})):
        entries = {"location": "weights.data", **entries}
        external = b"".join(message(13, field(1, key), field(2, text)) for key, text in entries.items())
        weights = field(1, 2) + field(1, 3) + field(2, 1) + field(8, "w") + external + field(14, 1)
        body = helper.make_graph([helper.make_node("Identity", ["w"], ["y"])], "g", [], [value("y", FLOAT, None)]).SerializeToString()
        files[f"external_{k}"] = field(1, 8) + message(7, body + message(5, weights)) + message(8, field(2, 19))
    return files


def branches(depth: int) -> object:
    """A graph whose value is x of an outer graph, through `depth` nodes If."""
    if depth == 0:
        return helper.make_graph([helper.make_node("Identity", ["x"], ["b0"])], "leaf", [], [value("b0", FLOAT, None)])
    inner = helper.make_node("If", ["c"], [f"b{depth}"], f"if{depth}", then_branch=branches(depth - 1), else_branch=branches(0))
    return helper.make_graph([inner], f"level{depth}", [], [value(f"b{depth}", FLOAT, None)])


def graph_models() -> dict[str, bytes]:
    files = {}
    x, y = value("x", FLOAT, ("N", 3)), value("y", FLOAT, None)
    for depth in range(1, 6):
        node = helper.make_node("If", ["c"], ["y"], then_branch=branches(depth), else_branch=branches(0))
        files[f"if_{depth}"] = model([node], [x, value("c", TensorProto.BOOL)], [y])
    body = helper.make_graph([helper.make_node("Identity", ["c"], ["d"]), helper.make_node("Tile", ["a", "r"], ["b"])], "body",
                             [value("i", INT64), value("c", TensorProto.BOOL), value("a", FLOAT, None)],
                             [value("d", TensorProto.BOOL), value("b", FLOAT, None)])
    files["loop"] = model([helper.make_node("Loop", ["n", "c", "x"], ["y"], body=body)],
                          [x, value("n", INT64), value("c", TensorProto.BOOL)], [y], [array("r", [1, 2], np.int64)])
    for count in (1, 2, 4):
        functions = [helper.make_function("local", f"F{k}", ["a", "r"], ["b"], [helper.make_node("Tile", ["a", "r"], ["b"])],
                                          [helper.make_opsetid("", 19)], [f"p{k}"] if k % 2 else []) for k in range(count)]
        nodes = [helper.make_node(f"F{k}", ["x" if k == 0 else f"v{k}", "r"], ["y" if k == count - 1 else f"v{k + 1}"], domain="local")
                 for k in range(count)]
        files[f"functions_{count}"] = model(nodes, [x], [y], [array("r", [2, 2], np.int64)], functions=functions, imports=[("local", 1)])
    foreign = ["Relu", "Abs", "Softmax", "Transpose", "Shape", "Flatten", "NonZero", "Size", "Unknown"]
    for type_ in foreign:
        out = INT64 if type_ in ("Shape", "NonZero", "Size") else FLOAT
        files[f"foreign_{type_}"] = model([helper.make_node(type_, ["x"], ["y"], domain="custom" if type_ == "Unknown" else "")], [x],
                                          [value("y", out, None)], imports=[("custom", 3)])
    for ir_version, opset in ((3, 7), (4, 9), (7, 13), (10, 20), (13, 25)):
        files[f"version_{ir_version}"] = model([helper.make_node("Tile", ["x", "r"], ["y"])], [x], [y], [array("r", [2, 1], np.int64)],
                                               opset, ir_version) if ir_version > 3 else model(
            [helper.make_node("Tile", ["x", "r"], ["y"])], [x, value("r", INT64, (2,))], [y], [array("r", [2, 1], np.int64)], opset, ir_version)
    attributes = {"i": 1, "f": 0.5, "s": "text", "t": array("t", [1.0]), "ints": [1, -1], "floats": [0.5], "strings": ["a", "b"],
                  "g": branches(0), "tensors": [array("u", [2.0])], "graphs": [branches(0), branches(1)]}
    for name, content in attributes.items():
        files[f"attribute_{name}"] = model([helper.make_node("Custom", ["x", "c"], ["y"], domain="custom", **{name: content})],
                                           [x, value("c", TensorProto.BOOL)], [y], imports=[("custom", 1)])
    return files


def encoded_models() -> dict[str, bytes]:
    """One model in other encodings: unknown fields, split messages, long varints, another order of fields."""
    tile = helper.make_graph([helper.make_node("Tile", ["x", "r"], ["y"], "t")], "g", [value("x", FLOAT, (2, 2))], [value("y", FLOAT, None)],
                             [array("r", [2, 1], np.int64)]).SerializeToString(deterministic=True)
    head, opset = field(1, 8), message(8, field(1, ""), field(2, 19))
    nodes = message(1, field(1, "x"), field(1, "r"), field(2, "y"), field(4, "Tile"))
    rest = (message(5, tensor("int64", (2,), "packed", "r")) + message(11, field(1, "x"), message(2, message(1, field(1, 1))))
            + message(12, field(1, "y"), message(2, message(1, field(1, 1)))))
    metadata = b"".join(message(14, field(1, f"key{k}"), field(2, "v" * k)) for k in range(3))
    files = {
        "unknown_fields": head + message(7, tile + field(999, 1)) + opset + field(1000, b"later") + varint(1001 << 3 | 5) + b"abcd"
        + varint(1002 << 3 | 1) + b"abcdefgh",
        "graph_first": message(7, tile) + opset + head,
        "graph_in_two": head + message(7, nodes) + opset + message(7, rest),
        "graph_reversed": head + opset + message(7, rest + nodes),
        "long_varints": varint(1 << 3, 2) + varint(8, 10) + varint(7 << 3 | 2, 3) + varint(len(tile), 5) + tile + opset,
        "versions_twice": field(1, 3) + head + message(7, tile) + opset,
        "metadata": head + message(7, tile) + opset + metadata + field(2, "producer") + field(3, "1.0") + field(6, "a note" * 5) + field(5, 7),
        "opset_by_name": head + message(7, tile) + message(8, field(1, "ai.onnx"), field(2, 19)),
        "other_domains": head + message(7, tile) + opset + message(8, field(1, "ai.onnx.ml"), field(2, 3)) + message(8, field(1, "custom")),
    }
    return files


def onnx_files() -> dict[str, bytes]:
    every = (resize_models() | tile_and_fill_models() | tensor_models() | graph_models() | encoded_models())
    return {name: content for name, content in every.items() if len(content) <= 4096}
