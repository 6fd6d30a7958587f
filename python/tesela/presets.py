# SPDX-License-Identifier: Apache-2.0
"""Presets make Resize do what another library's resize function does.

`tesela.resize(x, sizes=(h, w), like="pytorch:bilinear")`. A preset sets attributes, which `attributes(name)` returns. It also
sets plan fields, which `fields(name, dtype)` returns, where the library rounds or converts values. If there are fewer sizes or
scales than axes of x, the preset chooses the axes that the library resizes. From scales or a single integer it computes the
extents as the library does; `sizes(name, shape, ...)` returns them. Arguments that the library does not accept, or handles in a
way that Tesela does not support, are errors. The documentation (Presets) shows the measured differences from the libraries.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import MappingProxyType
from typing import Any, NamedTuple, NoReturn

from . import _core, _parameters, _preset_libraries, _types

_LINEAR = {"mode": "linear"}
_CUBIC = {"mode": "cubic"}
_CORNERS = {"coordinate_transformation_mode": "align_corners"}
_ASYMMETRIC = {"coordinate_transformation_mode": "asymmetric"}
_FILTER = {"antialias": 1, "exclude_outside": 1}
_KEYS = {"cubic_coeff_a": -0.5}
# nearest: the input at the output's corner, at its centre, or nearest with aligned corners.
_CORNER = {"mode": "nearest", "nearest_mode": "floor"} | _ASYMMETRIC
_CENTRE = {"mode": "nearest", "nearest_mode": "round_prefer_ceil"}
_BETWEEN_CORNERS = _CENTRE | _CORNERS

# Plan fields that reproduce the rounding of the libraries.
_FLOAT32 = {"coordinates": "float32"}
_FLOAT64 = {"coordinates": "float64"}
_RECIPROCAL = {"coordinates": "reciprocal64"}
_PILLOW_BYTES = {"weights": "fixed22", "intermediate": "uint8", "order": "by_pillow"}
_PILLOW_12_BYTES = _PILLOW_BYTES | {"order": "by_pillow_12"}
_PILLOW_11_BYTES = _PILLOW_BYTES | {"order": "last_axis_first"}
_PYTORCH_BYTES = {"weights": "int16", "intermediate": "uint8", "order": "last_axis_first"}


def _kept(*dtypes: str) -> dict[str, str]:
    return {dtype: dtype for dtype in dtypes}


# The dtypes that a function accepts, with the dtype of the result.
_INTEGERS = ("int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64")
_TORCH_FLOATS = _kept("float32", "float64", "float16", "bfloat16")
_TORCH = _TORCH_FLOATS | _kept("uint8")
_TORCH_ANTIALIAS = _kept("float32", "float64", "uint8")
_OPENCV = _kept("uint8", "int16", "uint16", "float32", "float64")
_OPENCV_NEAREST = _OPENCV | _kept("bool", "int8", "int32", "uint32", "float16")
_SKIMAGE_NEAREST = _kept("bool", *_INTEGERS, "float32", "float64") | {"float16": "float32"}
_SKIMAGE = dict.fromkeys(_INTEGERS, "float64") | _kept("float32", "float64") | {"float16": "float32"}
_PILLOW_BICUBIC = _kept("uint8", "float32") | {"float64": "float32"}
_PILLOW_BILINEAR = _PILLOW_BICUBIC | _kept("uint16", "int32") | {"int16": "int32"}
_OPENCV_EXACT = _kept("uint8", "float32", "float64")
_TENSORFLOW_NUMBERS = ("uint8", "int8", "uint16", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64")
_TENSORFLOW_NEAREST = _kept(*_TENSORFLOW_NUMBERS)
_TENSORFLOW = dict.fromkeys(_TENSORFLOW_NUMBERS, "float32")
_JAX = _kept("float32") | dict.fromkeys(("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32"), "float32")
_TORCHVISION = _kept("uint8", "float32", "float64")
_TORCHVISION_NEAREST = _kept("bool", "int8", "uint8", "int16", "uint16", "float16", "bfloat16", "float32", "float64")

# Reasons why a dtype is not supported, where the general message is not enough.
_REASONS = {
    ("pillow", "bool"): "Pillow resizes images of mode 1 by nearest, whatever the filter",
    ("pillow", "int8"): "Pillow reads int8 as if it were uint8",
    ("pillow", "uint16"): "Pillow's bicubic overflows in mode I;16",
    ("pillow", "int32"): "Pillow's bicubic overflows in mode I",
    ("pillow", "int16"): "Pillow's bicubic overflows in mode I",
    ("opencv", "int64"): "cv2.resize reads int64 as int32",
    ("opencv", "uint64"): "cv2.resize reads uint64 as int32",
    ("jax", "float64"): "JAX reads float64 as float32 unless jax_enable_x64 is set; pass x.astype(numpy.float32)",
    ("jax", "int64"): "JAX reads int64 as int32 unless jax_enable_x64 is set; pass x.astype(numpy.float32)",
}
_REASONS |= {(family, dtype): why for family in ("pillow-12", "pillow-11")
             for (library, dtype), why in _REASONS.items() if library == "pillow"}
_REASONS |= {("torchvision", dtype): f"torchvision computes {dtype} in float32; pass x.astype(numpy.float32), and round"
             for dtype in ("bool", *_INTEGERS, "float16", "bfloat16")}


class Preset(NamedTuple):
    """attributes: those of Resize. results: the dtype of the result, by dtype of x. fields: plan fields. special: plan fields
    that replace `fields`, by dtype."""

    attributes: dict[str, Any]
    results: dict[str, str]
    fields: dict[str, str] = {}
    special: dict[str, dict[str, str]] = {}


_TORCH_BYTES = {"uint8": _PYTORCH_BYTES}
_WIDE = {"float64": {"coordinates": "rounded64"}}
_PRESETS = {
    "pytorch:nearest": Preset(_CORNER, _TORCH, _FLOAT32, _WIDE),
    "pytorch:nearest-exact": Preset(_CENTRE, _TORCH, _FLOAT32, _WIDE),
    "pytorch:bilinear": Preset(_LINEAR, _TORCH, {}, _TORCH_BYTES),
    "pytorch:bilinear-align-corners": Preset(_LINEAR | _CORNERS, _TORCH, {}, _TORCH_BYTES),
    "pytorch:bilinear-antialias": Preset(_LINEAR | _FILTER, _TORCH_ANTIALIAS, {}, _TORCH_BYTES),
    "pytorch:bicubic": Preset(_CUBIC, _TORCH, {}, _TORCH_BYTES),
    "pytorch:bicubic-align-corners": Preset(_CUBIC | _CORNERS, _TORCH, {}, _TORCH_BYTES),
    "pytorch:bicubic-antialias": Preset(_CUBIC | _FILTER | _KEYS, _TORCH_ANTIALIAS, {}, _TORCH_BYTES),
    "pytorch:trilinear": Preset(_LINEAR, _TORCH_FLOATS),
    "pytorch:trilinear-align-corners": Preset(_LINEAR | _CORNERS, _TORCH_FLOATS),
    "torchvision:nearest": Preset(_CORNER, _TORCHVISION_NEAREST, _FLOAT32, _WIDE),
    "torchvision:nearest-exact": Preset(_CENTRE, _TORCHVISION_NEAREST, _FLOAT32, _WIDE),
    "torchvision:bilinear": Preset(_LINEAR | _FILTER, _TORCHVISION, {}, _TORCH_BYTES),
    "torchvision:bicubic": Preset(_CUBIC | _FILTER | _KEYS, _TORCHVISION, {}, _TORCH_BYTES),
    "pillow:bilinear": Preset(_LINEAR | _FILTER, _PILLOW_BILINEAR, {}, {"uint8": _PILLOW_BYTES}),
    "pillow:bicubic": Preset(_CUBIC | _FILTER | _KEYS, _PILLOW_BICUBIC, {}, {"uint8": _PILLOW_BYTES}),
    "pillow-12:bilinear": Preset(_LINEAR | _FILTER, _PILLOW_BILINEAR, {}, {"uint8": _PILLOW_12_BYTES}),
    "pillow-12:bicubic": Preset(_CUBIC | _FILTER | _KEYS, _PILLOW_BICUBIC, {}, {"uint8": _PILLOW_12_BYTES}),
    "pillow-11:bilinear": Preset(_LINEAR | _FILTER, _PILLOW_BILINEAR, {}, {"uint8": _PILLOW_11_BYTES}),
    "pillow-11:bicubic": Preset(_CUBIC | _FILTER | _KEYS, _PILLOW_BICUBIC, {}, {"uint8": _PILLOW_11_BYTES}),
    "opencv:nearest": Preset(_CORNER, _OPENCV_NEAREST, _RECIPROCAL),
    "opencv:linear": Preset(_LINEAR, _OPENCV),
    "opencv:linear-exact": Preset(_LINEAR, _OPENCV_EXACT, {}, {"uint8": {"weights": "fixed8"}}),
    "opencv:cubic": Preset(_CUBIC, _OPENCV),
    "tensorflow:nearest": Preset(_CENTRE, _TENSORFLOW_NEAREST, _FLOAT32),
    "tensorflow:bilinear": Preset(_LINEAR, _TENSORFLOW),
    "tensorflow:bilinear-antialias": Preset(_LINEAR | _FILTER, _TENSORFLOW),
    "tensorflow:bicubic-antialias": Preset(_CUBIC | _FILTER | _KEYS, _TENSORFLOW),
    "tensorflow-v1:nearest": Preset(_CORNER, _TENSORFLOW_NEAREST, _FLOAT32),
    "tensorflow-v1:nearest-align-corners": Preset(_BETWEEN_CORNERS, _TENSORFLOW_NEAREST, _FLOAT32),
    "tensorflow-v1:bilinear": Preset(_LINEAR | _ASYMMETRIC, _TENSORFLOW),
    "tensorflow-v1:bilinear-align-corners": Preset(_LINEAR | _CORNERS, _TENSORFLOW),
    "jax:linear": Preset(_LINEAR | _FILTER, _JAX),
    "jax:linear-no-antialias": Preset(_LINEAR | {"exclude_outside": 1}, _JAX),
    "jax:cubic": Preset(_CUBIC | _FILTER | _KEYS, _JAX),
    "jax:cubic-no-antialias": Preset(_CUBIC | {"exclude_outside": 1} | _KEYS, _JAX),
    "skimage:nearest": Preset(_CENTRE, _SKIMAGE_NEAREST, _FLOAT64),
    "skimage:linear": Preset(_LINEAR, _SKIMAGE),
}

names = tuple(_PRESETS)


def attributes(name: str) -> MappingProxyType[str, Any]:
    """The attributes of Resize that a preset sets. Raises InvalidValueError for an unknown name."""
    return MappingProxyType(find(name).attributes)


def fields(name: str, dtype: Any = None) -> MappingProxyType[str, str]:
    """The plan fields that a preset sets for arrays of a dtype. Raises InvalidValueError for an unknown name and
    ElementTypeError for a dtype that the preset does not support."""
    preset = find(name)
    if dtype is None:
        return MappingProxyType(preset.fields)
    read = _types.read_dtype(dtype)
    given = "strings" if read.kind in "UST" else read.newbyteorder("=").name
    result = preset.results.get(given)
    if result is None:
        _refuse_dtype(name, given)
    found = preset.special.get(result, preset.fields)
    return MappingProxyType(found if result == given else found | {"result": result})


def dtypes(name: str) -> MappingProxyType[str, str]:
    """The dtypes that a preset supports, each with the dtype of the result. Raises InvalidValueError for an unknown name.

    >>> tesela.presets.dtypes("skimage:linear")["uint8"]
    'float64'
    """
    return MappingProxyType(find(name).results)


def sizes(name: str, shape: Sequence[int], sizes: int | None = None, *, scales: Any = None, axes: Any = None,
          max_size: int | None = None) -> tuple[int, ...]:
    """The extents that a preset's library computes from scales or a single integer, for an array of this shape.

    scales: one number, or one for each axis. `resize(x, scales=..., like=name)` uses the same extents. Resizing to these
    sizes corresponds to PyTorch's recompute_scale_factor=True.
    sizes: a single integer: every extent for PyTorch, the shorter side for torchvision.
    max_size: the largest longer side, for torchvision.
    axes: as in tesela.resize. Returns one extent for each resized axis.
    Errors: UnsupportedError for arguments that the library does not have, InvalidValueError, ShapeError.

    >>> tesela.presets.sizes("torchvision:bilinear", (3, 480, 640), 256, max_size=300)
    (225, 300)
    """
    find(name)
    if (scales is None) == (sizes is None and max_size is None):
        raise _core.UsageError(f"preset '{name}': expected scales, a single integer or max_size")
    extents = tuple(_parameters.whole_numbers(f"preset '{name}'", "shape", shape).tolist())
    if scales is not None:
        return _preset_libraries.extents_by_scales(*_preset_libraries.find_scales(name, extents, axes, scales))
    target = _preset_libraries.find_target(name, extents, axes, None)
    where = f"preset '{name}'"
    one, most = (None if number is None else _parameters.whole(where, what, number, 1, 2**40)
                 for what, number in (("sizes", sizes), ("max_size", max_size)))
    return _preset_libraries.extents_by_one(target, one, most)


def find(name: str) -> Preset:
    """The preset with this name. Raises InvalidValueError."""
    if isinstance(name, str) and (preset := _PRESETS.get(name)):
        return preset
    _parameters.refuse_preset(name, names)


def _refuse_dtype(name: str, dtype: str) -> NoReturn:
    library = name.partition(":")[0]
    call = _preset_libraries.LIBRARIES[library].call
    why = _REASONS.get((library, dtype), f"{call} does not support {dtype}, or computes it differently")
    raise _core.ElementTypeError(f"preset '{name}': {why}; expected {', '.join(find(name).results)}")
