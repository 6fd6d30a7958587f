# SPDX-License-Identifier: Apache-2.0
"""Where elements go: one module for each kind of file, with `of_path(path, layout)`."""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np

from ... import _core, _parameters
from .. import formats
from .base import Layout, Sink

__all__ = ["Layout", "Sink", "make_sink"]


def make_sink(given: Any, layout: Layout) -> Sink:
    """A sink of a path or an array; nothing is written yet. Errors: UnsupportedError, ShapeError, ElementTypeError, PathError,
    ArgumentError."""
    if isinstance(given, (str, os.PathLike)):
        path = os.fspath(given).rstrip("/")
        format = formats.of_path(path, "target")
        folder = os.path.dirname(path) or "."
        if not os.access(folder, os.W_OK | os.X_OK):
            raise _core.IoError(f"cannot write '{path}': the folder is missing or cannot be written")
        return importlib.import_module(f".{format.module}", __name__).of_path(path, layout)
    if type(given).__module__.partition(".")[0] == "zarr":
        from .zarr import of_array

        return of_array(given, layout)
    if isinstance(given, np.ndarray):
        from .array import ArraySink

        return ArraySink(given, layout)
    _parameters.refuse("stream", "target", given, "a path, or an array of NumPy or Zarr", _core.ArgumentError)
