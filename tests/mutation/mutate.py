# SPDX-License-Identifier: Apache-2.0
"""Changes one place of the core at a time and reports which changes no C++ test notices.

A change replaces a relation, moves a constant by one, swaps && and ||, min and max, or + and -, negates a condition, or
drops an error. The changed file is compiled and linked with the objects of a build that has the tests; the source tree is
not touched. A change that does not compile does not count. A change is noticed if a test fails, crashes or takes too
long. Tests of backends are left out, because the changed folders have no kernels.

Changes that cannot be noticed, because they mean the same, are listed with the reason in accepted.json. The
exit status is 0, even if changes are not noticed, and 1 if the tests fail without a change.

Usage: mutate.py [--build build-separate] [--count 40] [--seed 1] [--only src/plan] [--list]
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "reliability"))
from figures import record, without_measuring

ACCEPTED = Path(__file__).with_name("accepted.json")
FOLDERS = ("model", "schema", "plan", "session", "types", "tensor_io", "files", "graph", "shapes")
TIME_LIMIT = 240  # seconds for the tests of one change

# Text outside of comments and literals, and what replaces it. The blanks exclude templates, references and unary signs.
SWAPS = [
    (r" <= ", " < "), (r" < ", " <= "), (r" >= ", " > "), (r" > ", " >= "), (r" == ", " != "), (r" != ", " == "),
    (r" && ", " || "), (r" \|\| ", " && "), (r" \+ ", " - "), (r" - ", " + "),
    (r"\bstd::min\b", "std::max"), (r"\bstd::max\b", "std::min"),
]
NUMBER = re.compile(r"(?<![\w.'])(?:0x[0-9A-Fa-f]+|[1-9]\d*|0)(?![\w.'])")
CONDITION = re.compile(r"\bif \((?!const |auto |!\()")
ERROR = re.compile(r"(?<=\)) *\n? *return (?:\w+::)?\w*_error\(")
CHECKED = re.compile(r"\bTESELA_RETURN_IF_ERROR\(")


@dataclass(frozen=True)
class Change:
    """Characters begin to end of a file are replaced by `text`."""

    file: str
    begin: int
    end: int
    text: str

    def lines(self) -> tuple[int, str, str]:
        """The number of the first line that changes, and the lines before and after."""
        source = (ROOT / self.file).read_text()
        first = source.rfind("\n", 0, self.begin) + 1
        last = source.find("\n", self.end)
        before = source[first:last]
        after = source[first : self.begin] + self.text + source[self.end : last]
        return source.count("\n", 0, first) + 1, " ".join(before.split()), " ".join(after.split())


def code_of(source: str) -> str:
    """The source with comments, literals and directives blanked out, every character in its place."""
    pattern = r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])+\'|^#[^\n]*'
    return re.sub(pattern, lambda match: re.sub(r"[^\n]", "\x01", match[0]), source, flags=re.DOTALL | re.MULTILINE)


def closing(code: str, opening: int) -> int:
    """The place of the parenthesis that closes the one at `opening`."""
    depth = 0
    for place in range(opening, len(code)):
        depth += (code[place] == "(") - (code[place] == ")")
        if depth == 0:
            return place
    raise ValueError("no closing parenthesis")


def changes_of(file: str) -> list[Change]:
    source = (ROOT / file).read_text()
    code = code_of(source)
    found = []
    for pattern, text in SWAPS:
        found += [Change(file, match.start(), match.end(), text) for match in re.finditer(pattern, code)]
    for match in NUMBER.finditer(code):
        found.append(Change(file, match.start(), match.end(), str(int(match[0], 0) + 1)))
    for match in CONDITION.finditer(code):
        end = closing(code, match.end() - 1)
        if ";" not in code[match.end() : end]:  # no initializer
            found.append(Change(file, match.end(), end, f"!({source[match.end() : end]})"))
    for match in ERROR.finditer(code):
        end = closing(code, match.end() - 1)
        found.append(Change(file, match.start(), end + 1, ""))
    for match in CHECKED.finditer(code):
        end = closing(code, match.end() - 1)
        found.append(Change(file, match.start(), end, f"(void)({source[match.end() : end]}"))
    return found


def all_changes(only: str) -> list[Change]:
    files = [path for folder in FOLDERS for path in sorted((ROOT / "src" / folder).rglob("*.cc"))]
    names = [str(path.relative_to(ROOT)) for path in files]
    return [change for name in names if name.startswith(only) for change in changes_of(name)]


class Program:
    """The C++ tests of a build, linked again with one changed object."""

    def __init__(self, build: Path):
        subprocess.run(["ninja", "-C", build, "--quiet", "tests/tesela_tests"], check=True)  # of these sources
        self.build = build
        self.folder = build / "mutation"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        entries = json.loads((build / "compile_commands.json").read_text())
        self.compilers = {entry["file"]: entry["command"] for entry in entries}
        commands = subprocess.run(["ninja", "-C", build, "-t", "commands", "tests/tesela_tests"],
                                  check=True, capture_output=True, text=True).stdout.splitlines()
        [self.linker] = [line for line in commands if " -o tests/tesela_tests " in line]
        self.left_out = tests_of("backend")

    def link(self, change: Change) -> Path | None:
        """The tests of the changed library; None if the change does not compile."""
        source = ROOT / change.file
        text = source.read_text()
        changed = self.folder / source.name
        changed.write_text(text[: change.begin] + change.text + text[change.end :])
        output = self.folder / "changed.o"
        command = shlex.split(self.compilers[str(source)])
        original = command[command.index("-o") + 1]
        command[command.index("-o") + 1], command[command.index("-c") + 1] = str(output), str(changed)
        command += ["-O0", "-w", "-Wno-error", "-U_FORTIFY_SOURCE", f"-iquote{source.parent}"]
        if subprocess.run(command, cwd=self.build, capture_output=True).returncode != 0:
            return None
        program = self.folder / "tesela_tests"
        words = {original: str(output), "tests/tesela_tests": str(program)}
        link = [words.get(word, word) for word in shlex.split(self.linker) if word not in (":", "&&")]
        subprocess.run(link, cwd=self.build, check=True, capture_output=True)
        return program

    def failure_of(self, program: Path, first: str | None = None) -> str | None:
        """A test that fails, "a crash" or "the time limit"; None if all pass. first: a folder whose tests run before others."""
        filters = [":".join(tests_of(first))] if first else []
        for tests in [*filters, "-" + ":".join(self.left_out)]:
            command = [program, "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={tests}"]
            try:
                done = subprocess.run(command, cwd=self.folder, env=without_measuring(), capture_output=True, text=True,
                                      errors="replace", timeout=TIME_LIMIT)
            except subprocess.TimeoutExpired:
                return "the time limit"
            failed = re.findall(r"\[  FAILED  \] ([\w/.]+)", done.stdout)
            if done.returncode != 0:
                return failed[0] if failed else "a crash"
        return None


def tests_of(folder: str) -> list[str]:
    """Patterns of the C++ tests of a folder."""
    suites = set()
    for path in (ROOT / "tests" / folder).rglob("*.cc"):
        suites.update(re.findall(r"^(?:TEST|TEST_P|TEST_F)\((\w+),", path.read_text(), re.MULTILINE))
    return sorted(pattern for suite in suites for pattern in (f"{suite}.*", f"*/{suite}.*"))


def reason_of(change: Change) -> str | None:
    """Why this change cannot be noticed."""
    _, before, after = change.lines()
    for row in json.loads(ACCEPTED.read_text()):
        if (row["file"], row["line"], row["change"]) == (change.file, before, after):
            return row["reason"]
    return None


def describe(change: Change) -> str:
    number, before, after = change.lines()
    return f"{change.file}:{number}\n  - {before}\n  + {after}"


def main() -> int:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--build", type=Path, default=ROOT / "build-separate")
    options.add_argument("--count", type=int, default=40)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--only", default="src/", help="the beginning of the files' names")
    options.add_argument("--list", action="store_true", help="print every possible change")
    given = options.parse_args()
    possible = all_changes(given.only)
    if given.list:
        print(*map(describe, possible), sep="\n")
        return 0
    random.Random(given.seed).shuffle(possible)
    program = Program(given.build.resolve())
    failing = program.failure_of(program.build / "tests" / "tesela_tests")
    if failing is not None:
        print(f"without a change, {failing} fails", file=sys.stderr)
        return 1
    noticed, explained, survivors = 0, 0, []
    for change in possible:
        if noticed + explained + len(survivors) == given.count:
            break
        changed = program.link(change)
        if changed is None:
            continue
        witness = program.failure_of(changed, change.file.split("/")[1])
        if witness is not None:
            noticed += 1
            result = f"noticed by {witness}"
        elif reason_of(change) is not None:
            explained += 1
            result = f"explained: {reason_of(change)}"
        else:
            survivors.append(change)
            result = "NOT NOTICED"
        print(f"{describe(change)}\n  {result}", flush=True)
    count = noticed + explained + len(survivors)
    print(f"\n{count} changes, {noticed} noticed, {explained} explained, {len(survivors)} not noticed")
    print(*map(describe, survivors), sep="\n")
    record("G10", f"Of {len(possible):,} possible changes of the core outside of kernels, {count} at random (seed {given.seed}): "
                  f"{noticed} noticed by the C++ tests, {explained} explained, {len(survivors)} not noticed.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
