# SPDX-License-Identifier: Apache-2.0
"""Converts calls from Python into operators with attributes and inputs, from which plans are made."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import _core, _parameters, _types

INT64 = _core.dtype_from_name("int64")
FLOAT = _core.dtype_from_name("float32")


class Request(NamedTuple):
    """The arguments of _core.Plan. Inputs by name: (code, array) or (code, None, shape)."""

    type: str
    opset: int
    attributes: dict[str, Any]
    inputs: dict[str, Any]


# How the value of an attribute is read. The integers of Resize are switches.
_READ = {"string": _parameters.text, "float": _parameters.number, "int": _parameters.flag, "ints": _parameters.axes}
_CONVERT: dict[str, Callable[[str, str, Any], Any]] = {
    name: _READ[kind] for name, kind in _core.attribute_kinds("Resize", 0).items()
}
# Plan fields, most of which presets set; see the documentation of presets.
_FIELDS = tuple(name.removeprefix("tesela.") for name in _core.field_names())


def _resolved(type_: str, opset: Any) -> tuple[str, int, int]:
    """(operator and version, opset, version)."""
    number = _parameters.opset(type_, opset)
    version = _core.since_version(type_, number)
    return f"{type_}-{version}", number, version


def _inputs_of(where: str, x: Any, scales: Any, sizes: Any, roi: Any) -> dict[str, Any]:
    """The given inputs of Resize, by name."""
    inputs = {"X": x}
    if scales is not None:
        inputs["scales"] = (FLOAT, _parameters.float32_numbers(where, "scales", scales))
    if sizes is not None:
        inputs["sizes"] = (INT64, _parameters.whole_numbers(where, "sizes", sizes))
    if roi is not None:
        numbers = _parameters.real_numbers(where, "roi", roi)
        inputs["roi"] = (_types.code_of(numbers.dtype), numbers)
    return inputs


def resize(dtype_code: int, shape, *, sizes=None, scales=None, roi=None, opset=None, result=None, alpha=None,
           **attributes) -> Request:
    # _conversions handles `result` and `alpha`.
    where, opset, _ = _resolved("Resize", opset)
    _parameters.refuse_unknown(where, attributes, [*_INPUTS, *_CONVERT, *_FIELDS, "opset", "like"])
    fields = {f"tesela.{name}": _parameters.text(where, name, attributes.pop(name))
              for name in _FIELDS if attributes.get(name) is not None}
    given = {name: _CONVERT[name](where, name, value) for name, value in attributes.items() if value is not None}
    inputs = _inputs_of(where, (dtype_code, None, shape), scales, sizes, roi)
    return Request("Resize", opset, given | fields, inputs)


_INPUTS = ("sizes", "scales", "roi")


def upsample(dtype_code: int, shape, *, scales, mode="nearest", extents=None, rules=None, opset=9) -> Request:
    where, opset, version = _resolved("Upsample", 9 if opset is None else opset)
    given: dict[str, Any] = {"mode": _parameters.text(where, "mode", mode)}
    if extents is not None:
        given["tesela.extents"] = _parameters.text(where, "extents", extents)
    if rules is not None:
        given["tesela.rules"] = _parameters.text(where, "rules", rules)
    x = (dtype_code, None, shape)
    numbers = _parameters.float32_numbers(where, "scales", scales)
    if version >= 9:
        return Request("Upsample", opset, given, {"X": x, "scales": (FLOAT, numbers)})
    if numbers.ndim != 1:
        _parameters.refuse(where, "scales", scales, "one number for each axis")
    factors = [float(factor) for factor in numbers]
    if version == 7:
        return Request("Upsample", opset, given | {"scales": factors}, {"X": x})
    if len(factors) != 4 or factors[:2] != [1, 1]:
        _parameters.refuse(where, "scales", scales, "(1, 1, height, width)", _core.InvalidValueError)
    return Request("Upsample", opset, given | {"height_scale": factors[2], "width_scale": factors[3]}, {"X": x})


def tile(dtype_code: int, shape, *, repeats, opset=None) -> Request:
    where, opset, _ = _resolved("Tile", opset)
    x = (dtype_code, None, shape)
    return Request("Tile", opset, {}, {"input": x, "repeats": (INT64, _parameters.whole_numbers(where, "repeats", repeats))})


def value_array(value) -> np.ndarray:
    """A value of ConstantOfShape as an array. Errors: ArgumentError."""
    return _parameters.array_of("ConstantOfShape", "value", value, "a scalar or an array of one element")


def value_attribute(value):
    """A value of ConstantOfShape as (code, elements, extents)."""
    array = value_array(value)
    code = _types.code_of(array.dtype)
    if code == _types.STRING:
        _parameters.refuse("ConstantOfShape", "value", value, "a number: ConstantOfShape does not support strings", _core.ElementTypeError)
    array = np.ascontiguousarray(array.astype(array.dtype.newbyteorder("=")))
    raw = _types.pack(array, code) if _types.packed_bits(code) else array.reshape(-1)
    return (code, _types.as_plain(raw), array.shape or (1,))


def constant_of_shape(*, shape, value=None, opset=None) -> Request:
    where, opset, _ = _resolved("ConstantOfShape", opset)
    attributes = {} if value is None else {"value": value_attribute(value)}
    extents = np.atleast_1d(_parameters.whole_numbers(where, "shape", shape))
    return Request("ConstantOfShape", opset, attributes, {"input": (INT64, extents)})


BY_NAME: dict[str, Callable[..., Request]] = {
    "resize": resize, "upsample": upsample, "tile": tile, "constant_of_shape": constant_of_shape,
}


_KEYWORDS = {name: {p.name: p for p in inspect.signature(make).parameters.values() if p.kind is p.KEYWORD_ONLY}
             for name, make in BY_NAME.items()}


def check_names(operator: str, parameters: dict[str, Any]) -> None:
    """Checks for unknown and missing parameters. Errors: ArgumentError."""
    known = _KEYWORDS[operator]
    if operator != "resize":
        _parameters.refuse_unknown(operator, parameters, known)
    for name, parameter in known.items():
        if parameter.default is parameter.empty and parameters.get(name) is None:
            raise _core.ArgumentError(f"{operator}: parameter '{name}' is missing; expected one entry for each axis of x")
