# SPDX-License-Identifier: Apache-2.0
"""Verbs of the program on files larger than memory: the program reads the command line, the package streams the call."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import _core, _files, _types
from .._model import load
from . import ProgramError, _progress

VERBS = ("resize", "tile", "fill", "run")
_OPTIONS = ("--memory", "--chunks", "--shards", "--compression")
# apps/cli/streaming.cc has them, too.
_ENDINGS = (".zarr", ".tif", ".tiff")


def asked_for(words: list[str]) -> bool:
    """Whether a command line streams: by an option, or a file that only this package reads or writes."""
    if not words or words[0] not in VERBS or {"-h", "--help"} & set(words):
        return False
    return any(word.partition("=")[0] in _OPTIONS or word.rstrip("/").lower().endswith(_ENDINGS) for word in words[1:])


def run(verb: str, words: list[str]) -> int:
    """Streams the call. Returns the exit status."""
    from .. import _streaming

    call = _read(verb, words)
    operator = _model if verb == "run" else _operator
    make, source, target, dtype = operator(call)
    if call["format"]:
        raise _core.UsageError("--format is not for streams; the ending of the output says what is written")
    if "-" in (source, target):
        raise _core.UsageError("'-' cannot stream: regions are read and written in any order; name files")
    with _progress.Progress(call["quiet"]) as progress:
        options = _streaming.Options(call["memory"] or None, call["chunks"], call["shards"], call["threads"], progress, call["compression"] or None)
        done = _streaming.run(lambda opened: _limited(make(opened), call["max_output"]), source, target, options, dtype or None)
    if not call["quiet"]:
        print(_line(verb, done), file=sys.stderr)
    return 0


def _read(verb: str, words: list[str]) -> dict[str, Any]:
    """The call that the words mean. Errors: ProgramError."""
    done = subprocess.run([_files.beside_core("tesela-cli"), verb, "--print-call", *words], stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode:
        raise ProgramError(done.stderr.decode(errors="replace").strip().removeprefix("tesela: "), abs(done.returncode))
    return json.loads(done.stdout)


def _operator(call: dict[str, Any]) -> tuple[Callable[[Any], Any], Any, str, str]:
    from .. import _streaming

    parameters = call["parameters"]
    if call["operator"] == "constant_of_shape":
        dtype = _types.read_dtype(parameters.pop("dtype"))
        parameters["value"] = np.frombuffer(bytes(parameters["value"]), dtype)
    return lambda source: _streaming.operation_of(call["operator"], source, parameters), call["input"] or None, call["output"], call["dtype"]


def _model(call: dict[str, Any]) -> tuple[Callable[[Any], Any], Any, str, str]:
    from .. import _streaming

    if len(call["inputs"]) != 1 or len(call["outputs"]) != 1:
        raise _core.UsageError(f"a run that streams takes one -i and one -o; {len(call['inputs'])} and {len(call['outputs'])} are given")
    model = load(call["model"], assume_opset=call["assume_opset"] or None, extents=call["extents"] or None)
    (name, source), (result, target) = call["inputs"][0], call["outputs"][0]
    for option, given, ends in (("-i", name, model.inputs), ("-o", result, model.outputs)):
        names = [end.name for end in ends]
        if given and given not in names:
            raise _core.UsageError(f"{option}: the model has no '{given}'; it has {', '.join(names[:8])}")
    dtype = call["dtypes"][0][1] if call["dtypes"] else ""
    return lambda opened: _streaming.operation_of(model, opened, {"output": result or None}), source, target, dtype


def _limited(operation: Any, most: int) -> Any:
    """--max-output, which has no default where data streams. Errors: LimitError."""
    size = math.prod(operation.output_shape) * np.dtype(operation.output_dtype).itemsize
    if most and size > most:
        raise _core.LimitError(f"the output has {size} bytes; --max-output is {most}")
    return operation


def _line(verb: str, done: Any) -> str:
    shapes = ["x".join(map(str, shape)) or "scalar" for shape in (done.operation.input_shape, done.operation.output_shape)]
    what = " -> ".join(shapes[verb == "fill":])
    resumed = f", {done.resumed} of them before" if done.resumed else ""
    return f"{verb}: {what} {done.operation.output_dtype}, {done.regions} regions{resumed}, {done.seconds:.2f} s"


