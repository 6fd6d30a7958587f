# SPDX-License-Identifier: Apache-2.0
"""Costs other than time per call: memory of a run, time to a process' first result, size and build time of the library.

    python bench/footprint.py --json build/bench/footprint.json
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

FOLDER = pathlib.Path(__file__).resolve().parent
ROOT = FOLDER.parent
BUILD = ROOT / "build"
sys.path[:0] = [str(FOLDER), str(ROOT / "tests" / "conformance")]

MEMORY_CASES = ("R1.f32", "R4b.u8", "R7a.f32", "R8.f32", "R10b.f32", "R12.bf16", "T3.f32", "C64M.f32")
STARTS = 7

# The same small resize in a new process of each library, and Python's own start for comparison.
FIRST = {
    "python -c pass": "pass",
    "opencv": "import cv2, numpy; cv2.resize(numpy.zeros((8, 8), 'f'), (16, 16))",
    "onnxruntime": "import onnxruntime, numpy; onnxruntime.InferenceSession({model!r}).run(None, "
                   "{{'X': numpy.zeros((1, 1, 8, 8), 'f')}})",
    "torch": "import torch; torch.nn.functional.interpolate(torch.zeros(1, 1, 8, 8), size=(16, 16), mode='bilinear')",
}


# ---- Memory --------------------------------------------------------------------------------------------------------


def kib(name: str) -> int:
    lines = pathlib.Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(name))


def peak_of(name: str, threads: int) -> int:
    """KiB that the first run of a case needs in addition to input, output and plan. Runs in a separate process."""
    import ours
    import workload

    case = next(case for case in workload.read_all() if case.name == name)
    small = case.shrunk(200)
    ours.Tesela(small, workload.values(small), ours.output(small), threads).checked()  # loads code and starts threads
    held = ours.Tesela(case, workload.values(case), ours.output(case), threads)
    pathlib.Path("/proc/self/clear_refs").write_text("5")  # resets the peak
    before = kib("VmHWM")
    held.checked()
    return kib("VmHWM") - before


def memory() -> list[dict]:
    rows = []
    for name in MEMORY_CASES:
        for threads in (1, 2):
            command = [sys.executable, __file__, "--peak", name, "--threads", str(threads)]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
            rows.append({"name": name, "threads": threads, "kib": int(done.stdout)})
    return rows


# ---- First result --------------------------------------------------------------------------------------------------


def seconds(command: list[str]) -> float:
    best = float("inf")
    for _ in range(STARTS):
        start = time.perf_counter()
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        best = min(best, time.perf_counter() - start)
    return best


def first_results(folder: pathlib.Path) -> dict[str, float]:
    import graphs
    import workload

    source, model = folder / "x.npy", folder / "model.onnx"
    np.save(source, np.zeros((8, 8), np.float32))
    model.write_bytes(graphs.onnx_model(workload.parse("linear float 1x1x8x8 -> 1x1x16x16")))
    words = ["resize", str(source), str(folder / "y.npy"), "--sizes", "16,16", "--mode", "linear", "--quiet"]
    found = {"tesela resize": seconds([str(BUILD / "tesela"), *words])}
    for name, code in FIRST.items():
        found[name] = seconds([sys.executable, "-c", code.format(model=str(model))])
    return found


# ---- Size and building ---------------------------------------------------------------------------------------------


def library_bytes(folder: pathlib.Path) -> int:
    """The size of the installed shared library, without symbols."""
    stripped = folder / "libtesela.so"
    subprocess.run(["strip", "-o", str(stripped), str(BUILD / "libtesela.so")], check=True)
    return stripped.stat().st_size


def build_seconds() -> float:
    """Processor time for the library's objects, from the log of ninja."""
    latest = {}
    for line in (BUILD / ".ninja_log").read_text().splitlines()[1:]:
        start, end, _, target, _ = line.split("\t")
        if "tesela_core.dir" in target or "tesela_models.dir" in target or target.startswith("libtesela"):
            latest[target] = (int(end) - int(start)) / 1000
    return sum(latest.values())


def uses_cache() -> bool:
    return "COMPILER_LAUNCHER" in (BUILD / "CMakeCache.txt").read_text()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", help="a file for the results")
    parser.add_argument("--peak", help=argparse.SUPPRESS)
    parser.add_argument("--threads", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peak:
        print(peak_of(options.peak, options.threads))
        return
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found = {"memory": memory(), "first": first_results(folder), "library_bytes": library_bytes(folder),
                 "build_seconds": build_seconds(), "cached_build": uses_cache()}
    pathlib.Path(options.json).write_text(json.dumps(found, indent=1))
    print(f"footprint: library {found['library_bytes'] / 1e6:.2f} MB, most memory of a run "
          f"{max(row['kib'] for row in found['memory'])} KiB")


if __name__ == "__main__":
    main()
