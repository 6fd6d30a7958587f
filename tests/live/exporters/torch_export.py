# SPDX-License-Identifier: Apache-2.0
"""Both kinds of torch.onnx.export, and openvino.convert_model of PyTorch modules."""

from __future__ import annotations

import logging
import pathlib
import warnings
from collections.abc import Callable, Sequence

import numpy as np
import torch
from exported import Export

warnings.filterwarnings("ignore")
logging.disable(logging.WARNING)


class Outputs(torch.nn.Module):
    """A module whose outputs are a flat tuple of tensors, which exporters need. pick: names of outputs to keep."""

    def __init__(self, module: torch.nn.Module, pick: Sequence[str] = ()):
        super().__init__()
        self.module, self.pick = module, tuple(pick)

    def forward(self, *inputs):
        made = self.module(*inputs)
        if self.pick:
            return tuple(made[name] for name in self.pick)
        return tuple(tensors_of(made))


class Function(torch.nn.Module):
    def __init__(self, function: Callable):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def tensors_of(value):
    """Every tensor in nested dicts and sequences."""
    if isinstance(value, torch.Tensor):
        return [value]
    if hasattr(value, "values"):
        value = list(value.values())
    return [tensor for each in value for tensor in tensors_of(each)] if isinstance(value, (list, tuple)) else []


def seeded(make: Callable[[], torch.nn.Module]) -> torch.nn.Module:
    """The module with random weights, including those initialised with zeros or ones."""
    torch.manual_seed(7)
    module = make().eval()
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.is_floating_point() and parameter.numel() > 1 and bool((parameter == parameter.flatten()[0]).all()):
                parameter.add_(torch.randn_like(parameter) * 0.05)
    return module.requires_grad_(False)


def random_inputs(shapes: Sequence[Sequence[int]]) -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(11)
    return [torch.rand(tuple(shape), generator=generator) for shape in shapes]


def strip(path: str) -> None:
    """Removes the stack traces that dynamo writes for each node, because they contain paths of the machine."""
    import onnx

    model = onnx.load(path)
    for graph in [model.graph, *model.functions]:
        for entry in [*graph.node, *graph.value_info, *getattr(graph, "input", []), *getattr(graph, "output", [])]:
            if not isinstance(entry, str):
                del entry.metadata_props[:]
        del graph.metadata_props[:]
    onnx.save(model, path)


def named(inputs: Sequence[torch.Tensor]) -> dict[str, np.ndarray]:
    return {f"x{k}": tensor.numpy() for k, tensor in enumerate(inputs)}


def onnx_model(name: str, family: str, make: Callable[[], torch.nn.Module], inputs: Sequence, *, opset: int,
               dynamo: bool = False, dynamic: Sequence[dict[int, str]] = (), again: Sequence = (),
               pick: Sequence[str] = (), recorded: bool = False, fold: bool = True) -> Export:
    """inputs: shapes or tensors. dynamic: for each input its dynamic axes, by name. again: the inputs of a second run with
    other shapes, for dynamic models. fold: whether the TorchScript exporter folds constants."""

    def write(path: pathlib.Path):
        path = str(path) + ".onnx"
        module = Outputs(seeded(make), pick)
        first = to_tensors(inputs)
        names = [f"x{k}" for k in range(len(first))]
        axes = {n: dict(d) for n, d in zip(names, dynamic) if d}
        with torch.no_grad():
            if dynamo:
                shapes = tuple({k: torch.export.Dim.DYNAMIC for k in d} for d in dynamic) if dynamic else None
                torch.onnx.export(module, tuple(first), path, input_names=names, opset_version=opset,
                                  dynamo=True, dynamic_shapes=(shapes,) if shapes else None, external_data=False,
                                  verbose=False)
                strip(path)
            else:
                torch.onnx.export(module, tuple(first), path, input_names=names, opset_version=opset,
                                  dynamo=False, dynamic_axes=axes or None, do_constant_folding=fold)
        kind = "dynamo" if dynamo else "TorchScript"
        return f"torch.onnx {kind}", opset, [named(first)] + ([named(to_tensors(again))] if len(again) else [])

    return Export(f"{name}-{'dynamo' if dynamo else 'script'}-{opset}", family, write, recorded)


def openvino_model(name: str, family: str, make: Callable[[], torch.nn.Module], inputs: Sequence, *,
                   dynamic: bool = False, again: Sequence = (), pick: Sequence[str] = (), recorded: bool = False) -> Export:
    """dynamic: every extent from axis 2 on is dynamic."""

    def write(path: pathlib.Path):
        import openvino

        module, first = Outputs(seeded(make), pick), to_tensors(inputs)
        shapes = [openvino.PartialShape([*x.shape[:2], *[-1] * (x.dim() - 2)]) for x in first] if dynamic else None
        with torch.no_grad():
            made = openvino.convert_model(module, example_input=tuple(first), **({"input": shapes} if shapes else {}))
        if not dynamic:
            made.reshape({k: openvino.PartialShape(list(x.shape)) for k, x in enumerate(first)})
        openvino.save_model(made, str(path) + ".xml", compress_to_fp16=False)
        feeds = [first] + ([to_tensors(again)] if len(again) else [])
        return "openvino.convert_model", 0, [named(feed) for feed in feeds]

    return Export(f"{name}-openvino", family, write, recorded)


def to_tensors(inputs: Sequence) -> list[torch.Tensor]:
    if all(isinstance(x, torch.Tensor) for x in inputs):
        return list(inputs)
    return random_inputs(inputs)
