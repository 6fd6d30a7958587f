# SPDX-License-Identifier: Apache-2.0
"""Tile and ConstantOfShape (tile.md, constant_of_shape.md and OpenVINO's Tile-1)."""

import numpy as np

from .nodes import fill_versions
from .tensors import LARGEST, Tensor, count_elements, integers, read, require


def tile_by(data: Tensor, repeats: list[int]) -> Tensor:
    require(all(repeat >= 0 for repeat in repeats), "negative repeat")  # TILE-REQ-2
    shape = [extent * repeat for extent, repeat in zip(data.shape, repeats, strict=True)]
    require(all(extent <= LARGEST for extent in shape), "extent above 2^63 - 1")  # TILE-OUT-1
    if count_elements(data.type, shape) == 0:
        return Tensor(data.type, tuple(shape), data.codes[:0])
    grid = data.grid()
    for axis, (n, m) in enumerate(zip(data.shape, shape, strict=True)):  # TILE-OUT-2
        grid = np.take(grid, np.arange(m) % n, axis)
    return Tensor(data.type, tuple(shape), grid.reshape(-1))


def tile(version: int, inputs: list[Tensor]) -> Tensor:
    data = inputs[0]
    if version == 1:
        tiles, axis = (whole_number(tensor) for tensor in inputs[1:])
        require(data.rank > 0 and -data.rank <= axis < data.rank, "axis out of range")
        repeats = [1] * data.rank
        repeats[axis] = tiles
        return tile_by(data, repeats)
    require(inputs[1].shape == (data.rank,), "repeats not 1-D, or not one for each axis")  # TILE-REQ-1
    return tile_by(data, integers(inputs[1]))


def whole_number(tensor: Tensor) -> int:
    """TILE-ONE-1."""
    require(tensor.shape in ((), (1,)), "not one element")
    if tensor.type == "int64":
        return integers(tensor)[0]
    value = float(read(tensor, np.float64).reshape(-1)[0])
    require(abs(value) < 2**53 and value == int(value), "not a whole number")
    return int(value)


def openvino_tile(inputs: list[Tensor]) -> Tensor:
    """OV-TILE-1."""
    data, repeats = inputs
    require(repeats.rank == 1, "repeats not 1-D")
    entries = integers(repeats)
    require(all(entry <= LARGEST for entry in entries), "repeat above 2^63 - 1")
    rank = max(data.rank, len(entries))
    shape = (1,) * (rank - data.rank) + data.shape
    return tile_by(Tensor(data.type, shape, data.codes), [1] * (rank - len(entries)) + entries)


def constant_of_shape(version: int, attributes: dict, inputs: list[Tensor]) -> Tensor:
    value = attributes["value"] or Tensor("float", (), np.zeros(1, np.uint32))  # FILL-OUT-2
    require(value.codes.size == 1 and value.type in fill_versions()[version], "value")  # FILL-REQ-2
    require(inputs[0].rank == 1, "shape not 1-D")  # FILL-REQ-1
    shape = integers(inputs[0])
    return Tensor(value.type, tuple(shape), np.repeat(value.codes, count_elements(value.type, shape)))
