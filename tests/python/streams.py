# SPDX-License-Identifier: Apache-2.0
"""Arrays in files of every kind that streams, for the tests of streaming."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import numpy as np
import tifffile
import zarr


def slice_of(cases: list, kept: int) -> list:
    """The first of some slow cases; `make soak`, which says how many random ones to draw, runs all."""
    return cases if "TESELA_CASES" in os.environ else cases[:kept]


def save(path: Path, array: np.ndarray, **options) -> Path:
    """Writes a file of the kind that the name's ending says. options: of the package that writes it."""
    if path.suffix == ".npy":
        np.save(path, array)
    elif path.suffix == ".zarr":
        made = zarr.create_array(path, shape=array.shape, dtype=array.dtype, **options)
        made[...] = array
    else:
        tifffile.imwrite(path, array, photometric=options.pop("photometric", "minisblack"), **options)
    return path


def read(path: Path) -> np.ndarray:
    """The elements of a file, by another reader than Tesela."""
    if path.suffix == ".npy":
        return np.load(path)
    return np.asarray(zarr.open(path, mode="r")[...]) if path.suffix == ".zarr" else tifffile.imread(path)


def remove(path: Path) -> None:
    """The file and what an unfinished stream leaves beside it."""
    for name in (path, path.with_name(f"{path.name}.partial"), path.with_name(f"{path.name}.journal")):
        if name.is_dir():
            shutil.rmtree(name)
        else:
            name.unlink(missing_ok=True)


def left(path: Path) -> list[str]:
    """What is there besides the output."""
    return sorted(entry.name.removeprefix(path.name) for entry in path.parent.glob(f"{path.name}.*"))


def assert_equal(found: np.ndarray, expected: np.ndarray, call=None) -> None:
    """In type, shape and every bit."""
    assert found.dtype == expected.dtype and found.shape == expected.shape, call
    assert found.tobytes() == expected.tobytes(), call
