# SPDX-License-Identifier: Apache-2.0
"""The metadata of OME-Zarr images, of the versions 0.1 to 0.6: which array is the largest, and what its axes are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ... import _core
from ..labels import Axis, named, usual

VERSIONS = ("0.1", "0.2", "0.3", "0.4", "0.5", "0.6")


def base_of(where: str, attrs: dict[str, Any]) -> tuple[str, list[Axis] | None] | None:
    """The path of an image's largest array, and its axes; None if the attributes are not an image's. Errors: ParseError."""
    ome: dict[str, Any] = attrs["ome"] if isinstance(attrs.get("ome"), dict) else attrs
    images = ome.get("multiscales")
    if images is None:
        return None
    try:
        image = images[0]
        version = ome.get("version") if ome is not attrs else image.get("version", VERSIONS[0])
        if version not in VERSIONS:
            raise _core.UnsupportedError(f"'{where}' is OME-Zarr {str(version)[:20]}; expected one of {', '.join(VERSIONS)}")
        dataset = image["datasets"][0]
        if version == "0.6":
            return str(dataset["path"]), _axes_of_system(image["coordinateSystems"], dataset["coordinateTransformations"])
        axes = _axes(image.get("axes"))
        for holder in (dataset, image):  # the image's transformations come after those of a level
            axes = _transformed(axes, holder.get("coordinateTransformations") or [])
        return str(dataset["path"]), axes
    except (KeyError, IndexError, TypeError, AttributeError, ValueError, OverflowError) as error:
        if isinstance(error, _core.Error):
            raise
        raise _core.ParseError(f"the attribute multiscales of '{where}' does not describe an image: "
                               f"{type(error).__name__}: {error}") from None


def _axes_of_system(systems: Any, steps: Any) -> list[Axis] | None:
    """The axes of the coordinates that a level's only transformation leads to. Others that the image has begin there."""
    (step,) = steps
    name = step["output"]["name"]
    entries = [system["axes"] for system in systems if system["name"] == name]
    if len(entries) != 1:
        raise ValueError(f"{len(entries)} coordinate systems are named {str(name)[:20]!r}; expected one")
    return _transformed(_axes(entries[0]), step["transformations"] if step["type"] == "sequence" else [step])


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
