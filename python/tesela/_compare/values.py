# SPDX-License-Identifier: Apache-2.0
"""Input values that tell rules apart, drawn from a seed."""

from __future__ import annotations

import numpy as np

from .. import _core, _types

_MOST = 1 << 28  # values of an input
_WIDE = 1 << 20  # of integers of 32 bits and more, so that sums in float32 lose nothing


def draw(shape: tuple[int, ...], dtype: np.dtype, seed: int) -> np.ndarray:
    """Floats in [0, 1), integers of up to 16 bits in the whole range of their type, longer ones to 2^20, distinct short strings.
    Errors: LimitError."""
    count = int(np.prod(shape, dtype=object))
    if count > _MOST:
        raise _core.LimitError(f"an input of {count} values would be drawn, above {_MOST}: give smaller shapes")
    random = np.random.default_rng([seed, *shape])
    if dtype == object:
        array = np.empty(count, object)
        array[:] = [f"s{k}" for k in range(count)]
        return array.reshape(shape)
    if dtype.kind == "b":
        return random.integers(0, 2, shape).astype(dtype)
    if dtype.kind in "iu" or dtype.name in ("int4", "uint4", "int2", "uint2"):
        bits = _core.dtype_bits(_types.code_of(dtype))
        signed = dtype.name.startswith("i")
        low, high = (-(1 << bits - 1), 1 << bits - 1) if signed else (0, 1 << bits)
        return random.integers(max(low, -_WIDE), min(high, _WIDE), shape).astype(dtype)
    if dtype.kind == "c":
        return (random.random(shape) + 1j * random.random(shape)).astype(dtype)
    return random.random(shape).astype(dtype)
