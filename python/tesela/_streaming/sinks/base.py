# SPDX-License-Identifier: Apache-2.0
"""What a sink is."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from ... import _core, _parameters
from ..boxes import Extents
from ..durable import give_name
from ..formats import COMPRESSIONS
from ..sources import Source


class Layout(NamedTuple):
    """The array to write. chunks, shards, compression: as asked for, or None. source: that of the input, whose layout is taken where it fits.
    progress: called with the share of an image that is encoded."""

    shape: Extents
    dtype: np.dtype
    chunks: Extents | None
    shards: Extents | None
    compression: str | None
    source: Source | None
    progress: Callable[[float], None] | None = None


class Sink:
    """An array that is written by boxes of whole chunks.

    chunks: its smallest boxes. working_bytes: what writing needs beside the box. target: the path, None for arrays, which have no
    journal. kind: what makes the output besides its elements, for the journal.
    """

    chunks: Extents
    working_bytes = 0
    target: str | None = None
    kind: Any = None

    def begin(self) -> None:
        """Makes the output, without elements."""

    def resume(self, mark: Any) -> None:
        """Opens what `begin` made before, as it was when it had this mark. Errors: PathError, if it is not there."""

    def mark(self) -> Any:
        """What `resume` needs, after `sync`."""
        return None

    def write(self, lo: Extents, box: np.ndarray) -> None:
        """Writes a dense box. Called by one thread."""
        raise NotImplementedError

    def sync(self) -> None:
        """What was written is on the disk afterwards."""

    def finish(self) -> None:
        """Everything is written: the output gets its name."""

    def close(self) -> None:
        """Ends the use of the output, finished or not."""


class FileSink(Sink):
    """A file that is `partial` until it is whole. size: its bytes, once it was begun."""

    def __init__(self, path: str, layout: Layout):
        if os.path.isdir(path):
            raise _core.PathError(f"'{path}' is a directory; expected a file's name")
        self.target, self.partial = path, f"{path}.partial"
        self.layout = layout
        self.descriptor: int | None = None

    def create(self) -> None:
        """Writes everything but the elements into the file `partial`."""
        raise NotImplementedError

    def opened(self, descriptor: int) -> int:
        """Reads where elements go. Returns the bytes that the file must have."""
        raise NotImplementedError

    def begin(self) -> None:
        self.create()
        self._open()

    def resume(self, mark: Any) -> None:
        if not os.path.exists(self.partial):
            raise _core.PathError(f"stream: '{self.partial}' is missing; to start again, delete '{self.target}.journal'")
        self._open()

    def _open(self) -> None:
        self.descriptor = os.open(self.partial, os.O_RDWR | os.O_CLOEXEC)
        size, found = self.opened(self.descriptor), os.fstat(self.descriptor).st_size
        if found != size:
            raise _core.TruncatedError(f"stream: '{self.partial}' has {found} bytes; expected {size}; to start again, delete it and "
                                       f"'{self.target}.journal'")

    def sync(self) -> None:
        assert self.descriptor is not None
        os.fdatasync(self.descriptor)
        # Pages that are on the disk need not stay in memory.
        os.posix_fadvise(self.descriptor, 0, 0, os.POSIX_FADV_DONTNEED)

    def finish(self) -> None:
        assert self.descriptor is not None and self.target is not None
        os.fsync(self.descriptor)
        give_name(self.partial, self.target)

    def close(self) -> None:
        self.close_file()

    def close_file(self) -> None:
        if self.descriptor is not None:
            os.close(self.descriptor)
            self.descriptor = None


def refuse_options(layout: Layout, what: str, *, chunks: bool = False) -> None:
    """Errors: UsageError, for options that the format does not have."""
    if layout.shards is not None or (layout.chunks is not None and not chunks):
        name = "shards" if layout.shards is not None else "chunks"
        raise _core.UsageError(f"stream: {name} are for Zarr; the output is {what}")
    if layout.compression is not None and not chunks:
        raise _core.UsageError(f"stream: compression is for Zarr and TIFF; the output is {what}")


def compression_of(layout: Layout, format: str, default: str | None) -> str | None:
    """Errors: InvalidValueError."""
    if layout.compression is not None and layout.compression not in COMPRESSIONS[format]:
        expected = f"one of {', '.join(COMPRESSIONS[format])}"
        _parameters.refuse("stream", "compression", layout.compression, expected, _core.InvalidValueError)
    return layout.compression or default
