# SPDX-License-Identifier: Apache-2.0
"""Runs one-node models in OpenVINO on the CPU. Compiling takes much longer than running, so many nodes go into one model, and
some nodes end the process, so models run in a process of their own. All inputs but the first become constants: OpenVINO then
reports errors when it compiles, and otherwise returns empty outputs, also those of other nodes.

As a program: answers pickled models on its standard input with a list of arrays, or an error message."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import numpy as np
import onnx
from onnx import numpy_helper
from peer_process import ENVIRONMENT

TOGETHER = 50


def merged(protos: list[onnx.ModelProto], feeds: list[dict]) -> onnx.ModelProto:
    """One model of the nodes of several of one opset; the names of each get its number."""
    made = onnx.ModelProto()
    made.CopyFrom(protos[0])
    for values in (made.graph.node, made.graph.input, made.graph.output):
        del values[:]
    for k, proto in enumerate(protos):
        node = made.graph.node.add()
        node.CopyFrom(proto.graph.node[0])
        for names in (node.input, node.output):
            for position, name in enumerate(names):
                names[position] = f"{name}_{k}" if name else ""
        for target, value in ((made.graph.input, proto.graph.input[0]), (made.graph.output, proto.graph.output[0])):
            target.add().CopyFrom(value)
            target[-1].name = f"{value.name}_{k}"
        for value in proto.graph.input[1:]:
            made.graph.initializer.append(numpy_helper.from_array(feeds[k][value.name], f"{value.name}_{k}"))
    return made


class Worker:
    """The process, which is started when it is needed."""

    def __init__(self):
        self._process = None

    def ask(self, protos: list[onnx.ModelProto], feeds: list[dict], types: list[str]) -> list[np.ndarray] | str:
        if self._process is None:
            self._process = subprocess.Popen([sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                             stderr=subprocess.DEVNULL, env=ENVIRONMENT)
        inputs = {f"{proto.graph.input[0].name}_{k}": feeds[k][proto.graph.input[0].name] for k, proto in enumerate(protos)}
        try:
            pickle.dump((merged(protos, feeds).SerializeToString(), inputs, types), self._process.stdin)
            self._process.stdin.flush()
            return pickle.load(self._process.stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            status = self._process.wait()
            self._process = None
            return f"the process ended with status {status}"

    def close(self) -> None:
        if self._process is not None:
            self._process.stdin.close()
            self._process.wait()
        self._process = None


def run_together(worker: Worker, positions: list[int], models: list, results: list) -> None:
    """Runs nodes in one model; if that fails, halves of them."""
    answer = worker.ask(*(list(part) for part in zip(*(models[k] for k in positions))))
    if not isinstance(answer, str):
        for k, array in zip(positions, answer):
            results[k] = array
    elif len(positions) == 1:
        results[positions[0]] = answer
    else:
        for half in (positions[: len(positions) // 2], positions[len(positions) // 2:]):
            run_together(worker, half, models, results)


def run_all(models: list[tuple[onnx.ModelProto, dict, str]], alone: list[bool]) -> list[np.ndarray | str]:
    """An array or an error message for each (model, inputs, type of the output). alone: models that may fail; they run in
    another process, one by one, since some corrupt memory."""
    results: list = [None] * len(models)
    by_opset: dict[int, list[int]] = {}
    for k, (proto, _, _) in enumerate(models):
        if not alone[k]:
            by_opset.setdefault(proto.opset_import[0].version, []).append(k)
    worker, other = Worker(), Worker()
    try:
        for positions in by_opset.values():
            for first in range(0, len(positions), TOGETHER):
                run_together(worker, positions[first: first + TOGETHER], models, results)
        for k, is_alone in enumerate(alone):
            if is_alone:
                run_together(other, [k], models, results)
    finally:
        worker.close()
        other.close()
    return results


# --- The program ---------------------------------------------------------------------------------


def compute(core, model: bytes, inputs: dict, types: list[str]) -> list[np.ndarray]:
    import openvino as ov

    compiled = core.compile_model(core.read_model(model), "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
    request = compiled.create_infer_request()
    for port in compiled.inputs:
        name = port.get_any_name()
        if inputs[name].dtype == object:
            request.set_tensor(port, ov.Tensor(np.array(inputs[name], str)))
        else:  # its bits: Python hands bfloat16 over as other ones
            request.get_tensor(port).data.reshape(-1).view(np.uint8)[:] = np.ascontiguousarray(inputs[name]).reshape(-1).view(np.uint8)
    request.infer()
    found = []
    for k, dtype in enumerate(types):
        tensor = request.get_tensor(f"y_{k}")
        bits = np.array(tensor.data).reshape(-1).view(np.uint8)
        found.append(bits.view(np.dtype(dtype)).reshape(tuple(tensor.shape)))
    return found


def main() -> None:
    # Its thread forks. Where a node then ends this process, the child can stay with the pipe of the answers, which never closes.
    sys.modules["openvino_telemetry"] = None
    import ml_dtypes  # noqa: F401  (NumPy then knows bfloat16 by name)
    import openvino as ov

    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what OpenVINO prints is no answer
    core = ov.Core()
    core.set_property("CPU", {"INFERENCE_NUM_THREADS": 1})
    while True:
        try:
            model, inputs, types = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            answer = compute(core, model, inputs, types)
        except Exception as error:
            answer = " ".join(str(error).split()) or type(error).__name__
        pickle.dump(answer, answers)
        answers.flush()


if __name__ == "__main__":
    main()
