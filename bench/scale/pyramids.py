# SPDX-License-Identifier: Apache-2.0
"""Levels of pyramids by other programs: how far chunks and positions put elements off, time, memory and graphs. Prints the table of
docs/pyramid.md.

The array is a ramp of float32: the value of an element is its column, so a difference of levels is a distance in columns of the base.
Each peer runs in a process of its own, on an array in chunks and on the same in one chunk.

    .venv-scale/bin/python bench/scale/pyramids.py
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import resource
import subprocess
import sys
import tempfile

import numpy as np
from pyramid_peers import PEERS, Unable

SIDE, CHUNK = 4100, 250
TARGETS = (2050, 2700)  # factors 2 and 1.52
EDGE = 8  # elements at each edge, where filters lack neighbours
SECONDS = 300


def prepare(folder: pathlib.Path, chunk: int) -> None:
    """The ramp as Zarr and as TIFF, in chunks."""
    import tifffile
    import zarr

    x = np.broadcast_to(np.arange(SIDE, dtype=np.float32), (SIDE, SIDE))
    zarr.create_array(folder / "x.zarr", data=np.ascontiguousarray(x), chunks=(chunk, chunk))
    tile = {"tile": (256, 256)} if chunk < SIDE else {"rowsperstrip": SIDE}
    tifffile.imwrite(folder / "x.tif", x, photometric="minisblack", **tile)


def measure(name: str, target: int, folder: pathlib.Path, output: pathlib.Path) -> None:
    """One run, in this process; prints a line of JSON."""
    make, _ = PEERS[name]
    try:
        began = processor_seconds()
        made = make(folder, SIDE, target)
        seconds = processor_seconds() - began
    except Unable as error:
        print(json.dumps({"refused": str(error)}))
        return
    # Not ru_maxrss of this process, which begins with the size of the one that started it.
    own = re.search(r"VmHWM:\s*(\d+)", pathlib.Path("/proc/self/status").read_text())
    peak = max(int(own[1]) if own else 0, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss) << 10
    np.save(output, made.level)
    print(json.dumps({"seconds": seconds, "peak": peak, "tasks": made.tasks}))


def processor_seconds() -> float:
    """Of all threads and of processes that ended, which other work on the machine hardly changes."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def run(name: str, target: int, chunk: int, output: pathlib.Path) -> dict:
    with tempfile.TemporaryDirectory() as folder:
        program = [sys.executable, "-W", "ignore", __file__, "--folder", folder]
        subprocess.run([*program, "--prepare", str(chunk)], check=True)
        try:
            done = subprocess.run([*program, "--peer", name, "--target", str(target), "--output", str(output)], capture_output=True,
                                  text=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            return {"refused": f"more than {SECONDS} s"}
    if done.returncode:
        return {"refused": (done.stderr.strip() or "failed").splitlines()[-1][:60]}
    return json.loads(done.stdout.strip().splitlines()[-1])


def row(name: str, target: int, folder: pathlib.Path) -> str:
    chunked, whole = (run(name, target, chunk, folder / f"{chunk}.npy") for chunk in (CHUNK, SIDE))
    factor = f"{SIDE / target:.3g}"
    if "refused" in chunked:
        return f"| {name} | {PEERS[name][1]} | {factor} | {chunked['refused']} | | | | |"
    level = np.load(folder / f"{CHUNK}.npy").astype(float)
    seams = "not measured" if "refused" in whole else f"{np.abs(level - np.load(folder / f'{SIDE}.npy')).max():.3g}"
    ratio = SIDE / level.shape[1]  # some round extents otherwise
    exact = (ratio - 1) / 2 + ratio * np.arange(level.shape[1])
    off = f"{np.abs(level - exact)[EDGE:-EDGE, EDGE:-EDGE].max():.3g}"
    tasks = "" if chunked["tasks"] is None else str(chunked["tasks"])
    return (f"| {name} | {PEERS[name][1]} | {factor} | {seams} | {off} | {chunked['seconds']:.2f} | {chunked['peak'] / 2**20:.0f} | {tasks} |")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", nargs="*", default=list(PEERS), choices=list(PEERS), help="peers")
    parser.add_argument("--target", type=int, help="the one extent of the level, instead of all")
    for name in ("--peer", "--output", "--folder"):
        parser.add_argument(name, help=argparse.SUPPRESS)
    parser.add_argument("--prepare", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.prepare:
        prepare(pathlib.Path(arguments.folder), arguments.prepare)
    elif arguments.peer:
        measure(arguments.peer, arguments.target, pathlib.Path(arguments.folder), pathlib.Path(arguments.output))
    else:
        print("| | filter | factor | off at seams | off the position | processor seconds | peak MiB | tasks |\n|---|---|---|---|---|---|---|---|")
        with tempfile.TemporaryDirectory() as folder:
            for target in [arguments.target] if arguments.target else TARGETS:
                for name in arguments.only:
                    print(row(name, target, pathlib.Path(folder)), flush=True)


if __name__ == "__main__":
    main()
