# SPDX-License-Identifier: Apache-2.0
"""Single nodes with all their inputs, and what Tesela makes of them."""

from __future__ import annotations

import functools
import json
import math
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from .. import _arrays, _core, _types
from .._model import Model
from . import wire

COPIES = ("Tile", "ConstantOfShape")


class Slot(NamedTuple):
    """An input of a node. constant: it is an initializer of the model, not an input."""

    port: str
    array: np.ndarray
    constant: bool


@dataclass(frozen=True)
class Node:
    """A node. attributes: those that are given; a tensor is an array. inputs: None for one that is omitted."""

    operator: str
    opset: int
    name: str
    attributes: dict[str, Any]
    inputs: tuple[Slot | None, ...]

    @property
    def version(self) -> int:
        return _core.since_version(self.operator, self.opset)

    @property
    def x(self) -> np.ndarray:
        slot = self.inputs[0]
        assert slot is not None
        return slot.array

    def find(self, port: str) -> np.ndarray | None:
        """The array of an input."""
        return next((slot.array for slot in self.inputs if slot and slot.port == port), None)

    def attribute(self, name: str) -> Any:
        """Its value, or the default's."""
        return self.attributes.get(name, attribute_defaults(self.operator, self.version).get(name))

    @property
    def is_copy(self) -> bool:
        """Whether outputs are copies of inputs."""
        return self.operator in COPIES or self.attribute("mode") == "nearest"

    @property
    def output_dtype(self) -> np.dtype:
        if self.operator != "ConstantOfShape":
            return self.x.dtype
        value = self.attributes.get("value")
        return value.dtype if isinstance(value, np.ndarray) else np.dtype(np.float32)

    def feeds(self) -> dict[str, np.ndarray]:
        """The arrays of the model's inputs by name."""
        return {name: slot.array for name, slot in self._slots() if not slot.constant}

    def model(self) -> bytes:
        """An ONNX model of this node alone, with the output y."""
        names = [slot.port if slot else "" for slot in self.inputs]
        constants = {name: slot.array for name, slot in self._slots() if slot.constant}
        inputs = {name: (_types.code_of(array.dtype), array.shape) for name, array in self.feeds().items()}
        output = _types.code_of(self.output_dtype), self.x.size if self.operator == "ConstantOfShape" else self.x.ndim
        return wire.one_node(self.operator, self.opset, self.name, self.attributes, names, constants, inputs, output)

    def prepared(self, threads: int) -> Any:
        """A function that computes the output. Errors: those of the operator."""
        model, feeds = Model(self.model()), self.feeds()
        return lambda: model.run(feeds, num_threads=threads)["y"]

    def plan(self, **fields: str) -> Any:
        """The plan of the C interface, with plan fields. Errors: those of the operator."""
        attributes = {name: _op_value(value) for name, value in self.attributes.items()}
        inputs = [None if slot is None else self._described(k, slot.array) for k, slot in enumerate(self.inputs)]
        return _core.Plan(self.operator, self.opset, self.name, attributes | {f"tesela.{k}": v for k, v in fields.items()}, inputs)

    def emulated(self, rules: str) -> np.ndarray:
        """The output by the rules of another runtime. Errors: those of the plan field `rules`."""
        plan = self.plan(rules=rules)
        y = _arrays.empty(plan.output_shape, self.output_dtype)
        plan.run(_arrays.native(self.x), y, 1)
        return y

    def reference(self) -> np.ndarray:
        """The output by the reference backend, which defines results. Errors: those of the operator."""
        plan = self.plan()
        shape, dtype, code = plan.output_shape, self.output_dtype, _types.code_of(self.output_dtype)
        if code == _types.STRING:  # moves: of indices in their place
            places = np.arange(self.x.size).reshape(self.x.shape)
            slot = self.inputs[0]
            assert slot is not None
            return self.x.reshape(-1)[self.with_inputs(**{slot.port: places}).reference()]
        if bits := _types.packed_bits(code):  # only ConstantOfShape has these types
            raw = np.empty(-(-math.prod(shape) * bits // 8), np.uint8)
            plan.run_reference(None, raw)
            return _types.unpack(raw, code, shape)
        y = _arrays.empty(shape, dtype)
        plan.run_reference(None if self.operator == "ConstantOfShape" else _arrays.native(self.x), y)
        return y

    def _described(self, index: int, array: np.ndarray) -> tuple[Any, ...]:
        code = _types.code_of(array.dtype)
        if index == 0 and self.operator != "ConstantOfShape":
            return code, None, array.shape  # data is known by its shape
        return code, _types.as_plain(array), array.shape

    def with_inputs(self, **arrays: np.ndarray | None) -> Node:
        """The node with other arrays by port; None omits one."""
        kept: list[Slot | None] = []
        for slot in self.inputs:
            array = arrays.get(slot.port, slot.array) if slot else None
            kept.append(None if slot is None or array is None else slot._replace(array=array))
        while kept and kept[-1] is None:
            kept.pop()
        return replace(self, inputs=tuple(kept))

    def with_constants(self, first: int | None = None) -> Node | None:
        """The node with all inputs but the data, or from `first` on, as initializers; None if they are."""
        if first is None:
            first = 1 if self.operator != "ConstantOfShape" else 0
        slots = tuple(slot._replace(constant=True) if slot and k >= first else slot for k, slot in enumerate(self.inputs))
        same = all(a is None or b is None or a.constant == b.constant for a, b in zip(slots, self.inputs))
        return None if same else replace(self, inputs=slots)

    def with_attributes(self, **values: Any) -> Node:
        """The node with other attributes; None removes one."""
        attributes = {name: value for name, value in (self.attributes | values).items() if value is not None}
        return replace(self, attributes=attributes)

    def _slots(self):
        return [(slot.port, slot) for slot in self.inputs if slot is not None]


def ports(operator: str, version: int) -> list[str]:
    """The names of the inputs of a version."""
    return [entry["name"] for entry in _schema(operator, version)["inputs"]]


def attribute_defaults(operator: str, version: int) -> dict[str, Any]:
    return {entry["name"]: entry["default"] for entry in _schema(operator, version)["attributes"] if "default" in entry}


def attribute_choices(operator: str, version: int) -> dict[str, list[str]]:
    """The allowed values of attributes that have a list of them."""
    return {entry["name"]: entry["allowed"] for entry in _schema(operator, version)["attributes"] if "allowed" in entry}


def newest_version(operator: str) -> int:
    return max(_schemas(operator))


def _schema(operator: str, version: int) -> dict[str, Any]:
    return _schemas(operator)[version]


@functools.cache
def _schemas(operator: str) -> dict[int, dict[str, Any]]:
    rows = json.loads(_core.ops(True))["operators"]
    return {row["since_version"]: row for row in rows if (row["domain"], row["operator"]) == ("", operator)}


def _op_value(value: Any) -> Any:
    if not isinstance(value, np.ndarray):
        return value
    code = _types.code_of(value.dtype)
    raw = _types.pack(value, code) if _types.packed_bits(code) else value.reshape(-1)
    return code, _types.as_plain(raw), value.shape
