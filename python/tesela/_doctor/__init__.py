# SPDX-License-Identifier: Apache-2.0
"""What is installed, and what the library found on this machine."""

from __future__ import annotations

import importlib.metadata
import json
import platform
import sys
from typing import Any

from .. import _core, _files
from . import runtimes

__all__ = ["Diagnosis", "doctor"]

# What the package uses if it is there, by the names under which they are installed.
_PACKAGES = ("numpy", "ml_dtypes", "dask", "jax", "onnx", "pillow", "tensorflow", "torch", "xarray")
_PLUGINS = {"onnxruntime": "libtesela_onnxruntime.so", "openvino": "libtesela_openvino.so"}


class Diagnosis:
    """What doctor found. `print(diagnosis)` shows it; it is true if there are no problems."""

    __slots__ = ("_document", "_library_text")

    def __init__(self, document: dict[str, Any], library_text: str):
        self._document, self._library_text = document, library_text

    @property
    def problems(self) -> list[str]:
        """What does not work, each in a sentence with its cure."""
        return list(self._document["problems"])

    def as_dict(self) -> dict[str, Any]:
        """What `tesela doctor --json` prints; docs/schemas/doctor.json describes it."""
        return json.loads(json.dumps(self._document))

    def __bool__(self) -> bool:
        return not self._document["problems"]

    def __str__(self) -> str:
        lines = [line for line in self._library_text.splitlines() if not line.startswith("problem: ")]
        python, packages = self._document["python"], self._document["python"]["packages"]
        lines.append(f"Python: {python['implementation']} {python['version']}, {python['executable']}")
        lines.append("packages: " + ", ".join(f"{name} {version}" for name, version in packages.items()))
        for name, path in self._document["plugins"].items():
            lines.append(f"plugin for {name}: {path or 'not in this copy'}")
        lines += map(_runtime_line, self._document["runtimes"])
        lines += [f"problem: {problem}" for problem in self._document["problems"]]
        return "\n".join(lines)


def doctor() -> Diagnosis:
    """Says what is installed and what the library found: version, instruction sets, caches, threads, libraries, plugins, and the
    runtimes that these are for. Each runtime runs a small model with Tesela in a process of its own."""
    document = json.loads(_core.doctor(json=True))
    document["python"] = {"version": platform.python_version(), "implementation": platform.python_implementation(),
                          "executable": sys.executable, "packages": _versions()}
    document["plugins"] = {name: _plugin(file) for name, file in _PLUGINS.items()}
    document["runtimes"] = [runtimes.examine(runtime) for runtime in runtimes.RUNTIMES]
    for runtime in document["runtimes"]:
        if runtime["works"] is False:
            version = f" {runtime['version']}" if runtime["version"] else ""
            document["problems"].append(f"{runtime['title']}{version} does not run with Tesela: {runtime['text']}")
    return Diagnosis(document, _core.doctor(json=False))


def _versions() -> dict[str, str]:
    found = {}
    for name in _PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found


def _plugin(file: str) -> str | None:
    path = _files.beside_core(file)
    return str(path) if path.is_file() else None


def _runtime_line(runtime: dict[str, Any]) -> str:
    if runtime["works"] is None:
        return f"{runtime['title']}: not installed"
    version = f" {runtime['version']}" if runtime["version"] else ""
    return f"{runtime['title']}{version}: {runtime['text'] if runtime['works'] else 'does not work'}"
