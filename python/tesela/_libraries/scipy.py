# SPDX-License-Identifier: Apache-2.0
"""SciPy: sparse arrays are rejected; other arrays are NumPy's."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from .base import refuse
from .numpy import Arrays


class SparseArrays(Arrays):
    def read(self, x: Any) -> np.ndarray:
        sparse = sys.modules.get("scipy.sparse")
        if sparse is not None and sparse.issparse(x):
            refuse(x, "is sparse", "pass x.toarray()")
        return super().read(x)


LIBRARY = SparseArrays()
