# SPDX-License-Identifier: Apache-2.0
"""ConstantOfShape as a lazy array."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from .. import _arrays, _core, _parameters, _types
from .._plan import Plan
from . import chunks as _chunks
from .layout import Chunks, Grid

ENGINES = ("dask", "cubed")


class Fill(Grid):
    """Chunks of one element, repeated. It stands where a Layout does for operators that have an input."""

    def __init__(self, element: np.ndarray, chunks_out: Chunks):
        self.element = element
        self.chunks_out = chunks_out

    def __reduce__(self):
        return Fill, (self.element, self.chunks_out)

    def __dask_tokenize__(self):
        return "tesela.Fill", str(self.element.dtype), self.element.tobytes(), self.chunks_out

    def blocks(self, index: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
        return ()

    def compute(self, index: tuple[int, ...], values: Iterable[np.ndarray]) -> np.ndarray:
        y = _arrays.empty([axis[i] for axis, i in zip(self.chunks_out, index)], self.element.dtype)
        y[...] = self.element
        return y


def make(plan: Plan, chunks: Any, engine: Any) -> Any:
    """The lazy output of a plan of constant_of_shape. engine: "dask", "cubed" or a cubed.Spec."""
    if isinstance(engine, str) and engine not in ENGINES:
        _parameters.refuse("ConstantOfShape", "engine", engine, "'dask', 'cubed' or a cubed.Spec", _core.InvalidValueError)
    if _types.packed_bits(plan.code):
        raise _core.ElementTypeError(f"element type {plan.dtype} is not supported for lazy arrays")
    element = Plan("constant_of_shape", (), **{k: v for k, v in plan.parameters.items() if k != "shape"}).fill(None, 1)
    element = element.astype(element.dtype.newbyteorder("="), copy=False)
    fill = Fill(element, _chunks.read(plan, chunks, _chunks.filled(plan)))
    if engine == "dask":
        from . import dask

        return dask.fill(fill)
    from . import cubed

    return cubed.fill(fill, None if engine == "cubed" else engine)
