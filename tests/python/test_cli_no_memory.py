"""Allocations fail, one alone or all from some on: the command line ends by its exit status, one line and no partial file.
`tests/faults` injects the failures."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
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
    "run": ["run", "m.onnx", "--json", "-i", "x.npy", "-o", "y.npy"],
    "resize": ["resize", "x.npy", "y.npy", "--sizes", "3,5", "--mode", "linear"],
    "png": ["resize", "p.png", "y.png", "--sizes", "3,4"],
    "jpeg": ["resize", "p.jpg", "y.jpg", "--sizes", "3,4"],
    "tile": ["tile", "x.npy", "y.npz", "--repeats", "2,2"],
    "fill": ["fill", "y.pb", "--shape", "2,3", "--value", "7"],
    "test": ["test", "case/model.onnx"],
    "bench": ["bench", "tile float 2x3 -> 4x6", "--list", "--json"],
}


def places() -> Iterator[int]:
    """The first allocations, then fewer and fewer of them; in `make reliability` all."""
    k = 1.0
    while True:
        yield int(k)
        k = k + 1 if is_measuring() else max(k + 1, k * 1.06)


@pytest.mark.skipif(SANITIZED, reason="a sanitizer has an allocator of its own")
@pytest.mark.parametrize("lasting", ["", "+"], ids=["once", "from then on"])
@pytest.mark.parametrize("name", CASES)
def test_failing_allocations(name: str, lasting: str, tmp_path: Path) -> None:
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
    failures = 0
    mark = tmp_path.parent / (tmp_path.name + "-mark")
    for k in places():
        mark.unlink(missing_ok=True)
        environment = os.environ | {"LD_PRELOAD": str(SHIM), "TESELA_FAULT": f"malloc,{k},12{lasting}",
                                    "TESELA_FAULT_MARK": str(mark)}
        done = tesela(*words, env=environment)
        if not mark.exists():
            break
        message = done.stderr.decode()
        if name == "test" and done.returncode == MISMATCH:  # what cannot be run has failed
            assert b"FAIL case: " in done.stdout, k
            failures += 1
            continue
        assert done.returncode in (DONE, LIMIT), (k, done.returncode, message)
        after = sorted(path.name for path in tmp_path.iterdir())
        if done.returncode == LIMIT:
            failures += 1
            assert message.startswith("tesela: ") and message.count("\n") == 1 and "memory" in message, (k, message)
            assert after == before, k
        for output in tmp_path.glob("y.*"):
            output.unlink()
    assert failures > 20
    which = "all allocations from some on" if lasting else "one allocation"
    record("G5", f"`tesela {name}`, {which}: {k - 1:,} failures, {failures:,} of which end it.")
