"""One workload among all who can do it: buffers, the check that they answer alike, and the times."""

from __future__ import annotations

import numpy as np

import buffers
import graphs
import images
import ours
import timing
from case import NUMPY_TYPES
from runner import Job, Unable

# How far an answer may be from ours, as a part of the range of values: rounding of another order, or in halves.
NEAR = {"float": 2e-4, "double": 2e-4, "float16": 4e-3, "bfloat16": 2e-2}
# Peers disagree about what lies beyond a border; so many outputs along it are not compared.
BORDER = 4


def makers(names=None) -> dict:
    found = {maker.__name__: maker for module in (graphs, images) for maker in module.MAKERS}
    return {name: maker for name, maker in found.items() if names is None or name in names}


def contest(case, threads: int, available: dict, rounds: int, block_seconds: float) -> dict:
    kind = NUMPY_TYPES[case.dtype]
    x = None if case.operator == "ConstantOfShape" else buffers.random(case.source, case.dtype, kind)
    y = ours.output(case)
    job = Job(case, x, y, threads)
    mine = ours.runner(job)
    answer = y.copy()
    runners, near = [mine], {"tesela": True}
    missing = {}
    for name, maker in available.items():
        try:
            made = maker(job)
        except (Unable, ImportError) as reason:
            missing[name] = str(reason)
            continue
        for runner in made:
            y.fill(0)
            runner.call()
            near[runner.name] = is_near(case, runner.result(), answer)
            runners.append(runner)
    times = timing.measure({runner.name: runner.call for runner in runners}, rounds, block_seconds)
    return row(case, threads, runners, near, times, missing)


def is_near(case, theirs: np.ndarray, answer: np.ndarray) -> bool:
    if theirs.shape != answer.shape:
        return False
    if case.mode in ("", "nearest"):
        return bool((theirs == answer).all())
    inside = tuple(slice(BORDER, -BORDER) if axis in case.resized and extent > 4 * BORDER else slice(None)
                   for axis, extent in enumerate(answer.shape))
    theirs, answer = theirs[inside], answer[inside]
    if case.dtype in NEAR:
        allowed = NEAR[case.dtype]
        return bool(np.abs(theirs.astype(np.float32) - answer.astype(np.float32)).max() <= allowed)
    # One unit for another rounding, one more for a second rounding between the passes.
    return bool(np.abs(theirs.astype(np.int64) - answer.astype(np.int64)).max() <= 2)


def row(case, threads: int, runners: list, near: dict, times: dict, missing: dict) -> dict:
    best = times["tesela"].best
    table = {runner.name: {"best": times[runner.name].best, "median": times[runner.name].median,
                           "ratio": times[runner.name].best / best, "near": near[runner.name],
                           "same": runner.same and near[runner.name]} for runner in runners}
    rivals = [entry["ratio"] for name, entry in table.items() if entry["same"] and name != "tesela"]
    return {"name": case.name, "threads": threads, "times": table, "missing": missing,
            "ratio": min(rivals, default=None)}
