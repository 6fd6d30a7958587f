# SPDX-License-Identifier: Apache-2.0
"""Where elements come from: one module for each kind of file, with `open_path(path, dtype, scratch)`."""

from __future__ import annotations

import importlib
import os
from typing import Any

import numpy as np

from ... import _core, _parameters
from .. import formats
from ..scratch import Scratch
from .base import Source

__all__ = ["Source", "open_source"]


def open_source(given: Any, dtype: Any, scratch: Scratch) -> Source:
    """A source of a path or an array. dtype: what the bytes of an .npy file are, where it cannot say. scratch: for images.

    Errors: IoError, ParseError, TruncatedError, UnsupportedError, ArgumentError.
    """
    if isinstance(given, (str, os.PathLike)):
        path = os.fspath(given)
        format = formats.of_path(path, "source")
        return importlib.import_module(f".{format}", __name__).open_path(path, dtype, scratch)
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
