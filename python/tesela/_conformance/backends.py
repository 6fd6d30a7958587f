# SPDX-License-Identifier: Apache-2.0
"""What a backend is: a runtime of compare, a Python class, or a command."""

from __future__ import annotations

import re
import shlex
import shutil
import sys
from typing import Protocol

from .. import _core, _parameters
from .._compare import runtimes
from .._compare.nodes import Node
from .._compare.runtimes import Answer, Runtime, Worker
from . import torch_nodes
from .commands import PLACEHOLDER, CommandWorker

_CLASS = re.compile(r"[^\s{}]+:[A-Za-z_][\w.]*")


class Peer(Protocol):
    """Runs nodes; `Worker` and `CommandWorker` are two."""

    runtime: Runtime
    version: str
    reads_models: bool

    @property
    def has_run_others(self) -> bool: ...

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def kill(self) -> None: ...
    def run(self, node: Node, repeat: int = 0) -> Answer: ...


class ModelWorker(Worker):
    reads_models = True


class TorchWorker(Worker):
    """PyTorch, which has functions: it is asked where one of them means what the node says."""

    reads_models = False

    def run(self, node: Node, repeat: int = 0) -> Answer:
        why = torch_nodes.unsupported(node)
        return Answer("unsupported", None, why) if why else super().run(node, repeat)


def read(words: object, python: object = None) -> Runtime:
    """The backend of a name, MODULE:CLASS, FILE.py:CLASS or a command with {model} and {output}. python: of `interpreter`. Errors:
    UsageError, InvalidValueError, UnsupportedError."""
    text = _parameters.text("conformance", "backend", words)
    if PLACEHOLDER.search(text):
        if python is not None:
            raise _core.UsageError("conformance: python is for runtimes and classes; a command names its own program")
        return Runtime(text, _checked(text), (), "", "")
    if _CLASS.fullmatch(text):
        return Runtime(text, text, (), "", "")
    if len(text.split()) > 1:
        raise _core.UsageError(f"conformance: backend {_parameters.shown(text)} is a command without {{model}} and {{output}}; both stand for files")
    [runtime] = runtimes.named([text], "conformance", python is None)
    return runtime


def interpreter(program: object) -> str:
    """The Python that runs a runtime or a class; by default this one. Errors: UsageError, InvalidValueError."""
    if program is None:
        return sys.executable
    text = _parameters.text("conformance", "python", program)
    if (found := shutil.which(text)) is None:
        raise _core.InvalidValueError(f"conformance: python {_parameters.shown(text)} is not a program that can be run")
    return found


def _checked(text: str) -> str:
    """The name of a command's program. Errors: UsageError, InvalidValueError."""
    names = set(PLACEHOLDER.findall(text))
    if unknown := sorted(names - {"model", "inputs", "output"}):
        raise _core.UsageError(f"conformance: backend has {{{unknown[0]}}}; expected {{model}}, {{inputs}} and {{output}}")
    if missing := sorted({"model", "output"} - names):
        raise _core.UsageError(f"conformance: backend lacks {{{missing[0]}}}, which stands for a file")
    try:
        program = shlex.split(text)[0]
    except (ValueError, IndexError) as error:
        raise _core.UsageError(f"conformance: backend {_parameters.shown(text)} is not a command: {error}") from None
    if shutil.which(program) is None:
        raise _core.InvalidValueError(f"conformance: backend {_parameters.shown(program)} is not a program that can be run")
    return program


def peer(runtime: Runtime, timeout: float, python: str) -> Peer:
    if PLACEHOLDER.search(runtime.name):
        return CommandWorker(runtime, timeout)
    kind = TorchWorker if runtime.name == "pytorch" else ModelWorker
    return kind(runtime, 1, timeout, "conformance", python)
