# SPDX-License-Identifier: Apache-2.0
"""What a source is."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ..boxes import Extents
from ..failures import io_error
from ..labels import Axis
from ..workers import WORKERS


class Reading(NamedTuple):
    """How files are read. dtype: what the elements of an .npy file are, where it cannot say. folder: of files without a name, None for
    the system's own. memory: in bytes. workers: threads that decode chunks. progress: called with the share of an image that is decoded.
    where: the function, for messages."""

    dtype: Any = None
    folder: str | None = None
    memory: int = 1 << 62
    workers: int = WORKERS
    progress: Callable[[float], None] | None = None
    where: str = "stream"


USUAL = Reading()


class Source:
    """An array that is read by boxes.

    reversed_axes: boxes have the first axis fastest in memory.
    chunks: what is read best as a whole. working_bytes: what reading needs beside the box.
    axes: what the file says of them, or None. letters: tifffile's names of axes. image_axes: height and width.
    is_rgb: the channels are red, green and blue.
    identity: equal while the elements are the same; None if that is not known, and work on them cannot continue later.
    """

    shape: Extents
    dtype: np.dtype
    chunks: Extents
    working_bytes = 0
    reversed_axes = False
    axes: tuple[Axis, ...] | None = None
    letters = ""
    image_axes: tuple[int, int] | None = None
    is_rgb = False
    identity: Any = None

    def read(self, lo: Extents, box: np.ndarray) -> None:
        """Fills an array with the box that begins at lo; it is dense, or its transpose is if axes are reversed. Threads may do so at the
        same time."""
        raise NotImplementedError

    def empty(self, shape: Extents) -> np.ndarray:
        """An array for `read`."""
        return np.empty(shape[::-1], self.dtype).T if self.reversed_axes else np.empty(shape, self.dtype)

    def close(self) -> None:
        pass


def axes_of_images(axes: tuple[Axis, ...] | None) -> tuple[int, int] | None:
    """Which are height and width, by their names."""
    names = [axis.name.lower() for axis in axes or ()]
    return (names.index("y"), names.index("x")) if "y" in names and "x" in names else None


def identity_of(path: str) -> dict[str, Any]:
    """What changes when a file does. Errors: IoError."""
    try:
        info = os.stat(path)
    except OSError as error:
        raise io_error("open", f"'{path}'", error) from None
    return {"path": os.path.abspath(path), "bytes": info.st_size, "modified": info.st_mtime_ns}


def open_file(path: str) -> int:
    """Errors: IoError."""
    try:
        return os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError as error:
        raise io_error("open", f"'{path}'", error) from None
