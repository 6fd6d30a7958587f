# SPDX-License-Identifier: Apache-2.0
"""Small valid OpenVINO IRs: pairs of XML and constants. OpenVINO writes some, the others are as short as they can be."""

from __future__ import annotations

import itertools
import pathlib
import re
import struct
import tempfile

import numpy as np
import openvino as ov
import openvino.opset1
import openvino.opset10

Pair = tuple[bytes, bytes]
EMPTY = b"\0"  # where a model has no constants, because an IR always has both files


def saved(output, *parameters) -> Pair:
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "m.xml"
        ov.save_model(ov.Model([ov.op.Result(output)], list(parameters), "m"), path, compress_to_fp16=False)
        # Names hold a number that counts all nodes of the process.
        text = re.sub(rb'(<layer id="(\d+)" name=")[^"]*', rb"\1l\2", path.read_bytes())
        return re.sub(rb' (output_)?names="[^"]*"', b"", text), path.with_suffix(".bin").read_bytes() or EMPTY


def saved_models() -> dict[str, Pair]:
    models = {}
    for type_ in (ov.Type.f32, ov.Type.i4, ov.Type.u1, ov.Type.string, ov.Type.bf16):
        x = ov.op.Parameter(type_, ov.PartialShape("?,2..3"))
        models[f"saved_tile_{type_.get_type_name()}"] = saved(ov.opset1.tile(x, np.array([2, 3])).output(0), x)
    x = ov.op.Parameter(ov.Type.f32, ov.PartialShape("1,1,?,4"))
    for mode in ("nearest", "linear_onnx", "cubic"):
        node = ov.opset10.interpolate(x, np.array([1, 1]), np.array([2, 0.5], np.float32), mode=mode, shape_calculation_mode="scales",
                                      axes=np.array([2, 3]))
        models[f"saved_interpolate_{mode}"] = saved(node.output(0), x)
    return models


# Types that ports call otherwise than "I64", which is i64.
PRECISIONS = {"f16": "FP16", "f32": "FP32", "f64": "FP64", "boolean": "BOOL", "u1": "BIN"}


class Net:
    """A network of layers, written without spaces. Ends of lines, types of ports and so on depend on `style`, a number."""

    def __init__(self, version: int = 11, style: int = 0):
        self.version, self.style = version, style
        self.layers: list[str] = []
        self.edges: list[str] = []
        self.ports: list[int] = []
        self.types: list[str] = []
        self.data = b""

    def add(self, type_: str, opset: str, data: str, inputs: tuple[int, ...], out: str | None, element: str = "") -> int:
        """out: the extents of its output, "" if it declares none, None without an output. element: the output's type, if no input has it."""
        id_, count = len(self.layers), len(inputs)
        if not element and type_ in ("Tile", "Interpolate"):
            element = self.types[inputs[0]]
        self.types.append(element)
        text = f'<layer id="{id_}" name="l{id_}" type="{type_}" version="{opset}">' + (f"<data {data}/>" if data else "")
        if inputs:
            text += "<input>" + "".join(f'<port id="{k}"/>' for k in range(count)) + "</input>"
        if out is not None:
            known = f' precision="{PRECISIONS.get(element, element.upper())}"' if element and self.style % 2 else ""
            dims = "".join(f"<dim>{dim}</dim>" for dim in out.split(",") if dim)
            text += f'<output><port id="{count}"{known} names="v{id_}">{dims}</port></output>'
        self.layers.append(text + "</layer>")
        self.edges += [f'<edge from-layer="{source}" from-port="{self.ports[source]}" to-layer="{id_}" to-port="{k}"/>'
                       for k, source in enumerate(inputs)]
        self.ports.append(count)
        return id_

    def parameter(self, type_: str = "f32", shape: str = "2,3") -> int:
        return self.add("Parameter", "opset1", f'shape="{shape}" element_type="{type_}"', (), "", type_)

    def constant(self, type_: str, shape: str, data: bytes) -> int:
        at = len(self.data)
        self.data += data
        return self.add("Const", "opset1", f'element_type="{type_}" shape="{shape}" offset="{at}" size="{len(data)}"', (), "", type_)

    def integers(self, *values: int, type_: str = "i64") -> int:
        return self.constant(type_, str(len(values)), struct.pack(f"<{len(values)}{'q' if type_ == 'i64' else 'i'}", *values))

    def floats(self, *values: float) -> int:
        return self.constant("f32", str(len(values)), struct.pack(f"<{len(values)}f", *values))

    def pair(self, *results: int) -> Pair:
        for result in results:
            self.add("Result", "opset1", "", (result,), None)
        end = ("", "\n", "\r\n", "\n ")[self.style % 4]
        head = ("", '<?xml version="1.0"?>', "<!-- a note -->", "\ufeff", '<?xml version="1.0" encoding="UTF-8"?>\n')[self.style % 5]
        after = ("", '<rt_info><info name="OpenVINO Runtime" value="1"/></rt_info>')[self.style % 2]
        text = (f'{head}<net name="n" version="{self.version}">{end}<layers>{end.join(self.layers)}</layers>{end}'
                f"<edges>{end.join(self.edges)}</edges>{after}</net>{end}")
        return text.encode(), self.data or EMPTY


# Names of types with the bits of an element in the file.
TYPES = {"f32": 32, "f64": 64, "f16": 16, "bf16": 16, "i8": 8, "i16": 16, "i32": 32, "i64": 64, "u8": 8, "u16": 16, "u32": 32, "u64": 64,
         "boolean": 8, "u4": 4, "i4": 4, "u1": 1, "u2": 2, "u3": 3, "u6": 6, "nf4": 4, "f8e4m3": 8, "f8e5m2": 8, "f8e8m0": 8, "f4e2m1": 4}
# Bytes that hold a group of elements, for types that fill a number of bytes only together.
GROUPS = {"u3": (8, 3), "u6": (4, 3)}


def stored_bytes(type_: str, count: int) -> int:
    elements, group = GROUPS.get(type_, (8, TYPES[type_]))
    return -(-count // elements) * group if type_ in GROUPS else -(-count * TYPES[type_] // 8)


def tile_models() -> dict[str, Pair]:
    files = {}
    shapes = ["2,3", "", "0", "?", "1..4,?", "2..,3", "..5", "1,1,1,1,1,1", "..."]
    for (k, type_), version in itertools.product(enumerate(TYPES), (10, 11)):
        net = Net(version, k)
        files[f"tile_{type_}_{version}"] = net.pair(net.add("Tile", "opset1", "", (net.parameter(type_), net.integers(2, 1)), ""))
    for k, shape in enumerate(shapes):
        for repeats in ((), (2,), (2, 3), (1, 0, 2)):
            net = Net(11, k)
            tile = net.add("Tile", "opset1", "", (net.parameter("f32", shape), net.integers(*repeats, type_="i64" if k % 2 else "i32")), "")
            files[f"tile_shape{k}_{len(repeats)}"] = net.pair(tile)
    for k, type_ in enumerate(TYPES):
        for shape, count in (("", 1), ("2,3", 6), ("0", 0)):
            net = Net(11, k + count)
            constant = net.constant(type_, shape, bytes(i % 2 for i in range(stored_bytes(type_, count))))
            files[f"constant_{type_}_{count}"] = net.pair(net.add("Tile", "opset1", "", (constant, net.integers(2)), ""))
    for k, texts in enumerate(([], [b""], [b"a", b"bc"], ["é".encode(), b"\xff"])):
        net = Net(11, k)
        offsets = list(itertools.accumulate(map(len, texts), initial=0))
        data = struct.pack(f"<i{len(offsets)}i", len(texts), *offsets) + b"".join(texts)
        files[f"strings_{k}"] = net.pair(net.add("Tile", "opset1", "", (net.constant("string", str(len(texts)), data), net.integers(2)), ""))
    return files


ROUNDINGS = ["round_prefer_floor", "round_prefer_ceil", "floor", "ceil", "simple"]
COORDINATES = ["half_pixel", "pytorch_half_pixel", "asymmetric", "tf_half_pixel_for_nn", "align_corners"]


def interpolate_models() -> dict[str, Pair]:
    files = {}
    for k, (mode, coordinates) in enumerate(itertools.product(("nearest", "linear_onnx", "linear", "cubic"), COORDINATES)):
        if coordinates == "tf_half_pixel_for_nn" and mode != "nearest":
            continue
        for opset, by in itertools.product(("opset4", "opset11"), ("sizes", "scales")):
            net = Net(11, k)
            x = net.parameter("f32", "1,1,4,4")
            if opset == "opset4":
                inputs = (x, net.integers(8, 3), net.floats(2, 0.75), net.integers(2, 3))
            else:
                inputs = (x, net.integers(8, 3) if by == "sizes" else net.floats(2, 0.75), net.integers(2, 3))
            data = (f'mode="{mode}" shape_calculation_mode="{by}" coordinate_transformation_mode="{coordinates}" '
                    f'nearest_mode="{ROUNDINGS[k % 5]}" antialias="false" pads_begin="0" pads_end="0" cube_coeff="-0.75"')
            files[f"interpolate_{opset}_{by}_{mode}_{coordinates}"] = net.pair(net.add("Interpolate", opset, data, inputs, "1,1,8,3"))
    for k, (mode, axes) in enumerate(itertools.product(("nearest", "linear", "cubic"), ("2,3", "3", "0,1,2,3"))):
        net = Net(10, k)
        sizes = net.integers(*[1, 1, 8, 3][-len(axes.split(",")):])
        data = f'axes="{axes}" mode="{mode}" align_corners="false" antialias="false" pads_begin="0" pads_end="0"'
        files[f"interpolate1_{mode}_{len(axes)}"] = net.pair(net.add("Interpolate", "opset1", data, (net.parameter("f32", "1,1,4,4"), sizes), ""))
    for k, type_ in enumerate(("f16", "bf16", "f64", "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64")):
        net = Net(10 + k % 2, k)
        inputs = (net.parameter(type_, "2,4"), net.integers(4, 3), net.floats(2, 0.75), net.integers(0, 1))
        data = 'mode="nearest" shape_calculation_mode="scales"'
        files[f"interpolate_{type_}"] = net.pair(net.add("Interpolate", "opset4", data, inputs, ""))
    for k, shape in enumerate(("?,?", "1..9,4", "0,4", "2,3,4", "...", "1,1,1,2,4")):
        net = Net(11, k)
        inputs = (net.parameter("f32", shape), net.integers(9), net.integers(1))
        data = 'mode="linear_onnx" shape_calculation_mode="sizes" coordinate_transformation_mode="align_corners"'
        files[f"interpolate_shape_{k}"] = net.pair(net.add("Interpolate", "opset11", data, inputs, ""))
    for k, mode in enumerate(("bilinear_pillow", "bicubic_pillow")):
        net = Net(11, k)
        data = f'mode="{mode}" shape_calculation_mode="sizes" antialias="false" pads_begin="0,0" pads_end="0,0" cube_coeff="-0.5"'
        inputs = (net.parameter("u8", "4,4"), net.integers(8, 3), net.integers(0, 1))
        files[f"interpolate_{mode}"] = net.pair(net.add("Interpolate", "opset11", data, inputs, ""))
    return files


def graph_models() -> dict[str, Pair]:
    files = {}
    others = {"Relu": "opset1", "ShapeOf": "opset3", "Abs": "opset1", "Softmax": "opset8", "Convert": "opset1", "NonZero": "opset3",
              "Custom": "extension", "Add": "opset1", "Gelu": "opset7", "Sigmoid": "opset1"}
    for k, (type_, opset) in enumerate(others.items()):
        net = Net(10 + k % 2, k)
        x = net.parameter("f32", "2,?")
        data = {"Softmax": 'axis="1"', "Convert": 'destination_type="i32"', "ShapeOf": 'output_type="i64"'}.get(type_, "")
        files[f"other_{type_}"] = net.pair(net.add(type_, opset, data, (x, x) if type_ == "Add" else (x,), ""))
    for count in range(1, 8):
        net = Net(11, count)
        x = net.parameter("i32", "2")
        for _ in range(count):
            x = net.add("Tile", "opset1", "", (x, net.integers(2)), "")
        files[f"chain_{count}"] = net.pair(x)
    for count in range(2, 9):
        net = Net(11, count)
        x, repeats = net.parameter("u8", "?,?"), net.integers(1, 2)
        files[f"fan_{count}"] = net.pair(*[net.add("Tile", "opset1", "", (x, repeats), "") for _ in range(count)])
    for style in range(20):
        net = Net(10 + style % 2, style)
        net.layers.append(f'<layer id="0" name="&lt;&#10;{style}&amp;ü" type="Parameter" version="opset1">'
                          '<data element_type="f32" shape="1"/><rt_info><attribute name="fused_names_0" version="0" value="x"/></rt_info>'
                          f'<output><port id="{style}" precision="FP32" names="a\\,b,c"><dim>1</dim></port></output></layer>')
        net.ports.append(style)
        files[f"names_{style}"] = net.pair(0)
    return files


def ir_files() -> dict[str, Pair]:
    return saved_models() | tile_models() | interpolate_models() | graph_models()
