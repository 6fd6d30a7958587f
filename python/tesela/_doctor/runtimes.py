# SPDX-License-Identifier: Apache-2.0
"""Runtimes that Tesela runs inside, and whether it does here."""

from __future__ import annotations

import importlib.util
import json
import os
import sys
from typing import Any, NamedTuple

_SECONDS = 120.0
_LONGEST = 500  # characters of a message


class Runtime(NamedTuple):
    """name: of its plugin. module: what Python imports."""

    name: str
    title: str
    module: str


RUNTIMES = (Runtime("onnxruntime", "ONNX Runtime", "onnxruntime"), Runtime("openvino", "OpenVINO", "openvino"))


def examine(runtime: Runtime) -> dict[str, Any]:
    """works: None if it is not installed. text: how Tesela runs inside it, or why it does not."""
    found = {"name": runtime.name, "title": runtime.title, "version": None, "works": None, "text": "not installed"}
    if importlib.util.find_spec(runtime.module) is None:
        return found
    return found | {"works": False} | _tried(runtime)


def _tried(runtime: Runtime) -> dict[str, Any]:
    import subprocess  # takes milliseconds, which `import tesela` should not

    # What is preloaded, such as a sanitizer, is meant for this process.
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    environment["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))
    words = [sys.executable, "-m", f"{__package__}.trial", runtime.name]
    try:
        done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, env=environment, timeout=_SECONDS)
    except subprocess.TimeoutExpired:
        return {"text": f"no answer within {_SECONDS:g} s"}
    # The runtimes print, too: the answer is the last line.
    lines = done.stdout.decode(errors="replace").strip().splitlines()
    try:
        return json.loads(lines[-1])
    except (IndexError, ValueError):
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        return {"text": f"its process ended with status {done.returncode}: {''.join(last)}"[:_LONGEST]}
