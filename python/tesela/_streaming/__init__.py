# SPDX-License-Identifier: Apache-2.0
"""Operators on arrays larger than memory: regions are read, computed and written one after the other, in bounded memory."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from .. import _core, _parameters
from .._model import Model
from .._plan import Plan
from . import formats, memory as memory_sizes, models, reduction
from .boxes import Extents, Grid
from .failures import io_error
from .journal import Journal
from .operation import Operation, of_plan
from .pipeline import Pipeline
from .planning import Planner
from .progress import parts
from .sinks import Layout, Sink, make_sink
from .sources import Reading, Source, open_source


class Streamed(NamedTuple):
    """What a stream did. resumed: regions that an interrupted call had written before."""

    operation: Operation
    regions: int
    resumed: int
    seconds: float


class Options(NamedTuple):
    """How a stream runs; see `stream`."""

    memory: Any = None
    chunks: Sequence[int] | None = None
    shards: Sequence[int] | None = None
    num_threads: int | None = None
    progress: Callable[[float], None] | None = None
    compression: str | None = None


def stream(operator: str | Model, source: Any, target: Any, *, memory: int | str | None = None, chunks: Sequence[int] | None = None,
           shards: Sequence[int] | None = None, compression: str | None = None, dtype: Any = None, num_threads: int | None = None,
           progress: Callable[[float], None] | None = None, **parameters: Any) -> None:
    """Applies an operator to an array that need not fit into memory. The result is that of the function in every bit.

    operator: "resize", "tile", "upsample" or "constant_of_shape"; the parameters are those of the function of that name. Or a
    Model; if it has several outputs, output= names the one to compute.
    source: a path of .npy, Zarr, .tif, .png or .jpg, or an array: numpy.memmap, zarr.Array or any in memory; None for constant_of_shape;
    for a model, also a dictionary of sources by the names of its inputs.
    target: a path of .npy, .zarr, .tif, .png or .jpg, or an array of the result's shape: numpy.ndarray or memmap, zarr.Array.
    memory: the memory that buffers may take, in bytes or as a text such as "256MiB"; by default a quarter of the machine's.
    chunks, shards: those of a Zarr target, by default as in the source. chunks also sets the tiles of a TIFF.
    compression: for a Zarr target "zstd" or "none", by default as in the source; for a TIFF "zlib" or "none" (the default).
    dtype: the element type of an .npy file whose header cannot name it, such as "bfloat16".
    progress: called with the share that is done: of an image's rows that are decoded and encoded, and of the regions.

    A target given by its path is named PATH.partial until it is complete. If the call is killed or the disk is full, the same call
    continues where it stopped. An image has no name until it is complete, and its call starts from the beginning.
    Errors: tesela.Error: UsageError (PATH.journal belongs to another call), LimitError (the memory is too small), IoError and others.
    """
    options = Options(memory, chunks, shards, num_threads, progress, compression)
    if isinstance(operator, Model):
        chain = model_chain(operator, source, dict(parameters))
        run(chain.operation_of, chain.source, target, options, dtype)
    else:
        run(lambda opened: operation_of(operator, opened, parameters), source, target, options, dtype)


def operation_of(operator: str, source: Source | None, parameters: dict[str, Any]) -> Operation:
    """What `stream` computes with an operator. Errors: as stream."""
    return of_plan(_plan(operator, source, parameters))


def model_chain(model: Model, sources: Any, parameters: dict[str, Any]) -> models.ModelChain:
    """What `stream` computes with a model. Errors: as stream."""
    output = parameters.pop("output", None)
    if parameters:
        raise _core.ArgumentError(f"stream: parameter '{next(iter(parameters))}' is for an operator; a model has its own")
    return models.ModelChain(model, sources, output)


def run(make: Callable[[Source | None], Operation], source: Any, target: Any, options: Options, dtype: Any = None) -> Streamed:
    """Streams source to target. make: the operation for a source. Errors: as stream."""
    began = time.monotonic()
    _refuse_same(source, target)
    # An image is decoded before, and encoded after.
    decodes, encodes = formats.is_image(source), formats.is_image(target)
    progress = parts(options.progress, decodes + 1 + encodes)
    reading = _reading(target, options, dtype)._replace(progress=progress[0] if decodes else None)
    opened = None if source is None else open_source(source, reading)
    try:
        operation = make(opened)
        layout = Layout(operation.output_shape, np.dtype(operation.output_dtype), _extents("chunks", options.chunks),
                        _extents("shards", options.shards), options.compression, opened, progress[-1] if encodes else None)
        sink = make_sink(target, layout)
        try:
            regions, resumed = _run(operation, opened, sink, options._replace(progress=progress[int(decodes)]))
        finally:
            sink.close()
        if options.progress is not None:
            options.progress(1.0)
    except OSError as error:
        raise _io_error(error, source, target) from None
    except EOFError as error:
        raise _core.TruncatedError(str(error)) from None
    finally:
        if opened is not None:
            opened.close()
    return Streamed(operation, regions, resumed, time.monotonic() - began)


def _reading(target: Any, options: Options, dtype: Any) -> Reading:
    """Files without a name lie on the output's disk."""
    folder = os.path.dirname(os.fspath(target)) or "." if isinstance(target, (str, os.PathLike)) else None
    return Reading(dtype, folder if folder is None or os.path.isdir(folder) else None, memory_sizes.read(options.memory))


def _run(operation: Operation, source: Source | None, sink: Sink, options: Options) -> tuple[int, int]:
    threads = _parameters.threads("stream", options.num_threads)
    journal = _journal(operation, source, sink)
    try:
        resumed = None if journal is None else journal.resume()
        step, done, mark = (None, 0, None) if resumed is None else (tuple(resumed[0]), *resumed[1:])
        operation, grid = _planned(operation, source, sink, options, step)
        if resumed is None:
            sink.begin()
            if journal is not None:
                journal.begin(grid.step)
        elif done < len(grid) or not _is_finished(sink):
            sink.resume(mark)
        if done < len(grid):
            keep = (lambda number: None) if journal is None else lambda number: journal.keep(number, sink.mark())
            Pipeline(operation, grid, source, sink, threads).run(done, keep, options.progress)
        if not _is_finished(sink):
            sink.finish()
        if journal is not None:
            journal.remove()
        return len(grid), done
    finally:
        if journal is not None:
            journal.close()


def _planned(operation: Operation, source: Source | None, sink: Sink, options: Options,
             step: Extents | None) -> tuple[Operation, Grid]:
    """The operation, which reads its inputs in parts if the windows do not fit, and its regions; step: those of work that continues.
    Errors: LimitError."""
    budget = memory_sizes.read(options.memory)
    threads = options.num_threads or len(os.sched_getaffinity(0))
    other = sink.working_bytes + (0 if source is None else source.working_bytes)
    planner = Planner(operation, sink.chunks, other, threads)
    try:
        return operation, planner.plan(budget) if step is None else planner.planned(step, budget)
    except _core.LimitError:
        in_parts = reduction.of(operation, source)
        if in_parts is None:
            raise
        return in_parts, reduction.plan(in_parts, Planner(in_parts, sink.chunks, other, threads), budget, step)


def _is_finished(sink: Sink) -> bool:
    """Whether the output had its name when a kill came: only its journal is left."""
    return sink.target is not None and os.path.exists(sink.target) and not os.path.exists(f"{sink.target}.partial")


def _journal(operation: Operation, source: Source | None, sink: Sink) -> Journal | None:
    """None if the same work cannot be known again."""
    identity = None if source is None else source.identity
    if sink.target is None or (source is not None and identity is None):
        return None
    return Journal(sink.target, {"call": [_core.version(), operation.description], "input": identity, "output": sink.kind})


def _plan(operator: str, source: Source | None, parameters: dict[str, Any]) -> Plan:
    if operator == "constant_of_shape":
        if source is not None:
            raise _core.ArgumentError("stream: source is given; constant_of_shape has no input")
        return Plan(operator, parameters.pop("shape", None), **parameters)
    if source is None:
        raise _core.ArgumentError(f"stream: source is None; {_parameters.shown(operator)} has an input")
    return Plan(operator, source.shape, source.dtype, **_for_image(operator, source, parameters))


def _for_image(operator: str, source: Source, parameters: dict[str, Any]) -> dict[str, Any]:
    """Of an image, two sizes or scales are for height and width."""
    given: Any = parameters.get("sizes") if parameters.get("sizes") is not None else parameters.get("scales")
    if operator != "resize" or source.image_axes is None or parameters.get("axes") is not None or np.size(given) != 2:
        return parameters
    return parameters | {"axes": source.image_axes}


def _refuse_same(source: Any, target: Any) -> None:
    """Errors: PathError."""
    paths = (str, os.PathLike)
    if isinstance(source, paths) and isinstance(target, paths) and os.path.exists(target) and os.path.samefile(source, target):
        raise _core.PathError(f"stream: the target '{os.fspath(target)}' is also the source; name another one")


def _extents(name: str, given: Any) -> tuple[int, ...] | None:
    if given is None:
        return None
    extents = _parameters.whole_numbers("stream", name, given)
    if extents.ndim != 1 or any(extents < 1):
        _parameters.refuse("stream", name, given, "extents of 1 and more", _core.ShapeError)
    return tuple(extents.tolist())


def _io_error(error: OSError, source: Any, target: Any) -> OSError:
    """The error with what could not be done, and whether the call can continue."""
    if isinstance(error, _core.Error) and not isinstance(error, _core.IoError):
        return error
    message = str(error)
    if not isinstance(error, _core.IoError):
        name = str(error.filename or target)
        reads = isinstance(source, (str, os.PathLike)) and name.startswith(os.fspath(source))
        message = str(io_error("read" if reads else "write", f"'{name}'", error))
    if isinstance(target, (str, os.PathLike)) and os.path.exists(f"{os.fspath(target)}.journal"):
        message += "; the same call continues when that is cured"
    return _core.IoError(message[:300])
