# SPDX-License-Identifier: Apache-2.0
"""Checks manifest.txt in every way to run, by every compiler, on aarch64 under qemu-user, and with newer releases of Highway.

matrix.py FOLDER [PART...]: builds the program of digests in folders below FOLDER, runs the parts (ways, compilers,
aarch64, highways; all if none is named), and records what was equal.
"""

from __future__ import annotations

import concurrent.futures
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MANIFEST = ROOT / "tests" / "digests" / "manifest.txt"
sys.path += [str(ROOT / "tests" / "reliability"), str(ROOT / "tests" / "conformance")]

from comma_locale import build_comma_locale
from figures import record

THREADS = (1, 2, 3, 4, 8)
ENVIRONMENTS = ("up", "down", "zero", "flush")
GROUP_SIZE = 100
GROUPS = len(MANIFEST.read_text(encoding="utf-8").split())
SLICES = 8
HIGHWAYS = ("trixie", "sid")  # 1.2 and 1.3
LTO = "-DCMAKE_INTERPROCEDURAL_OPTIMIZATION=ON"
# Folder: compilers, flags, more definitions.
COMPILERS = {
    "g++-O0": ("g++", "-O0"),
    "g++-O1": ("g++", "-O1"),
    "g++-O2": ("g++", "-O2"),
    "g++-O3": ("g++", "-O3"),
    "g++-O3-lto": ("g++", "-O3", LTO),
    "clang++-O0": ("clang++", "-O0"),
    "clang++-O3": ("clang++", "-O3"),
}

Command = tuple[list[str], dict[str, str]]


def build(folder: Path, *definitions: str) -> list[str]:
    """Builds the program and returns its command."""
    common = ["-G", "Ninja", "-DTESELA_DIGESTS=ON", "-DTESELA_BUILD_CLI=OFF"]
    configure = ["cmake", "-S", ROOT, "-B", folder, *common, *definitions]
    for step in (configure, ["cmake", "--build", folder, "--target", "tesela_digests"]):
        done = subprocess.run(step, capture_output=True, text=True)
        if done.returncode != 0:
            sys.exit(f"{folder.name} was not built:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return [str(folder / "tests" / "digests" / "tesela_digests")]


def build_with(folder: Path, compiler: str, flag: str, *definitions: str) -> list[str]:
    names = {"g++": "gcc", "clang++": "clang"}
    return build(
        folder,
        "-DCMAKE_BUILD_TYPE=Debug",
        f"-DCMAKE_CXX_FLAGS_DEBUG={flag}",
        f"-DCMAKE_CXX_COMPILER={compiler}",
        f"-DCMAKE_C_COMPILER={names[compiler]}",
        *definitions,
    )


def build_aarch64() -> list[str]:
    """The program of the preset arm, which other tests on aarch64 use, too."""
    packages = ROOT / "build" / "aarch64-packages"
    subprocess.run([ROOT / "scripts" / "setup_aarch64.sh", packages], check=True)
    for step in (["cmake", "--preset", "arm"], ["cmake", "--build", "--preset", "arm", "--target", "tesela_digests"]):
        done = subprocess.run(step, capture_output=True, text=True, cwd=ROOT)
        if done.returncode != 0:
            sys.exit(f"aarch64 was not built:\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    return [str(ROOT / "scripts" / "run_arm.sh"), str(ROOT / "build-arm" / "tests" / "digests" / "tesela_digests")]


def build_highway(folder: Path, suite: str) -> list[str]:
    """With the Highway of another suite of Debian."""
    headers = folder.parent / f"highway-{suite}-packages"
    if not (headers / "usr" / "include" / "hwy" / "highway.h").exists():
        subprocess.run([ROOT / "scripts" / "unpack_from_suite.sh", suite, headers, "libhwy-dev"], check=True)
    # CMake prefers the folders of -I to those of the system, where Debian 12's Highway may be.
    return build(folder, "-DCMAKE_BUILD_TYPE=Release", f"-DCMAKE_CXX_FLAGS=-I{headers}/usr/include", "-DCMAKE_COMPILE_WARNING_AS_ERROR=ON")


def targets_of(program: list[str]) -> list[str]:
    listed = subprocess.run([*program, "--targets"], capture_output=True, text=True, check=True)
    return listed.stdout.split()


def check(command: Command) -> tuple[str, int, str]:
    words, environment = command
    done = subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environment})
    return " ".join(words), done.returncode, done.stdout + done.stderr


def check_all(what: str, commands: list[Command]) -> None:
    """Runs the commands, as many at once as there are cores. Ends the program if one finds a difference."""
    begun = time.monotonic()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for words, status, output in pool.map(check, commands):
            print(f"{'equal' if status == 0 else 'FAILED'}: {words}", flush=True)
            if status != 0:
                failed += 1
                print(output, flush=True)
    print(f"{what}: {len(commands)} runs, {failed} failed, {time.monotonic() - begun:.0f} s", flush=True)
    if failed:
        sys.exit(1)


def all_groups(program: list[str], *way: str) -> Command:
    return [*program, "--check", str(MANIFEST), *way], {}


def a_slice(program: list[str], index: int, *way: str) -> Command:
    """One of SLICES slices of the groups."""
    count = -(-GROUPS // SLICES)
    first = index % SLICES * count
    return all_groups(program, "--first", str(first), "--count", str(count), *way)


def run_ways(folder: Path) -> None:
    program = build(folder / "release", "-DCMAKE_BUILD_TYPE=Release")
    targets = targets_of(program)
    commands = [
        all_groups(program, "--target", target, "--threads", str(threads))
        for target in targets
        for threads in THREADS
    ]
    commands += [
        all_groups(program, "--target", target, "--cut", cut)
        for target in targets
        for cut in ("strips", "boxes")
    ]
    check_all("threads, instruction sets and regions", commands)
    aligned = [a_slice(program, a, "--alignment", str(a)) for a in range(1, 64)]
    check_all("alignments", aligned)
    cases = f"{GROUPS * GROUP_SIZE:,} cases"
    record(
        "G7",
        f"{cases}: the same digests for threads {', '.join(map(str, THREADS))} on each of {', '.join(targets)}, "
        f"and in strips and boxes on each. Alignments 1 to 63: an eighth of the cases each.",
    )
    commands = [
        all_groups(program, "--environment", environment, "--threads", str(threads))
        for environment in ENVIRONMENTS
        for threads in (1, 3)
    ]
    commands += [
        a_slice(program, index, "--environment", environment, "--target", target)
        for index, target in enumerate(targets)
        for environment in ENVIRONMENTS
    ]
    name, found = build_comma_locale(folder / "locale")
    words, _ = all_groups(program, "--comma-locale")
    commands.append((words, {"LC_ALL": name, **found}))
    check_all("environments", commands)
    record(
        "G8",
        f"{cases}: the same digests where the caller and the host's threads round up, down or towards zero, or flush "
        "denormals to zero, with 1 and 3 threads, and under a locale with a decimal comma.",
    )


def run_compilers(folder: Path) -> None:
    for name, definitions in COMPILERS.items():
        program = build_with(folder / name, *definitions)
        best, *others = targets_of(program)
        commands = [all_groups(program, "--target", best)]
        commands += [a_slice(program, i, "--target", target) for i, target in enumerate(others)]
        commands.append(a_slice(program, 0, "--backend", "reference"))
        check_all(name, commands)
    record(
        "G7",
        f"{GROUPS * GROUP_SIZE:,} cases: the same digests from {', '.join(COMPILERS)} on the best instruction set, an "
        "eighth of them on each other one and on the reference backend.",
    )


def run_aarch64(_: Path) -> None:
    program = build_aarch64()
    (target,) = targets_of(program)
    commands = [a_slice(program, index) for index in range(SLICES)]
    commands += [
        a_slice(program, 0, "--backend", "reference"),
        a_slice(program, 1, "--threads", "3"),
        a_slice(program, 2, "--cut", "boxes"),
        a_slice(program, 3, "--alignment", "3"),
    ]
    commands += [a_slice(program, 4, "--environment", environment) for environment in ENVIRONMENTS]
    check_all("aarch64", commands)
    record(
        "G7",
        f"{GROUPS * GROUP_SIZE:,} cases: the same digests on aarch64 ({target}) under qemu-user; an eighth of them each by "
        "the reference backend, with 3 threads, in boxes, unaligned, and in four environments.",
    )


def run_highways(folder: Path) -> None:
    for suite in HIGHWAYS:
        program = build_highway(folder / f"highway-{suite}", suite)
        commands = [all_groups(program, "--target", target) for target in targets_of(program)]
        check_all(f"Highway of {suite}", commands)
    record(
        "G7",
        f"{GROUPS * GROUP_SIZE:,} cases: the same digests on each instruction set with the Highway of Debian's {' and '.join(HIGHWAYS)}.",
    )


PARTS: dict[str, Callable[[Path], None]] = {
    "ways": run_ways,
    "compilers": run_compilers,
    "aarch64": run_aarch64,
    "highways": run_highways,
}


def main(folder: Path, parts: list[str]) -> None:
    folder = folder.resolve()
    for part in parts or PARTS:
        PARTS[part](folder)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
