# SPDX-License-Identifier: Apache-2.0
"""One workload with all contestants that support it: buffers, comparison of the results, and times."""

from __future__ import annotations

import sys

import buffers
import graphs
import image_libraries
import images
import limits
import numpy as np
import ours
import timing
import workload
from runner import Job, Unable

# Allowed differences from our result, relative to the range of values: for another order of rounding, or half-precision arithmetic.
NEAR = {"float": 2e-4, "double": 2e-4, "float16": 4e-3, "bfloat16": 2e-2}
COARSE = 2e-2
# Peers differ at borders; this many outputs along a border are not compared.
BORDER = 4


def makers(names=None) -> dict:
    found = {maker.__name__: maker for module in (graphs, images, image_libraries) for maker in module.MAKERS}
    return {name: maker for name, maker in found.items() if names is None or name in names}


def contest(case, threads: int, available: dict, rounds: int, block_seconds: float) -> dict:
    x = workload.values(case)
    job = Job(case, None if x is None else buffers.copy(x, case.input_order), ours.output(case), threads)
    mine = ours.runner(job)
    answer = job.y.copy()
    runners, near, missing = {mine.name: mine}, {mine.name: True}, {}
    for name, maker in available.items():
        try:
            compete(job, maker(job), answer, runners, near)
        except (Unable, ImportError) as reason:
            missing[name] = str(reason)
        except Exception as failure:  # a fault of one library spoils neither the others' figures nor ours
            print(f"peers: {case}: {name} failed: {type(failure).__name__}: {failure}", file=sys.stderr, flush=True)
            missing[name] = f"{type(failure).__name__}: {failure}"
    limit = limits.Limit(job, mine.source, mine.item_bytes)
    times = timing.measure({name: runner.call for name, runner in runners.items()}, {"limit": limit.call}, rounds,
                           block_seconds, {name: runner.many for name, runner in runners.items()}, threads, limits.speed())
    return row(job, limit, runners.values(), near, times, missing)


def compete(job: Job, made: list, answer: np.ndarray, runners: dict, near: dict) -> None:
    """Adds the runners of one library with whether their results are ours. Of several with one name the first with our result counts."""
    for runner in made:
        if not near.get(runner.name):
            job.y.fill(0)
            runner.call()
            runners[runner.name], near[runner.name] = runner, is_near(job.workload, runner.result(), answer, runner.same)


def is_near(case, theirs: np.ndarray, answer: np.ndarray, same: bool) -> bool:
    if theirs.shape != answer.shape:
        return False
    if case.mode in ("", "nearest"):
        return bool((theirs == answer).all())
    inside = tuple(slice(BORDER, -BORDER) if axis in case.resized and extent > 4 * BORDER else slice(None)
                   for axis, extent in enumerate(answer.shape))
    theirs, answer = theirs[inside], answer[inside]
    if case.dtype in NEAR:
        allowed = NEAR[case.dtype] if same else COARSE
        return bool(np.abs(theirs.astype(np.float32) - answer.astype(np.float32)).max() <= allowed)
    # One unit for another rounding, and one for a second rounding between the passes.
    return bool(np.abs(theirs.astype(np.int64) - answer.astype(np.int64)).max() <= 2)


def row(job: Job, limit, runners, near: dict, times: dict, missing: dict) -> dict:
    """The results of a contest: ratios of minima, which are least affected by noise, and of medians."""
    mine, floor = times["tesela"], times.pop("limit")
    table = {runner.name: {"best": times[runner.name].best, "median": times[runner.name].median,
                           "ratio": times[runner.name].best / mine.best,
                           "median_ratio": times[runner.name].median / mine.median,
                           "near": near[runner.name], "same": runner.same and near[runner.name]} for runner in runners}
    rivals = {name: entry["ratio"] for name, entry in table.items() if entry["same"] and name != "tesela"}
    bound = "arithmetic" if limit.arithmetic >= floor.best else "bytes"
    rival = min(rivals, key=rivals.get, default=None)
    return {"name": job.workload.name, "threads": job.threads, "times": table, "missing": missing,
            "rival": rival, "ratio": rivals.get(rival), "median_ratio": rival and table[rival]["median_ratio"],
            "limit": floor.best, "bound": bound, "share": floor.best / mine.best,
            "bytes": limit.read + limit.written, "products": limit.products}
