# SPDX-License-Identifier: Apache-2.0
"""Compares nodes with other runtimes, and says which rule explains a difference."""

from __future__ import annotations

import contextlib
import os
import pathlib
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from .. import _core, _libraries, _parameters
from . import cases, explanations, models, runtimes
from .differences import difference
from .nodes import Node
from .report import Comparison, NodeReport, Outcome
from .runtimes import Answer, Worker

__all__ = ["Comparison", "NodeReport", "Outcome", "compare"]

Progress = Callable[[float], None]


def compare(source: Any, *names: str, node: str | None = None, shapes: Mapping[str, Any] | None = None,
            inputs: Mapping[str, Any] | None = None, seed: int = 0, tolerance: float | None = None, num_threads: int = 1, repeat: int = 3,
            timeout: float = 60.0, progress: Progress | None = None) -> Comparison:
    """Runs each of Tesela's nodes of a model by itself, in Tesela and in other runtimes, and says where results differ, by how much
    and which rule explains it.

    source: an ONNX model (a path, bytes or an onnx.ModelProto), or a call as a line ("linear float 4x4 -> 8x8", see `tesela bench
    --help`; also with axes=, scales=, sizes=, roi= and x=). names: runtimes: "onnxruntime", "openvino", "onnx-reference" and
    "pytorch"; by default those of the first three that are installed. node: its name, or "#2" for the second; by default all.
    shapes: as in Model.explain. inputs: arrays by name, from which the model's other nodes compute the inputs of the nodes (Tesela
    runs them, or the first runtime that can); without them inputs are drawn from `seed`.
    tolerance: the units in the last place, at the node's largest value, up to which a difference is rounding. By default 0 for
    integers and copies; for others 8 of the type and 8 of float32 for each position of the longest axis that changes.
    repeat: runs that are timed. timeout: seconds that a runtime may take for a node. progress: called with the share that is done.
    Errors: those of reading the source; InvalidValueError, ShapeError; UnsupportedError (a runtime is not installed).
    """
    chosen = runtimes.named(_parameters.names("compare", "names", names)) if names else runtimes.installed()
    settings: dict[str, Any] = {"seed": _parameters.whole("compare", "seed", seed, 0, 2**63 - 1), "tolerance": _tolerance(tolerance),
                "threads": _parameters.whole("compare", "num_threads", num_threads, 1, 1024),
                "repeat": _parameters.whole("compare", "repeat", repeat, 0, 1000),
                "timeout": _seconds(timeout)}
    with contextlib.ExitStack() as stack:
        workers = [stack.enter_context(Worker(runtime, settings["threads"], settings["timeout"])) for runtime in chosen]
        nodes, told, title = _nodes(source, node, shapes, inputs, settings["seed"], workers)
        for worker in workers:
            worker.start()
        reports = []
        for done, one in enumerate(nodes):
            reports.append(report_of(one, workers, settings, _part(progress, done, len(nodes))))
        versions = {worker.runtime.name: worker.version for worker in workers}
    return Comparison(title, versions, told, bool(names), tuple(reports), settings)


def _part(progress: Progress | None, done: int, count: int) -> Progress:
    """The progress of one of `count` parts."""
    return lambda share: progress((done + share) / count) if progress else None


def report_of(node: Node, workers: Sequence[Worker], settings: Mapping[str, Any], progress: Progress) -> NodeReport:
    """Errors: those of the operator, in Tesela."""
    run = node.prepared(settings["threads"])
    ours = run()
    seconds = _median(run, settings["repeat"])
    outcomes = []
    for done, worker in enumerate(workers):
        progress(done / len(workers))
        outcomes.append(ask(node, ours, worker, settings["repeat"], settings["tolerance"]))
    return NodeReport(node, ours.shape, seconds, tuple(outcomes))


def ask(node: Node, ours: np.ndarray, worker: Worker, repeat: int, tolerance: float | None) -> Outcome:
    """What a runtime makes of a node. Where nothing explains that, a new process is asked: an earlier node may have damaged the
    memory of this one."""
    outcome = outcome_of(node, ours, worker, worker.run(node, repeat), tolerance)
    if outcome.verdict in ("different", "crash") and outcome.explanation.by == "nothing" and worker.has_run_others:
        worker.stop()
        outcome = outcome_of(node, ours, worker, worker.run(node, repeat), tolerance)
    return outcome


def outcome_of(node: Node, ours: np.ndarray, worker: Worker, answer: Answer, tolerance: float | None) -> Outcome:
    runtime = worker.runtime
    if answer.array is None:
        refuses = answer.kind in ("refused", "crash")
        explanation = explanations.of_refusal(node, runtime.name) if refuses else explanations.NOTHING
        return Outcome(runtime, answer.kind, answer, None, explanation)
    found = difference(node, ours, answer.array, tolerance)
    verdict = "equal" if found.is_equal else "rounding" if found.is_rounding else "different"
    explanation = explanations.NOTHING
    if verdict == "different":
        explanation = explanations.of_difference(node, runtime.name, ours, answer.array, tolerance)
    return Outcome(runtime, verdict, answer, found, explanation)


def _nodes(source: Any, node: str | None, shapes: Any, inputs: Any, seed: int, workers: Sequence[Worker]) -> tuple[list[Node], str, str]:
    """The nodes, where their inputs come from, and the title."""
    if isinstance(source, str) and "->" in source and not os.path.exists(source):
        if node is not None or shapes is not None or inputs:
            raise _core.UsageError(f"compare: node, shapes and inputs are for models; {_parameters.shown(source)} is a call")
        return [cases.read(source, seed)], f"drawn from seed {seed}" if " x=" not in source else "given", source
    wanted = None if node is None else _parameters.text("compare", "node", node)
    if inputs is not None and not isinstance(inputs, Mapping):
        _parameters.refuse("compare", "inputs", inputs, "a dict of arrays by name")
    arrays = {name: _libraries.read(array) for name, array in (inputs or {}).items()}

    def activations(model: bytes, given: dict[str, np.ndarray], names: list[str]) -> tuple[dict[str, np.ndarray], str]:
        return _activations(model, _folder(source), given, names, workers)

    lifted = models.lift(source, wanted, shapes, arrays, seed, activations)
    return lifted, lifted.values, _title(source)


def _activations(model: bytes, folder: str, given: dict[str, np.ndarray], names: list[str],
                 workers: Sequence[Worker]) -> tuple[dict[str, np.ndarray], str]:
    from .._model import Model
    from . import wire

    whole = wire.with_outputs(model, names)
    try:
        return Model(whole).run(given, names), "tesela"
    except _core.Error as error:
        first = error
    for worker in workers:
        if worker.runtime.name == "onnxruntime":
            return worker.values(whole, folder, given, names), "onnxruntime"
    raise _core.UnsupportedError(f"compare: Tesela cannot run the whole model, and onnxruntime, which could, is not among the runtimes: {first}")


def _median(run: Callable[[], Any], repeat: int) -> float | None:
    def one() -> float:
        began = time.perf_counter()
        run()
        return time.perf_counter() - began

    return statistics.median(one() for _ in range(repeat)) if repeat else None


def _folder(source: Any) -> str:
    return str(pathlib.Path(source).resolve().parent) if isinstance(source, (str, os.PathLike)) else ""


def _title(source: Any) -> str:
    return os.path.basename(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else "model"


def _tolerance(value: Any) -> float | None:
    if value is None:
        return None
    number = _parameters.number("compare", "tolerance", value)
    if not 0 <= number < float("inf"):
        _parameters.refuse("compare", "tolerance", value, "a number of units, 0 or more", _core.InvalidValueError)
    return number


def _seconds(value: Any) -> float:
    number = _parameters.number("compare", "timeout", value)
    if not 0 < number <= 86400:
        _parameters.refuse("compare", "timeout", value, "seconds, above 0 and up to a day", _core.InvalidValueError)
    return number
