# SPDX-License-Identifier: Apache-2.0
"""The metadata of OME-Zarr images, of the versions 0.4 to 0.6."""

from __future__ import annotations

from typing import Any

from .axes import Axis
from .levels import Level

ZARR_FORMATS = {"0.4": 2, "0.5": 3, "0.6": 3}
_SYSTEM = "intrinsic"  # the name of an image's coordinates from 0.6 on


def attributes(pyramid: Any, version: str, name: str, method: dict[str, Any]) -> dict[str, Any]:
    """The attributes of an image's group. method: what made the levels."""
    levels, source = pyramid.levels, pyramid.source
    axes = [_axis(axis) for axis in levels[0].axes]
    datasets = [{"path": path(number), "coordinateTransformations": _steps(level, path(number), version)} for number, level in enumerate(levels)]
    image: dict[str, Any] = {"name": name, **({"coordinateSystems": [{"name": _SYSTEM, "axes": axes}]} if version == "0.6" else {"axes": axes}),
                             "datasets": datasets, "type": method["kwargs"]["mode"], "metadata": method}
    of_version = {"version": version} if version == "0.4" else {}
    others: dict[str, Any] = {"image-label": of_version} if pyramid.method.labels else {}
    if source.is_rgb and source.dtype.kind == "u":
        others["omero"] = {"channels": _colours(2 ** (8 * source.dtype.itemsize) - 1), "rdefs": {"model": "color"}}
    if version == "0.4":
        return {"multiscales": [{**of_version, **image}], **others}
    return {"ome": {"version": version, "multiscales": [image], **others}}


def _steps(level: Level, place: str, version: str) -> list[dict[str, Any]]:
    """From a level's indices to coordinates; from 0.6 on as one step between systems that have names."""
    steps = [{"type": "scale", "scale": list(level.scale)}, {"type": "translation", "translation": list(level.translation)}]
    if version != "0.6":
        return steps
    return [{"type": "sequence", "input": {"path": place}, "output": {"name": _SYSTEM}, "transformations": steps}]


def _colours(largest: int) -> list[dict[str, Any]]:
    """How viewers show red, green and blue: in these colours, from 0 to the largest value."""
    return [{"label": label, "color": colour, "active": True, "window": {"min": 0, "max": largest, "start": 0, "end": largest}}
            for label, colour in (("red", "FF0000"), ("green", "00FF00"), ("blue", "0000FF"))]


def path(number: int) -> str:
    """The path of a level within its image."""
    return str(number)


def _axis(axis: Axis) -> dict[str, Any]:
    entry: dict[str, Any] = {"name": axis.name}
    if axis.kind is not None:
        entry["type"] = axis.kind
    if axis.unit is not None:
        entry["unit"] = axis.unit
    return entry
