# SPDX-License-Identifier: Apache-2.0
"""Where elements come from: one module for each kind of file, with `open_path(path, reading)`."""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np

from ... import _core, _parameters
from .. import formats
from .base import USUAL, Reading, Source

__all__ = ["Reading", "Source", "open_source"]


def open_source(given: Any, reading: Reading = USUAL) -> Source:
    """A source of a path or an array. Errors: IoError, ParseError, TruncatedError, UnsupportedError, ArgumentError."""
    if isinstance(given, (str, os.PathLike)):
        path = os.fspath(given)
        format = formats.of_path(path, "source", reading.where)
        return importlib.import_module(f".{format.module}", __name__).open_path(path, reading)
    if isinstance(given, np.memmap) and given.filename is not None and given.base.__class__.__name__ == "mmap":
        from . import npy

        return npy.of_memmap(given)
    if type(given).__module__.partition(".")[0] == "zarr":
        from . import zarr

        return zarr.ZarrSource(given, None)
    if hasattr(given, "shape") and hasattr(given, "dtype"):
        from .array import ArraySource

        return ArraySource(given)
    _parameters.refuse("stream", "source", given, "a path, or an array of NumPy or Zarr", _core.ArgumentError)
