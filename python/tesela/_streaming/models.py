# SPDX-License-Identifier: Apache-2.0
"""Operations of models: the nodes between an input and an output, which form a chain because each reads one tensor that streams. The
other inputs that these nodes read are numbers such as sizes, which are read whole."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import _core, _types
from .._model import Model
from .operation import Chain, Operation
from .sources import Source, open_source

_MOST_NUMBERS = 1 << 16  # elements of an input that is read whole


class ModelChain:
    """The nodes that make an output of a model. name: of the input that streams. source: what is given for it."""

    def __init__(self, model: Model, given: Any, output: str | None = None):
        """given: the source of the only input, or a dictionary of sources by the names of inputs. output: its name, where there are
        several. Errors: UnsupportedError, CountError, ArgumentError, InvalidValueError."""
        facts = model.inspect()
        inputs, outputs, self._nodes = facts["inputs"], facts["outputs"], facts["nodes"]
        names = [end["name"] for end in inputs]
        if not names:
            raise _core.UnsupportedError("stream: the model has no input")
        if not facts["runnable"] or not self._nodes:
            raise _core.UnsupportedError("stream: the model has nodes of other operators, or none; expected Tesela's")
        self._model, self._inputs = model, inputs
        self._output = _output(output, [end["name"] for end in outputs])
        sources = _by_name(given, names)
        self.name, self._positions = _path(self._nodes, names, self._output)
        self.source = sources.pop(self.name, None)
        if self.source is None:
            raise _core.ArgumentError(f"stream: source is None; '{self._output}' is computed from the model's input '{self.name}'")
        self._others = [_known(name, source) for name, source in sources.items() if source is not None]

    def operation_of(self, source: Source | None) -> Operation:
        """What is computed from the source, once it is open. Errors: ElementTypeError, and those of plans."""
        assert source is not None
        infos = [(self.name, _types.code_of(source.dtype), source.shape), *self._others]
        plans: list[Any] = [self._model._core.plan(f"#{position + 1}", infos) for position in self._positions]
        if plans[0].input_shape != source.shape or _types.dtype_of(plans[0].dtype) != source.dtype:
            raise _core.ElementTypeError(f"stream: the model's input '{self.name}' is {_types.dtype_of(plans[0].dtype)} "
                                         f"{plans[0].input_shape}; the source has {source.dtype} {source.shape}")
        text = " | ".join(plan.describe(True) for plan in plans) + repr((self._inputs, self.name, self._output, self._nodes))
        return Chain(plans, f"model {hashlib.sha256(text.encode()).hexdigest()} of {len(plans)} nodes")


def _by_name(given: Any, names: list[str]) -> dict[str, Any]:
    """Sources by the names of inputs."""
    shown = ", ".join(names[:8])
    if not isinstance(given, Mapping):
        if len(names) != 1:
            raise _core.CountError(f"stream: the model has {len(names)} inputs; give a dictionary of sources for {shown}"[:300])
        return {names[0]: given}
    for name in given:
        if name not in names:
            raise _core.InvalidValueError(f"stream: the model has no input '{name}'; it has {shown}"[:300])
    return dict(given)


def _known(name: str, given: Any) -> tuple[Any, ...]:
    """What plans know of an input that does not stream: type and shape, and the elements if they are few."""
    source = open_source(given)
    try:
        if math.prod(source.shape) > _MOST_NUMBERS:
            return name, _types.code_of(source.dtype), source.shape
        box = source.empty(source.shape)
        source.read((0,) * len(source.shape), box)
        elements: np.ndarray = np.ascontiguousarray(box, source.dtype.newbyteorder("="))
        return name, _types.code_of(source.dtype), source.shape, _types.as_plain(elements)
    finally:
        source.close()


def _output(wanted: str | None, names: list[str]) -> str:
    shown = ", ".join(names[:8])
    if wanted is None and len(names) != 1:
        raise _core.UnsupportedError(f"stream: the model has {len(names)} outputs; name one of them: {shown}"[:300])
    if wanted is not None and wanted not in names:
        raise _core.InvalidValueError(f"stream: output is '{wanted}'; expected one of {shown}"[:300])
    return names[0] if wanted is None else wanted


def _path(nodes: list[dict[str, Any]], inputs: list[str], output: str) -> tuple[str, list[int]]:
    """The input that the output is computed from, and the positions of the nodes between. Errors: UnsupportedError."""
    made = {end["name"]: position for position, node in enumerate(nodes) if not node["path"] for end in node["outputs"]}
    positions: list[int] = []
    name, reader = output, "the model's output"
    while name not in inputs or not positions:
        if name not in made or len(positions) == len(nodes):
            raise _core.UnsupportedError(f"stream: {reader} reads '{name}', which no node makes from an input; inputs are "
                                         f"{', '.join(inputs[:8])}"[:300])
        positions.insert(0, made[name])
        node = nodes[made[name]]
        reader = f"{node['operator']} node '{node['name'] or '#' + str(made[name] + 1)}'"
        if not node["inputs"] or node["operator"].startswith("ConstantOfShape"):
            raise _core.UnsupportedError(f"stream: {reader} makes '{name}' of a shape, which is not a tensor that streams; use 'fill', or run "
                                         f"the model without streaming"[:300])
        name = node["inputs"][0]["name"]
    return name, positions
