# SPDX-License-Identifier: Apache-2.0
"""Parts of calls drawn at random, and nodes made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeVar

import numpy as np

from .. import _core
from .._compare.nodes import Node, Slot, ports

Random = np.random.Generator
Entry = TypeVar("Entry")

RESIZES = (11, 13, 18, 19)
COORDINATES = ("half_pixel", "asymmetric", "align_corners", "pytorch_half_pixel")
MODES = ("nearest", "linear", "cubic")
NEAREST_MODES = ("round_prefer_floor", "round_prefer_ceil", "floor", "ceil")
# Scales that are no quotients of small extents.
_SCALES = (0.3, 0.4, 0.45, 0.6, 0.7, 0.8, 0.9, 1.1, 1.2, 1.3, 1.4, 1.7, 2.0, 2.3, 2.6, 3.0, 3.3)


def pick(rng: Random, entries: Sequence[Entry]) -> Entry:
    return entries[int(rng.integers(len(entries)))]


def chance(rng: Random, share: float) -> bool:
    return bool(rng.random() < share)


def version(rng: Random, first: int = 11) -> int:
    return pick(rng, [entry for entry in RESIZES if entry >= first])


def image(rng: Random, least: int = 2, most: int = 11) -> tuple[int, ...]:
    """[N, C, H, W]."""
    return (int(rng.integers(1, 3)), int(rng.integers(1, 4)), int(rng.integers(least, most + 1)), int(rng.integers(least, most + 1)))


def floats(rng: Random, shape: Sequence[int], dtype: Any = np.float32) -> np.ndarray:
    if np.dtype(dtype).kind == "c":
        return (rng.uniform(-4, 4, shape) + 1j * rng.uniform(-4, 4, shape)).astype(dtype)
    return rng.uniform(-4, 4, shape).astype(dtype)


def words(rng: Random, shape: Sequence[int]) -> np.ndarray:
    array = np.empty(int(np.prod(shape)), object)
    array[:] = [f"{pick(rng, ('a', 'tesela', 'añil', '平', 'x' * 40))}{k}" for k in range(array.size)]
    return array.reshape(tuple(shape))


def other_size(rng: Random, extent: int) -> int:
    """An output extent that is not the input's."""
    return pick(rng, [entry for entry in range(1, 2 * extent + 4) if entry != extent])


def smaller_size(rng: Random, extent: int) -> int:
    return int(rng.integers(1, extent))


def scale(rng: Random) -> float:
    return pick(rng, _SCALES)


def sizes_of(rng: Random, shape: Sequence[int], axes: Sequence[int] = (2, 3)) -> list[int]:
    """Sizes for every axis, of which those in `axes` change."""
    return [other_size(rng, extent) if axis in axes else extent for axis, extent in enumerate(shape)]


def scales_of(rng: Random, shape: Sequence[int], axes: Sequence[int] = (2, 3)) -> list[float]:
    """Scales for every axis that leave an output or more."""
    return [max(scale(rng), 1.05 / extent) if axis in axes else 1.0 for axis, extent in enumerate(shape)]


def ends(rng: Random, shape: Sequence[int], share: float = 0.5) -> dict[str, Any]:
    """Sizes, or scales, for the last two of four axes."""
    return {"sizes": sizes_of(rng, shape)} if chance(rng, share) else {"scales": scales_of(rng, shape)}


def resize(opset: int, x: np.ndarray, *, sizes: Any = None, scales: Any = None, roi: Any = None, run_time: bool = False,
           **attributes: Any) -> Node:
    """A Resize. run_time: the inputs beside X are inputs of the model, not initializers. Versions 11 and 12 have empty tensors for
    roi and scales where these are omitted."""
    arrays: dict[str, Any] = {"roi": (roi, np.float32), "scales": (scales, np.float32), "sizes": (sizes, np.int64)}
    needed = ("roi", "scales") if opset in (11, 12) else ()
    have: dict[str, Slot] = {"X": Slot("X", x, False)}
    for port, (values, dtype) in arrays.items():
        if values is not None or port in needed:
            given = values if isinstance(values, np.ndarray) else np.array([] if values is None else values, dtype)
            have[port] = Slot(port, given, not run_time)
    return node("Resize", opset, have, attributes)


def upsample(opset: int, x: np.ndarray, scales: Sequence[float], mode: str) -> Node:
    have = {"X": Slot("X", x, False)}
    version = _core.since_version("Upsample", opset)
    if version == 1:
        attributes: dict[str, Any] = {"height_scale": float(scales[2]), "width_scale": float(scales[3])}
        mode = "bilinear" if mode == "linear" else mode
    elif version == 7:
        attributes = {"scales": [float(entry) for entry in scales]}
    else:
        attributes = {}
        have["scales"] = Slot("scales", np.array(scales, np.float32), True)
    return node("Upsample", opset, have, {"mode": mode} | attributes)


def tile(opset: int, x: np.ndarray, repeats: Any, run_time: bool = False) -> Node:
    given = repeats if isinstance(repeats, np.ndarray) else np.array(repeats, np.int64)
    return node("Tile", opset, {"input": Slot("input", x, False), "repeats": Slot("repeats", given, not run_time)}, {})


def fill(opset: int, shape: Any, value: np.ndarray | None, run_time: bool = False) -> Node:
    given = shape if isinstance(shape, np.ndarray) else np.array(shape, np.int64)
    attributes = {} if value is None else {"value": value}
    return node("ConstantOfShape", opset, {"input": Slot("input", given, not run_time)}, attributes)


def node(operator: str, opset: int, have: dict[str, Slot], attributes: dict[str, Any]) -> Node:
    """Ports that the version lacks come last."""
    known = ports(operator, _core.since_version(operator, opset))
    slots: list[Slot | None] = [have.get(port) for port in [*known, *(port for port in have if port not in known)]]
    while slots[-1] is None:
        slots.pop()
    given = {name: value for name, value in attributes.items() if value is not None}
    return Node(operator, opset, "", given, tuple(slots))
