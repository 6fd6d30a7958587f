# SPDX-License-Identifier: Apache-2.0
"""Element types: Tesela's codes and NumPy's dtypes."""

from __future__ import annotations

import itertools
import reprlib

import ml_dtypes
import numpy as np

from . import _core

STRING = _core.dtype_from_name("string")

_REGISTERED = 2  # numpy.dtype.isbuiltin of the types that ml_dtypes gives to NumPy, which have no buffers

_dtype_of = {STRING: np.dtype(object)}
for _code in itertools.takewhile(_core.dtype_numpy_name, itertools.count(1)):
    _name = _core.dtype_numpy_name(_code)
    try:
        _dtype_of.setdefault(_code, np.dtype(getattr(ml_dtypes, _name, _name)))
    except TypeError:  # newer than the package ml_dtypes that is installed
        continue
_code_of = {dtype: code for code, dtype in _dtype_of.items() if code != STRING}


def code_of(dtype: np.dtype) -> int:
    """The code of a dtype of any byte order. Raises ElementTypeError for what no tensor can hold."""
    if code := _code_of.get(dtype):
        return code
    if dtype.kind in "OUST":
        return STRING
    if code := _code_of.get(dtype.newbyteorder("=")):
        return code
    raise _core.ElementTypeError(
        f"element type {dtype} is not one of ONNX's; expected bool, integers of 2 to 64 bits, floats of 4 to 64 bits, "
        "complex64, complex128 or strings"
    )


def dtype_of(code: int) -> np.dtype:
    """The dtype of a code; object for strings."""
    return _dtype_of[code]


def read_dtype(dtype) -> np.dtype:
    """A dtype from anything that names one: a dtype, a scalar type, a name of NumPy's, ml_dtypes' or ONNX's.
    Raises ElementTypeError."""
    if isinstance(dtype, str):
        if code := _core.dtype_from_name(dtype):
            return _dtype_of[code]
    try:
        return np.dtype(dtype)
    except (TypeError, ValueError):
        expected = "a dtype, a scalar type or the name of one, 'float32' say"
        raise _core.ElementTypeError(f"dtype is {reprlib.repr(dtype)}; expected {expected}") from None


def name_of(code: int) -> str | None:
    """ONNX's name; None for an unknown type."""
    return _core.dtype_name(code) if code else None


def as_plain(array: np.ndarray) -> np.ndarray:
    """The same memory as a dtype that has a buffer."""
    if array.dtype.isbuiltin == _REGISTERED:
        return array.view(f"u{array.dtype.itemsize}")
    return array


def packed_bits(code: int) -> int:
    """2 or 4 for the types of which several share a byte, else 0."""
    bits = _core.dtype_bits(code)
    return bits if bits < 8 else 0


def pack(array: np.ndarray, code: int) -> np.ndarray:
    """One byte per element, as NumPy holds 2 and 4 bits, into ONNX's dense bytes, least significant first."""
    bits = packed_bits(code)
    per_byte = 8 // bits
    codes = np.ascontiguousarray(array).reshape(-1).view(np.uint8) & np.uint8((1 << bits) - 1)
    padded = np.zeros(-(-codes.size // per_byte) * per_byte, np.uint8)
    padded[: codes.size] = codes
    shifted = padded.reshape(-1, per_byte) << (np.arange(per_byte, dtype=np.uint8) * np.uint8(bits))
    return np.bitwise_or.reduce(shifted, axis=1)


def unpack(raw: np.ndarray, code: int, shape: tuple[int, ...]) -> np.ndarray:
    """ONNX's dense bytes into one byte per element, the spare bits zero, as ml_dtypes writes them."""
    bits = packed_bits(code)
    dtype = dtype_of(code)
    shifts = np.arange(8 // bits, dtype=np.uint8) * np.uint8(bits)
    count = int(np.prod(shape, dtype=np.int64))
    codes = ((raw[:, None] >> shifts) & np.uint8((1 << bits) - 1)).reshape(-1)[:count]
    return codes.view(dtype).reshape(shape)
