# SPDX-License-Identifier: Apache-2.0
"""Verbs of the program on files larger than memory: the program reads the command line, the package streams the call."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np

from .. import _core, _files, _types
from .._model import load
from .._streaming import formats
from . import ProgramError, _progress, _tensors

VERBS = ("resize", "tile", "fill", "run")
_OPTIONS = ("--memory", "--chunks", "--shards", "--compression")


# What makes the operation of an open source; the source, the target and the type of the elements.
Call: TypeAlias = tuple[Callable[[Any], Any], Any, str, Any]


def asked_for(words: list[str]) -> bool:
    """Whether a command line streams: by an option, or a file that only this package reads or writes."""
    if not words or words[0] not in VERBS or {"-h", "--help"} & set(words):
        return False
    endings = tuple(ending for ending, format in formats.OF_ENDING.items() if not format.in_program)
    return any(word.partition("=")[0] in _OPTIONS or word.rstrip("/").lower().endswith(endings) for word in words[1:])


def run(verb: str, words: list[str]) -> int:
    """Streams the call. Returns the exit status."""
    from .. import _streaming

    call = _read(verb, words)
    if call["format"]:
        raise _core.UsageError("--format is not for streams; the ending of the output says what is written")
    for make, source, target, dtype in (_model if verb == "run" else _operator)(call):
        with _progress.Progress(call["quiet"]) as progress:
            options = _streaming.Options(call["memory"] or None, call["chunks"], call["shards"], call["threads"], progress,
                                         call["compression"] or None)
            done = _streaming.run(_limited(make, call["max_output"]), source, target, options, dtype or None)
        if not call["quiet"]:
            print(_line(verb, done), file=sys.stderr)
    return 0


def _read(verb: str, words: list[str]) -> dict[str, Any]:
    """The call that the words mean. Errors: ProgramError."""
    done = subprocess.run([_files.beside_core("tesela-cli"), verb, "--print-call", *words], stdin=subprocess.DEVNULL, capture_output=True)
    if done.returncode:
        raise ProgramError(done.stderr.decode(errors="replace").strip().removeprefix("tesela: "), abs(done.returncode))
    return json.loads(done.stdout)


def _operator(call: dict[str, Any]) -> Iterator[Call]:
    from .. import _streaming

    _refuse_pipes(call["input"], call["output"])
    parameters = call["parameters"]
    if call["operator"] == "constant_of_shape":
        dtype = _types.read_dtype(parameters.pop("dtype"))
        parameters["value"] = np.frombuffer(bytes(parameters["value"]), dtype)
    yield lambda source: _streaming.operation_of(call["operator"], source, parameters), call["input"] or None, call["output"], call["dtype"]


def _model(call: dict[str, Any]) -> Iterator[Call]:
    """One call for each output."""
    from .. import _streaming

    _refuse_pipes(*(path for _, path in (*call["inputs"], *call["outputs"])))
    model = load(call["model"], assume_opset=call["assume_opset"] or None, extents=call["extents"] or None)
    sources = _named("-i", call["inputs"], [end.name for end in model.inputs])
    targets = _named("-o", call["outputs"], [end.name for end in model.outputs])
    dtypes = dict(call["dtypes"])
    chains = [(_streaming.model_chain(model, _small_read(sources, dtypes), {"output": output}), target) for output, target in targets.items()]
    for chain, target in chains:
        yield chain.operation_of, chain.source, target, dtypes.get(chain.name, dtypes.get(""))


def _named(option: str, given: list[list[str]], known: list[str]) -> dict[str, str]:
    """Paths by the names of inputs or outputs. Errors: UsageError."""
    if not given:
        raise _core.UsageError(f"a run that streams takes {option} with {'an input' if option == '-i' else 'an output'}: {', '.join(known[:8])}")
    found: dict[str, str] = {}
    for name, path in given:
        if name and name not in known:
            raise _core.UsageError(f"{option}: the model has no '{name}'; it has {', '.join(known[:8])}")
        if not name and len(known) != 1:
            raise _core.UsageError(f"{option} needs a name, as in {known[0]}=FILE; the model has {', '.join(known[:8])}")
        if found.setdefault(name or known[0], path) != path:
            raise _core.UsageError(f"{option}: '{name or known[0]}' is given twice")
    return found


def _small_read(sources: dict[str, str], dtypes: dict[str, str]) -> dict[str, Any]:
    """Sources; those of kinds that do not stream are read whole."""
    return {name: path if formats.ending_of(path) in formats.OF_ENDING or os.path.isdir(path) else _tensors.read(path, dtypes.get(name))
            for name, path in sources.items()}


def _refuse_pipes(*paths: str) -> None:
    if "-" in paths:
        raise _core.UsageError("'-' cannot stream: regions are read and written in any order; name files")


def _limited(make: Callable[[Any], Any], most: int) -> Callable[[Any], Any]:
    """make, within --max-output, which has no default where data streams. Errors of what is returned: LimitError, those of make."""

    def made(opened: Any) -> Any:
        operation = make(opened)
        size = math.prod(operation.output_shape) * np.dtype(operation.output_dtype).itemsize
        if most and size > most:
            raise _core.LimitError(f"the output has {size} bytes; --max-output is {most}")
        return operation

    return made


def _line(verb: str, done: Any) -> str:
    shapes = ["x".join(map(str, shape)) or "scalar" for shape in (done.operation.input_shape, done.operation.output_shape)]
    what = " -> ".join(shapes[verb == "fill":])
    resumed = f", {done.resumed} of them before" if done.resumed else ""
    return f"{verb}: {what} {done.operation.output_dtype}, {done.regions} regions{resumed}, {done.seconds:.2f} s"
