# SPDX-License-Identifier: Apache-2.0
"""Resizing a tensor whose axes are known (resize.md, RESIZE-NEAR-2 to RESIZE-FILL-3)."""

import numpy as np

from .axes import Axis, Settings, is_outside, nearest_index, position
from .tensors import Tensor, count_elements, parts_of, read, require, write
from .weights import weights, window

DOUBLE_TYPES = ["int32", "int64", "uint32", "uint64", "double", "complex128"]


def resized(data: Tensor, settings: Settings, axes: list[Axis]) -> Tensor:
    shape = [axis.m for axis in axes]
    if count_elements(data.type, shape) == 0:  # RESIZE-EXT-6
        return Tensor(data.type, tuple(shape), data.codes[:0])
    positions = [
        None if axis.identity else [position(axis, settings.coordinates, i) for i in range(axis.m)] for axis in axes
    ]
    outside = outside_mask(settings, axes, positions)
    if settings.mode == "nearest" or all(axis.identity for axis in axes):
        result = nearest(data, settings, axes, positions)
    else:
        result = filtered(data, settings, axes, positions)
    if outside.any():
        require(data.type != "string", "a string outside")  # RESIZE-FILL-3
        value = write(np.array([[settings.extrapolation], [0.0]][: parts_of(data.type)]), data.type)
        result.codes[outside.reshape(-1)] = value.codes[0]
    return result


def outside_mask(settings: Settings, axes: list[Axis], positions: list) -> np.ndarray:
    """RESIZE-FILL-1."""
    outside = np.zeros([axis.m for axis in axes], bool)
    if settings.coordinates != "tf_crop_and_resize":
        return outside
    for index, (axis, places) in enumerate(zip(axes, positions, strict=True)):
        for i, x in enumerate(places or []):
            if is_outside(axis, x):
                outside[(slice(None),) * index + (i,)] = True
    return outside


def usable(axis: Axis, settings: Settings, x: object) -> bool:
    return settings.coordinates != "tf_crop_and_resize" or not is_outside(axis, x)


def nearest(data: Tensor, settings: Settings, axes: list[Axis], positions: list) -> Tensor:
    """RESIZE-NEAR-2."""
    grid = data.grid()
    for index, (axis, places) in enumerate(zip(axes, positions, strict=True)):
        if places is not None:
            chosen = [nearest_index(axis, settings.nearest, x) if usable(axis, settings, x) else 0 for x in places]
            grid = np.take(grid, chosen, index)
    return Tensor(data.type, grid.shape, grid.reshape(-1).copy())


def filtered(data: Tensor, settings: Settings, axes: list[Axis], positions: list) -> Tensor:
    """RESIZE-PASS-1 to RESIZE-PASS-5."""
    numbers = [index for index, axis in enumerate(axes) if not axis.identity]
    wide = any(window(axes[index], settings) > 1024 for index in numbers)
    dtype = np.float64 if wide or data.type in DOUBLE_TYPES else np.float32
    values = read(data, dtype)
    with np.errstate(all="ignore"):
        for index in pass_order(axes, numbers):
            lines = np.moveaxis(values, index + 1, -1)
            sums = np.stack([line_sum(lines, axes[index], settings, x) for x in positions[index]], -1)
            values = np.moveaxis(sums, -1, index + 1)
        return write(values, data.type)


def pass_order(axes: list[Axis], numbers: list[int]) -> list[int]:
    """RESIZE-PASS-2."""
    shrink = [index for index in numbers if axes[index].m < axes[index].n]
    others = [index for index in numbers if axes[index].m >= axes[index].n]
    if len(others) > 1:
        others[-2:] = others[-1], others[-2]
    return shrink + others


def line_sum(lines: np.ndarray, axis: Axis, settings: Settings, x: object) -> np.ndarray:
    """RESIZE-PASS-4."""
    if not usable(axis, settings, x):
        return np.zeros(lines.shape[:-1], lines.dtype)
    total = None
    for j, w in weights(axis, settings, x, lines.dtype.type):
        product = w * lines[..., j]
        total = product if total is None else total + product
    return total
