# SPDX-License-Identifier: Apache-2.0
"""Streams an array through a control group that is much smaller, beside dd, and kills the stream at random points.

The output is as large as the input, and neither fits into the group. Measured are the speed beside dd in a group of the same size,
the peak of the group and of the process, and whether an output that was written with kills has the digest of one without.

Usage: streams.py FOLDER [--gigabytes 12] [--limit 512] [--memory 256MiB] [--kills 20] [--rounds 2] [--seed 1]
As root, on a machine that does nothing else: the folder needs three times the bytes.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import tesela
import zarr

ROW_BYTES = 1 << 16
KEPT_BYTES = 256 << 20  # a line of the journal is for so many at least


class Group:
    """A control group of memory, below that of this process; version 1 or 2."""

    def __init__(self, mebibytes: int, name: str):
        lines = [line.rstrip("\n").split(":", 2) for line in open("/proc/self/cgroup")]
        version_1 = [path for _, controllers, path in lines if "memory" in controllers.split(",")]
        base = Path("/sys/fs/cgroup/memory" if version_1 else "/sys/fs/cgroup")
        self.version = 1 if version_1 else 2
        self.folder = base / (version_1 or [lines[-1][2]])[0].lstrip("/") / f"tesela-{name}-{os.getpid()}"
        self.folder.mkdir()
        limit, self._peak = ("memory.limit_in_bytes", "memory.max_usage_in_bytes") if version_1 else ("memory.max", "memory.peak")
        (self.folder / limit).write_text(str(mebibytes << 20))

    def run(self, words: list[str]) -> subprocess.Popen:
        """Starts a command in the group."""
        enter = f"echo $$ > {self.folder}/cgroup.procs && exec \"$@\""
        return subprocess.Popen(["sh", "-c", enter, "sh", *words], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)

    def peak(self) -> int:
        return int((self.folder / self._peak).read_text())

    def remove(self) -> None:
        self.folder.rmdir()


def make_input(path: Path, size: int) -> int:
    """Rows of random numbers, each block of them another. Returns the rows."""
    rows, block = size // ROW_BYTES, 512
    noise = np.random.default_rng(1).random((block, ROW_BYTES // 4), dtype=np.float32)
    with open(path, "wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f4", "fortran_order": False, "shape": (rows, ROW_BYTES // 4)})
        for first in range(0, rows, block):
            file.write((noise + np.float32(first))[:rows - first].data)
        file.flush()
        os.fsync(file.fileno())
    drop(path)
    return rows


def drop(path: Path) -> None:
    """The file's pages leave the memory."""
    with open(path, "rb") as file:
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def digest(path: Path) -> str:
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    drop(path)
    return found


def timed(group: Group, words: list[str]) -> tuple[float, int]:
    """(seconds, largest resident KiB of a child so far)."""
    began = time.monotonic()
    process = group.run(words)
    message = process.communicate()[1].decode()
    assert process.returncode == 0, (words, process.returncode, message)
    return time.monotonic() - began, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss


def lines_of(journal: Path) -> int:
    return journal.read_bytes().count(b"\n") if journal.exists() else 0


def with_kills(group: Group, words: list[str], target: Path, kills: int, lines: int, draw: random.Random) -> list[str]:
    """Kills the command so often, each time soon after its journal has a random number of lines, and starts it again. A command that
    ends before is started from the beginning. Returns the digest of each complete output."""
    journal, digests, left = Path(f"{target}.journal"), [], kills
    while True:
        points = sorted(draw.randint(1, lines) for _ in range(left))
        while points and kill_after(group, words, journal, points.pop(0), draw):
            left -= 1
        if left == 0:
            timed(group, words)
        digests.append(digest(target))
        target.unlink()
        if left == 0:
            return digests


def kill_after(group: Group, words: list[str], journal: Path, lines: int, draw: random.Random) -> bool:
    """Starts the command and kills it up to a second after its journal has so many lines. False: it ended before."""
    process = group.run(words)
    while process.poll() is None and lines_of(journal) < lines:
        time.sleep(0.01)
    time.sleep(draw.uniform(0, 1))
    if process.poll() is not None:
        assert process.returncode == 0, process.communicate()
        return False
    process.send_signal(signal.SIGKILL)
    process.wait()
    return True


def pyramid(group: Group, source: Path, target: Path, memory: str, draw: random.Random) -> dict:
    """Writes levels of a half and a quarter, and computes parts of them from the whole array."""
    seconds, _ = timed(group, [sys.executable, "-m", "tesela", "pyramid", str(source), str(target), "--memory", memory, "--quiet",
                               "--factors", "2,4", "--from", "base"])
    x = np.load(source, mmap_mode="r")
    equal = 0
    for level in (1, 2):
        array = zarr.open_array(target / str(level), mode="r")
        plan = tesela.plan("resize", x.shape, x.dtype, sizes=array.shape, mode="linear", antialias=True)
        shape = (70, 90)
        for _ in range(20):
            lo = tuple(draw.randint(0, extent - part) for extent, part in zip(array.shape, shape, strict=True))
            x_lo, x_shape = plan.input_region(lo, shape)
            box = tuple(slice(first, first + extent) for first, extent in zip(x_lo, x_shape, strict=True))
            part = plan.run_region(np.ascontiguousarray(x[box]), x_lo, lo, shape)
            equal += bool(np.array_equal(part, array[lo[0]:lo[0] + shape[0], lo[1]:lo[1] + shape[1]]))
    return {"seconds": seconds, "group's peak": group.peak(), "equal parts": equal, "of": 40}


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=Path)
    for name, value in (("gigabytes", 12.0), ("limit", 512), ("kills", 20), ("rounds", 2), ("seed", 1)):
        parser.add_argument(f"--{name}", type=type(value), default=value)
    parser.add_argument("--memory", default="256MiB")
    given = parser.parse_args()
    given.folder.mkdir(exist_ok=True, parents=True)
    source, target, copy = given.folder / "x.npy", given.folder / "y.npy", given.folder / "copy.npy"
    levels = given.folder / "levels.zarr"

    def clean() -> None:
        shutil.rmtree(levels, ignore_errors=True)
        for path in (source, target, copy, Path(f"{target}.partial"), Path(f"{target}.journal")):
            path.unlink(missing_ok=True)

    clean()  # what a run that was killed left
    size = int(given.gigabytes * 1e9)
    rows, load = make_input(source, size), os.getloadavg()[0]
    words = [sys.executable, "-m", "tesela", "resize", str(source), str(target), "--sizes", f"{rows - 64},{ROW_BYTES // 4}",
             "--mode", "linear", "--memory", given.memory, "--quiet"]
    copying = ["dd", f"if={source}", f"of={copy}", "bs=16M", "conv=fsync"]
    found: dict = {"bytes": size, "limit": given.limit << 20, "memory": given.memory, "load": load, "dd": [], "stream": []}
    stream_group, copy_group, levels_group = (Group(given.limit, name) for name in ("stream", "dd", "levels"))
    found["control group"] = stream_group.version
    try:
        for _ in range(given.rounds):
            for group, name, command, output in ((copy_group, "dd", copying, copy), (stream_group, "stream", words, target)):
                drop(source)
                seconds, found["resident KiB"] = timed(group, command)
                found[name].append(seconds)
                expected = digest(target) if name == "stream" else ""
                output.unlink()
        found["group's peak"] = stream_group.peak()
        draw = random.Random(given.seed)
        digests = with_kills(stream_group, words, target, given.kills, size // KEPT_BYTES, draw)
        found["kills"], found["outputs of killed streams"] = given.kills, len(digests)
        found["same digest after kills"] = set(digests) == {expected}
        found["pyramid"] = pyramid(levels_group, source, levels, given.memory, draw)
    finally:
        for group in (stream_group, copy_group, levels_group):
            group.remove()
        clean()
    found["of dd's speed"] = min(found["dd"]) / min(found["stream"])
    print(json.dumps(found, indent=1))
    return 0 if found["same digest after kills"] and found["pyramid"]["equal parts"] == found["pyramid"]["of"] else 1


if __name__ == "__main__":
    sys.exit(main())
