# SPDX-License-Identifier: Apache-2.0
"""What a backend is: a runtime of compare, a Python class, or a command."""

from __future__ import annotations

import re
import shlex
import shutil
from typing import Protocol

from .. import _core, _parameters
from .._compare import runtimes
from .._compare.nodes import Node
from .._compare.runtimes import Answer, Runtime, Worker
from .commands import PLACEHOLDER, CommandWorker

_CLASS = re.compile(r"[^\s{}]+:[A-Za-z_][\w.]*")


class Peer(Protocol):
    """Runs nodes; `Worker` and `CommandWorker` are two."""

    runtime: Runtime
    version: str

    @property
    def has_run_others(self) -> bool: ...

    def start(self) -> None: ...
    def stop(self) -> None: ...
    def kill(self) -> None: ...
    def run(self, node: Node, repeat: int = 0) -> Answer: ...


def read(words: object) -> Runtime:
    """The backend of a name, MODULE:CLASS, FILE.py:CLASS or a command with {model} and {output}. Errors: UsageError,
    InvalidValueError, UnsupportedError."""
    text = _parameters.text("conformance", "backend", words)
    if PLACEHOLDER.search(text):
        return Runtime(text, _checked(text), (), "", "")
    if _CLASS.fullmatch(text):
        return Runtime(text, text, (), "", "")
    if len(text.split()) > 1:
        raise _core.UsageError(f"conformance: backend {_parameters.shown(text)} is a command without {{model}} and {{output}}; both stand for files")
    [runtime] = runtimes.named([text], "conformance")
    return runtime


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
        raise _core.UsageError(f"conformance: backend {_parameters.shown(text)} is no command: {error}") from None
    if shutil.which(program) is None:
        raise _core.InvalidValueError(f"conformance: backend {_parameters.shown(program)} is no program that can be run")
    return program


def peer(runtime: Runtime, timeout: float) -> Peer:
    if PLACEHOLDER.search(runtime.name):
        return CommandWorker(runtime, timeout)
    return Worker(runtime, 1, timeout, "conformance")
