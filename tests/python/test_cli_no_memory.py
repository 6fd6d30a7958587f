# SPDX-License-Identifier: Apache-2.0
"""Allocations fail, one alone or all from some on: the command line ends by its exit status, one line and no partial file.
`tests/faults` injects the failures."""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from cli_program import DONE, LIMIT, MISMATCH, REPOSITORY, SANITIZED, save_pb, tesela, tile_model

sys.path.insert(0, str(REPOSITORY / "tests" / "reliability"))
from figures import is_measuring, record

SHIM = REPOSITORY / "build" / "tests" / "libtesela_faults.so"

# Arguments in a folder with x.npy, m.onnx, p.png and p.jpg.
CASES = {
    "ops": ["ops", "--json"],
    "inspect": ["inspect", "m.onnx", "--json"],
    "check": ["check", "m.onnx", "--json"],
    "lint": ["lint", "m.onnx", "--sarif"],
    "fix": ["fix", "m.onnx", "-o", "y.onnx", "--opset", "21", "--json"],
    "run": ["run", "m.onnx", "--json", "-i", "x.npy", "-o", "y.npy"],
    "resize": ["resize", "x.npy", "y.npy", "--sizes", "3,5", "--mode", "linear"],
    "png": ["resize", "p.png", "y.png", "--sizes", "3,4"],
    "jpeg": ["resize", "p.jpg", "y.jpg", "--sizes", "3,4"],
    "tile": ["tile", "x.npy", "y.npz", "--repeats", "2,2"],
    "fill": ["fill", "y.pb", "--shape", "2,3", "--value", "7"],
    "test": ["test", "case/model.onnx"],
    "explain": ["explain", "cubic antialias uint8 9x4 -> 4x9", "--svg"],
    "bench": ["bench", "tile float 2x3 -> 4x6", "--list", "--json"],
}


def last_of(check: Callable[[int], bool]) -> int:
    """Checks each allocation and returns the number of the last; in `make test` the first, fewer and fewer of those that
    follow, and the last ones, after the output is written. check: returns whether there is a k-th allocation."""
    last, k = 0, 1
    while check(k):
        last, k = k, k + 1 if is_measuring() else max(k + 1, int(k * 1.06))
    while k - last > 1:
        middle = (last + k) // 2
        last, k = (middle, k) if check(middle) else (last, middle)
    if not is_measuring():
        for k in range(last - 24, last):
            check(k)
    return last


@pytest.fixture(scope="module")
def counts() -> Iterator[Counter[str]]:
    """The failures of each case, and those that end a command."""
    found: Counter[str] = Counter()
    yield found
    each = ", ".join(f"{name} {found[name]:,}" for name in CASES)
    record("G5", f"{sum(found[name] for name in CASES):,} failures of allocations in {len(CASES)} commands ({each}), each alone and with "
                 f"all later ones: {found['ends']:,} end the command with exit status 5, one line and no partial file; the others "
                 "change nothing.")


@pytest.mark.skipif(SANITIZED, reason="a sanitizer has an allocator of its own")
@pytest.mark.parametrize("lasting", ["", "+"], ids=["once", "from then on"])
@pytest.mark.parametrize("name", CASES)
def test_failing_allocations(name: str, lasting: str, tmp_path: Path, counts: Counter[str]) -> None:
    np.save(tmp_path / "x.npy", np.arange(6, dtype=np.float32).reshape(2, 3))
    tile_model(tmp_path / "m.onnx")
    (tmp_path / "case" / "test_data_set_0").mkdir(parents=True)
    tile_model(tmp_path / "case" / "model.onnx")
    save_pb(tmp_path / "case" / "test_data_set_0" / "input_0.pb", np.ones((2, 3), dtype=np.float32), "x")
    save_pb(tmp_path / "case" / "test_data_set_0" / "output_0.pb", np.ones((4, 9), dtype=np.float32), "y")
    gray = tmp_path.parent / (tmp_path.name + "-gray.npy")
    np.save(gray, np.arange(48, dtype=np.uint8).reshape(6, 8, 1))
    for picture in ("p.png", "p.jpg"):
        assert tesela("resize", gray, tmp_path / picture, "--sizes", "6,8", "--axes", "0,1").returncode == DONE
    words = [str(tmp_path / word) if Path(word).suffix else word for word in CASES[name]]
    before = sorted(path.name for path in tmp_path.iterdir())
    mark = tmp_path.parent / (tmp_path.name + "-mark")
    ends = set()  # the allocations whose failure ends the command

    def check(k: int) -> bool:
        mark.unlink(missing_ok=True)
        environment = os.environ | {"LD_PRELOAD": str(SHIM), "TESELA_FAULT": f"malloc,{k},12{lasting}",
                                    "TESELA_FAULT_MARK": str(mark)}
        done = tesela(*words, env=environment)
        after = sorted(path.name for path in tmp_path.iterdir())
        for output in tmp_path.glob("y.*"):
            output.unlink()
        if not mark.exists():
            return False
        where = (k, done.returncode, done.stderr)
        if name == "test" and done.returncode == MISMATCH:  # what cannot be run has failed
            assert b"FAIL case: " in done.stdout, where
            ends.add(k)
        elif done.returncode == LIMIT:
            *progress, last = done.stderr.decode().splitlines()
            assert last.startswith("tesela: ") and "memory" in last and all(line.endswith(" ms") for line in progress), where
            assert after == before, where
            ends.add(k)
        else:
            assert done.returncode == DONE and (after != before) == any(word.startswith("y.") for word in CASES[name]), where
        return True

    last = last_of(check)
    assert len(ends) > 20
    counts[name] += last
    counts["ends"] += len(ends)
