# SPDX-License-Identifier: Apache-2.0
"""Changes one place of the core at a time and reports which changes no C++ test notices.

A change replaces a relation, moves a constant by one, swaps && and ||, min and max, or + and -, negates a condition, or
drops an error. All changes that can be chosen at run time are compiled into one program (switches.h); its tests are run
once without a change, which shows in which tests a change makes a difference, and then once for each change, these tests
only. Others, such as a changed constant expression, are compiled and linked one by one. The source tree is not touched.
A change that does not compile does not count. A change is noticed if a test fails, crashes or takes too long. Tests of
backends are left out, because the changed folders have no kernels.

Changes that cannot be noticed, because they mean the same, are listed with the reason in accepted/. The
exit status is 0, even if changes are not noticed, and 1 if the tests fail without a change.

Usage: mutate.py [--build build-separate] [--count 40] [--seed 1] [--only src/plan] [--again] [--tests 'Npy.*'] [--quick] [--list]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from pathlib import Path

from changes import ROOT, Change, all_changes, text_of
from switched import lines_with_errors, switched

sys.path.insert(0, str(ROOT / "tests" / "reliability"))
from figures import record, without_measuring

HERE = Path(__file__).resolve().parent
SWITCHES = HERE / "switches.h"
ACCEPTED = HERE / "accepted"
TIME_LIMIT = 240  # seconds for the tests of one change
BATCHES = (0.05, 1, float("inf"))  # seconds of tests that are run together
QUICK = 0.3
MOST_IN_FILE = 512


@dataclass
class Build:
    """The commands of a build that compiles each file for itself."""

    folder: Path
    compilers: dict[str, list[str]] = field(init=False)
    linker: list[str] = field(init=False)

    def __post_init__(self) -> None:
        subprocess.run(["ninja", "-C", self.folder, "--quiet", "tests/tesela_tests"], check=True)  # of these sources
        commands = subprocess.run(["ninja", "-C", self.folder, "-t", "commands", "tests/tesela_tests"],
                                  check=True, capture_output=True, text=True).stdout.splitlines()
        [line] = [line for line in commands if " -o tests/tesela_tests " in line]
        self.linker = [word for word in shlex.split(line) if word not in (":", "&&")]
        self.compilers = {}
        for entry in json.loads((self.folder / "compile_commands.json").read_text()):
            command = shlex.split(entry["command"])
            if command[command.index("-o") + 1] in self.linker:  # other programs compile some sources again
                self.compilers[entry["file"]] = command

    def object_of(self, file: str) -> str:
        command = self.compilers[str(ROOT / file)]
        return command[command.index("-o") + 1]

    def compile(self, file: str, path: Path, output: Path, options: list[str]) -> subprocess.CompletedProcess[str]:
        """Compiles `path` in place of `file` of the core."""
        source = ROOT / file
        command = list(self.compilers[str(source)])
        command[command.index("-o") + 1], command[command.index("-c") + 1] = str(output), str(path)
        command += ["-w", "-Wno-error", "-U_FORTIFY_SOURCE", f"-iquote{source.parent}", *options]
        return subprocess.run(command, cwd=self.folder, capture_output=True, text=True)

    def link(self, replaced: dict[str, Path], added: list[Path], program: Path) -> None:
        """replaced: objects by the names of those that they replace."""
        words = {**{name: str(path) for name, path in replaced.items()}, "tests/tesela_tests": str(program)}
        command = [words.get(word, word) for word in self.linker]
        subprocess.run([*command, *map(str, added)], cwd=self.folder, check=True, capture_output=True)


@cache
def headers() -> str:
    """All headers that sources include."""
    paths = [path for folder in ("src", "include") for path in sorted((ROOT / folder).rglob("*.h*"))]
    return "".join(path.read_text() for path in [*paths, SWITCHES])


def tests_of(folder: str) -> list[str]:
    """Patterns of the C++ tests of a folder."""
    suites = set()
    for path in (ROOT / "tests" / folder).rglob("*.cc"):
        suites.update(re.findall(r"^(?:TEST|TEST_P|TEST_F)\((\w+),", path.read_text(), re.MULTILINE))
    return sorted(pattern for suite in suites for pattern in (f"{suite}.*", f"*/{suite}.*"))


def failure_of(program: Path, tests: list[str], folder: Path, variables: dict[str, str],
               limit: float = TIME_LIMIT) -> str | None:
    """A test that fails, "a crash" or "the time limit"; None if all pass."""
    list_file = folder / "filter"
    list_file.write_text(f"--gtest_filter={':'.join(tests)}\n")
    command = [program, "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_flagfile={list_file}"]
    try:
        done = subprocess.run(command, cwd=folder, env=without_measuring() | variables, capture_output=True, text=True,
                              errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        return "the time limit"
    failed = re.findall(r"\[  FAILED  \] ([\w/.]+)", done.stdout)
    if done.returncode != 0:
        return failed[0] if failed else "a crash"
    return None


class Switched:
    """The tests with all changes that can be chosen at run time."""

    def __init__(self, build: Build, objects: Path, folder: Path, possible: list[Change], only_some: bool):
        """objects: where what is compiled is kept; folder: for this run's program and notes; only_some: not all tests."""
        self.only_some = only_some
        self.objects = objects
        self.folder = folder
        self.program = folder / "tesela_tests"
        files = sorted({change.file for change in possible})
        # Each file has numbers of its own, so that an edit of one does not compile others again.
        used = dict.fromkeys(files, 0)
        self.numbers: dict[Change, int] = {}
        for change in possible:
            used[change.file] += 1
            self.numbers[change] = files.index(change.file) * MOST_IN_FILE + used[change.file]
        if max(used.values()) >= MOST_IN_FILE:
            raise RuntimeError(f"a file has more than {MOST_IN_FILE - 1} changes")
        self.tests: dict[int, list[str]] = {}  # those in which a change makes a difference
        self.seconds: dict[str, float] = {}
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            compiled = dict(zip(files, pool.map(lambda file: self.compile_file(build, file), files)))
        self.switched = {number for numbers, _ in compiled.values() for number in numbers}
        added = []
        for name in ("switches", "listener"):
            added.append(folder / f"{name}.o")
            subprocess.run(["g++", "-std=c++20", "-O1", "-c", HERE / f"{name}.cc", "-o", added[-1]], check=True)
        build.link({build.object_of(file): output for file, (_, output) in compiled.items()}, added, self.program)

    def compile_file(self, build: Build, file: str) -> tuple[set[int], Path]:
        """The numbers of the changes of a file that compile, and the object."""
        numbered = {number: change for change, number in self.numbers.items() if change.file == file}
        path = self.objects / file
        path.parent.mkdir(parents=True, exist_ok=True)
        output, kept = path.with_suffix(".o"), path.with_suffix(".json")
        state = sha256(repr((numbered, text_of(file), build.compilers[str(ROOT / file)], headers())).encode())
        if kept.exists() and json.loads(kept.read_text())["state"] == state.hexdigest():
            return set(json.loads(kept.read_text())["switched"]), output
        while True:
            text, left_out = switched(file, sorted(numbered.items()))
            path.write_text(text)
            done = build.compile(file, path, output, ["-O1", "-Wno-narrowing", "-include", str(SWITCHES)])
            if done.returncode == 0:
                break
            by_line: dict[int, list[Change]] = {}
            for change in numbered.values():
                by_line.setdefault(change.lines()[0], []).append(change)
            for line in lines_with_errors(done.stderr, str(path)):
                # An error can be found in a later line of the statement. Most are texts that are joined with +.
                before = [first for first in by_line if first <= line]
                if not before:
                    raise RuntimeError(f"{file} does not compile: {done.stderr[:2000]}")
                suspects = by_line[max(before)]
                for change in [change for change in suspects if change.text.strip() in ("+", "-")] or suspects:
                    numbered.pop(self.numbers[change], None)
        kept.write_text(json.dumps({"state": state.hexdigest(), "switched": sorted(set(numbered) - left_out)}))
        return set(numbered) - left_out, output

    def observe(self, tests: str) -> str | None:
        """Runs the tests without a change, and notes in which each makes a difference. Returns a test that fails."""
        reached, by_test = self.folder / "reached", self.folder / "by_test"
        reached.write_bytes(bytes(max(self.numbers.values()) + 1))
        by_test.write_text("")
        variables = {"TESELA_CHANGES_REACHED": str(reached), "TESELA_CHANGES_BY_TEST": str(by_test)}
        failing = failure_of(self.program, [tests], self.folder, variables)
        for line in by_test.read_text().splitlines():
            test, milliseconds, *numbers = line.split()
            self.seconds[test] = int(milliseconds) / 1000
            for number in map(int, numbers):
                self.tests.setdefault(number, []).append(test)
        return failing

    def failure_of(self, change: Change, worker: Path) -> str | None:
        """A test that notices the change, the quick ones first."""
        number = self.numbers[change]
        tests = self.tests.get(number, [])
        least = 0.0
        for most in BATCHES:
            batch = [test for test in tests if least <= self.seconds.get(test, -1) < most]
            least = most
            if not batch:
                continue
            limit = min(TIME_LIMIT, 10 + 20 * sum(self.seconds[test] for test in batch))
            witness = failure_of(self.program, batch, worker, {"TESELA_CHANGE": str(number)}, limit)
            if witness is not None:
                return witness
        if not tests or self.only_some:
            return None
        # A table that is made once counts as reached only in the first test that uses it.
        return failure_of(self.program, tests_of(change.file.split("/")[1]), worker, {"TESELA_CHANGE": str(number)})


class Single:
    """The tests with one change that is compiled by itself."""

    def __init__(self, build: Build, tests: str, only_some: bool):
        self.build = build
        self.tests = tests
        self.only_some = only_some

    def failure_of(self, change: Change, worker: Path) -> str | None:
        """A test that notices the change; those of its folder run first. "it does not compile", if so."""
        text = text_of(change.file)
        changed = worker / Path(change.file).name
        changed.write_text(text[: change.begin] + change.text + text[change.end :])
        output, program = worker / "changed.o", worker / "tesela_tests"
        if self.build.compile(change.file, changed, output, ["-O0"]).returncode != 0:
            return DOES_NOT_COMPILE
        self.build.link({self.build.object_of(change.file): output}, [], program)
        first = [] if self.only_some else [tests_of(change.file.split("/")[1])]
        for tests in (*first, [self.tests]):
            witness = failure_of(program, tests, worker, {})
            if witness is not None:
                return witness
        return None


DOES_NOT_COMPILE = "it does not compile"


def reasons() -> dict[tuple[str, str, str], str]:
    """Why changes cannot be noticed, by file and line before and after."""
    rows = [row for path in sorted(ACCEPTED.glob("*.json")) for row in json.loads(path.read_text())]
    return {(row["file"], row["line"], row["change"]): row["reason"] for row in rows}


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=Path, default=ROOT / "build-separate")
    options.add_argument("--count", type=int, default=40, help="how many changes; 0: all")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="src/", help="the beginning of the files' names")
    options.add_argument("--again", action="store_true", help="only those that the last run did not notice")
    options.add_argument("--tests", help="a filter of tests, to try new ones; without it, all but those of backends")
    options.add_argument("--quick", action="store_true", help=f"without tests that take more than {QUICK} s")
    options.add_argument("--list", action="store_true", help="print every possible change")
    given = options.parse_args()
    everything = all_changes()
    possible = [change for change in everything if change.file.startswith(given.only)]
    if given.list:
        print(*possible, sep="\n")
        return 0
    random.Random(given.seed).shuffle(possible)

    build = Build(given.build.resolve())
    folder = build.folder / "mutation"
    here = folder / "runs" / given.only.strip("/").replace("/", "_")  # so that two runs of different files can go on at once
    here.mkdir(exist_ok=True, parents=True)
    last_run = here / "not_noticed.json"
    if given.again:
        places = {tuple(place) for place in json.loads(last_run.read_text())}
        possible = [change for change in possible if (change.file, change.kind, change.begin) in places]
    tests = given.tests or "-" + ":".join(tests_of("backend"))
    program = Switched(build, folder, here, everything, given.tests is not None)
    failing = program.observe(tests)
    if given.quick:
        program.seconds = {test: seconds for test, seconds in program.seconds.items() if seconds <= QUICK}
    if failing is not None:
        print(f"without a change, {failing} fails", file=sys.stderr)
        return 1

    single = Single(build, tests, given.tests is not None)
    workers = [here / f"worker{index}" for index in range(os.cpu_count() or 1)]
    for worker in workers:
        worker.mkdir(exist_ok=True)

    def tried(change: Change) -> str | None:
        worker = workers.pop()
        try:
            one = program if program.numbers[change] in program.switched else single
            return one.failure_of(change, worker)
        finally:
            workers.append(worker)

    why = reasons()
    noticed, explained, survivors = 0, 0, []
    with ThreadPoolExecutor(len(workers)) as pool:
        taken = possible if given.count == 0 else possible[: given.count]
        for change, witness in zip(taken, pool.map(tried, taken)):
            reason = why.get((change.file, *change.lines()[1:]))
            if witness == DOES_NOT_COMPILE:
                continue
            if witness is not None:
                noticed += 1
                result = f"noticed by {witness}"
            elif reason is not None:
                explained += 1
                result = f"explained: {reason}"
            else:
                survivors.append(change)
                result = "NOT NOTICED"
            print(f"{change}\n  {result}", flush=True)
    count = noticed + explained + len(survivors)
    print(f"\n{count} changes, {noticed} noticed, {explained} explained, {len(survivors)} not noticed")
    print(*survivors, sep="\n")
    last_run.write_text(json.dumps([(change.file, change.kind, change.begin) for change in survivors]))
    sample = "" if given.count == 0 else f" at random (seed {given.seed})"
    record("G10", f"Of {len(possible):,} possible changes of the core outside of kernels, {count:,}{sample}: "
                  f"{noticed:,} noticed by the C++ tests, {explained} explained, {len(survivors)} not noticed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
