# SPDX-License-Identifier: Apache-2.0
"""A backend for `tesela conformance` by the emulation in NumPy."""

from __future__ import annotations

import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import case_rules
import emulation
import numpy as np
import onnx
from case import NUMPY_TYPES, ResizeCase
from onnx import numpy_helper

TYPES = {dtype: name for name, dtype in NUMPY_TYPES.items()}
PORTS = {10: ["X", "scales"], 11: ["X", "roi", "scales", "sizes"]}
INPUT_TYPES = {"scales": [np.float32], "sizes": [np.int64], "roi": [np.float16, np.float32, np.float64]}
MOST = 2**40  # elements


def require(condition: bool, text: str) -> None:
    if not condition:
        raise ValueError(text)


def count(extents) -> int:
    require(math.prod(map(int, extents)) < MOST, "too many elements")
    return math.prod(map(int, extents))


class Emulation:
    """Without a defect."""

    def run(self, model: bytes, inputs: dict[str, np.ndarray]) -> np.ndarray:
        proto = onnx.load_from_string(model)
        onnx.checker.check_model(proto)
        [node], opset = proto.graph.node, proto.opset_import[0].version
        arrays = {tensor.name: numpy_helper.to_array(tensor) for tensor in proto.graph.initializer} | inputs
        given = [arrays[name] if name else None for name in node.input]
        attributes = {entry.name: onnx.helper.get_attribute_value(entry) for entry in node.attribute}
        attributes = {name: value.decode() if isinstance(value, bytes) else value for name, value in attributes.items()}
        version = onnx.defs.get_schema(node.op_type, opset, "").since_version
        if node.op_type == "ConstantOfShape":
            return self.fill(version, given[0], attributes.get("value"))
        return self.tile(version, *given) if node.op_type == "Tile" else self.resize(node.op_type, version, given, attributes)

    # --- Tile and ConstantOfShape

    def tile(self, version, x, *given):
        if version == 1:
            tiles, axis = (int(entry.reshape(())) for entry in given)
            repeats = [tiles if d == axis % x.ndim else 1 for d in range(x.ndim)]
        else:
            [repeats] = given
            require(repeats.dtype == np.int64 and repeats.ndim == 1 and len(repeats) == x.ndim, "repeats")
            require(all(entry >= 0 for entry in repeats), "a repeat is negative")
            repeats = repeats.tolist()
        count([extent * entry for extent, entry in zip(x.shape, repeats)])
        return self.tiled(x, repeats)

    def tiled(self, x, repeats):
        return np.tile(x, repeats) if repeats else x.copy()

    def fill(self, version, shape, value):
        require(shape.dtype == np.int64 and shape.ndim == 1 and all(entry >= 0 for entry in shape), "shape")
        count(shape)
        array = np.zeros(1, np.float32) if value is None else numpy_helper.to_array(value)
        known = onnx.defs.get_schema("ConstantOfShape", version, "").type_constraints
        allowed = {name for entry in known if entry.type_param_str == "T2" for name in entry.allowed_type_strs}
        require(array.size == 1 and f"tensor({TYPES.get(array.dtype, 'string')})" in allowed, "value")
        return self.filled(shape.tolist(), array.reshape(-1)[0], array.dtype)

    def filled(self, shape, value, dtype):
        return np.full(shape, value, dtype)

    # --- Resize and Upsample

    def resize(self, operator, version, given, attributes):
        call = self.read(operator, version, given, attributes)
        self.check(call)
        count([axis.m for axis in emulation.resolve(call)])
        return self.resized(self.altered(call))

    def read(self, operator, version, given, attributes) -> ResizeCase:
        ports = {1: ["X"], 7: ["X"], 9: ["X", "scales"]}[version] if operator == "Upsample" else PORTS[min(version, 11)]
        have = {port: array for port, array in zip(ports, given) if array is not None and (array.size or port == "X")}
        for port, array in have.items():
            require(port == "X" or array.dtype in INPUT_TYPES[port] and array.ndim == 1, port)
        x = have["X"]
        scales = have["scales"].astype(float).tolist() if "scales" in have else None
        if operator == "Upsample" and version == 1:
            scales = [1.0, 1.0, attributes.pop("height_scale"), attributes.pop("width_scale")]
        elif operator == "Upsample" and version == 7:
            scales = attributes.pop("scales")
        sizes = have["sizes"].tolist() if "sizes" in have else None
        return ResizeCase(x, TYPES[x.dtype], operator, version, scales=scales, sizes=sizes, roi=have.get("roi"), **attributes)

    def check(self, call: ResizeCase) -> None:
        case_rules.validate(call)

    def altered(self, call: ResizeCase) -> ResizeCase:
        return call

    def resized(self, call: ResizeCase) -> np.ndarray:
        return emulation.emulate(call)


class Backend:
    """The emulation in the form of onnx.backend.base.Backend."""

    @classmethod
    def prepare(cls, model, device="CPU", **_):
        class Ready:
            def run(self, inputs):
                names = [entry.name for entry in model.graph.input]
                return (Emulation().run(model.SerializeToString(), dict(zip(names, inputs))),)

        return Ready()
