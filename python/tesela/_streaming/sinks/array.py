# SPDX-License-Identifier: Apache-2.0
"""Sinks of arrays in memory and of mapped files."""

from __future__ import annotations

from typing import Any

import numpy as np

from ... import _core
from ..boxes import Extents, slices
from .base import Layout, Sink, refuse_options


def check(array: Any, layout: Layout) -> None:
    """Errors: ShapeError, ElementTypeError, UsageError."""
    if tuple(array.shape) != layout.shape:
        raise _core.ShapeError(f"stream: target has the shape {tuple(array.shape)}; expected {layout.shape}")
    if np.dtype(array.dtype) != layout.dtype:
        raise _core.ElementTypeError(f"stream: target holds {array.dtype}; expected {layout.dtype}")
    refuse_options(layout, "an array that exists")


class ArraySink(Sink):
    """An array of NumPy."""

    def __init__(self, array: np.ndarray, layout: Layout):
        check(array, layout)
        if not array.flags.writeable:
            raise _core.UsageError("stream: target is read-only; pass an array that can be written")
        self._array = array
        self.chunks = (1,) * len(layout.shape)

    def write(self, lo: Extents, box: np.ndarray) -> None:
        self._array[slices(lo, box.shape)] = box

    def finish(self) -> None:
        if isinstance(self._array, np.memmap):
            self._array.flush()
