# SPDX-License-Identifier: Apache-2.0
"""Runs the fuzz targets.

A build without sanitizers finds inputs, and the build with sanitizers runs what was found; random calls of operators
need no libFuzzer. Prints the executions of each target. --count adds them to executions.json. Stops at a finding.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
COUNTER = HERE / "executions.json"
FAST = ROOT / "build-fuzz-fast" / "tests" / "fuzz"
SANITIZED = ROOT / "build-fuzz" / "tests" / "fuzz"
REPLAY = ROOT / "build" / "tests" / "fuzz" / "tesela_fuzz_replay"

# Each target counts its own processor time and ends after a second, which other processes do not change; sanitizers
# take about ten times as long. -timeout is for inputs that hang, such as those that wait.
OPTIONS = ["-max_len=1048576", "-timeout=20", "-verbosity=0", "-print_final_stats=1"]
SECONDS_WITH_SANITIZERS = "10"
# The library may use 512 MiB. Sanitizers need twice that for their own tables.
MOST_MIB, MOST_MIB_WITH_SANITIZERS = 512, 1536

sys.path.insert(0, str(HERE.parent / "reliability"))
from figures import record
from kept_inputs import kept_inputs


def targets() -> list[str]:
    return sorted(path.stem for path in HERE.glob("fuzz_*.cc"))


def dictionary(target: str) -> list[str]:
    path = HERE / f"{target.removeprefix('fuzz_')}.dict"
    return [f"-dict={path}"] if path.exists() else []


def kept(target: str) -> Path:
    """A folder with the inputs of corpus/, as libFuzzer wants them."""
    folder = ROOT / "build-fuzz" / "kept" / target
    folder.mkdir(parents=True, exist_ok=True)
    for number, content in enumerate(kept_inputs(target)):
        (folder / f"{number:04}").write_bytes(content)
    return folder


def executions(output: str) -> int:
    return int(re.search(r"number_of_executed_units: (\d+)", output)[1])


def run(words: list[object], environment: dict[str, str], artifacts: Path | None = None) -> str:
    done = subprocess.run(list(map(str, words)), env=os.environ | environment, cwd=artifacts,
                          capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        print(done.stderr[-6000:], file=sys.stderr)
        sys.exit(f"{words[0]}: a finding; artefacts are in {artifacts}")
    return done.stdout + done.stderr


def fuzz(target: str, runs: int, random: int, seed: int) -> int:
    """The executions of a target in both builds and, for calls of operators, of random inputs."""
    found = ROOT / "build-fuzz" / "found" / target
    found.mkdir(parents=True, exist_ok=True)
    seeds = ROOT / "build-fuzz" / "seeds" / target
    folders = [found, kept(target), *([seeds] if seeds.exists() else [])]
    guided = [FAST / target, *OPTIONS, f"-rss_limit_mb={MOST_MIB}", f"-runs={runs}", f"-seed={seed}",
              *dictionary(target), *folders]
    count = executions(run(guided, {}, found.parent))
    replayed = [SANITIZED / target, *OPTIONS, f"-rss_limit_mb={MOST_MIB_WITH_SANITIZERS}", "-runs=0", *folders]
    count += executions(run(replayed, {"TESELA_FUZZ_SECONDS": SECONDS_WITH_SANITIZERS,
                                       "ASAN_OPTIONS": "quarantine_size_mb=16:allocator_may_return_null=1"},
                            found.parent))
    if target == "fuzz_run":
        run([REPLAY, target, "--random", random, seed], {}, found.parent)
        count += random
    return count


def record_counter() -> None:
    """Writes the counter's figures for docs/reliability.md."""
    for target, entry in json.loads(COUNTER.read_text(encoding="utf-8")).items():
        record("G2", f"`{target}`: {entry['executions']:,} executions until {entry['last']}; "
                     f"findings fixed: {entry['mended']}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("targets", nargs="*", default=targets())
    parser.add_argument("--runs", type=int, default=200_000, help="executions by libFuzzer")
    parser.add_argument("--random", type=int, default=1_000_000, help="random executions of fuzz_run")
    parser.add_argument("--seed", type=int, default=int(datetime.datetime.now().timestamp()) % 2**31)
    parser.add_argument("--count", action="store_true", help="add the executions to executions.json")
    options = parser.parse_args()
    total = json.loads(COUNTER.read_text(encoding="utf-8"))
    for target in options.targets:
        count = fuzz(target, options.runs, options.random, options.seed)
        print(f"{target}: {count:,} executions, no finding", flush=True)
        entry = total.setdefault(target, {"executions": 0, "last": "", "mended": 0})
        entry["executions"] += count
        entry["last"] = datetime.date.today().isoformat()
        if options.count:
            COUNTER.write_text(json.dumps(total, indent=2) + "\n", encoding="utf-8")
    record_counter()


if __name__ == "__main__":
    main()
