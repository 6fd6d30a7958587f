# SPDX-License-Identifier: Apache-2.0
"""Steps that make a call smaller. Each yields candidates, the boldest first; those that are no valid call are left out later."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from .nodes import Node, attribute_choices, newest_version, ports

_LISTS = ("scales", "sizes", "repeats")  # inputs with an entry for each axis, or for each of `axes`
_DIGITS = (0, 1, 2, 3)
_PARTS = (2, 4, 8, 16)  # that become zeros together
_MOST_PARTS = 64
_MOST_TEXT = 4096  # values whose text is counted


def fewer_axes(node: Node) -> Iterator[Node]:
    """Without one axis, at its first index."""
    if node.operator == "ConstantOfShape":
        for axis in range(node.x.size):
            yield node.with_inputs(input=np.delete(node.x, axis))
        return
    for axis in range(node.x.ndim):
        if (found := _without(node, axis)) is not None:
            yield found


def smaller_extents(node: Node) -> Iterator[Node]:
    """Half of an axis, a third off, one less; of the input and the output, or of one of them."""
    if node.operator == "ConstantOfShape":
        for axis, extent in enumerate(node.x.tolist()):
            yield from (node.with_inputs(input=_set(node.x, axis, entry)) for entry in _less(extent))
        return
    for axis, extent in enumerate(node.x.shape):
        outs = _entries(node, axis)
        for entry in _less(extent):
            x = np.ascontiguousarray(node.x[(slice(None),) * axis + (slice(0, entry),)])
            for name, (array, k) in outs.items():
                if name == "sizes":
                    yield node.with_inputs(**{_data(node): x, name: _set(array, k, max(1, round(array[k] * entry / extent)))})
            yield node.with_inputs(**{_data(node): x})
        for name, (array, k) in outs.items():
            yield from (node.with_inputs(**{name: _set(array, k, entry)}) for entry in _less(int(array[k])))


def fewer_attributes(node: Node) -> Iterator[Node]:
    """Without all attributes, or one."""
    for name in node.attributes:
        if name not in ("mode", "axes", "value", "scales", "height_scale", "width_scale"):
            yield node.with_attributes(**{name: None})
    if node.find("roi") is not None:
        yield node.with_inputs(roi=None)


def plain_type(node: Node) -> Iterator[Node]:
    """Values of float, or at least of a type of 8 bits."""
    if node.operator != "ConstantOfShape" and node.x.dtype not in (np.dtype(np.float32), np.dtype(np.uint8)) and node.x.dtype != object:
        with np.errstate(all="ignore"):
            for dtype in (np.float32, np.uint8):
                yield node.with_inputs(**{_data(node): node.x.real.astype(dtype)})


def plain_version(node: Node) -> Iterator[Node]:
    """The newest version that has the same inputs."""
    newest = newest_version(node.operator)
    choices = attribute_choices(node.operator, newest)
    is_known = all(value in choices.get(name, [value]) for name, value in node.attributes.items())
    if node.version != newest and is_known and ports(node.operator, node.version) == ports(node.operator, newest):
        yield replace(node, opset=newest)


def plain_values(node: Node) -> Iterator[Node]:
    """Values that are easy to read: zeros in parts of the input, indices, few digits."""
    if node.operator == "ConstantOfShape" or node.x.dtype == object or node.x.dtype.kind == "c" or node.x.size == 0:
        return
    x, name = node.x, _data(node)
    ramp = np.arange(x.size).reshape(x.shape).astype(x.dtype)
    if node.is_copy and np.array_equal(x, ramp):
        return  # an output says which input it is
    length = _length(x)
    for changed in _plainer(x, ramp):
        if _length(changed) < length:
            yield node.with_inputs(**{name: changed})


def _plainer(x: np.ndarray, ramp: np.ndarray) -> Iterator[np.ndarray]:
    yield ramp
    for parts in dict.fromkeys((*_PARTS, x.size)):
        if parts > min(x.size, _MOST_PARTS):
            continue
        for places in np.array_split(np.arange(x.size), parts):
            zeroed = x.copy().reshape(-1)
            zeroed[places] = 0
            yield zeroed.reshape(x.shape)
    if x.dtype.kind == "f":
        with np.errstate(over="ignore"):  # of float16
            rounded = [np.round(x, digits) for digits in _DIGITS]
        yield from rounded


def _length(x: np.ndarray) -> int:
    """Of the values as text; of many values only what is not zero."""
    if x.size > _MOST_TEXT:
        return int(np.count_nonzero(x)) + _MOST_TEXT * 32
    return sum(len(str(value)) for value in x.reshape(-1))


# Values come last: what makes the tensors smaller draws less of them.
STEPS = (fewer_axes, smaller_extents, fewer_attributes, plain_type, plain_version, plain_values)


def _data(node: Node) -> str:
    slot = node.inputs[0]
    assert slot is not None
    return slot.port


def _entries(node: Node, axis: int) -> dict[str, tuple[np.ndarray, int]]:
    """The lists of whole numbers that have an entry for an axis, and where."""
    place = _place(node, axis)
    found = ((name, node.find(name)) for name in _LISTS if name != "scales")
    return {name: (array, place) for name, array in found if array is not None and array.ndim == 1 and array.size and place is not None}


def _place(node: Node, axis: int) -> int | None:
    """Where the entry of an axis stands in lists."""
    axes = node.attributes.get("axes")
    if axes is None:
        return axis
    positive = [entry % node.x.ndim for entry in axes]
    return positive.index(axis) if axis in positive else None


def _without(node: Node, axis: int) -> Node | None:
    rank, place = node.x.ndim, _place(node, axis)
    if node.x.shape[axis] == 0:
        return None
    arrays: dict[str, np.ndarray | None] = {_data(node): np.ascontiguousarray(node.x.take(0, axis))}
    for name in (*_LISTS, "roi"):
        array = node.find(name)
        if array is None or place is None or array.size == 0:
            continue
        if array.ndim != 1:
            return None  # of Tile-1
        entries = [place, place + array.size // 2] if name == "roi" else [place]
        arrays[name] = np.delete(array, entries)
    changed = node.with_inputs(**arrays)
    if (axes := node.attributes.get("axes")) is not None:
        left = [entry % rank for entry in axes if entry % rank != axis]
        negative = any(entry < 0 for entry in axes)
        changed = changed.with_attributes(axes=[(k - (k > axis)) - (rank - 1 if negative else 0) for k in left])
    if isinstance(scales := node.attributes.get("scales"), list):
        changed = changed.with_attributes(scales=[entry for k, entry in enumerate(scales) if k != axis])
    return changed


def _set(array: np.ndarray, place: int, entry: int) -> np.ndarray:
    changed = array.copy()
    changed[place] = entry
    return changed


def _less(extent: int) -> Iterator[int]:
    return iter(sorted({entry for entry in (1, extent // 2, extent * 2 // 3, extent - 1) if 0 < entry < extent}))
