# SPDX-License-Identifier: Apache-2.0
"""What a source is."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ... import _core
from ..boxes import Extents


class Source:
    """An array that is read by boxes.

    reversed_axes: boxes have the first axis fastest in memory.
    chunks: what is read best as a whole. working_bytes: what reading needs beside the box. image_axes: height and width, of images.
    identity: equal while the elements are the same; None if that is not known, and work on them cannot continue later.
    """

    shape: Extents
    dtype: np.dtype
    chunks: Extents
    working_bytes = 0
    reversed_axes = False
    image_axes: tuple[int, int] | None = None
    identity: Any = None

    def read(self, lo: Extents, box: np.ndarray) -> None:
        """Fills an array with the box that begins at lo; it is dense, or its transpose is if axes are reversed. Called by one thread."""
        raise NotImplementedError

    def close(self) -> None:
        pass


def identity_of(path: str) -> dict[str, Any]:
    """What changes when a file does."""
    info = os.stat(path)
    return {"path": os.path.abspath(path), "bytes": info.st_size, "modified": info.st_mtime_ns}


def open_file(path: str) -> int:
    """Errors: IoError."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise io_error("open", path, error) from None


def io_error(what: str, path: str, error: OSError) -> _core.IoError:
    return _core.IoError(f"cannot {what} '{path}': {error.strerror or error}")
