# SPDX-License-Identifier: Apache-2.0
"""A conformance suite for other runtimes: calls drawn from a seed, with what the standard makes of them and why."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any

from .. import _core, _parameters
from . import backends, export, run
from .case import Feature
from .features import FEATURES, chosen
from .report import Conformance, Group, group

__all__ = ["CASES", "FEATURES", "Conformance", "Feature", "Group", "conformance", "export_conformance"]

Progress = Callable[[float], None]

CASES = 40  # of each feature
_MOST_CASES = 1_000_000
_MOST_JOBS = 256


def conformance(backend: str, *, seed: int = 0, cases: int = CASES, features: Sequence[str] | None = None, jobs: int | None = None,
                timeout: float = 20.0, reduce: bool = True, allow_refused: bool = False, python: str | None = None,
                progress: Progress | None = None) -> Conformance:
    """Asks a backend for the results of thousands of calls and compares them with those of Tesela's reference backend.

    backend: "onnxruntime", "openvino", "reference" (onnx's evaluator) or "torch"; a class as "MODULE:CLASS" or "FILE.py:CLASS", with
    run(model, inputs), or with prepare() of onnx.backend.base.Backend; or a command with {model} and {output}, and perhaps {inputs}.
    docs/conformance.md has the protocols.
    seed: calls are drawn from it. cases: the number of calls of each feature. features: names, patterns such as "crop-*", and cases
    such as "crop-axes/7"; by default all. jobs: processes of the backend, by default as many as processors. timeout: seconds that a
    call may take. reduce: make the smallest failing call of each feature still smaller. allow_refused: a refused valid call is not a
    failure; neither is a type for which a runtime has no arrays.
    python: the interpreter that has the runtime or the class, if it is another than this one.
    progress: called with the share that is done.
    Errors: InvalidValueError, UsageError; UnsupportedError (the backend is not installed or does not start).
    """
    settings = run.Settings(_seed(seed), _count("cases", cases, _MOST_CASES), _jobs(jobs), _seconds(timeout), bool(reduce),
                            backends.interpreter(python))
    wanted = _cases(features, settings.cases)
    runtime = backends.read(backend, python)
    report = progress or (lambda share: None)
    with run.Pool(runtime, settings) as pool:
        found = run.results(pool, wanted, settings.seed, lambda share: report(0.9 * share))
        order = list(dict.fromkeys(feature.name for feature, _ in wanted))
        grouped = [[result for result in found if result.case.feature.name == name] for name in order]
        least = run.smallest(pool, grouped, settings.reduce, lambda share: report(0.9 + 0.1 * share))
        version = pool.version if runtime.module else ""
    groups = tuple(group(results[0].case.feature, results, small) for results, small in zip(grouped, least))
    return Conformance(runtime.name, version, settings.seed, settings.cases, bool(allow_refused), groups)


def export_conformance(folder: str | os.PathLike[str], *, seed: int = 0, cases: int = CASES, features: Sequence[str] | None = None,
                       progress: Progress | None = None) -> int:
    """Writes the calls that have an output as folders of ONNX backend tests, and returns how many: FOLDER/tesela/test_NAME_NUMBER with
    model.onnx and test_data_set_0. Errors: IoError, InvalidValueError."""
    wanted = _cases(features, _count("cases", cases, _MOST_CASES))
    return export.write(folder, wanted, _seed(seed), progress or (lambda share: None))


def _cases(features: Any, count: int) -> list[tuple[Feature, int]]:
    words = None if features is None else _parameters.names("conformance", "features", features)
    return [(feature, number) for feature, only in chosen(words) for number in (range(count) if only is None else (only,))]


def _seed(value: Any) -> int:
    return _parameters.whole("conformance", "seed", value, 0, 2**63 - 1)


def _count(name: str, value: Any, most: int) -> int:
    return _parameters.whole("conformance", name, value, 1, most)


def _jobs(value: Any) -> int:
    return len(os.sched_getaffinity(0)) if value is None else _count("jobs", value, _MOST_JOBS)


def _seconds(value: Any) -> float:
    number = _parameters.number("conformance", "timeout", value)
    if not 0 < number <= 86400:
        _parameters.refuse("conformance", "timeout", value, "seconds, above 0 and up to a day", _core.InvalidValueError)
    return number
