# SPDX-License-Identifier: Apache-2.0
"""Tile and ConstantOfShape (tile.md, constant_of_shape.md, and Tile-1 of openvino.md)."""

import math
from collections.abc import Iterable

import numpy as np

from .tensors import LARGEST, Tensor, check_size, dtype_of_codes, integers, read, require
from .versions import types_of_value


def empty(dtype: str, shape: list[int]) -> Tensor:
    return Tensor(dtype, tuple(shape), np.zeros(0, dtype_of_codes(dtype)))


def picked(x: Tensor, indices: Iterable) -> Tensor:
    """Copies: along each axis the elements of a list of indices (COM-MOVE-1)."""
    codes = x.codes.reshape(x.shape)
    for axis, chosen in enumerate(indices):
        codes = np.take(codes, np.asarray(chosen, np.int64), axis)
    return Tensor(x.dtype, codes.shape, codes.reshape(-1))


def repeated(x: Tensor, repeats: list[int]) -> Tensor:
    require(all(repeat >= 0 for repeat in repeats), "TILE-REQ-2")
    shape = [n * repeat for n, repeat in zip(x.shape, repeats)]
    require(all(m <= LARGEST for m in shape), "TILE-OUT-1")
    check_size(x.dtype, shape)
    if 0 in shape:
        return empty(x.dtype, shape)
    return picked(x, (np.arange(m) % n for n, m in zip(x.shape, shape)))  # TILE-OUT-2


def tile(version: int, x: Tensor, *others: Tensor) -> Tensor:
    rank = len(x.shape)
    if version > 1:
        (repeats,) = others
        require(repeats.shape == (rank,), "TILE-REQ-1")
        return repeated(x, integers(repeats))
    tiles, axis = (whole_number(tensor) for tensor in others)
    require(-rank <= axis < rank, "TILE-ONE-1")
    return repeated(x, [tiles if d == axis % rank else 1 for d in range(rank)])  # TILE-ONE-2


def whole_number(tensor: Tensor) -> int:
    """TILE-ONE-1."""
    require(tensor.shape in ((), (1,)), "TILE-ONE-1")
    if tensor.dtype == "int64":
        return integers(tensor)[0]
    value = float(read(tensor, np.float64)[0])
    require(math.isfinite(value) and abs(value) < 2**53 and value == int(value), "TILE-ONE-1")
    return int(value)


def tile_of_openvino(x: Tensor, repeats: Tensor) -> Tensor:
    """OV-TILE-1 and OV-TILE-2."""
    require(len(repeats.shape) == 1, "OV-TILE-1")
    counts = integers(repeats)
    require(all(count <= LARGEST for count in counts), "OV-TILE-1")
    rank = max(len(x.shape), len(counts))
    ones = [1] * rank
    shape = (*ones[len(x.shape) :], *x.shape)
    return repeated(Tensor(x.dtype, shape, x.codes), [*ones[len(counts) :], *counts])


def constant_of_shape(version: int, shape: Tensor, value: Tensor | None) -> Tensor:
    require(len(shape.shape) == 1, "FILL-REQ-1")
    extents = integers(shape)
    require(all(extent >= 0 for extent in extents), "FILL-REQ-1")
    value = value or Tensor("float", (), np.zeros(1, np.uint32))  # FILL-OUT-2
    require(value.count == 1 and value.dtype in types_of_value(version), "FILL-REQ-2")
    check_size(value.dtype, extents)
    return Tensor(value.dtype, tuple(extents), np.repeat(value.codes, 0 if 0 in extents else math.prod(extents)))
