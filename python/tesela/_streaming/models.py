# SPDX-License-Identifier: Apache-2.0
"""Operations of models: nodes that form a chain."""

from __future__ import annotations

import hashlib
from typing import Any

from .. import _core, _types
from .._model import Model
from .operation import Chain, Operation
from .sources import Source


def operation_of(model: Model, source: Source | None) -> Operation:
    """The chain of the model's nodes for an input like source. Errors: UnsupportedError, CountError, ElementTypeError, and those of
    plans."""
    facts = model.inspect()
    inputs, outputs, nodes = facts["inputs"], facts["outputs"], facts["nodes"]
    if len(inputs) != 1 or len(outputs) != 1:
        raise _core.UnsupportedError(f"stream: the model has {len(inputs)} inputs and {len(outputs)} outputs; expected one of each")
    if not facts["runnable"] or not nodes:
        raise _core.UnsupportedError("stream: the model has nodes of other operators, or none; expected a chain of Tesela's")
    if source is None:
        raise _core.ArgumentError(f"stream: source is None; the model has the input '{inputs[0]['name']}'")
    name = inputs[0]["name"]
    for position, node in enumerate(nodes):
        first = node["inputs"][0]["name"] if node["inputs"] else ""
        if first != name or node["path"]:
            where = f"{node['operator']} node '{node['name'] or '#' + str(position + 1)}'"
            raise _core.UnsupportedError(f"stream: {where} reads '{first}'; expected '{name}': a chain, each node on the result before"[:300])
        name = node["outputs"][0]["name"]
    if name != outputs[0]["name"]:
        raise _core.UnsupportedError(f"stream: the last node makes '{name}'; expected the model's output '{outputs[0]['name']}'"[:300])
    shape = [(inputs[0]["name"], _types.code_of(source.dtype), source.shape)]
    plans: list[Any] = [model._core.plan(f"#{position + 1}", shape) for position in range(len(nodes))]
    if plans[0].input_shape != source.shape or _types.dtype_of(plans[0].dtype) != source.dtype:
        raise _core.ElementTypeError(f"stream: the model's input '{inputs[0]['name']}' is {_types.dtype_of(plans[0].dtype)} "
                                     f"{plans[0].input_shape}; the source has {source.dtype} {source.shape}")
    text = " | ".join(plan.describe(True) for plan in plans) + repr((inputs, outputs, nodes))
    return Chain(plans, f"model {hashlib.sha256(text.encode()).hexdigest()} of {len(plans)} nodes")
