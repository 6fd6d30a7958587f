# SPDX-License-Identifier: Apache-2.0
"""A Python program that shows a difference, to be pasted into an issue."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _types
from . import torch_calls
from .nodes import Node
from .report import NodeReport, Outcome, reasons

_RUN = {
    "onnxruntime": '''import onnxruntime

session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
got = session.run(None, inputs)[0]
''',
    "onnx-reference": '''from onnx.reference import ReferenceEvaluator

got = np.asarray(ReferenceEvaluator(model).run(None, inputs)[0])
''',
    "openvino": '''import openvino

core = openvino.Core()
compiled = core.compile_model(core.read_model(model.SerializeToString()), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
got = next(iter(compiled(inputs).values()))
''',
}


def text(report: NodeReport, expected: np.ndarray, outcome: Outcome, version: str) -> str:
    node = report.node
    reason = "".join(f"# {line}\n" for line in reasons(outcome.explanation)[:4])
    head = f"# {report.line}\n# {outcome.runtime.title} {version}: {outcome.brief()} {outcome.answer.text}".rstrip()
    end = f"expected = {_array(expected)}\nprint(\"expected\", expected.tolist(), sep=\"\\n\")\nprint(\"got\", got.tolist(), sep=\"\\n\")\n"
    imports = "import ml_dtypes\n" if "ml_dtypes." in _array(expected) + _array(node.x) else ""
    if outcome.runtime.name == "pytorch":
        return f"{head}\n{reason}{imports}import numpy as np\nimport torch\n\n{_torch(node)}\n{end}"
    head += f"\n{reason}{imports}import numpy as np\nfrom onnx import helper, numpy_helper\n\n"
    return f"{head}{_model(node)}\n{_RUN[outcome.runtime.name]}\n{end}"


def _model(node: Node) -> str:
    slots = [slot for slot in node.inputs if slot is not None]
    feeds = ",\n          ".join(f'"{slot.port}": {_array(slot.array)}' for slot in slots if not slot.constant)
    constants = ",\n             ".join(f'"{slot.port}": {_array(slot.array)}' for slot in slots if slot.constant)
    names = [slot.port if slot else "" for slot in node.inputs]
    attributes = "".join(f", {name}={_attribute(value)}" for name, value in node.attributes.items())
    output = _types.code_of(node.output_dtype)
    return f'''inputs = {{{feeds}}}
constants = {{{constants}}}
node = helper.make_node("{node.operator}", {names!r}, ["y"]{attributes})
graph = helper.make_graph(
    [node], "node",
    [helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(x.dtype), x.shape) for name, x in inputs.items()],
    [helper.make_tensor_value_info("y", {output}, None)],
    [numpy_helper.from_array(x, name) for name, x in constants.items()])
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", {node.opset})], ir_version=10)
'''


def _torch(node: Node) -> str:
    call = torch_calls.call_of(node)
    if isinstance(call, str):
        return f"raise SystemExit({call!r})"
    shown = {name: f"torch.{value}" if name == "dtype" else repr(value) for name, value in call["arguments"].items()}
    arguments = ", ".join(f"{name}={value}" for name, value in shown.items())
    if node.operator == "ConstantOfShape":
        return f"got = torch.full({arguments})"
    short = node.x.dtype.name == "bfloat16"
    made = "torch.from_numpy(x.view(np.int16)).view(torch.bfloat16)" if short else "torch.from_numpy(x)"
    return f"x = {_array(node.x)}\ngot = torch.{call['function']}({made}, {arguments})\n"


def _attribute(value: Any) -> str:
    return f"numpy_helper.from_array({_array(value)})" if isinstance(value, np.ndarray) else repr(value)


def _array(array: np.ndarray) -> str:
    dtype = "object" if array.dtype == object else f"ml_dtypes.{array.dtype.name}" if array.dtype.isbuiltin == 2 else f"np.{array.dtype.name}"
    values = _list(array)
    nonfinite = array.dtype.kind in "fc" and not np.all(np.isfinite(array))
    if nonfinite:
        values = values.replace("nan", "np.nan").replace("inf", "np.inf")
    return f"np.array({values}, {dtype})" if 0 not in array.shape else f"np.zeros({array.shape}, {dtype})"


def _list(array: np.ndarray) -> str:
    """Nested lists with the shortest text of each value."""
    if array.ndim:
        return "[" + ", ".join(_list(part) for part in array) + "]"
    value = array[()]
    return repr(value) if array.dtype == object else f"{value!s}"
