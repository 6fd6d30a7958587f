# SPDX-License-Identifier: Apache-2.0
"""Measures what costly files and bombs cost, and records the figures of goals G11 and G12.

    costs.py PROGRAM

PROGRAM: a build of tesela_cost.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "reliability"))

import costly_files
from figures import record

SECONDS, BOMB_SECONDS = 1, 0.2
BUDGET = 32  # MiB: the limit of output, and that of working memory
MOST = 2 * BUDGET + 16  # MiB

Costs = dict[str, dict]  # by the file's name


def measure(program: Path, paths: list[Path], budget: int, seconds: float) -> Costs:
    """budget: in MiB, 0 for the default limits. Files above `seconds` are read again twice, because other processes disturb them."""
    costs: Costs = {}
    for _ in range(3):
        left = [path for path in paths if costs.get(path.name, {"seconds": seconds + 1})["seconds"] > seconds]
        if not left:
            break
        done = subprocess.run([program, str(budget), *left], capture_output=True, text=True, timeout=600)
        if done.returncode != 0:
            raise ChildProcessError(done.stderr[-4000:])
        for path, line in zip(left, done.stdout.splitlines(), strict=True):
            costs[path.name] = min(json.loads(line), costs.get(path.name), key=lambda one: one["seconds"] if one else seconds + 1e9)
    return costs


def above(costs: Costs, key: str, limit: float) -> Costs:
    return {name: one for name, one in costs.items() if one[key] > limit}


def worst(costs: Costs, key: str) -> str:
    name = max(costs, key=lambda name: costs[name][key])
    return f"{costs[name][key]:.2f} s ({name})" if key == "seconds" else f"{costs[name][key]:.0f} MiB ({name})"


def costly(program: Path, format_: str, folder: Path, budget: int) -> Costs:
    paths = costly_files.write(folder / format_, costly_files.COSTS[format_](), f".{format_}")
    return measure(program, paths, budget, SECONDS)


def bombs(program: Path, folder: Path) -> Costs:
    return measure(program, costly_files.write(folder / "bombs", costly_files.bombs()), 0, BOMB_SECONDS)


def main(program: Path) -> int:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        by_default, in_budget = {}, {}
        for format_ in costly_files.COSTS:
            by_default |= costly(program, format_, folder, 0)
            in_budget |= costly(program, format_, folder, BUDGET)
        stopped = bombs(program, folder)
    files = f"{len(by_default)} costly files below 1 MiB"
    record("G12", f"{files}, with default limits: at most {worst(by_default, 'seconds')} of processor time.")
    record("G11", f"{files}, with limits of {BUDGET} MiB of output and {BUDGET} MiB of working memory: at most "
                  f"{worst(in_budget, 'mebibytes')}; with default limits {worst(by_default, 'mebibytes')}.")
    record("G11", f"{len(stopped)} bombs, with default limits: stopped after at most {worst(stopped, 'seconds')} and "
                  f"{worst(stopped, 'mebibytes')}.")
    wrong = (above(by_default, "seconds", SECONDS) | above(in_budget, "mebibytes", MOST) | above(stopped, "seconds", BOMB_SECONDS)
             | above(stopped, "mebibytes", MOST) | {name: one for name, one in stopped.items() if one["status"] == "ok"})
    for name, one in wrong.items():
        print(f"{name}: {one}", file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).resolve()))
