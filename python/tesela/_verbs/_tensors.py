# SPDX-License-Identifier: Apache-2.0
"""Reads tensors and images with the program, so that every verb takes the same files within the same limits."""

from __future__ import annotations

import io
import subprocess

import ml_dtypes
import numpy as np

from .. import _files
from . import ProgramError


def add_file(parser, name: str, help: str, option: str = "") -> None:
    """A positional file, and the options that say what is in it. option: goes before their names."""
    parser.add_argument(name, help=f"{help}: .npy, .npz, .pb, .png, .jpg or '-'")
    parser.add_argument(f"--{option}dtype", metavar="TYPE", help=f"The type of {name}, if it is an .npy file that cannot name it: bfloat16, ...")
    parser.add_argument(f"--{option}entry", metavar="NAME", help=f"The array of {name}, if that is an .npz file")


def read(path: str, dtype: str | None = None, entry: str | None = None) -> np.ndarray:
    """The tensor or image of a file; '-' is the standard input. Errors: ProgramError."""
    options = [f"--{name}={value}" for name, value in (("dtype", dtype), ("entry", entry)) if value is not None]
    # Resizing no axes copies the elements.
    words = ["resize", "--quiet", "--format=npy", "--axes=", "--sizes=", *options, "--", path, "-"]
    done = subprocess.run([_files.beside_core("tesela-cli"), *words], stdin=None if path == "-" else subprocess.DEVNULL,
                          capture_output=True)
    if done.returncode:
        message = done.stderr.decode(errors="replace").strip().removeprefix("tesela: ")
        raise ProgramError(message or f"reading '{path}' ended with status {done.returncode}", abs(done.returncode))
    array = np.load(io.BytesIO(done.stdout), allow_pickle=False)
    if array.dtype.kind == "V":  # bfloat16, which .npy has no name for
        array = array.view(ml_dtypes.bfloat16)
    return array
