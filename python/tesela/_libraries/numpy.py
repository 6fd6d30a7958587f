# SPDX-License-Identifier: Apache-2.0
"""NumPy arrays and subclasses, and everything that NumPy converts: lists, scalars, buffers."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .base import Library


class Arrays(Library):
    def read(self, x: Any) -> np.ndarray:
        if isinstance(x, np.ndarray):
            return x.view(np.ndarray)
        try:
            array = np.asarray(x)
        except (TypeError, ValueError, RuntimeError, BufferError) as error:
            raise _core.ElementTypeError(f"a {type(x).__name__} is not an array: {str(error)[:160]}") from None
        if array.dtype == object and array.ndim == 0:
            raise _core.ElementTypeError(f"a {type(x).__name__} is not an array; pass an array, or lists of numbers or strings")
        return array.view(np.ndarray)

    def give_back(self, x: Any, result: np.ndarray) -> Any:
        """For subclasses, calls __array_wrap__, as NumPy's own functions do."""
        if not isinstance(x, np.ndarray) or type(x) is np.ndarray or result.ndim != x.ndim:
            return result
        return x.__array_wrap__(result)

    def open(self, out: Any) -> np.ndarray:
        if isinstance(out, np.ndarray):
            return out.view(np.ndarray)
        try:
            return np.asarray(memoryview(out))  # shares the memory of any buffer
        except (TypeError, ValueError):
            raise _core.ElementTypeError(f"out is a {type(out).__name__}; expected an array or a buffer") from None


LIBRARY = Arrays()
