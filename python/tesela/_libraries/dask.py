"""dask arrays, which stay lazy. Other dask collections are rejected."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .base import Call, Library, refuse


class Collections(Library):
    def read(self, x: Any) -> np.ndarray:
        from . import read

        self._check(x)
        return read(x.compute())

    def describe(self, x: Any, call: Call) -> tuple[tuple[int, ...], np.dtype, dict[str, Any]]:
        self._check(x)
        return x.shape, x.dtype, call.parameters

    def refuse_unless_plain(self, x: Any, what: str) -> None:
        refuse(x, f"is lazy, which {what} does not support", "pass x.compute()", _core.UnsupportedError)

    def compute(self, x: Any, call: Call) -> tuple[Any, Any]:
        from .. import _dask

        self._check(x)
        if call.out is not None:
            raise _core.UsageError("out is not supported for dask arrays; store the result instead")
        if any(np.isnan(extent) for extent in x.shape):
            raise _core.ShapeError("a dask array has chunks of unknown extent; call compute_chunk_sizes() first")
        plan = call.plan_for(call.operator, x.dtype, x.shape, call.parameters)
        return _dask.run(plan, x), plan

    def open(self, out: Any) -> np.ndarray:
        raise _core.UsageError("out is a dask array, which cannot be written; store the result instead")

    def _check(self, x: Any) -> None:
        import dask.array

        if not isinstance(x, dask.array.Array):
            refuse(x, "is not an array", "pass a dask array, or the result of its compute()")
        if isinstance(x._meta, np.ma.MaskedArray):
            refuse(x, "has masked blocks", "pass dask.array.ma.filled(x, value)")
        if not isinstance(x._meta, np.ndarray):
            refuse(x, f"has blocks of {type(x._meta).__name__}", "pass x.map_blocks(numpy.asarray), for example")


LIBRARY = Collections()
