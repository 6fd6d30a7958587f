# SPDX-License-Identifier: Apache-2.0
"""Files that pyramids are made of: all those that stream."""

from __future__ import annotations

import os
import weakref
from typing import Any

import numpy as np

from .. import _core
from .._streaming.failures import io_error
from .._streaming.sources import Reading, open_source
from .sources import Source


class FileArray:
    """A file as an array: slices read boxes. A copy in another process opens the file again."""

    def __init__(self, path: str, reading: Reading):
        self._path, self._reading = path, reading
        self.opened = open_source(path, reading)
        self.shape, self.dtype = self.opened.shape, self.opened.dtype
        # Chunks of one element are those of files that have none.
        self.chunks = self.opened.chunks if max(self.opened.chunks, default=1) > 1 else None
        weakref.finalize(self, self.opened.close)

    def __getitem__(self, slices: tuple[slice, ...]) -> np.ndarray:
        """Errors: IoError, ParseError, TruncatedError."""
        box = self.opened.empty(tuple(part.stop - part.start for part in slices))
        try:
            self.opened.read(tuple(part.start for part in slices), box)
        except EOFError as error:
            raise _core.TruncatedError(str(error)) from None
        except OSError as error:
            raise error if isinstance(error, _core.Error) else io_error("read", f"'{self._path}'", error) from None
        return box

    def __reduce__(self) -> Any:
        return FileArray, (self._path, self._reading._replace(progress=None))

    def __dask_tokenize__(self) -> Any:
        return self._path, self.opened.identity


def open_file(path: str | os.PathLike[str], reading: Reading) -> Source:
    """Errors: IoError, ParseError, UnsupportedError, PathError, LimitError."""
    array = FileArray(os.fspath(path), reading)
    source = Source(array, array.opened.axes, array.chunks, os.fspath(path))
    source.is_rgb = array.opened.is_rgb
    return source
