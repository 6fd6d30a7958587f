# SPDX-License-Identifier: Apache-2.0
"""What lazy arrays of chunks have in common; a module for each engine derives from it."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import _core
from .base import Call, Library, refuse


class Lazy(Library):
    """Arrays that are computed chunk by chunk, later. engine: the name of the package."""

    engine: str

    def check(self, x: Any) -> None:
        """Raises an error for collections and blocks that the operators cannot work on."""
        raise NotImplementedError

    def run(self, plan: Any, x: Any, chunks: Any) -> Any:
        """The lazy result of a plan."""
        raise NotImplementedError

    def read(self, x: Any) -> np.ndarray:
        from . import read

        self.check(x)
        return read(x.compute())

    def describe(self, x: Any, call: Call) -> tuple[tuple[int, ...], np.dtype, dict[str, Any]]:
        self.check(x)
        return x.shape, x.dtype, call.parameters

    def refuse_unless_plain(self, x: Any, what: str) -> None:
        refuse(x, f"is lazy, which {what} does not support", "pass x.compute()", _core.UnsupportedError)

    def promoted(self, x: Any, rank: int, what: str) -> Any:
        return x[(None,) * (rank - x.ndim) + (...,)]

    def compute(self, x: Any, call: Call) -> tuple[Any, Any]:
        self.check(x)
        if call.out is not None:
            raise _core.UsageError(f"out is not supported for {self.engine} arrays; store the result instead")
        if any(np.isnan(extent) for extent in x.shape):
            raise _core.ShapeError(f"a {self.engine} array has chunks of unknown extent; call compute_chunk_sizes() first")
        plan = call.plan_for(call.operator, x.dtype, x.shape, call.parameters)
        return self.run(plan, x, call.chunks), plan

    def open(self, out: Any) -> np.ndarray:
        raise _core.UsageError(f"out is a {self.engine} array, which cannot be written; store the result instead")
