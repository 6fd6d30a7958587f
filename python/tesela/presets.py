"""Presets: the attributes with which Resize does what another library's resize does.

`tesela.resize(x, sizes=(h, w), like="pytorch:bilinear")`. A preset stands for attributes, which `attributes(name)`
spells out; and where sizes or scales are fewer than the axes of x, it says which axes the library means. How equal the
results are is measured against the libraries themselves, and is in the documentation's table "Who equals whom".
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, NamedTuple

from . import _core

_LINEAR = {"mode": "linear"}
_CUBIC = {"mode": "cubic"}
_CORNERS = {"coordinate_transformation_mode": "align_corners"}
_ASYMMETRIC = {"coordinate_transformation_mode": "asymmetric"}
_FILTER = {"antialias": 1, "exclude_outside": 1}
_KEYS = {"cubic_coeff_a": -0.5}


class Preset(NamedTuple):
    """attributes: of Resize. axes: "last", "first" or "channels_last": which axes a short list of sizes is of."""

    attributes: dict[str, Any]
    axes: str


_PRESETS = {
    "pytorch:bilinear": Preset(_LINEAR, "last"),
    "pytorch:bilinear-align-corners": Preset(_LINEAR | _CORNERS, "last"),
    "pytorch:bilinear-antialias": Preset(_LINEAR | _FILTER, "last"),
    "pytorch:bicubic": Preset(_CUBIC, "last"),
    "pytorch:bicubic-align-corners": Preset(_CUBIC | _CORNERS, "last"),
    "pytorch:bicubic-antialias": Preset(_CUBIC | _FILTER | _KEYS, "last"),
    "pytorch:trilinear": Preset(_LINEAR, "last"),
    "pytorch:trilinear-align-corners": Preset(_LINEAR | _CORNERS, "last"),
    "torchvision:bilinear": Preset(_LINEAR | _FILTER, "last"),
    "torchvision:bicubic": Preset(_CUBIC | _FILTER | _KEYS, "last"),
    "pillow:bilinear": Preset(_LINEAR | _FILTER, "first"),
    "pillow:bicubic": Preset(_CUBIC | _FILTER | _KEYS, "first"),
    "opencv:linear": Preset(_LINEAR, "first"),
    "opencv:cubic": Preset(_CUBIC, "first"),
    "tensorflow:bilinear": Preset(_LINEAR, "channels_last"),
    "tensorflow:bilinear-antialias": Preset(_LINEAR | _FILTER, "channels_last"),
    "tensorflow:bicubic-antialias": Preset(_CUBIC | _FILTER | _KEYS, "channels_last"),
    "tensorflow-v1:bilinear": Preset(_LINEAR | _ASYMMETRIC, "channels_last"),
    "tensorflow-v1:bilinear-align-corners": Preset(_LINEAR | _CORNERS, "channels_last"),
    "jax:linear": Preset(_LINEAR | _FILTER, "last"),
    "jax:linear-no-antialias": Preset(_LINEAR | {"exclude_outside": 1}, "last"),
    "jax:cubic": Preset(_CUBIC | _FILTER | _KEYS, "last"),
    "jax:cubic-no-antialias": Preset(_CUBIC | {"exclude_outside": 1} | _KEYS, "last"),
    "skimage:linear": Preset(_LINEAR, "first"),
}

names = tuple(_PRESETS)


def attributes(name: str) -> MappingProxyType[str, Any]:
    """The attributes of Resize that a preset stands for. Raises InvalidValueError for an unknown name."""
    return MappingProxyType(_find(name).attributes)


def _find(name: str) -> Preset:
    if preset := _PRESETS.get(name):
        return preset
    library = name.partition(":")[0]
    near = [known for known in names if known.startswith(f"{library}:")] or sorted({n.partition(":")[0] for n in names})
    raise _core.InvalidValueError(f"preset '{name}' is unknown; expected one of {', '.join(near)}")


def _axes(preset: Preset, rank: int, count: int) -> list[int] | None:
    if count >= rank:
        return None
    if preset.axes == "last":
        first = rank - count
    elif preset.axes == "first":
        first = 0
    else:
        first = max(rank - count - 1, 0)
    return list(range(first, first + count))


def expand(operator: str, rank: int, parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a call with its preset spelled out."""
    if operator != "resize":
        raise _core.UsageError(f"presets are for resize, not for {operator}")
    name = parameters["like"]
    preset = _find(name)
    for attribute in preset.attributes:
        if parameters.get(attribute) is not None:
            raise _core.UsageError(f"preset '{name}' sets '{attribute}', which is given too")
    result = {key: value for key, value in parameters.items() if key != "like"} | preset.attributes
    extents = result.get("sizes") if result.get("sizes") is not None else result.get("scales")
    if result.get("axes") is None and extents is not None:
        result["axes"] = _axes(preset, rank, len(extents))
    return result
