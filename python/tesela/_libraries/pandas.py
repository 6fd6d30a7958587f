# SPDX-License-Identifier: Apache-2.0
"""pandas: the values of frames and series as NumPy arrays. Results have no labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from .. import _core
from .base import refuse
from .numpy import Arrays


class Frames(Arrays):
    def claims(self, cls: type) -> bool:
        return hasattr(cls, "to_numpy") and (hasattr(cls, "dtype") or hasattr(cls, "dtypes"))

    def read(self, x: Any) -> np.ndarray:
        dtypes = set(x.dtypes) if getattr(x, "ndim", 1) == 2 else {x.dtype}
        if all(dtype == object or isinstance(dtype, pd.StringDtype) for dtype in dtypes):
            return np.asarray(x, object)
        try:
            # pandas' nullable types correspond to NumPy types if no value is missing.
            (dtype,) = {getattr(dtype, "numpy_dtype", dtype) for dtype in dtypes}
            return x.to_numpy(dtype=np.dtype(dtype))
        except (TypeError, ValueError):
            names = ", ".join(sorted({str(dtype) for dtype in dtypes}))
            refuse(x, f"holds {names[:80]}, or has missing values",
                   "pass x.to_numpy(dtype=...), with na_value=... for missing values")

    def open(self, out: Any) -> np.ndarray:
        raise _core.ElementTypeError(f"out is a {type(out).__name__} of pandas, which may copy what is written; pass a NumPy array")


LIBRARY = Frames()
