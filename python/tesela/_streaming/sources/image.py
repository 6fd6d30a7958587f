# SPDX-License-Identifier: Apache-2.0
"""Sources of PNG and JPEG files, which can only be decoded from their beginning: into a file without a name, of which boxes are read."""

from __future__ import annotations

import os

import numpy as np

from ... import _core, _types
from ..boxes import Extents
from ..labels import named
from ..raw_file import RawFile
from ..scratch import unnamed_file
from .base import Reading, Source, identity_of


class ImageSource(Source):
    """[height, width, channels] of bytes or words."""

    image_axes = (0, 1)
    axes = tuple(map(named, "yxc"))
    letters = "YXS"

    def __init__(self, path: str, reading: Reading):
        self.identity = identity_of(path)
        self._descriptor = unnamed_file(reading.folder)
        try:
            code, self.shape = _core.image_unpack(path, reading.memory, self._descriptor, reading.progress)
        except BaseException:
            self.close()
            raise
        self.dtype = _types.dtype_of(code)
        self.is_rgb = self.shape[2] == 3
        self.chunks = (1,) * len(self.shape)
        self._file = RawFile(f"the elements of '{path}'", self._descriptor, 0, self.shape, self.dtype)

    def read(self, lo: Extents, box: np.ndarray) -> None:
        self._file.read(lo, box)

    def close(self) -> None:
        os.close(self._descriptor)


def open_path(path: str, reading: Reading) -> Source:
    """Errors: IoError, ParseError, TruncatedError, UnsupportedError, LimitError, ElementTypeError."""
    if reading.dtype is not None:
        raise _core.ElementTypeError(f"'{path}' is an image of uint8 or uint16, which cannot be taken as {reading.dtype}")
    return ImageSource(path, reading)
