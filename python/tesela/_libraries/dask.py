# SPDX-License-Identifier: Apache-2.0
"""dask arrays, which stay lazy. Other dask collections are rejected."""

from __future__ import annotations

from typing import Any

import numpy as np

from .base import refuse
from .lazy import Lazy


class Collections(Lazy):
    engine = "dask"

    def run(self, plan: Any, x: Any, chunks: Any) -> Any:
        from .._lazy import dask

        return dask.run(plan, x, chunks)

    def check(self, x: Any) -> None:
        import dask.array

        if not isinstance(x, dask.array.Array):
            refuse(x, "is not an array", "pass a dask array, or the result of its compute()")
        if isinstance(x._meta, np.ma.MaskedArray):
            refuse(x, "has masked blocks", "pass dask.array.ma.filled(x, value)")
        if not isinstance(x._meta, np.ndarray):
            refuse(x, f"has blocks of {type(x._meta).__name__}", "pass x.map_blocks(numpy.asarray), for example")


LIBRARY = Collections()
