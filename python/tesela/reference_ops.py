# SPDX-License-Identifier: Apache-2.0
"""Tesela's operators in onnx.reference.ReferenceEvaluator.

    ReferenceEvaluator(model, new_ops=tesela.reference_ops.for_opset(18))

`new_ops` follows the newest opset.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from onnx import defs
from onnx.reference.op_run import OpRun

from . import _core, _types


def _described(x: Any) -> Any:
    if x is None:
        return None
    return _types.code_of(x.dtype), np.ascontiguousarray(x)


def _planned(type_: str, opset: int, attributes: dict[str, Any], inputs: list[Any]) -> Any:
    given = {name: value for name, value in attributes.items() if value is not None}
    while inputs and inputs[-1] is None:
        inputs.pop()
    return _core.Plan(type_, opset, "", given, inputs)


def _move(plan: Any, x: np.ndarray) -> tuple[np.ndarray]:
    if plan.dtype == _types.STRING:
        indices = np.empty(plan.output_shape, np.int64)
        zeros = (0,) * x.ndim
        plan.run_indices(x.shape, zeros, indices, zeros, 0)
        return (x.reshape(-1)[indices.reshape(-1)].reshape(indices.shape),)
    y = np.empty(plan.output_shape, x.dtype)
    plan.run(x, y, 0)
    return (y,)


def _data_input(x: np.ndarray) -> Any:
    return _types.code_of(x.dtype), None, x.shape


def for_opset(opset: int) -> list[type[OpRun]]:
    """The classes for the argument new_ops, for this opset."""

    class Resize(OpRun):
        op_domain = ""

        def _run(self, x: Any, *inputs: Any, **attributes: Any) -> Any:
            # The evaluator passes every attribute, including those that the node does not have.
            named = {a.name for a in self.onnx_node.attribute}
            attributes = {name: _plain(value) for name, value in attributes.items() if name in named}
            return _move(_planned("Resize", opset, attributes, [_data_input(x), *map(_described, inputs)]), x)

    class Upsample(OpRun):
        op_domain = ""

        def _run(self, x: Any, *inputs: Any, **attributes: Any) -> Any:
            named = {a.name for a in self.onnx_node.attribute}
            attributes = {name: _plain(value) for name, value in attributes.items() if name in named}
            return _move(_planned("Upsample", opset, attributes, [_data_input(x), *map(_described, inputs)]), x)

    class Tile(OpRun):
        op_domain = ""

        def _run(self, x: Any, *inputs: Any) -> Any:
            return _move(_planned("Tile", opset, {}, [_data_input(x), *map(_described, inputs)]), x)

    class ConstantOfShape(OpRun):
        op_domain = ""

        def _run(self, shape: Any, value: Any = None) -> Any:
            from ._plan import Plan

            given = None if value is None or not any(self.onnx_node.attribute) else np.asarray(value)
            return (Plan("constant_of_shape", shape, value=given, opset=opset).fill(None, 0),)

    return [Resize, Upsample, Tile, ConstantOfShape]


def _plain(value: Any) -> Any:
    """An attribute with Python scalars in place of NumPy's."""
    if isinstance(value, (np.ndarray, list, tuple)):
        return [entry.item() if isinstance(entry, np.generic) else entry for entry in value]
    return value.item() if isinstance(value, np.generic) else value


new_ops = for_opset(defs.onnx_opset_version())
