# SPDX-License-Identifier: Apache-2.0
"""Sweeps the valid files of every format on all processors, and records the figures of goals G3, G4 and G12.

    sweeps.py PROGRAM [--sanitized] [--every N] [--formats png,jpg]

PROGRAM: a build of tesela_sweep. --every: one file in N. --sanitized: what the figures say of the build.
"""

from __future__ import annotations

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "reliability"))

import valid_files
from figures import record

KINDS = ("prefixes", "flips", "bytes")
FILES_OF_A_PROCESS = 4


class SweepError(Exception):
    """What a sweep has found: the end of its standard error."""


def sweep(program: Path, files: list[Path], *words: str) -> dict:
    """The figures of one process. Sanitizers keep freed memory for a while; a little of it is enough for small files."""
    environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
    environment["ASAN_OPTIONS"] = "quarantine_size_mb=8:malloc_context_size=5:detect_stack_use_after_return=0:allocator_may_return_null=1"
    environment["UBSAN_OPTIONS"] = "print_stacktrace=1"
    done = subprocess.run([program, *words, *files], env=environment, capture_output=True, text=True)
    if done.returncode != 0:
        raise SweepError(done.stderr[-6000:])
    return json.loads(done.stdout) if done.stdout else {}


def total(figures: list[dict]) -> dict:
    """The sums of several processes, and the largest of what is not summed."""
    sums = {kind: {key: sum(one[kind][key] for one in figures) for key in ("accepted", "refused")} for kind in KINDS}
    slowest = max(figures, key=lambda one: one["slowest_seconds"])
    return sums | {
        "files": sum(one["files"] for one in figures),
        "seconds": sum(one["seconds"] for one in figures),
        "slowest_seconds": slowest["slowest_seconds"],
        "slowest": slowest["slowest"],
        "peak_kibibytes": max(one["peak_kibibytes"] for one in figures),
    }


def sweep_formats(program: Path, formats: list[str], every: int, folder: Path) -> dict[str, dict]:
    """By format. Raises SweepError."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        pending = collections.defaultdict(list)
        for format_ in formats:
            files = valid_files.write(folder / format_, format_, every)
            for begin in range(0, len(files), FILES_OF_A_PROCESS):
                pending[format_].append(pool.submit(sweep, program, files[begin:begin + FILES_OF_A_PROCESS]))
        try:
            return {format_: total([one.result() for one in tasks]) for format_, tasks in pending.items()}
        finally:
            pool.shutdown(cancel_futures=True)


def inputs(figures: dict, *kinds: str) -> int:
    return sum(figures[kind][key] for kind in kinds for key in ("accepted", "refused"))


def write_figures(all_: dict, by_format: dict[str, dict], build: str) -> None:
    fewest = min(by_format.values(), key=lambda one: one["files"])["files"]
    files = f"{all_['files']:,} files, at least {fewest} of each of {len(by_format)} formats, {build}"
    record("G3", f"{inputs(all_, 'prefixes'):,} prefixes of {files}: 0 crashes, {all_['prefixes']['accepted']:,} valid themselves.")
    record("G4", f"{inputs(all_, 'flips'):,} flips of a bit and {inputs(all_, 'bytes'):,} replaced bytes of {files}: 0 crashes; "
                 f"{all_['flips']['accepted'] + all_['bytes']['accepted']:,} valid themselves.")
    if build == "optimized":
        record("G12", f"The slowest of these {inputs(all_, *KINDS):,} inputs takes {1000 * all_['slowest_seconds']:.1f} ms "
                      "of processor time to load, inspect and check.")
        record("G11", f"Reading them takes at most {all_['peak_kibibytes'] / 1024:.0f} MiB beyond the program's start.")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=Path)
    parser.add_argument("--sanitized", action="store_true")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--formats", default=",".join(valid_files.FORMATS))
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        try:
            by_format = sweep_formats(given.program.resolve(), given.formats.split(","), given.every, Path(folder))
        except SweepError as error:
            print(error, file=sys.stderr)
            return 1
    for format_, one in by_format.items():
        print(f"{format_:5} {one['files']:4} files {inputs(one, *KINDS):9} inputs {one['seconds']:7.1f} s, slowest "
              f"{1000 * one['slowest_seconds']:.2f} ms, {one['peak_kibibytes']} KiB: {Path(one['slowest']).name}")
    write_figures(total(list(by_format.values())), by_format, "under sanitizers" if given.sanitized else "optimized")
    return 0


if __name__ == "__main__":
    sys.exit(main())
