# SPDX-License-Identifier: Apache-2.0
"""Other runtimes, each in a process of its own."""

from __future__ import annotations

import importlib.util
import os
import pathlib
import signal
import sys
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from .. import _core, _parameters
from . import torch_calls
from .nodes import Node

_START_SECONDS = 120.0


class Runtime(NamedTuple):
    """name: in the catalogue. others: what it is called besides. module, package: what Python imports, and pip installs."""

    name: str
    title: str
    others: tuple[str, ...]
    module: str
    package: str


RUNTIMES = (
    Runtime("onnxruntime", "ONNX Runtime", ("ort",), "onnxruntime", "onnxruntime"),
    Runtime("openvino", "OpenVINO", ("ov",), "openvino", "openvino"),
    Runtime("onnx-reference", "onnx's reference evaluator", ("reference", "onnx"), "onnx", "onnx"),
    Runtime("pytorch", "PyTorch", ("torch",), "torch", "torch"),
)


class Answer(NamedTuple):
    """What a runtime made of a node. kind: "array", "refused", "crash", "timeout" or "unreadable"; in conformance
    "unsupported", too, and of commands "malformed", where the output's file holds no tensor. text: its message."""

    kind: str
    array: np.ndarray | None = None
    text: str = ""
    seconds: float | None = None


def named(names: Iterable[str], verb: str = "compare", here: bool = True) -> list[Runtime]:
    """verb: who asks, for errors. here: whether this interpreter is to have them. Errors: InvalidValueError, UnsupportedError (not installed)."""
    known = {alias: runtime for runtime in RUNTIMES for alias in (runtime.name, *runtime.others)}
    chosen: list[Runtime] = []
    for name in names:
        if name not in known:
            near = _core.nearest_name(name, list(known))
            expected = ", ".join(runtime.name for runtime in RUNTIMES)
            cure = f"did you mean '{near}'?" if near else f"expected one of {expected}"
            raise _core.InvalidValueError(f"{verb}: runtime {_parameters.shown(name)} is unknown; {cure}")
        if known[name] not in chosen:
            chosen.append(known[name])
    for runtime in chosen:
        if here and importlib.util.find_spec(runtime.module) is None:
            raise _core.UnsupportedError(f"{verb}: {runtime.title} is not installed: pip install {runtime.package}")
    return chosen


def installed() -> list[Runtime]:
    """Those that take any node. Errors: UnsupportedError, if there is none."""
    found = [runtime for runtime in RUNTIMES if runtime.name != "pytorch" and importlib.util.find_spec(runtime.module) is not None]
    if not found:
        raise _core.UnsupportedError("compare: no other runtime is installed: pip install onnxruntime")
    return found


def environment() -> dict[str, str]:
    """Of other runtimes. What is preloaded, such as a sanitizer, is meant for Tesela."""
    return {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}


class Worker:
    """A runtime in its process, which is started when it is needed. Use it with `with`."""

    def __init__(self, runtime: Runtime, threads: int, timeout: float, verb: str = "compare", python: str = sys.executable):
        """python: the interpreter that has the runtime."""
        self.runtime, self.timeout, self.version = runtime, timeout, ""
        self._python = python
        self._threads, self._verb = threads, verb
        self._process: Any = None
        self._connection: Any = None
        self._asked = 0  # nodes that the process was given

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()

    def run(self, node: Node, repeat: int = 0) -> Answer:
        request: dict[str, Any] = {"model": node.model(), "inputs": node.feeds(), "dtype": node.output_dtype, "repeat": repeat}
        if self.runtime.name == "pytorch":
            request |= {"torch": torch_calls.call_of(node), "x": None if node.operator == "ConstantOfShape" else node.x, "model": b""}
        return _answer(self._ask(request))

    @property
    def has_run_others(self) -> bool:
        """Whether the process has run more than the last node, and could have been damaged by another. A class of the user's is
        asked once: it may be slow to start."""
        return self._asked > 1 and self.runtime.module != ""

    def values(self, model: bytes, folder: str, inputs: dict[str, np.ndarray], names: list[str]) -> dict[str, np.ndarray]:
        """Values of a model. Errors: UnsupportedError."""
        told = self._ask({"model": model, "folder": folder, "inputs": inputs, "names": names})
        if "arrays" not in told:
            raise _core.UnsupportedError(f"{self._verb}: {self.runtime.title} cannot run the model: {_answer(told).text}")
        return dict(zip(names, told["arrays"]))

    def start(self) -> None:
        """Errors: UnsupportedError."""
        if self._process is not None:
            return
        import socket  # these take milliseconds, which `import tesela` should not
        import subprocess
        from multiprocessing.connection import Connection

        ours, theirs = socket.socketpair()
        with theirs:
            words = [self._python, "-P", str(pathlib.Path(__file__).with_name("worker.py")), self.runtime.name, str(theirs.fileno()),
                     str(self._threads)]
            # In a group of its own: an interruption of the terminal is for this process alone.
            self._process = subprocess.Popen(words, stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()], env=environment(), process_group=0)
        self._connection = Connection(ours.detach())
        self._asked = 0
        told = self._receive(_START_SECONDS)
        self.version = told.get("version", "")
        if not self.version:
            self.stop()
            raise _core.UnsupportedError(f"{self._verb}: {self.runtime.title} does not start: {told.get('missing') or _answer(told).text}")

    def stop(self) -> None:
        if self._process is not None:
            self._connection.close()
            self.kill()
            self._process.wait()
        self._process = None

    def kill(self) -> None:
        """Ends the process and what it has started. Other threads may call it; then a node that is running becomes a crash."""
        if (process := self._process) is not None:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass  # it has ended

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        self.start()
        self._asked += 1
        try:
            self._connection.send(request)
        except OSError:
            pass  # it ended; receiving says how
        return self._receive(self.timeout)

    def _receive(self, seconds: float) -> dict[str, Any]:
        assert self._process is not None
        try:
            if self._connection.poll(seconds):
                return self._connection.recv()
            self.stop()
            return {"timeout": f"no result within {seconds:g} s"}
        except (EOFError, OSError):
            status = self._process.wait()
            self._process = None
            self._connection.close()
            return {"crash": signal_text(status)}


def _answer(told: dict[str, Any]) -> Answer:
    if "array" in told:
        return Answer("array", told["array"], "", told["seconds"])
    kind, text = next(iter(told.items()))
    return Answer(kind, None, " ".join(str(text).split()))


def signal_text(status: int) -> str:
    if status >= 0:
        return f"the process ended with status {status}"
    try:
        return f"the process ended by {signal.Signals(-status).name}"
    except ValueError:
        return f"the process ended by signal {-status}"
