# SPDX-License-Identifier: Apache-2.0
"""Runs nodes in another runtime, in a process of its own, because some nodes end the process.

As a program: the name of the runtime or MODULE:CLASS (FILE.py:CLASS), a socket, and threads. Each request is answered:
{"array", "seconds"}, {"refused": message} or {"unreadable": message}. It imports nothing of this package, so that a fault here is the runtime's.
"""

from __future__ import annotations

import importlib
import os
import statistics
import sys
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

import numpy as np

# Computes the output; and reads what that returns.
Prepared = tuple[Callable[[], Any], Callable[[Any], np.ndarray]]


class Unreadable(Exception):
    """The runtime's Python interface cannot take or return values of a type."""


class Onnxruntime:
    def __init__(self, threads: int):
        import onnxruntime

        self.library, self.version = onnxruntime, onnxruntime.__version__
        self.options = onnxruntime.SessionOptions()
        self.options.log_severity_level = 4
        self.options.intra_op_num_threads = threads

    def session(self, model: bytes, folder: str = "") -> Any:
        if folder:
            self.options.add_session_config_entry("session.model_external_initializers_file_folder_path", folder)
        return self.library.InferenceSession(model, self.options, providers=["CPUExecutionProvider"], enable_fallback=0)

    def prepare(self, request: dict[str, Any]) -> Prepared:
        session = self.session(request["model"])
        for array in request["inputs"].values():
            if array.dtype.isbuiltin == 2:  # a type of ml_dtypes
                raise Unreadable(f"its Python interface takes no arrays of {array.dtype}")
        return lambda: session.run(None, request["inputs"]), lambda found: np.asarray(found[0])

    def values(self, request: dict[str, Any]) -> list[np.ndarray]:
        session = self.session(request["model"], request["folder"])
        return session.run(request["names"], request["inputs"])


class Reference:
    def __init__(self, threads: int):
        import onnx
        import onnx.reference

        self.library, self.version = onnx, onnx.__version__

    def prepare(self, request: dict[str, Any]) -> Prepared:
        evaluator: Any = self.library.reference.ReferenceEvaluator(self.library.load_from_string(request["model"]))

        def run() -> Any:
            with np.errstate(all="ignore"):
                return evaluator.run(None, request["inputs"])[0]

        def read(found: Any) -> np.ndarray:
            if found is None:
                raise ValueError("it returns None")
            return np.asarray(found)

        return run, read


class Openvino:
    def __init__(self, threads: int):
        import openvino

        self.library, self.version = openvino, openvino.__version__.partition("-")[0]
        self.core = openvino.Core()
        self.core.set_property("CPU", {"INFERENCE_NUM_THREADS": threads})

    def prepare(self, request: dict[str, Any]) -> Prepared:
        model = self.core.read_model(request["model"])
        compiled = self.core.compile_model(model, "CPU", {"INFERENCE_PRECISION_HINT": "f32"})
        made = compiled.create_infer_request()
        for port in compiled.inputs:
            array = request["inputs"][port.get_any_name()]
            if array.dtype == object:
                made.set_tensor(port, self.library.Tensor(np.array(array, str)))
            else:  # its bits: Python hands bfloat16 over as other ones
                bits = made.get_tensor(port).data.reshape(-1).view(np.uint8)
                bits[:] = np.ascontiguousarray(array).reshape(-1).view(np.uint8)

        def read(_: Any) -> np.ndarray:
            tensor = made.get_output_tensor(0)
            data, shape, dtype = np.array(tensor.data), tuple(tensor.shape), np.dtype(request["dtype"])
            return data.astype(object) if dtype == object else data.reshape(-1).view(np.uint8).view(dtype).reshape(shape)

        return made.infer, read


class Torch:
    def __init__(self, threads: int):
        import torch

        self.library, self.version = torch, torch.__version__.partition("+")[0]
        torch.set_num_threads(threads)

    def prepare(self, request: dict[str, Any]) -> Prepared:
        call = request["torch"]
        if isinstance(call, str):
            raise ValueError(call)
        x = None if request["x"] is None else self.tensor(np.array(request["x"], order="C"))  # a scalar stays one
        function: Any = self.library
        for part in call["function"].split("."):
            function = getattr(function, part)
        if x is None:
            dtype = getattr(self.library, call["arguments"]["dtype"])
            return lambda: function(**(call["arguments"] | {"dtype": dtype})), lambda found: self.array(found, np.dtype(request["dtype"]))
        return lambda: function(x, **call["arguments"]), lambda found: self.array(found, request["x"].dtype)

    def tensor(self, array: np.ndarray) -> Any:
        if array.dtype.name != "bfloat16":
            return self.library.from_numpy(array)
        return self.library.from_numpy(array.view(np.int16)).view(self.library.bfloat16)

    def array(self, tensor: Any, dtype: np.dtype) -> np.ndarray:
        return tensor.numpy() if dtype.name != "bfloat16" else tensor.view(self.library.int16).numpy().view(dtype)


class Custom:
    """A class of the user's: with prepare() of onnx.backend.base.Backend, or with run(model, inputs)."""

    version = "given"

    def __init__(self, name: str):
        self.made: Any = imported(name)
        self.is_onnx_backend = hasattr(self.made, "prepare")
        if isinstance(self.made, type) and not self.is_onnx_backend:
            self.made = self.made()

    def prepare(self, request: dict[str, Any]) -> Prepared:
        model, inputs = request["model"], request["inputs"]
        if self.is_onnx_backend:
            import onnx

            ready = self.made.prepare(onnx.load_from_string(model), device="CPU")
            return lambda: ready.run(list(inputs.values())), first_output
        return lambda: self.made.run(model, inputs), first_output


def imported(name: str) -> Any:
    """What MODULE:CLASS or FILE.py:CLASS names; modules of the working folder, too."""
    place, _, path = name.rpartition(":")
    if place.endswith(".py"):
        folder, place = os.path.split(os.path.abspath(place[:-3]))
        sys.path.insert(0, folder)
    else:
        sys.path.append(os.getcwd())
    found = importlib.import_module(place)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def first_output(found: Any) -> np.ndarray:
    """Of an array, a list of them, or arrays by name."""
    if isinstance(found, dict):
        found = list(found.values())
    if isinstance(found, (list, tuple)):
        if len(found) != 1:
            raise ValueError(f"it returns {len(found)} outputs; the model has one")
        found = found[0]
    if found is None:
        raise ValueError("it returns None")
    array = np.asarray(found)
    return array.astype(object) if array.dtype.kind in "UST" else array


RUNTIMES: dict[str, Any] = {"onnxruntime": Onnxruntime, "onnx-reference": Reference, "openvino": Openvino, "pytorch": Torch}


def answer(runtime: Any, request: dict[str, Any]) -> dict[str, Any]:
    try:
        if "names" in request:
            return {"arrays": runtime.values(request)}
        run, read = runtime.prepare(request)
        array = read(run())
        seconds = []
        for _ in range(request["repeat"]):
            began = time.perf_counter()
            run()
            seconds.append(time.perf_counter() - began)
        return {"array": array, "seconds": statistics.median(seconds) if seconds else None}
    except Unreadable as error:
        return {"unreadable": str(error)}
    except Exception as error:
        return {"refused": f"{str(error) or type(error).__name__}"}


def main(name: str, descriptor: str, threads: str) -> None:
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, 1)  # what runtimes print is no output of the program
    os.dup2(sink, 2)
    with Connection(int(descriptor)) as parent:
        try:
            runtime = Custom(name) if ":" in name else RUNTIMES[name](int(threads))
        except Exception as error:
            parent.send({"missing": f"{type(error).__name__}: {error}"})
            return
        parent.send({"version": runtime.version})
        while True:
            try:
                request = parent.recv()
            except EOFError:
                return
            parent.send(answer(runtime, request))


if __name__ == "__main__":
    main(*sys.argv[1:])
