# SPDX-License-Identifier: Apache-2.0
"""The system calls of the command line, one by one: strace lists them, and makes a chosen one fail or sends a signal there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from cli_program import DONE, PROGRAM, REPOSITORY, save_npy, save_pb, tesela, tile_model
from onnx import TensorProto, external_data_helper, helper

# What the program calls after it has started, and the errors that each can give. A call that is not listed fails the tests.
ERRORS = {
    "openat": ["EIO", "EMFILE", "ENOMEM", "EACCES", "EINTR"], "openat2": ["EIO", "EPERM", "ENOSYS", "EACCES", "EINTR"], "close": ["EIO", "EINTR"],
    "read": ["EIO", "ENOMEM", "EINTR"], "pread64": ["EIO", "EINTR"], "lseek": ["EIO"],
    "write": ["EIO", "ENOSPC", "EDQUOT", "EFBIG", "EINTR"], "fsync": ["EIO", "ENOSPC", "EDQUOT", "EINTR"],
    "sync_file_range": ["EIO", "ENOSPC", "ENOSYS"],
    "newfstatat": ["EIO", "ENOMEM", "EACCES"], "access": ["EIO", "EROFS", "ENOMEM"], "getdents64": ["EIO", "ENOMEM"],
    "rename": ["EIO", "EROFS", "ENOSPC"], "fchmod": ["EPERM", "EIO"], "fcntl": ["EMFILE"], "ioctl": ["EIO"], "getcwd": ["ENOENT"],
    "mmap": ["ENOMEM"], "munmap": ["ENOMEM"], "mprotect": ["ENOMEM"], "madvise": ["ENOMEM"],
    "clone3": ["EAGAIN", "ENOMEM"], "rt_sigaction": ["EINVAL"], "rt_sigprocmask": ["EINVAL"], "sched_getaffinity": [],
    "futex": [], "sched_yield": ["EPERM"], "getpid": [], "prlimit64": ["EPERM"], "exit_group": [],
    # brk tells failures by an address, not by a number; failing allocations have tests of their own.
    "brk": [],
    # At the start and the end of threads.
    "set_robust_list": [], "rseq": [], "exit": [],
}
LARGE = (64 << 20) + 4096
INVISIBLE = {"EINTR", "ENOSYS"}  # the result is the same


def make_files(folder: Path) -> None:
    """What the cases read."""
    save_npy(folder / "x.npy", np.arange(6, dtype=np.float32).reshape(2, 3))
    np.savez_compressed(folder / "x.npz", x=np.arange(6, dtype=np.float32).reshape(2, 3))
    save_npy(folder / "large.npy", np.arange(750_000, dtype=np.float32).reshape(3, 250, 1000))
    tile_model(folder / "m.onnx")
    case = folder / "case"
    (case / "test_data_set_0").mkdir(parents=True)
    tile_model(case / "model.onnx")
    save_pb(case / "test_data_set_0" / "input_0.pb", np.ones((2, 3), dtype=np.float32), "x")
    save_pb(case / "test_data_set_0" / "output_0.pb", np.ones((4, 9), dtype=np.float32), "y")
    (folder / "repeats.bin").write_bytes(np.array([2, 3]).tobytes())
    _save_external(folder / "external.onnx", helper.make_node("Tile", ["x", "c"], ["y"]), TensorProto.INT64, [2], "repeats.bin")
    # More than 64 MiB of holes: read through a mapping, and by the run that needs it.
    for large in ("constant.bin", "holes.npy"):
        _make_holes(folder / large)
    with (folder / "holes.npy").open("r+b") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "|u1", "fortran_order": False, "shape": (LARGE - 128,)})
        assert file.tell() == 128
    _save_external(folder / "large.onnx", helper.make_node("Tile", ["c", "x"], ["y"]), TensorProto.UINT8, [1, LARGE], "constant.bin")
    save_npy(folder / "none.npy", np.array([0, 1]))
    for ending in ("xml", "bin"):
        shutil.copy(REPOSITORY / f"tests/live/exporters/recorded/linear-1d-openvino.{ending}", folder / f"linear-1d-openvino.{ending}")
    save_npy(folder / "line.npy", np.arange(14, dtype=np.float32).reshape(1, 2, 7))
    (folder / "cases.txt").write_text("t: tile float 2x3 -> 4x6\n")
    save_npy(folder / "gray.npy", np.arange(48, dtype=np.uint8).reshape(6, 8, 1))
    for picture in ("p.png", "p.jpg"):
        assert tesela("resize", folder / "gray.npy", folder / picture, "--sizes", "6,8", "--axes", "0,1").returncode == DONE


def _save_external(path: Path, node, element: int, extents: list[int], data: str) -> None:
    """A model of one node, whose input c is in another file."""
    c = TensorProto(name="c", data_type=element, dims=extents, raw_data=b"")
    external_data_helper.set_external_data(c, data)
    c.ClearField("raw_data")
    x = helper.make_tensor_value_info("x", *((TensorProto.FLOAT, ["n", "m"]) if node.input[0] == "x" else (TensorProto.INT64, [2])))
    y = helper.make_tensor_value_info("y", element if node.input[0] == "c" else TensorProto.FLOAT, [None, None])
    model = helper.make_model(helper.make_graph([node], "graph", [x], [y], [c]), opset_imports=[helper.make_opsetid("", 19)], ir_version=10)
    path.write_bytes(model.SerializeToString())


# Arguments of every verb, run in a folder of make_files; y.* is an output.
CASES = {
    "ops": ["ops", "--json"],
    "inspect": ["inspect", "m.onnx", "--json"],
    "check": ["check", "m.onnx"],
    "lint": ["lint", "m.onnx"],
    "fix, external data": ["fix", "external.onnx", "-o", "y.onnx", "--opset", "21"],
    "run, an IR": ["run", "linear-1d-openvino.xml", "-q", "-i", "line.npy", "-o", "y.npy"],
    "run": ["run", "m.onnx", "-q", "-i", "x.npy", "-o", "y.npy"],
    "run, external data": ["run", "external.onnx", "-q", "-i", "x.npz", "-o", "y.npz"],
    "run, a large constant": ["run", "large.onnx", "-q", "-i", "none.npy", "-o", "y.npy"],
    "tile, a large file": ["tile", "holes.npy", "y.npy", "-q", "--repeats", "0"],
    "test": ["test", "case", "--json", "--threads", "1"],
    "resize": ["resize", "large.npy", "y.npy", "-q", "--scales", "1,2,2", "--mode", "linear", "--threads", "2"],
    "PNG": ["resize", "p.png", "y.png", "-q", "--sizes", "3,4", "--axes", "0,1"],
    "JPEG": ["resize", "p.jpg", "y.jpg", "-q", "--sizes", "3,4", "--axes", "0,1"],
    "tile": ["tile", "x.npz", "y.pb", "-q", "--repeats", "2,2"],
    "fill": ["fill", "y.npy", "-q", "--shape", "3000000", "--value", "7"],
    "fill, a new file": ["fill", "new/y.npy", "-q", "--shape", "3"],
    "explain": ["explain", "cubic antialias uint8 9x4 -> 4x9"],
    "explain, a model": ["explain", "m.onnx:tile", "--shape", "x=2x3", "--json"],
    "bench": ["bench", "--file", "cases.txt", "--list", "--json"],
}


def _make_holes(path: Path) -> None:
    path.touch()
    os.truncate(path, LARGE)


@dataclass
class Outcome:
    status: int
    output: bytes
    message: str
    files: dict[str, bytes]
    log: list[str]

    def happened(self) -> bool:
        return any("(INJECTED)" in line or "--- SIG" in line or "killed by" in line for line in self.log)


class Program:
    """A case in its folder, with older outputs."""

    def __init__(self, name: str, files: Path, folder: Path):
        self.name, self.files, self.folder = name, files, folder
        self.output = next((word for word in CASES[name] if Path(word).stem == "y"), None)
        self.sound = self.run()
        assert self.sound.status == DONE, self.sound.message
        self.calls = _calls(self.sound.log)

    def run(self, *injected: str) -> Outcome:
        """injected: strace's inject=..."""
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        for file in self.files.iterdir():  # as links, because cases only read them; strangers' external data has one name
            if file.is_dir():
                shutil.copytree(file, self.folder / file.name)
            elif file.suffix == ".bin":  # external data has one name
                shutil.copy(file, self.folder / file.name) if file.stat().st_size < LARGE else _make_holes(self.folder / file.name)
            else:
                os.link(file, self.folder / file.name)
        (self.folder / "new").mkdir()
        if self.output is not None and self.output.startswith("y"):
            (self.folder / self.output).write_bytes(b"older")
        trace = [f"--trace={entry.partition('=')[2].partition(':')[0]}" for entry in injected]
        with tempfile.NamedTemporaryFile("r", prefix="strace") as log:
            done = subprocess.run(["strace", "-f", "-qq", "-o", log.name, *trace, *("-e" + entry for entry in injected), PROGRAM, *CASES[self.name]],
                                  cwd=self.folder, input=b"", capture_output=True, timeout=120)
            lines = log.read().splitlines()
        files = {str(path.relative_to(self.folder)): b"" if (self.files / path.relative_to(self.folder)).exists() else path.read_bytes()
                 for path in self.folder.rglob("*") if path.is_file()}
        return Outcome(done.returncode, done.stdout, done.stderr.decode(), files, lines)

    def is_whole(self, outcome: Outcome) -> bool:
        """Nothing but the output differs, and it is the old or the new one."""
        before = dict(self.sound.files)
        if self.output is not None:
            before[self.output] = outcome.files.get(self.output)
            olds = [b"older" if self.output.startswith("y") else None, self.sound.files[self.output]]
            if before[self.output] not in olds:
                return False
            if before[self.output] is None:
                del before[self.output]
        return before == outcome.files


@dataclass
class Calls:
    """Of the main thread, from the beginning of main on."""

    first: dict[str, int]  # how many calls of this name the loader made, plus one
    last: dict[str, int]
    names: set[str]  # of all threads


def _calls(log: list[str]) -> Calls:
    main = log[0].split()[0]
    counts: Counter[str] = Counter()
    before: Counter[str] | None = None
    names = set()
    for line in log:
        call = re.match(r"(\d+) +(\w+)\(", line)
        if call is None:
            continue
        if before is None and "rt_sigaction(SIGINT, NULL" in line:
            before = counts.copy()
        if before is not None:
            names.add(call[2])
        if call[1] == main:
            counts[call[2]] += 1
    assert before is not None
    return Calls({name: before[name] + 1 for name in names}, {name: counts[name] for name in names}, names)
