# SPDX-License-Identifier: Apache-2.0
"""Sinks of PNG and JPEG files, which can only be encoded from their beginning: from a file without a name, to which boxes are written."""

from __future__ import annotations

import math
import os

import numpy as np

from ... import _core, _types
from ..boxes import Extents
from ..formats import of_path as format_of
from ..raw_file import RawFile, reserve
from ..scratch import discard, unnamed_file, write_whole
from .base import Layout, Sink, refuse_options


class ImageSink(Sink):
    """[height, width] or [height, width, channels]. It has no journal, because nothing of it is continued after a kill."""

    def __init__(self, path: str, layout: Layout):
        if os.path.isdir(path):
            raise _core.PathError(f"'{path}' is a directory; expected a file's name")
        refuse_options(layout, "an image")
        self._path, self._layout, self._format = path, layout, format_of(path, "target").code or 0
        self._code = _types.code_of(layout.dtype)
        _core.image_check(self._code, layout.shape, self._format)
        self.chunks = (1,) * len(layout.shape)
        self._elements: int | None = None

    def begin(self) -> None:
        discard(self._path)
        shape, dtype = self._layout.shape, self._layout.dtype.newbyteorder("=")
        self._elements = unnamed_file(self._folder())
        name = f"the elements of '{self._path}'"
        reserve(self._elements, math.prod(shape) * dtype.itemsize, name)
        self._file = RawFile(name, self._elements, 0, shape, dtype)

    def write(self, lo: Extents, box: np.ndarray) -> None:
        self._file.write(lo, np.ascontiguousarray(box, box.dtype.newbyteorder("=")))

    def finish(self) -> None:
        write_whole(self._path, self._encode)

    def _encode(self, encoded: int) -> None:
        assert self._elements is not None
        try:
            _core.image_pack(self._code, self._layout.shape, self._elements, self._format, encoded, self._layout.progress)
        except _core.IoError as error:  # the library knows descriptors, not their names
            raise _core.IoError(str(error).replace("the image", f"'{self._path}'", 1)) from None

    def close(self) -> None:
        if self._elements is not None:
            os.close(self._elements)
            self._elements = None

    def _folder(self) -> str:
        return os.path.dirname(self._path) or "."


def of_path(path: str, layout: Layout) -> ImageSink:
    return ImageSink(path, layout)
