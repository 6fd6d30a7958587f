# SPDX-License-Identifier: Apache-2.0
"""Compares Tesela with its peers on the workloads of tests/cases.txt, on the same buffers, in turns, in one process.

    python bench/peers.py [--cases PATTERN,...] [--threads 1,2] [--peers NAME,...] [--json FILE]
    python bench/peers.py --random SEED --count 1000 [...]

The second form draws workloads at random (bench/random_workloads.py); where Tesela seems to be behind, it measures again,
with more rounds, before that counts. Prints a line for each workload: Tesela's time, its share of the machine's limit, and
each peer's time divided by Tesela's. ~ marks a peer with another layout or fixed point, ? a peer with another result.
These do not count.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(FOLDER), str(FOLDER.parent / "tests" / "conformance")]

# Make the heap keep its pages. Otherwise peers that allocate their outputs would pay for new pages in every call.
ENVIRONMENT = {"MALLOC_MMAP_MAX_": "0", "MALLOC_TRIM_THRESHOLD_": "68719476736", "MALLOC_TOP_PAD_": "268435456"}


# In favour of a peer, a ratio above this is not noise.
BEHIND = 1.1


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--cases", default="*", help="patterns of names in tests/cases.txt, R4*,T1.f32, or of those drawn, fill.*")
    parser.add_argument("--random", type=int, metavar="SEED", help="random workloads instead")
    parser.add_argument("--count", type=int, default=1000, help="how many of them")
    parser.add_argument("--threads", default="1,2", help="thread counts; each has a process of its own")
    parser.add_argument("--peers", default="", help="only these: onnxruntime,openvino,pytorch,opencv,numpy,...")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--block", type=float, default=0.02, help="seconds of each contestant in a round")
    parser.add_argument("--json", help="a file for the results")
    parser.add_argument("--child", type=int, help=argparse.SUPPRESS)
    return parser.parse_args()


def chosen(options) -> list:
    import random_workloads
    import workload

    drawn = options.random is not None
    known = workload.parse_all(random_workloads.lines(options.random, options.count)) if drawn else workload.read_all()
    patterns = options.cases.split(",")
    cases = [case for case in known if any(fnmatch.fnmatch(case.name, p) for p in patterns)]
    if not cases:
        sys.exit(f"peers: no case of {'those drawn' if drawn else 'tests/cases.txt'} is named like {options.cases}")
    return cases


def child(options) -> list[dict]:
    from contest import contest, makers

    available = makers(options.peers.split(",") if options.peers else None)
    rows = []
    for case in chosen(options):
        row = contest(case, options.child, available, options.rounds, options.block)
        if options.random is not None:
            row["case"] = str(case)
            if row["ratio"] and row["ratio"] * BEHIND < 1:
                row = contest(case, options.child, available, 4 * options.rounds, options.block) | {"case": str(case)}
            print(row["case"])
        print_row(row)
        rows.append(row)
    return rows


def print_row(row: dict) -> None:
    ours = row["times"]["tesela"]
    words = [f"{row['name']:14} {row['threads']}T {shown(ours['best']):>8} ms {row['share']:4.0%} of {row['bound']}"]
    for name, times in sorted(row["times"].items(), key=lambda item: item[1]["best"]):
        mark = "" if times["same"] else "~" if times["near"] else "?"
        if name != "tesela":
            words.append(f"{name}{mark} x{times['ratio']:.2f}")
    best = f"best same x{row['ratio']:.2f} {row['rival']}" if row["ratio"] else "no same peer"
    print(" | ".join([*words, best]), flush=True)


def shown(nanoseconds: float) -> str:
    return f"{nanoseconds / 1e6:.4g}"


def main() -> None:
    options = arguments()
    if options.child:
        json.dump(child(options), pathlib.Path(options.json).open("w"))
        return
    rows = []
    for threads in options.threads.split(","):
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            command = [sys.executable, __file__, *sys.argv[1:], "--child", threads, "--json", file.name]
            environment = os.environ | ENVIRONMENT | {"VIPS_CONCURRENCY": threads, "OMP_NUM_THREADS": threads}
            if subprocess.run(command, env=environment, check=False).returncode:
                sys.exit(f"peers: the process for {threads} threads failed")
            rows += json.load(open(file.name))
    if options.json:
        import machine

        found = {"machine": machine.description(), "versions": machine.versions(), "date": machine.today()}
        found["rows"] = rows
        pathlib.Path(options.json).write_text(json.dumps(found, indent=1))


if __name__ == "__main__":
    main()
