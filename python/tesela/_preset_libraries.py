# SPDX-License-Identifier: Apache-2.0
"""The libraries of the presets: which axes each resizes, and how it handles scales and a single integer."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from . import _core, _parameters

Extents = tuple[int, ...]


def _floored(extent: int, scale: float) -> int:
    return math.floor(extent * scale)


def _rounded(extent: int, scale: float) -> int:
    return round(extent * scale)  # halves to even


def _rounded_not_empty(extent: int, scale: float) -> int:
    return max(round(extent * scale), 1)


def _every_axis(extents: Extents, size: int) -> Extents:
    return (size,) * len(extents)


def _short_side(extents: Extents, size: int) -> Extents:
    """The shorter side becomes `size`; the other keeps the aspect ratio, rounded down."""
    height, width = extents
    return (int(size * height / width), size) if width <= height else (size, int(size * width / height))


class Library(NamedTuple):
    """call: the library's function. layout: the axes that a short list of sizes applies to: "last", "first" or
    "channels_last". spatial: how many axes the function resizes; None for any number. rank: the highest rank of x, unless
    `axes` is given. by_scale: computes an extent from an extent and a scale. by_one: computes extents from a single integer.
    Both are None if the function does not support them. expected: what to pass instead, for messages."""

    call: str
    layout: str
    spatial: int | None = 2
    rank: int = 64
    by_scale: Callable[[int, float], int] | None = None
    by_one: Callable[[Extents, int], Extents] | None = None
    expected: str = "sizes=(height, width)"


LIBRARIES = {
    "pytorch": Library("torch.nn.functional.interpolate", "last", 3, by_scale=_floored, by_one=_every_axis),
    "torchvision": Library("torchvision's resize", "last", by_one=_short_side),
    "pillow": Library("PIL.Image.resize", "first", rank=3),
    "pillow-12": Library("PIL.Image.resize", "first", rank=3),
    "pillow-11": Library("PIL.Image.resize", "first", rank=3),
    "opencv": Library("cv2.resize", "first", rank=3, by_scale=_rounded),
    "tensorflow": Library("tf.image.resize", "channels_last", rank=4),
    "tensorflow-v1": Library("tf.compat.v1.image.resize", "channels_last", rank=4),
    "jax": Library("jax.image.resize", "last", None, expected="sizes, one for each axis"),
    "skimage": Library("skimage.transform.resize", "first", None, by_scale=_rounded_not_empty,
                       expected="sizes or scales, one for each axis"),
}


class Target(NamedTuple):
    """The axes that a call with a preset resizes. name: of the preset. extents: of these axes."""

    name: str
    library: Library
    axes: tuple[int, ...]
    extents: Extents

    def fail(self, text: str, kind: type[_core.Error] = _core.InvalidValueError) -> _core.Error:
        return kind(f"preset '{self.name}': {text}")


def spatial_axes(name: str, rank: int) -> int:
    """The number of axes that a single number applies to."""
    library, _, variant = name.partition(":")
    most = LIBRARIES[library].spatial
    if library == "pytorch" and not variant.startswith("trilinear"):
        # All axes after (N, C); for names with "bi" two.
        most = 2 if variant.startswith("bi") or rank < 3 else min(rank - 2, 3)
    return rank if most is None else min(rank, most)


def find_target(name: str, shape: Extents, axes: Any, count: int | None) -> Target:
    """The target of a call. axes: given by the caller; None for those of the library. count: the number of entries of sizes or
    scales; None for a single number. Errors: RankError, InvalidValueError, and those of axes."""
    library = LIBRARIES[name.partition(":")[0]]
    rank = len(shape)
    if axes is not None:
        listed = _parameters.axes(f"preset '{name}'", "axes", axes)
        if not all(-rank <= axis < rank for axis in listed):
            shown = _parameters.shown(axes)
            raise _core.InvalidValueError(f"preset '{name}': axes is {shown}; expected axes of the {rank} of x")
        chosen = tuple(axis % rank for axis in listed)
        return Target(name, library, chosen, tuple(shape[axis] for axis in chosen))
    if rank > library.rank:
        raise _core.RankError(
            f"preset '{name}': {library.call} supports at most {library.rank} axes and x has {rank}; expected `axes`")
    count = min(spatial_axes(name, rank) if count is None else count, rank)
    first = {"last": rank - count, "first": 0, "channels_last": max(rank - count - 1, 0)}[library.layout]
    return Target(name, library, tuple(range(first, first + count)), shape[first : first + count])


def extents_by_scales(target: Target, scales: Sequence[float]) -> Extents:
    """The extents that the library computes from scales. Errors: UnsupportedError, CountError, InvalidValueError."""
    library = target.library
    if library.by_scale is None:
        raise target.fail(f"{library.call} does not support scales; expected {library.expected}", _core.UnsupportedError)
    if len(scales) != len(target.axes):
        raise target.fail(f"scales has length {len(scales)}; expected {len(target.axes)}", _core.CountError)
    result = []
    for extent, scale in zip(target.extents, scales):
        if not (0 < scale < 2.0**40):
            raise target.fail(f"scales has the entry {scale}; expected numbers above 0 and below 2^40")
        result.append(library.by_scale(extent, scale))
        if extent and not result[-1]:
            raise target.fail(
                f"scale {scale} makes extent {extent} 0, which {library.call} rejects; expected a larger scale")
    return tuple(result)


def extents_by_one(target: Target, size: int | None, largest: int | None = None) -> Extents:
    """The extents that the library computes from a single integer and torchvision's max_size.
    Errors: UnsupportedError, ShapeError, InvalidValueError."""
    library, extents = target.library, target.extents
    if library.by_one is None:
        raise target.fail(f"{library.call} does not support a single integer; expected {library.expected}", _core.UnsupportedError)
    for what, number in (("sizes", size), ("max_size", largest)):
        if number is not None and number < 1:
            raise target.fail(f"{what} is {number}; expected 1 or more")
    if 0 in extents:
        raise target.fail(f"the extents are {extents}; expected all above 0", _core.ShapeError)
    if library.by_one is not _short_side:
        if largest is not None:
            raise target.fail(f"{library.call} has no max_size", _core.UnsupportedError)
        return library.by_one(extents, size or 0)
    if len(extents) != 2:
        raise target.fail(f"a single integer needs 2 axes; {len(extents)} are given", _core.CountError)
    if size is not None and largest is not None and largest <= size:
        raise target.fail(f"max_size is {largest}; expected more than the {size} of sizes")
    return _with_two_sides(target, size, largest)


def _with_two_sides(target: Target, size: int | None, largest: int | None) -> Extents:
    height, width = target.extents
    extents = _short_side(target.extents, size) if size is not None else target.extents
    if largest is not None and (size is None or max(extents) > largest):
        tall, wide = extents
        extents = (largest, int(largest * wide / tall)) if width <= height else (int(largest * tall / wide), largest)
    if 0 in extents:
        raise target.fail(f"{target.extents} would become {extents}, which {target.library.call} rejects", _core.ShapeError)
    return extents


def find_scales(name: str, shape: Extents, axes: Any, scales: Any) -> tuple[Target, list[float]]:
    """The target and its scales, from one scale or one for each axis. Errors: ElementTypeError, ArgumentError, as find_target."""
    numbers = _parameters.real_numbers(f"preset '{name}'", "scales", scales).reshape(-1)
    is_one = np.ndim(scales) == 0
    target = find_target(name, shape, axes, None if is_one else numbers.size)
    return target, [float(scale) for scale in (np.repeat(numbers, len(target.axes)) if is_one else numbers)]
