# SPDX-License-Identifier: Apache-2.0
"""Sinks of .npy files."""

from __future__ import annotations

import io
import math
import os

import numpy as np

from ..boxes import Extents
from ..raw_file import RawFile, reserve
from .base import FileSink, Layout, refuse_options


class NpySink(FileSink):
    """A file of one array in row-major order."""

    def __init__(self, path: str, layout: Layout):
        super().__init__(path, layout)
        refuse_options(layout, "an .npy file")
        self.chunks = (1,) * len(layout.shape)
        self._header = _header(layout)
        self._size = len(self._header) + math.prod(layout.shape) * layout.dtype.itemsize
        self.kind = {"format": "npy", "shape": layout.shape, "dtype": str(layout.dtype)}

    def create(self) -> None:
        with open(self.partial, "wb") as file:
            file.write(self._header)
            file.flush()
            try:
                reserve(file.fileno(), self._size, f"'{self.partial}'")
            except OSError:
                os.unlink(self.partial)
                raise

    def opened(self, descriptor: int) -> int:
        self._file = RawFile(f"'{self.partial}'", descriptor, len(self._header), self.layout.shape, self.layout.dtype)
        return self._size

    def write(self, lo: Extents, box: np.ndarray) -> None:
        self._file.write(lo, box)


def _header(layout: Layout) -> bytes:
    file = io.BytesIO()
    descr = np.lib.format.dtype_to_descr(layout.dtype)
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": layout.shape})
    return file.getvalue()


def of_path(path: str, layout: Layout) -> NpySink:
    return NpySink(path, layout)
