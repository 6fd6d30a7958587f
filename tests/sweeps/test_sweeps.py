# SPDX-License-Identifier: Apache-2.0
"""Valid files are accepted, and damaged ones end in a status: all prefixes, flips of bits and replaced bytes of a few
files. `make reliability` sweeps every file."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import sweeps
import valid_files

REPOSITORY = Path(__file__).parents[2]
_LIBRARY = Path(os.environ.get("TESELA_LIBRARY", REPOSITORY / "build" / "libtesela.so"))
PROGRAM = _LIBRARY.parent / "tests" / "tesela_sweep"
SANITIZED = REPOSITORY / "build-asan" / "tests" / "tesela_sweep"
# One file in this many, by format: a second of work each under sanitizers.
SLICES = {"onnx": 120, "xml": 200, "npy": 40, "npz": 60, "pb": 10, "png": 40, "jpg": 100}


@pytest.mark.parametrize("format_", valid_files.FORMATS)
def test_valid_files_are_accepted(format_, tmp_path):
    sweeps.sweep(PROGRAM, valid_files.write(tmp_path, format_), "--whole")


@pytest.mark.parametrize("format_", valid_files.FORMATS)
@pytest.mark.parametrize("program", [PROGRAM, SANITIZED], ids=["built", "sanitized"])
def test_damaged_files_end_in_a_status(program, format_, tmp_path):
    figures = sweeps.sweep(program, valid_files.write(tmp_path, format_, SLICES[format_]))
    assert all(sweeps.inputs(figures, kind) > 0 for kind in sweeps.KINDS)


def test_files_are_the_same_every_time():
    for make in valid_files.FORMATS.values():
        assert make() == make()


def test_a_refused_file_is_found(tmp_path):
    (tmp_path / "x.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(sweeps.SweepError, match="x.npy"):
        sweeps.sweep(PROGRAM, [tmp_path / "x.npy"], "--whole")
    with pytest.raises(sweeps.SweepError, match="a valid file is refused"):
        sweeps.sweep(PROGRAM, [tmp_path / "x.npy"])
