# SPDX-License-Identifier: Apache-2.0
"""Sources of arrays in memory."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..boxes import Extents, slices
from .base import Source


class ArraySource(Source):
    """Any array that slices give NumPy arrays of."""

    def __init__(self, array: Any):
        self._array = array
        self.shape, self.dtype = tuple(array.shape), np.dtype(array.dtype)
        self.chunks = (1,) * len(self.shape)

    def read(self, lo: Extents, box: np.ndarray) -> None:
        box[...] = self._array[slices(lo, box.shape)]
