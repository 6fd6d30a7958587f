# SPDX-License-Identifier: Apache-2.0
"""A pair of an input and an output: how their axes correspond, and comparisons on boxes of the output."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from .._plan import Plan
from .values import Conversion, is_number

Box = tuple[tuple[int, ...], tuple[int, ...]]  # lo, shape

_SIDE = 8  # outputs of a changed axis in a box
_CHANNELS = 4
_BOXES = 10
_SMALL = 2048  # outputs that are one box
_LARGE = 100_000
_MOST_INPUTS = 300_000  # input elements of all boxes, where a box can be that small


class Difference(NamedTuple):
    """differ: how many of `compared` values differ. largest, mean: of the differences; infinite where only one is finite."""

    differ: int
    compared: int
    largest: float
    mean: float

    @property
    def is_none(self) -> bool:
        return self.differ == 0


class Arrangement(NamedTuple):
    """What was done to the result of a resize besides: reversed axes, then a transposition, then a shape with other axes of
    extent 1. `undo` gives the result of the resize from y."""

    reversed_axes: tuple[int, ...]
    order: tuple[int, ...]
    shape: tuple[int, ...]

    def undo(self, y: np.ndarray, rank: int) -> np.ndarray:
        extents = [n for n in y.shape if n != 1] if y.ndim != rank else list(y.shape)
        y = y.reshape(extents) if len(extents) == rank else y
        y = y.transpose(np.argsort(self.order))
        return np.flip(y, self.reversed_axes) if self.reversed_axes else y

    def text(self, call: str, resized: tuple[int, ...]) -> str:
        if self.reversed_axes:
            call += "[" + ", ".join("::-1" if axis in self.reversed_axes else ":" for axis in range(len(resized))) + "]"
        if self.order != tuple(range(len(resized))):
            call += f".transpose{self.order}"
        if self.shape != tuple(resized[axis] for axis in self.order):
            call += f".reshape{self.shape}"
        return call


def arrangements(x: np.ndarray, y: np.ndarray) -> list[Arrangement]:
    """Ways in which the axes of y may be those of x, the likely first, those with a reversed axis last."""
    rank = x.ndim
    extents = y.shape if y.ndim == rank else tuple(n for n in y.shape if n != 1)
    if len(extents) != rank:
        return []
    plain = tuple(range(rank))
    lead = plain[:-3]
    # Channels moved to the end, or from there to before the rows; rows and columns exchanged.
    channels = [(*lead, rank - 1, rank - 3, rank - 2), (*lead, rank - 2, rank - 1, rank - 3)] if rank >= 3 else []
    exchanged = [(*plain[:-2], rank - 1, rank - 2)] if rank >= 2 else []

    def kept(order: tuple[int, ...]) -> int:
        return sum(extents[place] == x.shape[axis] for place, axis in enumerate(order))

    better = [order for order in channels if kept(order) > kept(plain)]
    orders = [*better, plain, *exchanged] if extents[-1] != x.shape[-1] else [plain, *better, *exchanged]
    orders = [order for order in orders if kept(order) >= kept(plain)]
    turned = [Arrangement((axis,), order, y.shape) for order in orders[:1] for axis in plain if x.shape[axis] > 1]
    return [*(Arrangement((), order, y.shape) for order in orders), *turned]


class Pair:
    """x, and y with the axes of x."""

    def __init__(self, x: np.ndarray, y: np.ndarray):
        self.x, self.y = x, y
        self.axes = _resized_axes(x.shape, y.shape)
        self.boxes = list(_sample(x.shape, y, self.axes))

    @property
    def compared_outputs(self) -> int:
        return sum(math.prod(shape) for _, shape in self.boxes)

    def compute(self, plan: Plan, conversion: Conversion, box: Box) -> np.ndarray:
        lo, shape = box
        x_lo, x_shape = plan._core.input_region(lo, shape)
        part = conversion.before(self.x[tuple(slice(a, a + n) for a, n in zip(x_lo, x_shape))])
        return plan._run_box(np.ascontiguousarray(part), x_lo, lo, shape, 1)

    def expected(self, box: Box) -> np.ndarray:
        return self.y[tuple(slice(a, a + n) for a, n in zip(*box))]

    def equals(self, plan: Plan, conversion: Conversion, boxes: Sequence[Box] | None = None) -> bool:
        """Whether every value of the boxes is equal."""
        for box in self.boxes if boxes is None else boxes:
            if not same(conversion.finish(self.compute(plan, conversion, box)), self.expected(box)):
                return False
        return True

    def difference(self, plan: Plan, conversion: Conversion, boxes: Sequence[Box] | None = None) -> Difference:
        return total(difference(conversion.finish(self.compute(plan, conversion, box)), self.expected(box))
                     for box in (self.boxes if boxes is None else boxes))

    def widen(self) -> None:
        """Compares more of the output from now on: all, unless it is large."""
        if len(self.boxes) > 1:
            self.boxes += [self.whole()] if self.y.size <= _LARGE else self.more_boxes(100)

    def more_boxes(self, count: int) -> list[Box]:
        """Boxes at random places."""
        rng = np.random.default_rng(1)
        extents = tuple(min(m, _SIDE if axis in self.axes else _CHANNELS) for axis, m in enumerate(self.y.shape))
        return [(tuple(int(rng.integers(0, m - k + 1)) for m, k in zip(self.y.shape, extents)), extents) for _ in range(count)]

    def whole(self) -> Box:
        return (0,) * self.y.ndim, self.y.shape


def same(a: np.ndarray, b: np.ndarray) -> bool:
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    equal = a == b
    return bool(np.all(equal) or np.all(equal | ((a != a) & (b != b))))


def difference(a: np.ndarray, b: np.ndarray) -> Difference:
    if a.shape != b.shape:
        return Difference(b.size, b.size, math.inf, math.inf)
    equal = (a == b) | ((a != a) & (b != b))
    differ = int(np.count_nonzero(~equal))
    if not differ or a.dtype.kind in "OUST":
        return Difference(differ, b.size, math.inf if differ else 0.0, math.inf if differ else 0.0)
    kind = np.complex128 if a.dtype.kind == "c" else np.float64
    with np.errstate(all="ignore"):
        apart = np.where(equal, 0, np.abs(a.astype(kind) - b.astype(kind)))
    apart = np.where(np.isfinite(apart), apart, math.inf)
    return Difference(differ, b.size, float(apart.max()), float(apart.mean()))


def total(parts: Iterator[Difference]) -> Difference:
    found = list(parts)
    compared = sum(part.compared for part in found)
    mean = sum(part.mean * part.compared for part in found) / max(compared, 1)
    return Difference(sum(part.differ for part in found), compared, max((part.largest for part in found), default=0.0), mean)


def _resized_axes(before: tuple[int, ...], after: tuple[int, ...]) -> tuple[int, ...]:
    """The axes that changed; with one of them, both of an image, since presets look at both."""
    changed = tuple(axis for axis, (n, m) in enumerate(zip(before, after)) if n != m)
    rank = len(before)
    if rank >= 2 and len(changed) < 2:
        has_channels = rank >= 3 and before[-1] <= 4 and after[-1] == before[-1]
        image = (rank - 3, rank - 2) if has_channels else (rank - 2, rank - 1)
        if set(changed) <= set(image):
            return image
    return changed or tuple(range(rank))


def _sample(before: tuple[int, ...], y: np.ndarray, axes: Sequence[int]) -> Iterator[Box]:
    """Boxes of the output: corners, and those of many places where values vary most."""
    shape = y.shape
    inputs = math.prod(before)
    if y.size <= _SMALL and inputs <= _MOST_INPUTS or 0 in shape:
        yield (0,) * len(shape), shape
        return
    side = _side(before, shape, axes)
    extents = tuple(min(m, side) if n != m or axis in axes else min(m, _CHANNELS)
                    for axis, (n, m) in enumerate(zip(before, shape)))
    rng = np.random.default_rng(0)
    ends = [(0, m - k) for m, k in zip(shape, extents)]
    corners = list(itertools.islice(dict.fromkeys(itertools.product(*ends)), 16))
    places = [tuple(int(rng.integers(0, m - k + 1)) for m, k in zip(shape, extents)) for _ in range(64)]
    for chosen, count in ((corners, 4), (places, _BOXES - 4)):
        best = sorted(chosen, key=lambda lo: -_variation(y, lo, extents))
        for lo in best[: count]:
            yield lo, extents


def _side(before: tuple[int, ...], after: tuple[int, ...], axes: Sequence[int]) -> int:
    """Outputs of a changed axis in a box, fewer where each needs many inputs."""
    side = _SIDE
    while side > 1:
        inputs = math.prod((side + 2) * max(before[axis] / max(after[axis], 1), 1) for axis in axes)
        if inputs * _BOXES * _CHANNELS <= _MOST_INPUTS:
            break
        side -= 1
    return side


def _variation(y: np.ndarray, lo: Sequence[int], extents: Sequence[int]) -> float:
    part = y[tuple(slice(a, a + n) for a, n in zip(lo, extents))]
    if part.dtype.kind in "OUST":
        return float(len(set(part.reshape(-1).tolist())))
    with np.errstate(all="ignore"):
        spread = float(np.std(np.abs(part.astype(np.complex128 if part.dtype.kind == "c" else np.float64))))
    return spread if math.isfinite(spread) else 0.0


def span_of(pair: Pair) -> float:
    """The largest magnitude of finite values in x."""
    if not is_number(pair.x.dtype) or not pair.x.size:
        return 1.0
    step = tuple(slice(None, None, max(n // 256, 1)) for n in pair.x.shape)
    with np.errstate(all="ignore"):
        magnitudes = np.abs(pair.x[step].astype(np.complex128 if pair.x.dtype.kind == "c" else np.float64))
    finite = magnitudes[np.isfinite(magnitudes)]
    return float(finite.max()) if finite.size else 1.0


def distance_from(computed: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The distance of y from exact values that were rounded to its dtype; 0 where one is not finite."""
    with np.errstate(all="ignore"):
        if y.dtype.kind in "iu":
            limits = np.iinfo(y.dtype)
            computed = np.clip(computed, limits.min, limits.max)
        if y.dtype == bool:
            return np.where(np.abs(computed - 0.5) < 1e-3, 0.0, (computed > 0.5) != y)
        apart = np.abs(computed - y.astype(computed.dtype))
    return np.where(np.isfinite(apart), apart, 0.0)
