# SPDX-License-Identifier: Apache-2.0
"""Checks of parameters. Every error names the parameter, its value and what is allowed."""

from __future__ import annotations

import operator
import reprlib
from collections.abc import Iterable
from typing import Any, NoReturn

import numpy as np

from . import _core

_MOST_THREADS = 1024
_short = reprlib.Repr()
_short.maxstring = _short.maxother = _short.maxlong = 60

# Names of parameters and attributes in other libraries.
_ELSEWHERE = {
    "align_corners": "coordinate_transformation_mode", "coord_mode": "coordinate_transformation_mode",
    "dsize": "sizes", "factor": "scales", "fill_value": "extrapolation_value", "interpolation": "mode",
    "method": "mode", "order": "mode", "output_shape": "sizes", "preset": "like", "resample": "mode", "reps": "repeats",
    "scale": "scales", "scale_factor": "scales", "shape": "sizes", "size": "sizes", "threads": "num_threads",
    "zoom": "scales",
}

# Other spellings of the libraries of presets, and of their methods.
_LIBRARIES = {
    "cv": "opencv", "cv2": "opencv", "jnp": "jax", "pil": "pillow", "scikit-image": "skimage", "tf": "tensorflow",
    "tf1": "tensorflow-v1", "tf-v1": "tensorflow-v1", "tf2": "tensorflow", "torch": "pytorch", "tv": "torchvision",
}
_METHODS = {"bicubic": "cubic", "bilinear": "linear", "cubic": "bicubic", "linear": "bilinear", "lanczos3": "lanczos"}
_LONGEST = 300  # characters of a message


def shown(value: Any) -> str:
    """A short form of a value, on one line."""
    return " ".join(_short.repr(value).split())


def refuse(where: str, name: str, value: Any, expected: str, kind: type[_core.Error] = _core.ArgumentError) -> NoReturn:
    """Raises an error of `kind`. where: the operator and its version, or the function."""
    raise kind(f"{where}: {name} is {shown(value)}; expected {expected}")


def suggestion(name: str, known: Iterable[str]) -> str:
    """"; did you mean 'linear'?" if a known name is similar, else ""."""
    names = list(known)
    elsewhere = _ELSEWHERE.get(name)
    found = elsewhere if elsewhere in names else _core.nearest_name(name, names)
    return f"; did you mean '{found}'?" if found else ""


def refuse_unknown(where: str, given: Iterable[str], known: Iterable[str]) -> None:
    """Raises ArgumentError for the first parameter that is not known."""
    names = list(known)
    for name in given:
        if name not in names:
            cure = suggestion(name, names) or f"; expected one of {', '.join(names)}"
            raise _core.ArgumentError(f"{where}: parameter {shown(name)} is unknown{cure}"[:_LONGEST])


def refuse_preset(name: Any, known: Iterable[str]) -> NoReturn:
    """Raises ArgumentError or InvalidValueError, and suggests the closest preset or lists those available."""
    if not isinstance(name, str):
        refuse("resize", "like", name, "the name of a preset, such as 'pytorch:bilinear'")
    names = list(known)
    given, _, method = name.strip().lower().replace("_", "-").partition(":")
    given, method = _LIBRARIES.get(given, given), method.removeprefix("inter-")
    libraries = sorted({entry.partition(":")[0] for entry in names})
    library = given if given in libraries else _core.nearest_name(given, libraries)
    of_library = [entry for entry in names if entry.startswith(f"{library}:")]
    methods = [entry.partition(":")[2] for entry in of_library]
    meant = [entry for entry in (method, _METHODS.get(method), _core.nearest_name(method, methods)) if entry in methods]
    near = of_library or [f"{entry}:" for entry in libraries]
    cure = f"did you mean '{library}:{meant[0]}'?" if meant else f"expected one of {', '.join(near)}"
    message = f"preset {shown(name)} is unknown; {cure}"
    raise _core.InvalidValueError(message if len(message) <= _LONGEST else message[: _LONGEST - 3] + "...")


def text(where: str, name: str, value: Any) -> str:
    """A string. Errors: ArgumentError."""
    if not isinstance(value, str):
        refuse(where, name, value, "a string")
    return str(value)


def number(where: str, name: str, value: Any) -> float:
    """A number within the range of float32, an infinity or NaN. Errors: ArgumentError, InvalidValueError."""
    if isinstance(value, (bool, np.bool_, str, bytes)) or np.ndim(value) != 0:
        refuse(where, name, value, "a number")
    try:
        result = float(value)
    except (TypeError, ValueError):
        refuse(where, name, value, "a number")
    except OverflowError:
        result = 2.0**1023
    if np.isfinite(result) and abs(result) >= 2.0**128:
        refuse(where, name, value, "a number that float32 can hold", _core.InvalidValueError)
    return result


def flag(where: str, name: str, value: Any) -> int:
    """A switch. Errors: ArgumentError, AttributeValueError."""
    try:
        number_given = int(value) if isinstance(value, (bool, np.bool_)) else operator.index(value)
    except TypeError:
        refuse(where, name, value, "True, False, 1 or 0")
    if number_given not in (0, 1):
        refuse(where, name, value, "True, False, 1 or 0", _core.AttributeValueError)
    return number_given


def whole(where: str, name: str, value: Any, least: int, most: int) -> int:
    """A whole number of [least, most]. Errors: ArgumentError, InvalidValueError."""
    allowed = f"a whole number from {least} to {most}"
    if isinstance(value, (bool, np.bool_)):
        refuse(where, name, value, allowed)
    try:
        result = operator.index(value)
    except TypeError:
        refuse(where, name, value, allowed)
    if not least <= result <= most:
        refuse(where, name, value, allowed, _core.InvalidValueError)
    return result


def threads(where: str, value: Any) -> int:
    """num_threads, 0 for None. Errors: ArgumentError, InvalidValueError."""
    if value is None or type(value) is int and 0 <= value <= _MOST_THREADS:
        return value or 0
    return whole(where, "num_threads", value, 0, _MOST_THREADS)


def opset(where: str, value: Any, name: str = "opset") -> int:
    """opset, 0 for None: the newest. Errors: ArgumentError, InvalidValueError."""
    return 0 if value is None else whole(where, name, value, 0, 2**31 - 1)


def most_bytes(where: str, name: str, value: Any) -> int:
    """A limit, 0 for None: the default. Errors: ArgumentError, InvalidValueError."""
    return 0 if value is None else whole(where, name, value, 1, 2**63 - 1)


def names(where: str, name: str, values: Any) -> list[str]:
    """A list of strings; a single string is an error. Errors: ArgumentError."""
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        refuse(where, name, values, "a list of names")
    entries = list(values)
    if not all(isinstance(entry, str) for entry in entries):
        refuse(where, name, values, "strings")
    return entries


def array_of(where: str, name: str, value: Any, expected: str) -> np.ndarray:
    """numpy.asarray of numbers. Errors: ArgumentError."""
    try:
        return np.asarray(value)
    except (TypeError, ValueError, OverflowError):
        refuse(where, name, value, expected)


def whole_numbers(where: str, name: str, values: Any) -> np.ndarray:
    """int64 from integers and from floats with integer values. Errors: ArgumentError, ElementTypeError, InvalidValueError."""
    expected = "whole numbers"
    array = array_of(where, name, values, expected)
    if array.size == 0:
        return np.zeros(array.shape, np.int64)
    beyond = array.dtype.kind == "O" and all(type(entry) is int for entry in array.flat)  # integers beyond 64 bits
    is_whole = np.all(array == np.floor(array)) if array.dtype.kind == "f" else beyond or array.dtype.kind in "iu"
    if not is_whole or _has_flags(values):
        refuse(where, name, values, expected, _core.ElementTypeError)
    exact = float if array.dtype.kind == "f" else int
    if not -(2**63) <= exact(array.min()) <= exact(array.max()) < 2**63:
        refuse(where, name, values, "whole numbers that int64 can hold", _core.InvalidValueError)
    return array.astype(np.int64)


def _has_flags(values: Any) -> bool:
    """Whether a list contains bools, which NumPy would convert to integers."""
    return isinstance(values, (list, tuple)) and any(isinstance(entry, (bool, np.bool_)) for entry in values)


def axes(where: str, name: str, value: Any) -> list[int]:
    """Axis numbers, from a list or a single one. Errors: ArgumentError, InvalidValueError."""
    expected = "axis numbers, such as (0, 1)"
    array = array_of(where, name, value, expected)
    if array.size == 0 and array.ndim == 1:
        return []
    if array.dtype.kind not in "iu" or array.ndim > 1 or _has_flags(value):
        refuse(where, name, value, expected)
    entries = [int(entry) for entry in array.reshape(-1)]
    if not all(-(2**31) <= entry < 2**31 for entry in entries):
        refuse(where, name, value, expected, _core.InvalidValueError)
    return entries


def real_numbers(where: str, name: str, values: Any) -> np.ndarray:
    """float16, float32 or float64 from real numbers, contiguous. Errors: ArgumentError, ElementTypeError."""
    expected = "real numbers"
    array = array_of(where, name, values, expected)
    if array.size and array.dtype.kind not in "fiu" or _has_flags(values):
        refuse(where, name, values, expected, _core.ElementTypeError)
    if array.dtype not in (np.float16, np.float32):
        array = array.astype(np.float64)
    return np.ascontiguousarray(array.astype(array.dtype.newbyteorder("=")))


def float32_numbers(where: str, name: str, values: Any) -> np.ndarray:
    """float32 from real numbers. Errors: as real_numbers."""
    with np.errstate(over="ignore"):  # overflow gives an infinity, which the operator rejects
        return real_numbers(where, name, values).astype(np.float32)
