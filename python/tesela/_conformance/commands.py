# SPDX-License-Identifier: Apache-2.0
"""Backends that are commands: a process for each call, which reads a model and tensors from files and writes the output to one."""

from __future__ import annotations

import os
import pathlib
import re
import shlex
import signal
import tempfile
from typing import Any

import numpy as np

from .. import _core
from .._compare import wire
from .._compare.nodes import Node
from .._compare.runtimes import Answer, Runtime, environment, signal_text
from .._model import Model

PLACEHOLDER = re.compile(r"\{(\w+)\}")
_MESSAGE = 2000  # bytes of what a command prints


class CommandWorker:
    """A command with {model}, {output} and perhaps {inputs}: an ONNX model, the file that it is to write, and the folder that has
    input_0.pb and input_0.npy, ... {output} is a file of type .pb; {output}.npy is one of NumPy's."""

    has_run_others = False
    reads_models = True
    version = ""

    def __init__(self, runtime: Runtime, timeout: float):
        self.runtime, self.timeout = runtime, timeout
        self._process: Any = None

    def start(self) -> None:
        pass

    def stop(self) -> None:
        self.kill()

    def kill(self) -> None:
        if (process := self._process) is not None:
            _end(process)

    def run(self, node: Node, repeat: int = 0) -> Answer:
        with tempfile.TemporaryDirectory(prefix="tesela-conformance-") as folder:
            place = pathlib.Path(folder)
            write_inputs(place, node)
            output = place / "output.npy" if "{output}.npy" in self.runtime.name else place / "output.pb"
            failed = self._call(place)
            return failed or _read(output)

    def _call(self, place: pathlib.Path) -> Answer | None:
        """What went wrong."""
        import subprocess

        files = {"model": "model.onnx", "inputs": "", "output": "output" if "{output}.npy" in self.runtime.name else "output.pb"}
        words = [PLACEHOLDER.sub(lambda found: str(place / files[found[1]]), word) for word in shlex.split(self.runtime.name)]
        printed = place / "printed"
        with open(printed, "wb") as sink:
            try:
                # In a group of its own, so that what it starts ends with it.
                process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=sink, stderr=sink, env=environment(), process_group=0)
            except OSError as error:
                raise _core.IoError(f"conformance: cannot run '{words[0]}': {error.strerror}") from None
            self._process = process
            try:
                status = process.wait(self.timeout)
            except subprocess.TimeoutExpired:
                return Answer("timeout", None, f"no result within {self.timeout:g} s")
            finally:
                _end(process)
                self._process = None
        if status < 0 or status > 128 and status - 128 in set(signal.Signals):
            return Answer("crash", None, signal_text(status if status < 0 else 128 - status))
        return Answer("refused", None, _told(printed, status)) if status else None


def write_inputs(folder: pathlib.Path, node: Node) -> None:
    """model.onnx, and input_0.pb and input_0.npy, ... in the model's order. Strings and types that NumPy lacks have no .npy."""
    (folder / "model.onnx").write_bytes(node.model())
    for number, (name, array) in enumerate(node.feeds().items()):
        (folder / f"input_{number}.pb").write_bytes(wire.tensor(array, name))
        if array.dtype.isbuiltin == 1 and array.dtype != object:
            np.save(folder / f"input_{number}.npy", array)


def _end(process: Any) -> None:
    """With everything that it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def _told(printed: pathlib.Path, status: int) -> str:
    """The last line, which of a traceback is the error."""
    data = printed.read_bytes()[-_MESSAGE:].decode(errors="replace")
    lines = [line for line in data.splitlines() if line.strip()]
    return lines[-1] if lines else f"the process ended with status {status}"


def _read(path: pathlib.Path) -> Answer:
    try:
        if path.suffix == ".npy":
            return Answer("array", np.load(path, allow_pickle=False))
        return Answer("array", _tensor(path.read_bytes()))
    except FileNotFoundError:
        return Answer("refused", None, "it wrote no output")
    except (_core.Error, ValueError, EOFError) as error:
        return Answer("malformed", None, f"its output cannot be read: {error}")


def _tensor(data: bytes) -> np.ndarray:
    """The array of a TensorProto: what a model gives that only has it."""
    [array] = Model(wire.of_tensor(data)).run({}).values()
    return array
