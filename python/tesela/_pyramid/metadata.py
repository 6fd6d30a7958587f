# SPDX-License-Identifier: Apache-2.0
"""The metadata of OME-Zarr images, of the versions 0.4 and 0.5."""

from __future__ import annotations

from typing import Any

from .axes import Axis

ZARR_FORMATS = {"0.4": 2, "0.5": 3}


def attributes(pyramid: Any, version: str, name: str, method: dict[str, Any]) -> dict[str, Any]:
    """The attributes of an image's group. method: what made the levels."""
    levels, source = pyramid.levels, pyramid.source
    datasets = [{"path": path(number), "coordinateTransformations": [{"type": "scale", "scale": list(level.scale)},
                                                                     {"type": "translation", "translation": list(level.translation)}]}
                for number, level in enumerate(levels)]
    image: dict[str, Any] = {"name": name, "axes": [_axis(axis) for axis in levels[0].axes], "datasets": datasets,
                             "type": method["kwargs"]["mode"], "metadata": method}
    of_version = {"version": version} if version == "0.4" else {}
    others: dict[str, Any] = {"image-label": of_version} if pyramid.method.labels else {}
    if source.is_rgb and source.dtype.kind == "u":
        others["omero"] = {"channels": _colours(2 ** (8 * source.dtype.itemsize) - 1), "rdefs": {"model": "color"}}
    if version == "0.4":
        return {"multiscales": [{**of_version, **image}], **others}
    return {"ome": {"version": version, "multiscales": [image], **others}}


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
