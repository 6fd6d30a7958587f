"""Presets: the attributes with which Resize does what another library's resize does.

`tesela.resize(x, sizes=(h, w), like="pytorch:bilinear")`. A preset stands for attributes, which `attributes(name)`
spells out, and for fields of the plan, `fields(name, dtype)`, where the library rounds in a way of its own; and where
sizes or scales are fewer than the axes of x, it says which axes the library means. How equal the results are is measured
against the libraries themselves, and is in the documentation's table "Who equals whom".
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from . import _core, _parameters

_LINEAR = {"mode": "linear"}
_CUBIC = {"mode": "cubic"}
_CORNERS = {"coordinate_transformation_mode": "align_corners"}
_ASYMMETRIC = {"coordinate_transformation_mode": "asymmetric"}
_FILTER = {"antialias": 1, "exclude_outside": 1}
_KEYS = {"cubic_coeff_a": -0.5}
# Of an output, the input under its corner, under its centre, or beside its place between the corners.
_CORNER = {"mode": "nearest", "nearest_mode": "floor"} | _ASYMMETRIC
_CENTRE = {"mode": "nearest", "nearest_mode": "round_prefer_ceil"}
_BETWEEN_CORNERS = _CENTRE | _CORNERS

# Plan fields: how the libraries round.
_FLOAT32 = {"coordinates": "float32"}
_FLOAT64 = {"coordinates": "float64"}
_RECIPROCAL = {"coordinates": "reciprocal64"}
_PILLOW_BYTES = {"weights": "fixed22", "intermediate": "uint8", "order": "by_pillow"}
_PYTORCH_BYTES = {"weights": "int16", "intermediate": "uint8", "order": "last_axis_first"}


class Preset(NamedTuple):
    """attributes: of Resize. axes: "last", "first" or "channels_last": which axes a short list of sizes is of.
    fields: of the plan, for every dtype. bytes: of the plan, for uint8."""

    attributes: dict[str, Any]
    axes: str
    fields: dict[str, str] = {}
    bytes: dict[str, str] = {}


_PRESETS = {
    "pytorch:nearest": Preset(_CORNER, "last", _FLOAT32),
    "pytorch:nearest-exact": Preset(_CENTRE, "last", _FLOAT32),
    "pytorch:bilinear": Preset(_LINEAR, "last", {}, _PYTORCH_BYTES),
    "pytorch:bilinear-align-corners": Preset(_LINEAR | _CORNERS, "last", {}, _PYTORCH_BYTES),
    "pytorch:bilinear-antialias": Preset(_LINEAR | _FILTER, "last", {}, _PYTORCH_BYTES),
    "pytorch:bicubic": Preset(_CUBIC, "last", {}, _PYTORCH_BYTES),
    "pytorch:bicubic-align-corners": Preset(_CUBIC | _CORNERS, "last", {}, _PYTORCH_BYTES),
    "pytorch:bicubic-antialias": Preset(_CUBIC | _FILTER | _KEYS, "last", {}, _PYTORCH_BYTES),
    "pytorch:trilinear": Preset(_LINEAR, "last"),
    "pytorch:trilinear-align-corners": Preset(_LINEAR | _CORNERS, "last"),
    "torchvision:nearest": Preset(_CORNER, "last", _FLOAT32),
    "torchvision:nearest-exact": Preset(_CENTRE, "last", _FLOAT32),
    "torchvision:bilinear": Preset(_LINEAR | _FILTER, "last", {}, _PYTORCH_BYTES),
    "torchvision:bicubic": Preset(_CUBIC | _FILTER | _KEYS, "last", {}, _PYTORCH_BYTES),
    "pillow:bilinear": Preset(_LINEAR | _FILTER, "first", {}, _PILLOW_BYTES),
    "pillow:bicubic": Preset(_CUBIC | _FILTER | _KEYS, "first", {}, _PILLOW_BYTES),
    "opencv:nearest": Preset(_CORNER, "first", _RECIPROCAL),
    "opencv:linear": Preset(_LINEAR, "first"),
    "opencv:linear-exact": Preset(_LINEAR, "first", {}, {"weights": "fixed8"}),
    "opencv:cubic": Preset(_CUBIC, "first"),
    "tensorflow:nearest": Preset(_CENTRE, "channels_last", _FLOAT32),
    "tensorflow:bilinear": Preset(_LINEAR, "channels_last"),
    "tensorflow:bilinear-antialias": Preset(_LINEAR | _FILTER, "channels_last"),
    "tensorflow:bicubic-antialias": Preset(_CUBIC | _FILTER | _KEYS, "channels_last"),
    "tensorflow-v1:nearest": Preset(_CORNER, "channels_last", _FLOAT32),
    "tensorflow-v1:nearest-align-corners": Preset(_BETWEEN_CORNERS, "channels_last", _FLOAT32),
    "tensorflow-v1:bilinear": Preset(_LINEAR | _ASYMMETRIC, "channels_last"),
    "tensorflow-v1:bilinear-align-corners": Preset(_LINEAR | _CORNERS, "channels_last"),
    "jax:linear": Preset(_LINEAR | _FILTER, "last"),
    "jax:linear-no-antialias": Preset(_LINEAR | {"exclude_outside": 1}, "last"),
    "jax:cubic": Preset(_CUBIC | _FILTER | _KEYS, "last"),
    "jax:cubic-no-antialias": Preset(_CUBIC | {"exclude_outside": 1} | _KEYS, "last"),
    "skimage:nearest": Preset(_CENTRE, "first", _FLOAT64),
    "skimage:linear": Preset(_LINEAR, "first"),
}

names = tuple(_PRESETS)


def attributes(name: str) -> MappingProxyType[str, Any]:
    """The attributes of Resize that a preset stands for. Raises InvalidValueError for an unknown name."""
    return MappingProxyType(_find(name).attributes)


def fields(name: str, dtype: Any = None) -> MappingProxyType[str, str]:
    """The plan fields that a preset sets for arrays of a dtype. Raises InvalidValueError for an unknown name."""
    preset = _find(name)
    return MappingProxyType(preset.fields | (preset.bytes if dtype is not None and np.dtype(dtype) == np.uint8 else {}))


def _find(name: str) -> Preset:
    if isinstance(name, str) and (preset := _PRESETS.get(name)):
        return preset
    _parameters.refuse_preset(name, names)


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


def _pillow_order(shape: tuple[int, ...], result: dict[str, Any]) -> str:
    """Pillow begins with the rows where the height shrinks by more than twice what the width does."""
    rows, columns = (tuple(result.get("axes") or ()) or (0, 1))[:2]
    extents = result.get("sizes")
    if extents is None:
        extents = [int(shape[axis] * scale) for axis, scale in zip((rows, columns), result["scales"])]
    fewer_rows, fewer_columns = shape[rows] - int(extents[0]), shape[columns] - int(extents[1])
    return "first_axis_first" if fewer_rows > 0 and fewer_rows > 2 * fewer_columns else "last_axis_first"


def expand(operator: str, shape: tuple[int, ...], dtype: np.dtype, parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters of a call with its preset spelled out."""
    if operator != "resize":
        raise _core.UsageError(f"presets are for resize, not for {operator}")
    name = parameters["like"]
    preset = _find(name)
    for attribute in (*preset.attributes, *fields(name, dtype)):
        if parameters.get(attribute) is not None:
            raise _core.UsageError(f"preset '{name}' sets '{attribute}', which is given too")
    result = {key: value for key, value in parameters.items() if key != "like"} | preset.attributes
    extents = result.get("sizes") if result.get("sizes") is not None else result.get("scales")
    if result.get("axes") is None and extents is not None:
        result["axes"] = _axes(preset, len(shape), len(extents))
    result |= fields(name, dtype)
    if result.get("order") == "by_pillow":
        result["order"] = _pillow_order(shape, result)
    return result
