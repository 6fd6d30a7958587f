# SPDX-License-Identifier: Apache-2.0
"""Which kind of file a path is."""

from __future__ import annotations

import importlib
import os
from typing import Any

from .. import _core

# Each has a module in sources/ and in sinks/, unless it is only read.
_OF_ENDING = {".npy": "npy", ".zarr": "zarr", ".tif": "tiff", ".tiff": "tiff", ".png": "image", ".jpg": "image", ".jpeg": "image"}
# Those that outputs can have; the first is that of pyramids.
COMPRESSIONS = {"zarr": ("zstd", "none"), "tiff": ("zlib", "none")}
_OF_FOLDER = ("zarr.json", ".zarray")


def ending_of(path: str) -> str:
    return os.path.splitext(path.rstrip("/").lower())[1]


def of_path(path: str, what: str) -> str:
    """The name of the format. what: "source" or "target", for messages. Errors: UnsupportedError."""
    ending = ending_of(path)
    if ending in _OF_ENDING:
        return _OF_ENDING[ending]
    if any(os.path.exists(os.path.join(path, name)) for name in _OF_FOLDER):
        return "zarr"
    expected = ", ".join(sorted(_OF_ENDING))
    raise _core.UnsupportedError(f"stream: the {what} '{path}' is of no kind that streams; expected one of {expected}"[:300])


def package(name: str, extra: str, where: str = "stream") -> Any:
    """An optional package. Errors: UnsupportedError, which says how to install it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        missing = name.partition(".")[0]
        raise _core.UnsupportedError(f"{where}: the package {missing} is not installed; install it with 'pip install tesela[{extra}]'") from None
