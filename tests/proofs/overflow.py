# SPDX-License-Identifier: Apache-2.0
"""CBMC checks the C form of src/plan/index_arithmetic.h for overflow, and nearest inputs in src/plan/real_arithmetic.h:
overflow.c says what.

    python tests/proofs/overflow.py build/cbmc

Changes of the headers that z3 does not see, because they are in doubles or in shifts, must make a check fail.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "reliability"))

from c_form import HEADER, REAL_HEADER, enumerations
from changes import FOR_CBMC, Change, changes, flipped, functions
from figures import record

HERE = Path(__file__).parent
CHECKS = re.findall(r"^void (check_\w+)\(", (HERE / "overflow.c").read_text(encoding="utf-8"), re.MULTILINE)
BOTH_WIDTHS = CHECKS[: CHECKS.index("check_position_line")]
DIVISIONS = ("check_floor_div", "check_ceil_div")
DIVIDEND_BITS = {"int64_t": 53, "Int128": 80}
REPLACED = ("check_plain_window", "check_stretched_window", "check_nearest_input", "check_most_taps")  # their quotients
FLAGS = [
    "--signed-overflow-check",
    "--div-by-zero-check",
    "--conversion-check",
    "--undefined-shift-check",
    "--bounds-check",
    "--pointer-check",
    "--float-overflow-check",
    "--nan-check",
]

# Changes that compute the same.
SAME = {"if (!(j >= 0)) return 0;": "the input at 0 is 0"}
HEADERS = (HEADER, REAL_HEADER)


@dataclass
class Check:
    name: str
    int_type: str
    reach: bool = False

    @property
    def title(self) -> str:
        return f"{self.name.removeprefix('check_')} in {self.int_type}" + (", reached" if self.reach else "")


def checks() -> list[Check]:
    made = [Check(name, "Int128") for name in CHECKS] + [Check(name, "int64_t") for name in BOTH_WIDTHS]
    return made + [Check(each.name, each.int_type, True) for each in made]


def run(command: list) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=1800)


class Cbmc:
    """The programs in a folder of scripts/setup_cbmc.sh."""

    def __init__(self, folder: Path, change: Change | None = None):
        self.folder = folder.resolve()
        self.kept = tempfile.TemporaryDirectory(prefix="overflow-")
        self.work = Path(self.kept.name)
        (self.work / "plan").mkdir()
        for header in HEADERS:
            text = header.read_text(encoding="utf-8")
            changed = change is not None and change.function in functions(text)
            (self.work / "plan" / header.name).write_text(change.header if changed else text, encoding="utf-8")
        (self.work / "modes.h").write_text(enumerations(), encoding="utf-8")

    def holds(self, check: Check) -> tuple[bool, int]:
        """Whether CBMC finds no failure, and how many properties it checked."""
        program = self.work / f"{check.name}-{check.int_type}-{check.reach}.gb"
        defines = [
            f"-DTESELA_INT={check.int_type}",
            "-DTESELA_REAL=double",
            f"-DDIVIDEND_BITS={DIVIDEND_BITS[check.int_type]}",
            *(["-DREACH"] if check.reach else []),
        ]
        include = [f"-I{self.work}", f"-I{HERE}", "-include", self.work / "modes.h"]
        made = run([self.folder / "goto-cc", *defines, *include, HERE / "overflow.c", "--function", check.name, "-o", program])
        if made.returncode == 0 and check.name in REPLACED:
            calls = [word for name in ("floor_div", "ceil_div") for word in ("--replace-calls", f"{name}:proved_quotient")]
            made = run([self.folder / "goto-instrument", *calls, program, program])
        if made.returncode != 0:
            raise RuntimeError(made.stdout + made.stderr)
        flags = ["--no-standard-checks"] if check.reach else FLAGS
        result = run([self.folder / "cbmc", program, "--drop-unused-functions", *flags])
        counted = re.search(r"\*\* \d+ of (\d+) failed", result.stdout)
        if counted is None or result.returncode not in (0, 10):
            raise RuntimeError(result.stdout[-2000:] + result.stderr)
        return result.returncode == 0, int(counted[1])


def failures(cbmc: Cbmc, chosen: list[Check]) -> tuple[list[str], int]:
    with ThreadPoolExecutor(2) as pool:
        results = list(pool.map(cbmc.holds, chosen))
    wrong = [check.title for check, (holds, _) in zip(chosen, results) if holds == check.reach]
    return wrong, sum(count for check, (_, count) in zip(chosen, results) if not check.reach)


def unseen_by_z3() -> list[Change]:
    """The changes of functions in doubles that are checked here, and two that leave C's rules."""
    found = []
    for header in HEADERS:
        text = header.read_text(encoding="utf-8")
        found += [change for name in FOR_CBMC if name in functions(text) for change in flipped(text, name)]
        found += [
            each
            for each in changes(text)
            if each.line.startswith(("const int64_t stays = beyond >> 64", "return a > kMaxInteger + b"))
        ]
    return found


def notices(folder: Path, change: Change) -> bool:
    return not Cbmc(folder, change).holds(Check(f"check_{change.function}", "Int128"))[0]


def main(folder: Path) -> int:
    start = time.monotonic()
    chosen = checks()
    wrong, count = failures(Cbmc(folder), chosen)
    sentence = f"CBMC: {count} properties of {len(chosen) // 2} checks hold ({time.monotonic() - start:.0f} s)."
    changed = [each for each in unseen_by_z3() if each.line not in SAME]
    missed = [each for each in changed if not notices(folder, each)]
    for line in [f"failed: {each}" for each in wrong] + [f"no check fails: {each.function}: {each.line}" for each in missed]:
        print(line)
    more = (
        f"CBMC: {len(changed) - len(missed)} of {len(changed)} changes that are in doubles or leave C's rules make a check fail."
    )
    print(sentence, more, sep="\n")
    if not wrong:
        record("proofs", sentence)
        record("proofs", more)
    return 1 if wrong or missed else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
