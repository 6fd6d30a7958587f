# SPDX-License-Identifier: Apache-2.0
"""Sources of PNG and JPEG files, which can only be decoded from their beginning: into a file without a name, of which boxes are read."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ... import _core, _types
from ..boxes import Extents
from ..raw_file import RawFile
from ..scratch import Scratch, unnamed_file
from .base import Source, identity_of


class ImageSource(Source):
    """[height, width, channels] of bytes or words."""

    image_axes = (0, 1)
    axes = "YXS"

    def __init__(self, path: str, scratch: Scratch):
        self.identity = None if not os.path.exists(path) else identity_of(path)
        self._descriptor = unnamed_file(scratch.folder)
        try:
            code, self.shape = _core.image_unpack(path, scratch.memory, self._descriptor)
        except BaseException:
            self.close()
            raise
        self.dtype = _types.dtype_of(code)
        self.chunks = (1,) * len(self.shape)
        self._file = RawFile(path, self._descriptor, 0, self.shape, self.dtype)

    def read(self, lo: Extents, box: np.ndarray) -> None:
        self._file.read(lo, box)

    def close(self) -> None:
        os.close(self._descriptor)


def open_path(path: str, dtype: Any, scratch: Scratch) -> Source:
    """Errors: IoError, ParseError, TruncatedError, UnsupportedError, LimitError, ElementTypeError."""
    if dtype is not None:
        raise _core.ElementTypeError(f"'{path}' is an image, whose elements are bytes or words; it cannot be taken as {dtype}")
    return ImageSource(path, scratch)
