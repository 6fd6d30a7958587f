"""Element types: Tesela's codes and NumPy's dtypes."""

from __future__ import annotations

import reprlib

import ml_dtypes
import numpy as np

from . import _core

_NUMPY_SCALARS = (
    np.bool_, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64,
    np.float16, np.float32, np.float64, np.complex64, np.complex128,
)
_ML_SCALARS = tuple(
    entry for name in ml_dtypes.__all__ if isinstance(entry := getattr(ml_dtypes, name), type)
    and issubclass(entry, np.generic)
)

STRING = _core.dtype_from_name("string")

_code_of = {}
_dtype_of = {STRING: np.dtype(object)}
for _scalar in _NUMPY_SCALARS + _ML_SCALARS:
    if _code := _core.dtype_from_name(np.dtype(_scalar).name):
        _code_of[np.dtype(_scalar)] = _code
        _dtype_of[_code] = np.dtype(_scalar)

# The types that ml_dtypes gives to NumPy: those have no buffers, so their bytes travel as integers.
_foreign = {np.dtype(scalar) for scalar in _ML_SCALARS}


def code_of(dtype: np.dtype) -> int:
    """The code of a dtype of any byte order. Raises ElementTypeError for what no tensor can hold."""
    if code := _code_of.get(dtype):
        return code
    if dtype.kind in "OUST":
        return STRING
    if code := _code_of.get(dtype.newbyteorder("=")):
        return code
    raise _core.ElementTypeError(
        f"element type {dtype} is none of ONNX's; expected bool, integers of 2 to 64 bits, floats of 4 to 64 bits, "
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
    if array.dtype in _foreign:
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
