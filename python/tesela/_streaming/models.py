# SPDX-License-Identifier: Apache-2.0
"""Operations of models: the nodes between the input and an output, which form a chain because each reads one tensor that streams."""

from __future__ import annotations

import hashlib
from typing import Any

from .. import _core, _types
from .._model import Model
from .operation import Chain, Operation
from .sources import Source


def operation_of(model: Model, source: Source | None, output: str | None = None) -> Operation:
    """The chain of the model's nodes that make an output from an input like source; nodes beside it do not run. output: its name,
    where there are several. Errors: UnsupportedError, CountError, ElementTypeError, and those of plans."""
    facts = model.inspect()
    inputs, outputs, nodes = facts["inputs"], facts["outputs"], facts["nodes"]
    if len(inputs) != 1:
        raise _core.UnsupportedError(f"stream: the model has {len(inputs)} inputs; expected one")
    if not facts["runnable"] or not nodes:
        raise _core.UnsupportedError("stream: the model has nodes of other operators, or none; expected Tesela's")
    name = _output(output, [end["name"] for end in outputs])
    if source is None:
        raise _core.ArgumentError(f"stream: source is None; the model has the input '{inputs[0]['name']}'")
    positions = _path(nodes, inputs[0]["name"], name)
    shape = [(inputs[0]["name"], _types.code_of(source.dtype), source.shape)]
    plans: list[Any] = [model._core.plan(f"#{position + 1}", shape) for position in positions]
    if plans[0].input_shape != source.shape or _types.dtype_of(plans[0].dtype) != source.dtype:
        raise _core.ElementTypeError(f"stream: the model's input '{inputs[0]['name']}' is {_types.dtype_of(plans[0].dtype)} "
                                     f"{plans[0].input_shape}; the source has {source.dtype} {source.shape}")
    text = " | ".join(plan.describe(True) for plan in plans) + repr((inputs, name, nodes))
    return Chain(plans, f"model {hashlib.sha256(text.encode()).hexdigest()} of {len(plans)} nodes")


def _output(wanted: str | None, names: list[str]) -> str:
    shown = ", ".join(names[:8])
    if wanted is None and len(names) != 1:
        raise _core.UnsupportedError(f"stream: the model has {len(names)} outputs; name one of them: {shown}"[:300])
    if wanted is not None and wanted not in names:
        raise _core.InvalidValueError(f"stream: output is '{wanted}'; expected one of {shown}"[:300])
    return names[0] if wanted is None else wanted


def _path(nodes: list[dict[str, Any]], source: str, output: str) -> list[int]:
    """The positions of the nodes from the source to the output. Errors: UnsupportedError."""
    made = {end["name"]: position for position, node in enumerate(nodes) if not node["path"] for end in node["outputs"]}
    positions: list[int] = []
    name, reader = output, "the model's output"
    while name != source or not positions:
        if name not in made or len(positions) == len(nodes):
            raise _core.UnsupportedError(f"stream: {reader} reads '{name}', which no node makes from the input '{source}'"[:300])
        positions.insert(0, made[name])
        node = nodes[made[name]]
        reader = f"{node['operator']} node '{node['name'] or '#' + str(made[name] + 1)}'"
        if not node["inputs"] or node["operator"].startswith("ConstantOfShape"):
            raise _core.UnsupportedError(f"stream: {reader} makes '{name}' without the input '{source}'; stream it by 'fill'"[:300])
        name = node["inputs"][0]["name"]
    return positions
