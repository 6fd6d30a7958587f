"""Calls in Python's words as operators with attributes and inputs, which is what a plan is made from."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import _core, _types

INT64 = _core.dtype_from_name("int64")
FLOAT = _core.dtype_from_name("float32")
NEWEST = 0
_EMPTY_FLOATS = (FLOAT, np.zeros(0, np.float32))


class Request(NamedTuple):
    """An operator, as _core.Plan takes it. Inputs are (code, array), (code, None, shape) or None."""

    type: str
    opset: int
    attributes: dict[str, Any]
    inputs: list[Any]


def whole_numbers(values, what: str) -> np.ndarray:
    """int64 from integers, and from floats that are whole."""
    array = np.asarray(values)
    if array.size == 0:
        return np.zeros(array.shape, np.int64)
    if array.dtype.kind == "f" and np.all(array == np.floor(array)) and np.all(np.abs(array) < 2.0**63):
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise _core.ElementTypeError(f"{what} holds {array.dtype}; expected whole numbers")
    if array.dtype.kind == "u" and array.size and int(array.max()) >= 2**63:
        raise _core.InvalidValueError(f"{what} has the entry {array.max()}; expected less than 2^63")
    return array.astype(np.int64)


def roi_input(roi):
    array = np.asarray(roi)
    if array.dtype not in (np.float16, np.float32):
        array = array.astype(np.float64)
    array = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("=")))
    return (_types.code_of(array.dtype), array)


_CONVERT: dict[str, Callable[[Any], Any]] = {
    "mode": str,
    "coordinate_transformation_mode": str,
    "nearest_mode": str,
    "keep_aspect_ratio_policy": str,
    "cubic_coeff_a": float,
    "extrapolation_value": float,
    "antialias": int,
    "exclude_outside": int,
    "axes": lambda axes: [operator.index(axis) for axis in np.atleast_1d(axes)] if np.size(axes) else [],
}
# Departures from the operator's own arithmetic, most of which presets set; see Plan fields in the documentation.
_FIELDS = ("coordinates", "weights", "intermediate", "order", "precision")


def resize(dtype_code: int, shape, *, sizes=None, scales=None, roi=None, opset=None, **attributes) -> Request:
    fields = {f"tesela.{name}": str(attributes.pop(name)) for name in _FIELDS if attributes.get(name) is not None}
    given = {name: _CONVERT[name](value) for name, value in attributes.items() if value is not None} | fields
    version = _core.since_version("Resize", opset or NEWEST)
    x = (dtype_code, None, shape)
    scales_input = None if scales is None else (FLOAT, np.array(scales, np.float32))
    sizes_input = None if sizes is None else (INT64, whole_numbers(sizes, "sizes"))
    roi_given = None if roi is None else roi_input(roi)
    if version == 10:
        inputs = [x, scales_input] if sizes is None and roi is None else [x, roi_given, scales_input, sizes_input]
    elif version == 11:  # roi and scales are required there, and may be empty
        inputs = [x, roi_given or _EMPTY_FLOATS, scales_input or _EMPTY_FLOATS, sizes_input]
    else:
        inputs = [x, roi_given, scales_input, sizes_input]
    return Request("Resize", opset or NEWEST, given, inputs)


def upsample(dtype_code: int, shape, *, scales, mode="nearest", opset=9) -> Request:
    version = _core.since_version("Upsample", opset)
    x = (dtype_code, None, shape)
    if version == 1:
        height, width = (float(scale) for scale in scales[2:])
        return Request("Upsample", opset, {"mode": mode, "height_scale": height, "width_scale": width}, [x])
    if version == 7:
        return Request("Upsample", opset, {"mode": mode, "scales": [float(scale) for scale in scales]}, [x])
    return Request("Upsample", opset, {"mode": mode}, [x, (FLOAT, np.array(scales, np.float32))])


def tile(dtype_code: int, shape, *, repeats, opset=None) -> Request:
    x = (dtype_code, None, shape)
    return Request("Tile", opset or NEWEST, {}, [x, (INT64, whole_numbers(repeats, "repeats"))])


def value_attribute(value):
    """A value of ConstantOfShape as (code, elements, extents)."""
    array = np.asarray(value)
    code = _types.code_of(array.dtype)
    if code == _types.STRING:
        raise _core.ElementTypeError(f"value holds {array.dtype}; ConstantOfShape has no strings")
    array = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("=")))
    raw = _types.pack(array, code) if _types.packed_bits(code) else array.reshape(-1)
    return (code, _types.as_plain(raw), array.shape or (1,))


def constant_of_shape(*, shape, value=None, opset=None) -> Request:
    attributes = {} if value is None else {"value": value_attribute(value)}
    extents = np.atleast_1d(whole_numbers(shape, "shape"))
    return Request("ConstantOfShape", opset or NEWEST, attributes, [(INT64, extents)])


BY_NAME: dict[str, Callable[..., Request]] = {"resize": resize, "upsample": upsample, "tile": tile}
