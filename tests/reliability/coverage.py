# SPDX-License-Identifier: Apache-2.0
"""Counts the branches of src/ that tests take, in a build with the preset "coverage".

Runs the C++ tests, the conformance tests and those of the command line on the instrumented library. A branch has two sides,
one for each value of its condition. Instances of a template count as one. Sides that these tests cannot take are listed with
the reason in uncovered.json; the other sides that no test takes are printed. The exit status is 1 below WANTED_PERCENT.

Usage: coverage.py [--list] [--keep] BUILD
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from figures import record, without_measuring

ROOT = Path(__file__).resolve().parents[2]
# What reads strangers' files and arguments, and what decides results: goal and folders.
MEASURED = {
    "readers": ("src/model/", "src/tensor_io/", "src/files/"),
    "schema": ("src/schema/",),
    "plan": ("src/plan/",),
}
WANTED_PERCENT = 98
UNCOVERED = Path(__file__).with_name("uncovered.json")
MERGED = "merged.profdata"
# The plugins are not instrumented; and a program that counts branches has allocations and system calls of its own.
LEFT_OUT = ("conformance/test_onnxruntime.py", "conformance/test_onnxruntime_override.py", "conformance/test_openvino_extension.py",
            "python/test_cli_no_memory.py", "python/test_cli_system_calls.py")


def merge(profiles: Path, age_seconds: float) -> None:
    """Adds the profiles that no program still writes to merged.profdata, and removes them: each of thousands has megabytes."""
    before = time.time() - age_seconds
    found = [file for file in profiles.glob("*.profraw") if file.stat().st_mtime <= before]
    merged = profiles / MERGED
    if not found:
        return
    inputs = [*found, *([merged] if merged.exists() else [])]
    result = profiles / "next.profdata"
    # A program that a test kills can leave an unfinished profile.
    subprocess.run(["llvm-profdata", "merge", "-sparse", "-failure-mode=all", *inputs, "-o", result], check=True)
    result.replace(merged)
    for file in found:
        file.unlink()


def run_tests(build: Path, profiles: Path) -> None:
    # The preset names the files of profiles. Fewer random cases: they repeat branches. Whether tests pass is not the question
    # here: this build is slow.
    environment = {**without_measuring(), "TESELA_LIBRARY": str(build / "libtesela.so"), "TESELA_CASES": "100"}
    left_out = [ROOT / "tests" / name for name in LEFT_OUT]
    command_line = [file for file in sorted((ROOT / "tests/python").glob("test_*.py")) if "cli_program" in file.read_text()]
    tests = [ROOT / "tests/conformance", *(file for file in command_line if file not in left_out)]
    without = [f"--ignore={file}" for file in left_out]
    for command in (
        [build / "tests/tesela_tests", "--gtest_brief=1"],
        [sys.executable, "-m", "pytest", "-q", "--timeout", "900", *tests, *without],
    ):
        with subprocess.Popen(command, env=environment, cwd=ROOT) as running:
            while running.poll() is None:
                time.sleep(10)
                merge(profiles, age_seconds=10)
    merge(profiles, age_seconds=0)


def branch_sides(build: Path, profiles: Path) -> dict[tuple[str, int, int, bool], int]:
    """How often each side was taken, by file, line, column and value of the condition."""
    command = ["llvm-cov", "export", "-instr-profile", profiles / MERGED, build / "tests/tesela_tests"]
    command += ["-object", build / "libtesela.so", ROOT / "src"]
    exported = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    sides: dict[tuple[str, int, int, bool], int] = defaultdict(int)
    lines: dict[str, list[str]] = {}
    for function in exported["data"][0]["functions"]:
        for line, column, _, _, taken, not_taken, file, *_ in function.get("branches", []):
            name = os.path.relpath(function["filenames"][file], ROOT)
            if name not in lines:
                lines[name] = (ROOT / name).read_text(encoding="utf-8").splitlines()
            if lines[name][line - 1][: column - 1].endswith("switch ("):
                continue  # an implicit default, which no value reaches
            sides[name, line, column, True] += taken
            sides[name, line, column, False] += not_taken
    return sides


def line_of(side: tuple[str, int, int, bool]) -> str:
    return (ROOT / side[0]).read_text(encoding="utf-8").splitlines()[side[1] - 1].strip()


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("build", type=Path)
    options.add_argument("--list", action="store_true", help="print those in uncovered.json, too, and rows of it that tests take")
    options.add_argument("--keep", action="store_true", help="use the profiles of the run before")
    given = options.parse_args()
    profiles = given.build.resolve() / "profiles"
    profiles.mkdir(exist_ok=True)
    if not given.keep:
        for old in profiles.iterdir():
            old.unlink()
        run_tests(given.build.resolve(), profiles)
    reasons = {(row["file"], row["line"], row["side"]): row["reason"] for row in json.loads(UNCOVERED.read_text(encoding="utf-8"))}
    used = set()
    sides = branch_sides(given.build.resolve(), profiles)
    lowest = 100.0
    for name, folders in MEASURED.items():
        here = {side: count for side, count in sides.items() if side[0].startswith(folders)}
        missed = sorted(side for side, count in here.items() if count == 0)
        percent = 100 * (1 - len(missed) / len(here))
        lowest = min(lowest, percent)
        rows = {side: (side[0], line_of(side), side[3]) for side in missed}
        used.update(rows.values())
        explained = sum(row in reasons for row in rows.values())
        figure = (f"Branch coverage of {name}: {percent:.1f} % of {len(here):,} sides; of the other {len(missed)}, {explained} are "
                  "listed in uncovered.json.")
        record("G10", figure)
        print(figure)
        for (file, line, column, value), row in rows.items():
            if given.list or row not in reasons:
                print(f"  {file}:{line}:{column} never {str(value).lower()}: {row[1]}  {reasons.get(row, 'NOT LISTED')}")
    if given.list:
        for file, text, value in reasons.keys() - used:
            print(f"listed, but taken or gone: {file} {str(value).lower()}: {text}")
    if lowest < WANTED_PERCENT:
        print(f"below the goal of {WANTED_PERCENT} %")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
