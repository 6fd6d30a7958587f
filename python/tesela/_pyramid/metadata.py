# SPDX-License-Identifier: Apache-2.0
"""The metadata of OME-Zarr: read from groups of the versions 0.1 to 0.5, written as 0.4 and 0.5."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from .. import _core
from .axes import Axis, named, usual

READ = ("0.1", "0.2", "0.3", "0.4", "0.5")
ZARR_FORMATS = {"0.4": 2, "0.5": 3}  # written


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


def base_of(where: str, attrs: dict[str, Any]) -> tuple[str, list[Axis] | None] | None:
    """The path of an image's largest array, and its axes; None if the attributes are not an image's. Errors: ParseError."""
    ome: dict[str, Any] = attrs["ome"] if isinstance(attrs.get("ome"), dict) else attrs
    images = ome.get("multiscales")
    if images is None:
        return None
    try:
        image = images[0]
        version = ome.get("version") if ome is not attrs else image.get("version", READ[0])
        if version not in READ:
            raise _core.UnsupportedError(f"pyramid: '{where}' is OME-Zarr {str(version)[:20]}; expected one of {', '.join(READ)}")
        dataset = image["datasets"][0]
        axes = _axes(image.get("axes"))
        for holder in (dataset, image):  # the image's transformations come after those of a level
            axes = _transformed(axes, holder.get("coordinateTransformations") or [])
        return str(dataset["path"]), axes
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError) as error:
        if isinstance(error, _core.Error):
            raise
        raise _core.ParseError(f"pyramid: the attribute multiscales of '{where}' does not describe an image: "
                               f"{type(error).__name__}: {error}") from None


def _axes(entries: Any) -> list[Axis] | None:
    if entries is None:
        return list(usual(5))
    axes = []
    for entry in entries:
        if isinstance(entry, str):  # 0.3
            axes.append(named(entry))
            continue
        axis = named(str(entry["name"]))
        kind = entry.get("type", axis.kind if "type" in entry else None)
        axes.append(replace(axis, kind=None if kind is None else str(kind), unit=None if entry.get("unit") is None else str(entry["unit"])))
    return axes


def _transformed(axes: list[Axis] | None, steps: Sequence[dict[str, Any]]) -> list[Axis] | None:
    for step in steps if axes is not None else ():
        if step["type"] == "identity":
            continue
        if step["type"] not in ("scale", "translation"):
            raise ValueError(f"a transformation is of the type {str(step['type'])[:20]!r}; expected scale or translation")
        values = [float(value) for value in step[step["type"]]]
        if len(values) != len(axes or ()) or not all(map(math.isfinite, values)):
            raise ValueError(f"a {step['type']} has {len(values)} entries; expected {len(axes or ())} finite numbers")
        if step["type"] == "scale":
            if min(values, default=1) <= 0:
                raise ValueError("a scale has an entry that is not above 0")
            axes = [replace(axis, scale=axis.scale * by, translation=axis.translation * by) for axis, by in zip(axes or (), values)]
        else:
            axes = [replace(axis, translation=axis.translation + by) for axis, by in zip(axes or (), values)]
    return axes
