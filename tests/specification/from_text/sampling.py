# SPDX-License-Identifier: Apache-2.0
"""Resizing a tensor whose axes are known (resize.md, RESIZE-NEAR-2 and RESIZE-PASS to RESIZE-FILL)."""

import numpy as np

from .axes import Axis, Rules, is_outside, nearest_index, positions
from .moves import empty, picked
from .taps import taps_of, window
from .tensors import Tensor, check_size, read, require, rounded

IN_BINARY32 = ["bool", "int8", "int16", "uint8", "uint16", "float16", "bfloat16", "float", "complex64"]


def sampled(x: Tensor, axes: list[Axis], rules: Rules) -> Tensor:
    """axes: one for each of x."""
    shape = [axis.m for axis in axes]
    check_size(x.dtype, shape)
    if 0 in shape:
        return empty(x.dtype, shape)  # RESIZE-EXT-6
    if all(axis.identity for axis in axes):
        return x  # RESIZE-SCALE-4
    places = [[] if axis.identity else positions(axis, rules) for axis in axes]
    outside = outside_of(axes, rules, places)
    require(x.dtype != "string" or not outside.any(), "RESIZE-FILL-3")
    if rules.mode == "nearest":
        codes = picked(x, (nearest_indices(axis, rules, at) for axis, at in zip(axes, places))).codes
    else:
        codes = filtered(x, axes, rules, places)
    if outside.any():  # RESIZE-FILL-2
        parts = [rules.extrapolation, 0.0] if x.dtype.startswith("complex") else [rules.extrapolation]
        codes[outside.reshape(-1)] = rounded(np.array(parts), x.dtype)[0]
    return Tensor(x.dtype, tuple(shape), codes)


def outside_of(axes: list[Axis], rules: Rules, places: list) -> np.ndarray:
    """RESIZE-FILL-1: which elements of the output are outside on any axis."""
    outside = np.zeros([axis.m for axis in axes], bool)
    for d, axis in enumerate(axes):
        for i, at in enumerate(places[d]):
            if is_outside(axis, rules, at):
                np.moveaxis(outside, d, 0)[i] = True
    return outside


def nearest_indices(axis: Axis, rules: Rules, places: list) -> list[int]:
    if axis.identity:
        return [*range(axis.n)]
    return [0 if is_outside(axis, rules, at) else nearest_index(axis, rules, at) for at in places]


def filtered(x: Tensor, axes: list[Axis], rules: Rules, places: list) -> np.ndarray:
    """The codes of modes linear and cubic (RESIZE-PASS-1 to RESIZE-PASS-5)."""
    passes = order_of_passes(axes)
    wide = any(window(axes[d], rules) > 1024 for d in passes)
    compute = np.float32 if x.dtype in IN_BINARY32 and not wide else np.float64
    values = read(x, compute)
    values = values.reshape(*x.shape, *values.shape[1:])
    for d in passes:
        lines = np.moveaxis(values, d, 0)
        sums = [line_of_sums(lines, axes[d], rules, at) for at in places[d]]
        values = np.moveaxis(np.stack(sums), 0, d)
    return rounded(values, x.dtype).reshape(-1)


def order_of_passes(axes: list[Axis]) -> list[int]:
    """RESIZE-PASS-1 and RESIZE-PASS-2."""
    passes = [d for d, axis in enumerate(axes) if not axis.identity]
    first = [d for d in passes if axes[d].m < axes[d].n]
    second = [d for d in passes if axes[d].m >= axes[d].n]
    return [*first, *second[:-2], *reversed(second[-2:])]


def line_of_sums(lines: np.ndarray, axis: Axis, rules: Rules, at: object) -> np.ndarray:
    """RESIZE-PASS-4. What is outside is replaced later."""
    if is_outside(axis, rules, at):
        return np.zeros_like(lines[0])
    (first, weight), *others = taps_of(axis, rules, at, lines.dtype.type)
    sums = weight * lines[first]
    for j, weight in others:
        sums = sums + weight * lines[j]
    return sums
