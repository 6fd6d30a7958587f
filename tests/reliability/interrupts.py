# SPDX-License-Identifier: Apache-2.0
"""Ends commands by signals at random instants, and measures how long they take to end.

Each command takes seconds: it reads, checks, decodes, computes or writes. It must end with exit status 130, say so in one
line, and leave no file. Run it on a machine that does nothing else.

Usage: interrupts.py [--count 40] [--seed 1]
"""

from __future__ import annotations

import argparse
import random
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from figures import record
from onnx import TensorProto, helper

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "python"))
from cli_program import DONE, INTERRUPTED, PROGRAM, save_model, save_npy, tesela

WANTED_SECONDS = 0.1
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def make_files(folder: Path) -> dict[str, list[object]]:
    """Files in a folder, and commands on them that take seconds."""
    nodes = [helper.make_node("Tile", ["x", "r"], [f"y{i}"], name=f"node number {i}") for i in range(400_000)]
    wide = save_model(folder / "wide.onnx", nodes, {"x": (TensorProto.FLOAT, ["N"]), "r": (TensorProto.INT64, [1])}, {})
    names = ["x", *(f"h{i}" for i in range(4000))]
    nodes = [helper.make_node("Resize", [names[i], "", "", f"s{i % 2}"], [names[i + 1]], mode="cubic") for i in range(4000)]
    long = save_model(folder / "long.onnx", nodes, {"x": (TensorProto.FLOAT, [2000, 2000])},
                      {names[-1]: (TensorProto.FLOAT, [None, None])},
                      initializers={"s0": np.array([2001, 2001]), "s1": np.array([2000, 2000])})
    x = save_npy(folder / "x.npy", np.zeros((2000, 2000), dtype=np.float32))
    noise = np.random.default_rng(1).integers(0, 255, (9000, 9000, 3), dtype=np.uint8)
    pixels = save_npy(folder / "pixels.npy", noise)
    photo = folder / "photo.png"
    assert tesela("tile", pixels, photo, "--repeats", "1,1,1", "-q").returncode == DONE
    small = ["--sizes", "9,9", "--axes", "0,1", "-q"]
    return {
        "check of 400,000 nodes": ["check", wide],
        "inspect of 400,000 nodes": ["inspect", wide],
        "run of 4,000 nodes": ["run", long, "-i", x, "-o", folder / "out" / "y.npy"],
        "reading a PNG of 81 million pixels": ["resize", photo, folder / "out" / "y.npy", *small],
        "writing a PNG of 81 million pixels": ["tile", pixels, folder / "out" / "y.png", "--repeats", "1,1,1", "-q"],
        "writing 2 GB": ["fill", folder / "out" / "y.npy", "--shape", "2000000000", "--dtype", "uint8", "-q"],
        "cubic of one large tensor": ["resize", x, folder / "out" / "y.npy", "--scales", "9,9", "--mode", "cubic", "-q"],
    }


def start(words: list[object]) -> subprocess.Popen[bytes]:
    """It handles interrupts even if this process, a background job of a shell, ignores them."""
    return subprocess.Popen([PROGRAM, *map(str, words)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))


def seconds_to_end(words: list[object], out: Path, delay: float, number: signal.Signals) -> float | None:
    """None if the command was done before."""
    process = start(words)
    time.sleep(delay)
    begin = time.monotonic()
    process.send_signal(number)
    _, errors = process.communicate(timeout=60)
    seconds = time.monotonic() - begin
    left = sorted(path.name for path in out.iterdir())
    for path in out.iterdir():
        path.unlink()
    if process.returncode == DONE:
        return None
    assert process.returncode == INTERRUPTED, (words, delay, number, process.returncode, errors)
    assert errors.splitlines()[-1] == b"tesela: interrupted", (words, delay, errors)
    assert left == [], (words, delay, left)
    return seconds


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--count", type=int, default=40, help="signals for each command")
    options.add_argument("--seed", type=int, default=1)
    given = options.parse_args()
    draw = random.Random(given.seed)
    late = 0
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "out").mkdir()
        for name, words in make_files(folder).items():
            taken = []
            while len(taken) < given.count:
                seconds = seconds_to_end(words, folder / "out", draw.uniform(0.02, 1), draw.choice(SIGNALS))
                if seconds is not None:
                    taken.append(seconds)
            late += sum(seconds > WANTED_SECONDS for seconds in taken)
            figure = (f"{name}: {len(taken)} signals at random instants of its first second end it within "
                      f"{1000 * max(taken):.0f} ms, half of them within {1000 * sorted(taken)[len(taken) // 2]:.0f} ms.")
            record("G14", figure)
            print(figure, flush=True)
    if late:
        print(f"{late} took longer than {WANTED_SECONDS} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
