# SPDX-License-Identifier: Apache-2.0
"""Tesela as an ONNX backend (onnx.backend.base.Backend), for models made of its operators."""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from onnx.backend.base import Backend, BackendRep

from . import _core
from ._model import Model, load


class TeselaRep(BackendRep):
    """A model that is ready to run."""

    def __init__(self, model: Model):
        self.model = model

    def run(self, inputs: Any, **kwargs: Any) -> tuple[np.ndarray, ...]:
        """inputs: in the model's order, or by name."""
        if isinstance(inputs, (list, tuple)):
            inputs = dict(zip((end.name for end in self.model.inputs), inputs))
        elif not isinstance(inputs, dict):
            inputs = {self.model.inputs[0].name: inputs}
        return tuple(self.model.run(inputs).values())


class TeselaBackend(Backend):
    """The interface that onnx.backend.test.BackendTest uses."""

    @classmethod
    def is_compatible(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> bool:
        if not cls.supports_device(device):
            return False
        try:
            _core.Session(load(model)._core)
        except _core.Error:
            return False
        return True

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **kwargs: Any) -> TeselaRep:
        if not cls.supports_device(device):
            raise _core.UnsupportedError(f"device '{device}' is not supported; expected CPU")
        return TeselaRep(load(model))

    @classmethod
    def run_model(cls, model: onnx.ModelProto, inputs: Any, device: str = "CPU", **kwargs: Any) -> tuple[Any, ...]:
        return cls.prepare(model, device).run(inputs)

    @classmethod
    def run_node(cls, node: onnx.NodeProto, inputs: Any, device: str = "CPU",
                 outputs_info: Any = None, **kwargs: Any) -> tuple[Any, ...]:
        """Runs one node. inputs: an array for each input with a name."""
        names = [name for name in node.input if name]
        arrays = [np.asarray(x) for x in inputs]
        to_type = onnx.helper.np_dtype_to_tensor_dtype
        declared = [onnx.helper.make_tensor_value_info(name, to_type(x.dtype), x.shape)
                    for name, x in zip(names, arrays)]
        made = [onnx.ValueInfoProto(name=name) for name in node.output]
        graph = onnx.helper.make_graph([node], "node", declared, made)
        opset = kwargs.get("opset_version", onnx.defs.onnx_opset_version())
        model = onnx.helper.make_model(graph, opset_imports=[onnx.helper.make_opsetid("", opset)])
        return cls.run_model(model, arrays, device)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        return device.partition(":")[0] == "CPU"


is_compatible = TeselaBackend.is_compatible
prepare = TeselaBackend.prepare
run = TeselaBackend.run_model
run_model = TeselaBackend.run_model
run_node = TeselaBackend.run_node
supports_device = TeselaBackend.supports_device
